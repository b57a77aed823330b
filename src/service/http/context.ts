import type Koa from "koa";
import type { ApiErrorCode } from "../../contract/errors.ts";
import type { Store } from "../../engine/store/store.ts";
import type { RingEntry } from "../auth/key-ring.ts";
import type { Allowance } from "./admission/rate-limits.ts";
import type { Client } from "./connection/client-address.ts";
import type { TraceContext } from "./input/trace-context.ts";

/** What the steps of a request leave for those after them. */
export interface RequestState {
  requestId: string;
  /** The trace that the client says the request belongs to. */
  trace: TraceContext | undefined;
  /** The client, identified by its address. */
  readonly client: Client;
  /** The one store of this request, from start to end. */
  store: Store | undefined;
  /**
   * The target up to its question mark, and what follows it; both as sent, once the target is known to be well-formed.
   */
  path: string;
  queryText: string;
  /** The key of the request; set once it is known. */
  principal: RingEntry | undefined;
  /** What the key may still do; undefined for a key without a limit. */
  allowance: Allowance | undefined;
  /** The body as received. */
  body: Buffer;
  /** Method and path as in the table of endpoints; set once the route is known. */
  endpoint: string | undefined;
  /** Whether it holds a unit of requests in flight, released at its end. */
  isAdmitted: boolean;
  /** Whether the answer is a file: an export or a download. */
  isFile: boolean;
  /** Bytes of the answer's body, of a long one those written so far; undefined for an answer without a body. */
  answerBytes: number | undefined;
  /** Set when the request ends in an error. */
  errorCode: ApiErrorCode | undefined;
}

export type Context = Koa.ParameterizedContext<RequestState>;
