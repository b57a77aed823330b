/** The endpoint table → routes. Koa's context ends here: handlers get plain values and return plain values. */
import Router from "@koa/router";
import type { KeyEntry } from "../auth/key-record.ts";
import { andThen } from "../query/run-in-slices.ts";
import type { Admission } from "./admission.ts";
import type { Context, Middleware, RequestState } from "./context.ts";
import type { Access, Endpoint } from "./endpoint.ts";
import { apiPrefix } from "./endpoints.ts";
import { ApiError, serviceUnavailable } from "./errors.ts";
import { answerIfUnchanged } from "./etag.ts";
import { answerText } from "./json-text.ts";
import { createInputReader, type InputReader } from "./read-input.ts";
import { writeAnswer } from "./write-answer.ts";

/**
 * Routes for a table of endpoints. A path that exists with other methods throws METHOD_NOT_ALLOWED; a path that does not
 * exist falls through.
 */
export function routeEndpoints(endpoints: readonly Endpoint[], admission: Admission): Middleware {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  for (const [path, methods] of methodsByPath(endpoints)) {
    for (const endpoint of endpoints.filter((candidate) => apiPrefix + candidate.path === path)) {
      const serve = serveEndpoint(endpoint, createInputReader(endpoint), admission);
      if (endpoint.method === "GET") router.get(path, serve);
      else router.post(path, serve);
    }
    // Right behind the path's own methods, so that GET /prices/search is not taken for a price called "search".
    router.all(path, () => {
      throw methodNotAllowed(methods);
    });
  }
  return router.routes() as Middleware;
}

/** Each path of a table with its methods, in the order of the table. */
export function methodsByPath(endpoints: readonly Endpoint[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const [path, group] of Map.groupBy(endpoints, (endpoint) => apiPrefix + endpoint.path)) {
    methods.set(path, [...group.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"]);
  }
  return methods;
}

/** How an endpoint is called in figures: `GET /prices/:uuid`. */
export function endpointName({ method, path }: Pick<Endpoint, "method" | "path">): string {
  return `${method} ${path}`;
}

/** Refuses a method that a path does not have. */
export function methodNotAllowed(methods: readonly string[]): ApiError {
  const allowed = methods.join(", ");
  const message = `The path exists, but not with this method, expected ${allowed}.`;
  return new ApiError("METHOD_NOT_ALLOWED", message, { headers: { Allow: allowed } });
}

function serveEndpoint(
  endpoint: Endpoint,
  readInput: InputReader,
  admission: Admission,
): (ctx: Context & { params: Record<string, string> }) => Promise<unknown> | undefined {
  const name = endpointName(endpoint);
  return (ctx) => {
    ctx.state.endpoint = name;
    requireAccess(ctx.state.principal, endpoint.access);
    const { store } = ctx.state;
    if (store === undefined) throw serviceUnavailable();
    const { "content-type": contentType, "content-encoding": contentEncoding } = ctx.req.headers;
    const input = readInput({
      params: ctx.params,
      queryText: ctx.querystring,
      body: { bytes: ctx.state.body, contentType, contentEncoding },
    });
    if (endpoint.method === "GET" && answerIfUnchanged(ctx, store.snapshot.id)) return undefined;
    // A client that has gone gets no answer, and no event will tell that it has.
    if (ctx.res.closed) return undefined;
    const slots = admission.slotsOf(ctx.req.socket.remoteAddress);
    if (!admission.acquire("requests", slots)) {
      throw serviceUnavailable("Too many requests are being answered; try again after Retry-After seconds.");
    }
    ctx.res.once("close", () => admission.release("requests", slots));
    return andThen(endpoint.handle({ store, ...input }), (answer) => {
      ctx.set("Content-Type", "application/json");
      return writeAnswer(ctx, answerText(answer), admission);
    });
  };
}

/** No endpoint is open without a key, also if the middlewares before let a path pass that the router knows. */
function requireAccess(principal: KeyEntry | undefined, access: Access): void {
  if (principal === undefined) throw new ApiError("MISSING_API_KEY");
  if (access === "secret" && principal.kind !== "secret") throw new ApiError("INSUFFICIENT_PERMISSIONS");
}
