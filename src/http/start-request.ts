import type { AppDependencies, Middleware } from "./context.ts";
import { requestIdFor, requestIdHeader } from "./request-id.ts";

/** Names the request and takes the store that it will see to its end, whatever is swapped meanwhile. */
export function startRequest({ currentStore }: AppDependencies): Middleware {
  return (ctx, next) => {
    const store = currentStore();
    ctx.state = {
      requestId: requestIdFor(ctx.get(requestIdHeader)),
      store,
      principal: undefined,
      body: Buffer.alloc(0),
      endpoint: undefined,
      answerBytes: undefined,
      errorCode: undefined,
    };
    ctx.set(requestIdHeader, ctx.state.requestId);
    if (store !== undefined) ctx.set("X-Snapshot-Id", store.snapshot.id);
    return next();
  };
}
