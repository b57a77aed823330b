/** The endpoint table and the documents → routes. Koa's context ends here: handlers take plain values and return text. */
import Router, { type Layer } from "@koa/router";
import type { KeyEntry } from "../auth/key-record.ts";
import { type AnswerCache, type AnswerPlace, createQuestionKeys } from "./answer-cache.ts";
import { acceptedCodings, type ContentCoding } from "./compress.ts";
import type { AppDependencies, Context } from "./context.ts";
import type { Access, Endpoint } from "./endpoint.ts";
import { apiPrefix } from "./endpoints.ts";
import { ApiError, serviceUnavailable } from "./errors.ts";
import { etagOf, matchesTag } from "./etag.ts";
import type { JsonText } from "./json-text.ts";
import { createInputReader } from "./read-input.ts";
import { type HeaderList, sendEmpty } from "./send.ts";
import { type Representation, writeAnswer, writeKept } from "./write-answer.ts";

/** What answers the requests of a path with one method. */
export interface Route {
  readonly method: "GET" | "POST";
  /** From the root; `:name` is a parameter. */
  readonly path: string;
  /** In log and metrics: `GET /prices/:uuid`. */
  readonly name: string;
  /** Answers, or throws an ApiError; a promise when that takes several turns of the event loop. */
  readonly serve: (ctx: Context, params: Readonly<Record<string, string>>) => Promise<void> | undefined;
}

/** A path of the table that a request's path matches. */
interface MatchedPath {
  /** In the order of the table, GET with HEAD, and OPTIONS at the end. */
  readonly methods: readonly string[];
  readonly routes: ReadonlyMap<string, Route>;
}

/** Routes by path. A fixed path stands before one with a parameter that it would match as well. */
export class RouteTable {
  readonly #router = new Router({ strict: true, sensitive: true });
  readonly #paths = new Map<Layer, MatchedPath>();

  constructor(routes: readonly Route[]) {
    for (const [path, group] of Map.groupBy(routes, (route) => route.path)) {
      const byMethod = new Map(group.map((route) => [route.method as string, route]));
      const get = byMethod.get("GET");
      if (get !== undefined) byMethod.set("HEAD", get);
      const methods = [...group.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"];
      const layer = this.#router.register(path, methods, () => undefined) as Layer;
      this.#paths.set(layer, { methods, routes: byMethod });
    }
  }

  /** The methods of a path; undefined when no path of the table matches. */
  methodsOf(path: string): readonly string[] | undefined {
    const layer = this.#match(path);
    return layer && this.#paths.get(layer)?.methods;
  }

  /**
   * Answers a request.
   *
   * @throws {ApiError} NOT_FOUND, METHOD_NOT_ALLOWED, or what the route throws.
   */
  serve(ctx: Context): Promise<void> | undefined {
    const { path } = ctx.state;
    const layer = this.#match(path);
    if (layer === undefined) throw new ApiError("NOT_FOUND");
    const { methods, routes } = this.#paths.get(layer) as MatchedPath;
    const route = routes.get(ctx.req.method as string);
    if (route === undefined) {
      const allowed = methods.join(", ");
      const message = `The path exists, but not with this method, expected ${allowed}.`;
      throw new ApiError("METHOD_NOT_ALLOWED", message, { headers: { Allow: allowed } });
    }
    ctx.state.endpoint = route.name;
    return route.serve(ctx, layer.params(path, layer.captures(path)));
  }

  #match(path: string): Layer | undefined {
    return (this.#router.stack as Layer[]).find((layer) => layer.match(path));
  }
}

/** The name of an endpoint in log and metrics: `GET /prices/:uuid`. */
export function endpointName({ method, path }: Pick<Endpoint, "method" | "path">): string {
  return `${method} ${path}`;
}

const jsonType = "application/json";

const vary: HeaderList = ["Vary", "Accept, Accept-Encoding"];

/** The headers of every successful answer of an endpoint to a GET. */
const getHeaders: HeaderList = ["Cache-Control", "private, no-cache", ...vary];

/** Answers to a POST are kept by no cache, so they need no more than `Vary` where the client could choose. */
const postHeaders: HeaderList = [];

/**
 * The route of an endpoint: permission, input, `If-None-Match`, a unit of requests in flight, then the answer cache or its
 * handler.
 */
export function endpointRoute(endpoint: Endpoint, { admission }: AppDependencies, cache?: AnswerCache): Route {
  const { method, access, handle, isKept } = endpoint;
  const name = endpointName(endpoint);
  const readInput = createInputReader(endpoint);
  const questionKey = createQuestionKeys(name, endpoint);
  return { method, path: apiPrefix + endpoint.path, name, serve };

  function serve(ctx: Context, params: Readonly<Record<string, string>>): Promise<void> | undefined {
    const { req, res, state } = ctx;
    requireAccess(state.principal, access);
    const { store } = state;
    if (store === undefined) throw serviceUnavailable();
    const { headers } = req;
    const { "content-type": contentType, "content-encoding": contentEncoding } = headers;
    const input = readInput({
      params,
      queryText: state.queryText,
      body: { bytes: state.body, contentType, contentEncoding },
    });
    const codings = acceptedCodings(headers["accept-encoding"] as string | undefined);
    const coding = codings[0] as ContentCoding;
    const etag = (of: ContentCoding): string => etagOf(store.snapshot.id, req.url as string, of);
    if (method === "GET" && answerIfUnchanged(ctx, codings, etag, getHeaders)) return undefined;
    // A client that has gone gets no answer, and there will be no close event to release at.
    if (res.closed) return undefined;
    state.isAdmitted = admission.acquire("requests", admission.slotsOfSocket(req.socket));
    if (!state.isAdmitted) {
      throw serviceUnavailable("Too many requests are being answered; try again after Retry-After seconds.");
    }
    const representation: Representation =
      method === "GET"
        ? { type: jsonType, headers: getHeaders, coding, etag }
        : { type: jsonType, headers: coding === "identity" ? postHeaders : vary, coding };
    let place: AnswerPlace | undefined;
    if (isKept && cache !== undefined) {
      const key = `${coding} ${questionKey(input)}`;
      const kept = cache.find(store, key);
      if (kept !== undefined) return writeKept(ctx, kept, representation, admission);
      place = {
        keep: (answer) => cache.keep(store, key, answer),
        collect: (of) => cache.collect(store, key, of),
      };
    }
    // Written out: a spread behind another property is copied by the runtime, at a microsecond.
    const text = handle({ store, params: input.params, query: input.query, body: input.body });
    return text instanceof Promise ? text.then(write) : write(text);

    function write(whole: JsonText): Promise<void> | undefined {
      return writeAnswer(ctx, whole, representation, admission, place);
    }
  }
}

/** Refuses requests without a key, also for a path that the steps before have let pass. */
function requireAccess(principal: KeyEntry | undefined, access: Access): void {
  if (principal === undefined) throw new ApiError("MISSING_API_KEY");
  if (access === "secret" && principal.kind !== "secret") throw new ApiError("INSUFFICIENT_PERMISSIONS");
}

/**
 * Answers 304 when the client has the answer already.
 *
 * @param codings Those that the client accepts: it may have the answer in any of them.
 * @param etag The tag of the answer in a coding.
 */
export function answerIfUnchanged(
  ctx: Context,
  codings: readonly ContentCoding[],
  etag: (coding: ContentCoding) => string,
  headers: HeaderList,
): boolean {
  const given = ctx.req.headers["if-none-match"];
  const tag = given === undefined ? undefined : codings.map(etag).find((of) => matchesTag(given, of));
  if (tag === undefined) return false;
  sendEmpty(ctx, 304, ["ETag", tag, ...headers]);
  return true;
}

/** The headers that a page in a browser may send. */
const browserHeaders = ["X-API-Key", "Content-Type", "If-None-Match"].join(", ");

/** How long a browser may remember a path's methods. */
const preflightSeconds = 86_400;

/**
 * Answers OPTIONS, which browsers send without a key. Any page may read public data. `X-Signature` is not among the headers
 * a browser may send, so that a secret key is useless there.
 *
 * @throws {ApiError} NOT_FOUND.
 */
export function answerOptions(ctx: Context, table: RouteTable): void {
  const allowed = table.methodsOf(ctx.state.path)?.join(", ");
  if (allowed === undefined) throw new ApiError("NOT_FOUND");
  sendEmpty(ctx, 204, [
    ...["Allow", allowed],
    ...["Access-Control-Allow-Methods", allowed],
    ...["Access-Control-Allow-Headers", browserHeaders],
    ...["Access-Control-Max-Age", String(preflightSeconds)],
  ]);
}
