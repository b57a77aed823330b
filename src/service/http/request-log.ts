/** The end of a request, when its answer has left or its connection is gone: its log line and its count. */

import { poolOf } from "./admission/admit-request.ts";
import type { Context } from "./context.ts";
import type { AppDependencies } from "./dependencies.ts";
import { maskTarget } from "./input/mask-target.ts";
import type { RequestEntry } from "./request-entry.ts";

/** Logs and counts a request at its end, and releases what it was admitted with. */
export function recordAtEnd(
  ctx: Context,
  { admission, log, countRequest }: Pick<AppDependencies, "admission" | "countRequest" | "log">,
): void {
  const { req, res, state } = ctx;
  const startedAt = performance.now();
  res.on("close", () => {
    if (state.isAdmitted) admission.release(poolOf(state).requests, admission.slotsOf(state.client));
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
