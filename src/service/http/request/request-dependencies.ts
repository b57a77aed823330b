import type { ApiErrorCode } from "../../../contract/errors.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { KeyRing } from "../../auth/key-ring.ts";
import type { Clients } from "./client-address.ts";
import type { TraceContext } from "./context.ts";

/** The parts of the process around the app that the steps of a request use. */
export interface RequestDependencies {
  /** The store being served, taken once by each request. */
  readonly currentStore: () => Store;
  /** The keys in force. */
  readonly currentKeys: () => KeyRing;
  /** Milliseconds since 1970-01-01T00:00:00Z; for signatures and the expiry of keys. */
  readonly now: () => number;
  readonly log: RequestLogger;
  /** Who clients are; no proxy is trusted when absent. */
  readonly clients?: Clients;
  /** Called for every request when its answer has left, or its connection is gone. */
  readonly countRequest?: CountRequest;
}

/** @param endpoint Method and path as in the table of endpoints, undefined for a request that reached none. */
export type CountRequest = (
  endpoint: string | undefined,
  entry: Pick<RequestEntry, "status" | "code" | "duration_ms">,
) => void;

/** The line of the log about a request; undefined fields are left out. */
export interface RequestEntry extends Partial<TraceContext> {
  readonly request_id: string;
  readonly method: string;
  /** As sent, with what looks like a key or signature masked. */
  readonly target: string;
  /** Undefined when no answer has left. */
  readonly status: number | undefined;
  /** The code of an error. */
  readonly code: ApiErrorCode | undefined;
  readonly bytes: number | undefined;
  readonly duration_ms: number;
  /** True if the connection was gone before the whole answer had left. */
  readonly aborted: true | undefined;
  /** Id of the key. */
  readonly key: string | undefined;
  readonly snapshot: string | undefined;
  /** The client's address, behind a trusted proxy the forwarded one. */
  readonly client: string | undefined;
}

/** Takes log lines; pino has this shape. */
export interface RequestLogger {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Writes what `info(entry, "request")` writes; that is called where this is absent. */
  request?(entry: RequestEntry): void;
}
