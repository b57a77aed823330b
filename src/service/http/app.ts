/** The public service as a Koa app, without a port. */
import Koa from "koa";
import { endpointName } from "../../contract/endpoint.ts";
import { pageCachePart, rollupTextBytesMin } from "../../contract/limits.ts";
import { apiPrefix, explorerPath } from "../../contract/paths.ts";
import { AnswerCache } from "./answer/answer-cache.ts";
import { tagsOf } from "./answer/representation.ts";
import { representationVersion } from "./answer/representation-version.ts";
import type { AppDependencies } from "./app-dependencies.ts";
import type { Handle } from "./connection/create-server.ts";
import { countedDocumentPaths, documentRoutes } from "./document-routes.ts";
import { endpoints, endpointsWith, listingOf } from "./endpoint-table.ts";
import { endpointRoute, type RouteParts, requestHandler } from "./handle-request.ts";
import { explorerRoutes } from "./page-routes.ts";
import type { Context, RequestState } from "./request/context.ts";
import { RollupTexts } from "./resources/prices/statistics-text.ts";
import { RouteTable } from "./router.ts";

/** The app over what the process around it gives. */
export function createApp(deps: AppDependencies): Handle {
  const { exportAccess = "secret", site, publicUrl, explorer, downloads, rollupTextBytes = 0 } = deps;
  const hasExplorer = explorer !== undefined;
  const { answerCacheBytes = 0, currentStore } = deps;
  // Documents and pages need no key, so they have a part of their own: clients that ask for many addresses drop no
  // answers of those with keys.
  const keylessBytes = Math.floor(answerCacheBytes * pageCachePart);
  const keyless = new AnswerCache(keylessBytes, currentStore);
  const version = deps.representationVersion ?? representationVersion();
  // Pages and documents have absolute addresses where there is one.
  const fullVersion = publicUrl === undefined ? version : `${version} ${publicUrl}`;
  const tagOf = tagsOf(fullVersion);
  const parts: RouteParts = {
    tagOf,
    cache: new AnswerCache(answerCacheBytes - keylessBytes, currentStore),
    rollupTexts: rollupTextBytes < rollupTextBytesMin ? undefined : new RollupTexts(rollupTextBytes),
  };
  const served = endpointsWith(exportAccess);
  const table = new RouteTable([
    ...served.map((endpoint) => endpointRoute(endpoint, deps, parts)),
    { ...endpointRoute(listingOf(served), deps, parts), name: listingName },
    ...documentRoutes(site.documents(served, hasExplorer, publicUrl), hasExplorer, {
      // Their tags begin with another text than those of answers, and the newest one is kept.
      tagOf: tagsOf(fullVersion),
      cache: keyless,
    }),
    ...(hasExplorer ? explorerRoutes({ ...explorer, downloads, tagOf, cache: keyless }) : []),
  ]);
  const app = new Koa<RequestState>();
  // Everything thrown has been answered and logged; what is left is an answer that could not be written. When the
  // client has gone, that is no error of the service, and the request's line says "aborted".
  app.on("error", (error: unknown, ctx: Context) => {
    if (!ctx.req.socket.destroyed) {
      deps.log.error({ request_id: ctx.state.requestId, ...ctx.state.trace, err: error }, "answer failed");
    }
  });
  return requestHandler(app, table, { ...deps, renderErrorPage: site.errorPages(served, hasExplorer) });
}

/** The name under which requests for the list of endpoints are counted. */
const listingName = endpointName({ method: "GET", path: apiPrefix });

/** The endpoints whose requests are counted each for itself: those of the interface and the documents. */
export const countedEndpoints: readonly string[] = [
  ...endpoints.map(endpointName),
  listingName,
  ...[...countedDocumentPaths, explorerPath].map((path) => endpointName({ method: "GET", path })),
];
