/** The pages alone as a Koa app, for the admin port. */

import type Koa from "koa";
import { AnswerCache } from "../../answer/answer-cache.ts";
import { koaApp } from "../../app.ts";
import type { RequestState } from "../../context.ts";
import type { AppDependencies } from "../../dependencies.ts";
import { requireWellFormed } from "../../input/receive-request.ts";
import { adminPageCacheBytes } from "../../limits.ts";
import { answerOptions, RouteTable } from "../../router.ts";
import { type ExplorerDependencies, explorerRoutes } from "./routes.ts";

export function createExplorerApp(
  deps: Pick<AppDependencies, "admission" | "currentStore" | "log" | "clients"> & ExplorerDependencies,
): Koa<RequestState> {
  const cache = new AnswerCache({ bytesMax: adminPageCacheBytes, currentStore: deps.currentStore });
  const table = new RouteTable(explorerRoutes(deps, cache));
  const knownPages = { docsUrl: deps.docsUrl, hasExplorer: true };
  return koaApp({ ...deps, knownPages }, async (ctx) => {
    requireWellFormed(ctx);
    if (ctx.req.method === "OPTIONS") answerOptions(ctx, table);
    else await table.serve(ctx);
  });
}
