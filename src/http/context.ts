import type Koa from "koa";
import type { KeyEntry, KeyRing } from "../auth/key-record.ts";
import type { Store } from "../store/store.ts";
import type { Admission } from "./admission.ts";
import type { ApiErrorCode } from "./errors.ts";

/** What the app needs from the process around it. */
export interface AppDependencies {
  /** The store being served, taken once by each request; undefined while there is none. */
  readonly currentStore: () => Store | undefined;
  /** The keys in force. */
  readonly currentKeys: () => KeyRing;
  /** Milliseconds since 1970-01-01T00:00:00Z; for signatures only. */
  readonly now: () => number;
  readonly log: RequestLogger;
  /** What clients may hold at one time. */
  readonly admission: Admission;
  /** Called for every request when its answer has left, or its connection is gone. */
  readonly countRequest?: CountRequest;
}

/**
 * @param endpoint Method and path as in the table of endpoints, undefined for a request that reached none.
 * @param status Undefined when no answer has left.
 */
export type CountRequest = (endpoint: string | undefined, status: number | undefined, milliseconds: number) => void;

/** Takes log lines; pino has this shape. */
export interface RequestLogger {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** What middlewares pass on to those after them. */
export interface RequestState {
  requestId: string;
  /** The one store of this request, from start to end. */
  store: Store | undefined;
  /** The key of the request; set once it is known. */
  principal: KeyEntry | undefined;
  /** The body as received. */
  body: Buffer;
  /** Method and path as in the table of endpoints; set once the route is known. */
  endpoint: string | undefined;
  /** Bytes of a long answer that have been written so far; undefined for one that leaves at once. */
  answerBytes: number | undefined;
  /** Set when the request ends in an error. */
  errorCode: ApiErrorCode | undefined;
}

export type Middleware = Koa.Middleware<RequestState>;
export type Context = Koa.ParameterizedContext<RequestState>;
