/**
 * The endpoint table → routes, with OPTIONS, 405 and conditional GET. Koa's context ends here: handlers take plain values
 * and return plain values.
 */

import { hash } from "node:crypto";
import Router from "@koa/router";
import type { KeyEntry } from "../auth/key-record.ts";
import { andThen } from "../query/run-in-slices.ts";
import type { Admission } from "./admission.ts";
import type { Context, Middleware, RequestState } from "./context.ts";
import type { Access, Endpoint } from "./endpoint.ts";
import { apiPrefix } from "./endpoints.ts";
import { ApiError, serviceUnavailable } from "./errors.ts";
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

/** The name of an endpoint in log and metrics: `GET /prices/:uuid`. */
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
    // A client that has gone gets no answer, and there will be no close event to release at.
    if (ctx.res.closed) return undefined;
    const slots = admission.slotsOfSocket(ctx.req.socket);
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

/** Refuses requests without a key, also for a path that the middlewares before have let pass. */
function requireAccess(principal: KeyEntry | undefined, access: Access): void {
  if (principal === undefined) throw new ApiError("MISSING_API_KEY");
  if (access === "secret" && principal.kind !== "secret") throw new ApiError("INSUFFICIENT_PERMISSIONS");
}

/** Part of every ETag. Raise it when the same store and target begin to give another body. */
const representationVersion = 1;

const mediaType = "application/json";
const contentCoding = "identity";

/**
 * The strong ETag of a GET answer. The store never changes, so what identifies the answer is the snapshot, this code's
 * way of presenting it, and the target exactly as sent.
 */
export function etagOf(snapshotId: string, target: string): string {
  const identity = [snapshotId, representationVersion, target, mediaType, contentCoding].join("\n");
  return tagOf(identity);
}

/** A strong ETag: 162 bits of the SHA-256 of what identifies the answer. */
export function tagOf(identity: string): string {
  return `"${hash("sha256", identity, "base64url").slice(0, 27)}"`;
}

/** Sets the caching headers of a GET answer, and answers 304 when the client has it already. */
export function answerIfUnchanged(ctx: Context, snapshotId: string): boolean {
  const etag = etagOf(snapshotId, ctx.url);
  ctx.set({ ETag: etag, "Cache-Control": "private, no-cache", Vary: "Accept, Accept-Encoding" });
  if (!matchesTag(ctx.get("If-None-Match"), etag)) return false;
  ctx.status = 304;
  return true;
}

/**
 * Whether a client names the ETag among those it has: weak comparison over the list, RFC 9110, section 13.1.2. `*` never
 * matches: it would answer 304 to clients that have never seen the answer.
 */
export function matchesTag(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag);
}

/** The headers that a page in a browser may send. */
const browserHeaders = ["X-API-Key", "Content-Type", "If-None-Match"].join(", ");

/** How long a browser may remember a path's methods. */
const preflightSeconds = 86_400;

/**
 * Answers OPTIONS, which browsers send without a key. Any page may read public data. `X-Signature` is not among the headers
 * a browser may send, so that a secret key is useless there.
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
        "Access-Control-Allow-Headers": browserHeaders,
        "Access-Control-Max-Age": String(preflightSeconds),
      });
    });
  }
  router.options("{*path}", () => {
    throw new ApiError("NOT_FOUND");
  });
  return router.routes() as Middleware;
}
