import type { AppDependencies, Context, Middleware } from "./context.ts";
import { maskTarget } from "./masked-target.ts";

/**
 * One line and one count per request when its answer has left, or its connection is gone. It names the key by its id; keys and
 * signatures never get here, and what looks like one in the target is masked.
 */
export function logRequests({ log, countRequest }: AppDependencies): Middleware {
  return (ctx, next) => {
    const startedAt = performance.now();
    // A closed connection no longer knows it.
    const remote = ctx.req.socket.remoteAddress;
    ctx.res.once("close", () => {
      const milliseconds = performance.now() - startedAt;
      log.info({ ...describe(ctx, milliseconds), remote }, "request");
      countRequest?.(ctx.state.endpoint, ctx.res.headersSent ? ctx.status : undefined, milliseconds);
    });
    return next();
  };
}

function describe(ctx: Context, milliseconds: number): object {
  const { state, res } = ctx;
  // What was made and never sent is no answer.
  const answer = res.headersSent
    ? { status: ctx.status, code: state.errorCode, bytes: state.answerBytes ?? ctx.length }
    : {};
  return {
    request_id: state.requestId,
    method: ctx.method,
    target: maskTarget(ctx.url),
    ...answer,
    duration_ms: Math.round(milliseconds * 1000) / 1000,
    aborted: res.writableFinished ? undefined : true,
    key: state.principal?.id,
    snapshot: state.store?.snapshot.id,
  };
}
