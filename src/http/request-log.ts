/** The end of a request, when its answer has left or its connection is gone: its log line and its count. */
import { poolOf } from "./admit-request.ts";
import type { AppDependencies, Context } from "./context.ts";
import type { ApiErrorCode } from "./errors.ts";
import { maskTarget } from "./mask-target.ts";
import type { TraceContext } from "./trace-context.ts";

/** What the log says of a request; undefined fields are left out. */
export interface RequestEntry extends Partial<TraceContext> {
  readonly request_id: string;
  readonly method: string;
  /** As sent, with what looks like a key or signature masked. */
  readonly target: string;
  /** Undefined when no answer has left. */
  readonly status: number | undefined;
  /** Of an error. */
  readonly code: ApiErrorCode | undefined;
  readonly bytes: number | undefined;
  readonly duration_ms: number;
  /** Whether the connection was gone before the whole answer had left. */
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

/** Logs and counts a request at its end, and releases what it was admitted with. */
export function endWithAnswer(
  ctx: Context,
  { admission, log, countRequest }: Pick<AppDependencies, "admission" | "countRequest" | "log">,
): void {
  const { req, res, state } = ctx;
  const startedAt = performance.now();
  res.on("close", () => {
    if (state.isAdmitted) admission.release(poolOf(state).requests, admission.slotsOfClient(state.client));
    const milliseconds = performance.now() - startedAt;
    // An answer that was never sent does not count.
    const isSent = res.headersSent;
    const status = isSent ? res.statusCode : undefined;
    const entry: RequestEntry = {
      request_id: state.requestId,
      method: req.method as string,
      target: maskTarget(req.url as string),
      status,
      code: isSent ? state.errorCode : undefined,
      bytes: isSent ? state.answerBytes : undefined,
      duration_ms: Math.round(milliseconds * 1000) / 1000,
      aborted: res.writableFinished ? undefined : true,
      key: state.principal?.id,
      snapshot: state.store?.snapshot.id,
      client: state.client.address,
      ...state.trace,
    };
    if (log.request === undefined) log.info(entry, "request");
    else log.request(entry);
    countRequest?.(state.endpoint, entry);
  });
}
