import type Koa from "koa";
import type { KeyRing, RingEntry } from "../auth/key-ring.ts";
import type { Store } from "../store/store.ts";
import type { Admission } from "./admission.ts";
import type { AnswerCache } from "./answer-cache.ts";
import type { Client, Clients } from "./client-address.ts";
import type { Downloads } from "./downloads/downloads.ts";
import type { Access } from "./endpoint.ts";
import type { ApiErrorCode } from "./errors.ts";
import type { Allowance, RateLimits } from "./rate-limits.ts";
import type { RequestEntry, RequestLogger } from "./request-log.ts";
import type { Route } from "./router.ts";
import type { TraceContext } from "./trace-context.ts";

/** What the app needs from the process around it. */
export interface AppDependencies {
  /** The store being served, taken once by each request; undefined while there is none. */
  readonly currentStore: () => Store | undefined;
  /** The keys in force. */
  readonly currentKeys: () => KeyRing;
  /** Milliseconds since 1970-01-01T00:00:00Z; for signatures and the expiry of keys. */
  readonly now: () => number;
  readonly log: RequestLogger;
  /** What clients may hold at one time. */
  readonly admission: Admission;
  /** How many requests they may make; as many as they like when absent. */
  readonly rateLimits?: RateLimits;
  /** Who they are; no proxy is trusted when absent. */
  readonly clients?: Clients;
  /** What the answer cache may take; none is there when absent. */
  readonly answerCacheBytes?: number;
  /** The key that exports of prices and statistics need; `secret` when absent. */
  readonly exportAccess?: Access;
  /** The files that hold whole snapshots; none are there when absent. */
  readonly downloads?: Downloads;
  /** The pages for people; not served when absent. */
  readonly explorerRoutes?: (cache: AnswerCache | undefined) => readonly Route[];
  /** Called whenever an answer is looked for in the answer cache. */
  readonly countCacheSearch?: (isFound: boolean) => void;
  /** Called for every request when its answer has left, or its connection is gone. */
  readonly countRequest?: CountRequest;
}

/** @param endpoint Method and path as in the table of endpoints, undefined for a request that reached none. */
export type CountRequest = (
  endpoint: string | undefined,
  entry: Pick<RequestEntry, "status" | "code" | "bytes" | "duration_ms">,
) => void;

/** What the steps of a request leave for those after them. */
export interface RequestState {
  requestId: string;
  /** The trace that the client says the request belongs to. */
  trace: TraceContext | undefined;
  /** The client, identified by its address. */
  readonly client: Client;
  /** The one store of this request, from start to end. */
  store: Store | undefined;
  /** The target up to its question mark, and what follows it; both as sent, once the target is known to be well-formed. */
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
  /** Whether the connection ends with the answer, whatever that is. */
  closesConnection: boolean;
  /** Bytes of the answer's body, of a long one those written so far; undefined for an answer without a body. */
  answerBytes: number | undefined;
  /** Set when the request ends in an error. */
  errorCode: ApiErrorCode | undefined;
}

export type Context = Koa.ParameterizedContext<RequestState>;
