/** A request as the log and the counters record it. */
import type { ApiErrorCode } from "../../../contract/errors.ts";
import type { TraceContext } from "./context.ts";

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
