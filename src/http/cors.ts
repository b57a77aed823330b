/**
 * Any page may read public data from a browser. `X-Signature` is not among the headers a browser may send, so a secret
 * key is of no use there, as it must be.
 */
import Router from "@koa/router";
import type { Middleware, RequestState } from "./context.ts";
import { corsHeaders } from "./cors-headers.ts";
import { ApiError } from "./errors.ts";

const requestHeaders = ["X-API-Key", "Content-Type", "If-None-Match"].join(", ");

/** How long a browser may remember a path's methods. */
const preflightSeconds = 86_400;

/** Lets browsers read every answer, errors too. */
export function allowAnyOrigin(): Middleware {
  return (ctx, next) => {
    ctx.set(corsHeaders);
    return next();
  };
}

/**
 * Answers OPTIONS, which browsers send without a key.
 *
 * @param methodsByPath The methods of each path, in the order in which paths are tried.
 */
export function answerOptions(methodsByPath: ReadonlyMap<string, readonly string[]>): Middleware {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  for (const [path, methods] of methodsByPath) {
    const allowed = methods.join(", ");
    router.options(path, (ctx) => {
      ctx.status = 204;
      ctx.set({
        Allow: allowed,
        "Access-Control-Allow-Methods": allowed,
        "Access-Control-Allow-Headers": requestHeaders,
        "Access-Control-Max-Age": String(preflightSeconds),
      });
    });
  }
  router.options("{*path}", () => {
    throw new ApiError("NOT_FOUND");
  });
  return router.routes() as Middleware;
}
