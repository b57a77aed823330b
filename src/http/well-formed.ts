import type { Context, Middleware } from "./context.ts";
import { ApiError } from "./errors.ts";
import { targetCharactersMax } from "./limits.ts";

const authorityExpression = /^https?:\/\/[^/?#]*/i;

/** Node's parser also lets 0.9 and 2.0 pass, of which the first has no headers and the second no such request line. */
const httpVersions: readonly string[] = ["1.1", "1.0"];

/**
 * What HTTP itself asks of a request beyond what Node's parser checks: a version that is spoken here, one Host header, a
 * target of bearable length that is a path with an optional query. A target in absolute form, as proxies send it, is cut
 * to that (RFC 9112, section 3.2.2).
 */
export function requireWellFormed(): Middleware {
  return (ctx, next) => {
    if (ctx.url.length > targetCharactersMax) {
      const message = `The target has ${ctx.url.length} characters, expected at most ${targetCharactersMax}.`;
      throw new ApiError("URI_TOO_LONG", message, { headers: { Connection: "close" } });
    }
    if (!httpVersions.includes(ctx.req.httpVersion)) {
      throw broken(`The version is HTTP/${ctx.req.httpVersion}, expected HTTP/1.1.`);
    }
    requireHost(ctx);
    ignoreUpgrade(ctx);
    if (authorityExpression.test(ctx.url)) {
      const target = ctx.url.replace(authorityExpression, "");
      ctx.url = target.startsWith("/") ? target : `/${target}`;
    }
    // Anything else would be read by guessing, and a fragment silently ignored. "*" stands for the server (OPTIONS).
    if (!/^(?:\/[^#]*|\*)$/.test(ctx.url)) {
      throw broken("The target is not a path with an optional query and no fragment, expected one.");
    }
    return next();
  };
}

/** RFC 9112, section 3.2: exactly one Host header; only HTTP/1.0 knows requests without. */
function requireHost({ req }: Context): void {
  const hosts = req.headersDistinct["host"] ?? [];
  if (hosts.length > 1) throw broken(`The Host header is there ${hosts.length} times, expected it once.`);
  if (hosts.length === 0 && req.httpVersion === "1.1") throw broken("The Host header is absent, expected one.");
}

/**
 * A server may ignore that a client asks for another protocol (RFC 9110, section 7.8). Node's parser, however, drops what
 * follows such a request in the same packet, and reports no error in its body if that is in chunks. So the connection ends
 * with the answer, and a body must have a length.
 */
function ignoreUpgrade(ctx: Context): void {
  const { upgrade, connection = "", "transfer-encoding": coding } = ctx.req.headers;
  if (upgrade === undefined || !/(?:^|,)\s*upgrade\s*(?:,|$)/i.test(connection)) return;
  if (coding !== undefined) {
    throw broken("The request asks for an upgrade and has a Transfer-Encoding, expected at most one of them.");
  }
  ctx.set("Connection", "close");
}

/** Whoever sent this may have meant something else by what follows it, so the connection ends. */
function broken(message: string): ApiError {
  return new ApiError("BAD_REQUEST", message, { headers: { Connection: "close" } });
}
