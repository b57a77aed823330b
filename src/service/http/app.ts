import Koa from "koa";
import { pageCachePart, rollupTextBytesMin } from "../../contract/limits.ts";
import { explorerPath } from "../../site/explore/request.ts";
import { admitRequest } from "./admission/admit-request.ts";
import { authenticateKey, authenticateSignature } from "./admission/authenticate.ts";
import { requireCapacity } from "./admission/require-capacity.ts";
import { AnswerCache } from "./answer/answer-cache.ts";
import { answerError, type ErrorDependencies } from "./answer/answer-error.ts";
import { Clients } from "./connection/client-address.ts";
import type { Context, RequestState } from "./context.ts";
import type { AppDependencies } from "./dependencies.ts";
import { countedDocumentPaths, documentRoutes } from "./document-routes.ts";
import { endpoints, endpointsWith } from "./endpoint-table.ts";
import { newRequest, readBody, requireWellFormed } from "./input/receive-request.ts";
import { recordAtEnd } from "./request-log.ts";
import { RollupTexts } from "./resources/prices/statistics-text.ts";
import { answerOptions, endpointName, isBelowPrefix, RouteTable } from "./router.ts";
import { endpointRoute, type KeptTexts } from "./serve-endpoint.ts";

/** The public service as a Koa app, without a port. */
export function createApp(deps: AppDependencies): Koa<RequestState> {
  const { answerCacheBytes = 0, rollupTextBytes = 0, currentStore, countCacheSearch, exportAccess = "secret" } = deps;
  // Pages need no key, so they have a part of their own: those who ask for many addresses drop no answers of those with
  // keys.
  const pageBytes = deps.explorerRoutes === undefined ? 0 : Math.floor(answerCacheBytes * pageCachePart);
  const cacheOf = (bytesMax: number): AnswerCache | undefined =>
    bytesMax === 0 ? undefined : new AnswerCache({ bytesMax, currentStore, countSearch: countCacheSearch });
  const kept: KeptTexts = {
    cache: cacheOf(answerCacheBytes - pageBytes),
    rollupTexts: rollupTextBytes < rollupTextBytesMin ? undefined : new RollupTexts(rollupTextBytes),
  };
  const served = endpointsWith(exportAccess);
  const table = new RouteTable([
    ...served.map((endpoint) => endpointRoute(endpoint, deps, kept)),
    ...documentRoutes(served, deps),
    ...(deps.explorerRoutes?.(cacheOf(pageBytes)) ?? []),
  ]);
  const knownPages = { docsUrl: "/docs", hasExplorer: deps.explorerRoutes !== undefined };
  return koaApp({ ...deps, knownPages }, (ctx) => answer(ctx, table, deps));
}

/**
 * An app whose requests have their state, their log line and their errors.
 *
 * @param answer Answers a request; what it throws is answered as an error.
 */
export function koaApp(
  deps: Pick<AppDependencies, "admission" | "clients" | "countRequest" | "currentStore"> & ErrorDependencies,
  answer: (ctx: Context) => Promise<void>,
): Koa<RequestState> {
  const app = new Koa<RequestState>();
  const { clients = new Clients(), currentStore } = deps;
  // One middleware with all steps, and not one for each: every layer costs a closure and two promises a request.
  app.use(async (ctx) => {
    ctx.state = newRequest(ctx.req, clients.of(ctx.req), currentStore());
    recordAtEnd(ctx, deps);
    try {
      await answer(ctx);
    } catch (error) {
      answerError(ctx, error, deps);
    }
  });
  // Everything thrown has been answered and logged; what is left is an answer that could not be written. When the
  // client has gone, that is no error of the service, and the request's line says "aborted".
  app.on("error", (error: unknown, ctx: Context) => {
    if (!ctx.req.socket.destroyed) {
      deps.log.error({ request_id: ctx.state.requestId, ...ctx.state.trace, err: error }, "answer failed");
    }
  });
  return app;
}

/**
 * Answers a request. The order below is the order of work: nothing under the prefix is answered without a valid key,
 * OPTIONS apart; the key is checked and pays a token of its limit before the body is read, and the signature is checked
 * after it. Whatever is elsewhere needs no key, and a request for it pays a token of the limit of its address, except
 * for files that never change.
 *
 * @throws {ApiError} What the answer is then.
 */
async function answer(ctx: Context, table: RouteTable, deps: AppDependencies): Promise<void> {
  const { req, state } = ctx;
  // Before any work: what is refused must cost little.
  requireCapacity(req, deps.admission);
  requireWellFormed(ctx);
  if (req.method === "OPTIONS") {
    answerOptions(ctx, table);
    return;
  }
  if (isBelowPrefix(state.path)) {
    const principal = authenticateKey(ctx, deps);
    state.principal = principal;
    state.allowance = deps.rateLimits?.admit(principal, state.client);
    const body = readBody(req, ctx.res);
    if (body !== undefined) state.body = await body;
    if (principal.kind === "secret") authenticateSignature(ctx, principal, deps);
  } else {
    // A page is of no use without its style, and sending that costs less than refusing it.
    if (!table.isImmutable(state.path)) deps.rateLimits?.admitKeyless(state.client);
    admitRequest(ctx, deps.admission);
  }
  if (hasEncodedSlash(state.path)) throw table.notFound(state.path, req.method as string);
  // Path, method, permission, input, If-None-Match, question, answer.
  const answering = table.serve(ctx);
  if (answering !== undefined) await answering;
}

/** `%2F` is no way to write a path here: no identifier holds a slash. */
function hasEncodedSlash(path: string): boolean {
  return path.includes("%") && /%2f/i.test(path);
}

/** The endpoints whose requests are counted each for itself: those of the interface and the documents. */
export const countedEndpoints: readonly string[] = [
  ...endpoints.map(endpointName),
  ...[...countedDocumentPaths, explorerPath].map((path) => endpointName({ method: "GET", path })),
];
