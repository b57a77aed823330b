import type Koa from "koa";
import type { ApiErrorCode } from "../../../contract/errors.ts";
import type { HeaderList } from "../../../contract/reply-body.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { RingEntry } from "../../auth/key-ring.ts";
import type { Client } from "./client-address.ts";

/** The ids of a client's trace, for the log: W3C Trace Context, level 1, https://www.w3.org/TR/trace-context/. */
export interface TraceContext {
  /** 32 lower-case hexadecimal digits, not all zero. */
  readonly trace_id: string;
  /** The span of the client that sent the request: 16 lower-case hexadecimal digits, not all zero. */
  readonly parent_id: string;
  /** Two lower-case hexadecimal digits; the last bit says that the client records the trace. */
  readonly trace_flags: string;
}

/** A client that reads an answer. */
export interface AnswerReader {
  /** How long its answer has waited for it, less the time that the bytes it took allow. */
  readonly waitedMilliseconds: number;
  /** Breaks its answer off. */
  disconnect(): void;
}

/** The tokens that a request may still take of the bucket, or the buckets, of its key. */
export interface Allowance {
  /** For its answer. */
  readonly headers: HeaderList;
  /**
   * Takes one token more, also where that leaves a debt of up to `debtMilliseconds`.
   *
   * @returns 0, or after how many milliseconds to try again.
   */
  pay(): number;
}

/** The values that the steps of a request leave for those after them. */
export interface RequestState {
  requestId: string;
  /** The trace that the client says the request belongs to. */
  trace: TraceContext | undefined;
  /** The client, identified by its address. */
  readonly client: Client;
  /** The one store of this request, until its body is made. */
  store: Store | undefined;
  /** The id of the snapshot that its answer is of. */
  snapshot: string | undefined;
  /**
   * The target up to its question mark, and what follows it; both as sent, once the target is known to be well-formed.
   */
  path: string;
  queryText: string;
  /** The key of the request; set once it is known. */
  principal: RingEntry | undefined;
  /** Undefined for a key without a limit. */
  allowance: Allowance | undefined;
  /** The body as received. */
  body: Buffer;
  /** Method and path as in the table of endpoints; set once the route is known. */
  endpoint: string | undefined;
  /** A `Place` of service/http/admission/admission.ts; undefined while it has none. */
  place: { leave(): void; waitFor(reader: AnswerReader): void } | undefined;
  /** True if the answer is a file: an export or a download. */
  isFile: boolean;
  /** Bytes of the answer's body, of a long one those written so far; undefined for an answer without a body. */
  answerBytes: number | undefined;
  /** Set when the request ends in an error. */
  errorCode: ApiErrorCode | undefined;
  /** True if the error is that it asked for too much, or at the wrong time; the log counts such requests. */
  isRefused: boolean;
}

/** What is known of a request: all of Koa's context that is used, so that a refusal needs no Koa. */
export type Context = Pick<Koa.ParameterizedContext<RequestState>, "app" | "req" | "res" | "respond" | "state">;
