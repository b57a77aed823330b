import Koa from "koa";
import { authenticateKey, authenticateSignature } from "./authenticate.ts";
import type { AppDependencies, Context, Middleware, RequestState } from "./context.ts";
import { documentMethods, routeDocuments } from "./documents/routes.ts";
import { apiPrefix, endpoints } from "./endpoints.ts";
import { ApiError, answerErrors } from "./errors.ts";
import { readRawBody, requireWellFormed } from "./receive-request.ts";
import { answerOptions, endpointName, methodsByPath, routeEndpoints } from "./router.ts";
import { logRequests, startRequest } from "./start-request.ts";

/**
 * The public service as a Koa app, without a port. The order below is the order of work on a request; nothing under
 * the prefix is answered without a valid key, OPTIONS apart.
 */
export function createApp(deps: AppDependencies): Koa<RequestState> {
  const app = new Koa<RequestState>();
  app.use(startRequest(deps));
  app.use(logRequests(deps));
  app.use(answerErrors(deps));
  app.use(requireWellFormed());
  app.use(answerOptions(new Map([...methodsByPath(endpoints), ...documentMethods])));
  app.use(underPrefix(authenticateKey(deps)));
  app.use(underPrefix(readRawBody()));
  app.use(underPrefix(authenticateSignature(deps)));
  app.use(refuseEncodedSlashes());
  app.use(routeEndpoints(endpoints, deps.admission));
  app.use(routeDocuments(endpoints, deps.admission));
  app.use(() => {
    throw new ApiError("NOT_FOUND");
  });
  // Everything thrown has been answered and logged; what is left is an answer that could not be written. When the client
  // has gone, that is no error of the service, and the request's line says "aborted".
  app.on("error", (error: unknown, ctx: Context) => {
    if (!ctx.req.socket.destroyed) deps.log.error({ request_id: ctx.state.requestId, err: error }, "answer failed");
  });
  return app;
}

function underPrefix(middleware: Middleware): Middleware {
  return (ctx, next) =>
    ctx.path === apiPrefix || ctx.path.startsWith(`${apiPrefix}/`) ? middleware(ctx, next) : next();
}

/** `%2F` is no way to write a path here: no identifier holds a slash. */
function refuseEncodedSlashes(): Middleware {
  return (ctx, next) => {
    if (/%2f/i.test(ctx.path)) throw new ApiError("NOT_FOUND");
    return next();
  };
}

/** The endpoints whose requests are counted each for itself: those of the interface and the documents. */
export const countedEndpoints: readonly string[] = [
  ...endpoints.map(endpointName),
  ...[...documentMethods.keys()].map((path) => endpointName({ method: "GET", path })),
];
