/** The pages alone as a Koa app, for the admin port. */
import type Koa from "koa";
import { koaApp } from "../app.ts";
import type { AppDependencies, RequestState } from "../context.ts";
import { requireWellFormed } from "../receive-request.ts";
import { answerOptions, RouteTable } from "../router.ts";
import { type ExplorerDependencies, explorerRoutes } from "./routes.ts";

export function createExplorerApp(
  deps: Pick<AppDependencies, "admission" | "currentStore" | "log" | "clients"> & ExplorerDependencies,
): Koa<RequestState> {
  const table = new RouteTable(explorerRoutes(deps));
  return koaApp(deps, async (ctx) => {
    requireWellFormed(ctx);
    if (ctx.req.method === "OPTIONS") answerOptions(ctx, table);
    else await table.serve(ctx);
  });
}
