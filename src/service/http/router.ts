/** The table of routes: which one answers a path and a method, 404, 405 and OPTIONS. */

import { closestMatch } from "leven";
import { maskSecrets } from "../../contract/credentials.ts";
import { ApiError, excerptOf } from "../../contract/errors.ts";
import { apiPrefix, docsPath } from "../../contract/paths.ts";
import { emptyReply, type Reply } from "./answer/reply.ts";
// biome-ignore lint/correctness/useImportExtensions: the file is CommonJS, its types are beside it.
import { type Layer, Router } from "./koa-router.cjs";
import type { Context } from "./request/context.ts";
import { isBelowPrefix } from "./request/read-request.ts";

/** A route answers the requests of a path with one method. */
export interface Route {
  readonly method: "GET" | "POST";
  /** From the root; `:name` is a parameter. */
  readonly path: string;
  /** In log and metrics: `GET /prices/:uuid`. */
  readonly name: string;
  /** True if a request for it costs no token: a file that never changes, which pages need. */
  readonly isFree?: boolean | undefined;
  /** The reply to a request, or an ApiError that is thrown; a promise where a file has to be read first. */
  readonly reply: (ctx: Context, params: Readonly<Record<string, string>>) => Reply | Promise<Reply>;
}

/** The routes of a path. */
interface PathRoutes {
  /** In the order of the table, GET with HEAD, and OPTIONS at the end. */
  readonly methods: readonly string[];
  readonly byMethod: ReadonlyMap<string, Route>;
}

/** A path of the table that a request's path matches. */
interface MatchedPath extends PathRoutes {
  readonly params: Readonly<Record<string, string>>;
}

/** A path without parameters. */
interface FixedPath extends MatchedPath {
  readonly path: string;
}

/**
 * Routes by path. Paths with parameters are matched by @koa/router; its middleware would do the rest as well, but as
 * promises, and with answers of its own for 404, 405 and OPTIONS. All other paths are compared as texts, which nearly
 * always ends with their lengths: the router tests one expression after another, and a Map first interns the text that
 * it is asked for, 1 % of the time of a look-up. So they win over paths with parameters.
 */
export class RouteTable {
  readonly #fixedPaths: readonly FixedPath[];
  readonly #router = new Router({ strict: true, sensitive: true });
  readonly #layers = new Map<Layer, PathRoutes>();

  constructor(routes: readonly Route[]) {
    const fixedPaths: FixedPath[] = [];
    for (const [path, group] of Map.groupBy(routes, (route) => route.path)) {
      const byMethod = new Map(group.map((route) => [route.method as string, route]));
      const get = byMethod.get("GET");
      if (get !== undefined) byMethod.set("HEAD", get);
      const methods = [...group.flatMap(({ method }) => (method === "GET" ? ["GET", "HEAD"] : [method])), "OPTIONS"];
      if (path.includes(":")) {
        this.#layers.set(this.#router.register(path, methods, () => undefined) as Layer, { methods, byMethod });
      } else fixedPaths.push({ path, methods, byMethod, params: {} });
    }
    this.#fixedPaths = fixedPaths;
  }

  /** The methods of a path; undefined when no path of the table matches. */
  methodsOf(path: string): readonly string[] | undefined {
    return this.#match(path)?.methods;
  }

  /** Returns whether a request for a path, which has no parameters, costs no token. */
  isFree(path: string): boolean {
    return this.#fixedPath(path)?.byMethod.get("GET")?.isFree === true;
  }

  /**
   * The reply of the route of a request.
   *
   * @throws {ApiError} NOT_FOUND, METHOD_NOT_ALLOWED, or what the route throws.
   */
  reply(ctx: Context): Reply | Promise<Reply> {
    const { path } = ctx.state;
    const matched = this.#match(path);
    if (matched === undefined) throw this.notFound(path, ctx.req.method as string);
    const route = matched.byMethod.get(ctx.req.method as string);
    if (route === undefined) {
      const allowed = matched.methods.join(", ");
      const message = `The path exists, but not with this method, expected ${allowed}.`;
      throw new ApiError("METHOD_NOT_ALLOWED", message, { headers: { Allow: allowed } });
    }
    ctx.state.endpoint = route.name;
    return route.reply(ctx, matched.params);
  }

  /** The error of a path that no route matches; names the one of the interface that was probably meant. */
  notFound(path: string, method: string): ApiError {
    const nearest = this.#nearest(path, method);
    if (nearest === undefined) return isBelowPrefix(path) ? new ApiError("NOT_FOUND") : pathNotFound();
    return new ApiError("NOT_FOUND", `Nothing is at ${excerptOf(path)}, the nearest path is ${excerptOf(nearest)}.`);
  }

  /** Below `/api` every path is compared with those of the interface; elsewhere only the prefix may be missing. */
  #nearest(path: string, method: string): string | undefined {
    if (path.length > pathCharactersMax) return undefined;
    const plain = path.replace(/\/+/g, "/").replace(/\/$/, "");
    const meant = `${apiPrefix}/${plain.replace(beginningExpression, "")}`.replace(/\/$/, "");
    const exact = [meant, meant.toLowerCase()].find((one) => one !== path && this.#match(one) !== undefined);
    if (exact !== undefined || !/^\/api(?:\/|$)/i.test(plain)) return exact;
    const isWanted = ({ byMethod }: PathRoutes): boolean => byMethod.has(method);
    return nearestPath(
      meant,
      this.#fixedPaths
        .filter((fixed) => fixed.path.startsWith(`${apiPrefix}/`))
        .toSorted((a, b) => Number(isWanted(b)) - Number(isWanted(a)))
        .map((fixed) => fixed.path),
    );
  }

  #match(path: string): MatchedPath | undefined {
    const fixed = this.#fixedPath(path);
    if (fixed !== undefined) return fixed;
    // The first that matches; the router's own `match` tests them all.
    for (const layer of this.#router.stack) {
      // Each has a parameter, so where nothing is captured nothing matches.
      const captures = layer.captures(path);
      if (captures.length === 0) continue;
      const { methods, byMethod } = this.#layers.get(layer) as PathRoutes;
      return { methods, byMethod, params: layer.params(path, captures) };
    }
    return undefined;
  }

  #fixedPath(path: string): FixedPath | undefined {
    return this.#fixedPaths.find((fixed) => fixed.path === path);
  }
}

/** Longer paths are not compared: the cost grows with their length. */
const pathCharactersMax = 100;

/** At most this part of the characters behind the prefix, which all have in common, differs. */
const differenceMax = 0.45;

/**
 * The path of a table that is nearest to one that is not in it.
 *
 * @param path Below the prefix, of at most `pathCharactersMax`, without a slash at its end.
 * @param fixed Paths without parameters, those of the request's method first.
 * @returns The first one that goes on where it ends, or the one with the fewest characters to change (Levenshtein);
 *   undefined where none is near. Cost: a comparison with each path.
 */
function nearestPath(path: string, fixed: readonly string[]): string | undefined {
  const lower = path.toLowerCase();
  const longer = fixed.find((one) => one.startsWith(`${lower}/`) || one.startsWith(`${lower}.`));
  if (longer !== undefined) return longer;
  return closestMatch(lower, fixed, { maxDistance: Math.floor((lower.length - apiPrefix.length) * differenceMax) });
}

/** Ways in which a path of the interface begins, in any case, or is meant to. */
const beginningExpression = /^\/?(?:api(?:\/|$))?(?:v\d+(?:\.\d+)*(?:\/|$))?/i;

/** A NOT_FOUND that says where the interface is to a client that looks elsewhere. */
function pathNotFound(): ApiError {
  return new ApiError(
    "NOT_FOUND",
    `Nothing is here; the interface is under ${apiPrefix}, and ${docsPath} describes it.`,
  );
}

/** The methods that a page may try on a path where nothing is, to read the answer that says so. */
const methodsOfNothing = "GET, HEAD, POST";

/** How long a browser may remember a path's methods. */
const preflightSeconds = 86_400;

/**
 * The reply to OPTIONS, which browsers send without a key before a request of a page. Any page may read public data.
 * Under the prefix it is answered whatever the path and its length: a page can read a 404 or 414 only if it may send
 * the request that gets it.
 *
 * @throws {ApiError} NOT_FOUND, outside of the prefix.
 */
export function optionsReply(ctx: Context, table: RouteTable): Reply {
  const { path } = ctx.state;
  const allowed = table.methodsOf(path)?.join(", ");
  if (allowed === undefined && !isBelowPrefix(path)) throw table.notFound(path, "OPTIONS");
  return emptyReply(204, [
    ...(allowed === undefined ? [] : ["Allow", allowed]),
    ...["Access-Control-Allow-Methods", allowed ?? methodsOfNothing],
    ...["Access-Control-Allow-Headers", sendableOf(ctx.req.headers["access-control-request-headers"])],
    ...["Access-Control-Max-Age", String(preflightSeconds), "Vary", "Access-Control-Request-Headers"],
  ]);
}

const headerNameExpression = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * The headers that a page may send of those that it wants to: all of them, because one that is not read does no harm,
 * but never a signature, so that a secret key is of no use in a browser. Nor `*`, which would allow one, nor what is a
 * key or a signature itself.
 */
function sendableOf(wanted = ""): string {
  return wanted
    .split(",")
    .map((name) => name.trim().toLowerCase())
    .filter((name) => headerNameExpression.test(name) && name !== "*" && !name.startsWith("x-signature"))
    .filter((name) => maskSecrets(name) === name)
    .join(", ");
}
