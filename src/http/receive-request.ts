/** What HTTP requires of a request, whatever it asks for: its form, and its body as bytes. */
import type { IncomingMessage } from "node:http";
import type { Context, Middleware } from "./context.ts";
import { ApiError, unsupportedMediaType } from "./errors.ts";
import { bodyBytesMax, drainBytesMax, drainMilliseconds, targetCharactersMax } from "./limits.ts";

const authorityExpression = /^https?:\/\/[^/?#]*/i;

/** Node's parser also accepts 0.9, which has no headers, and 2.0, which has no such request line. */
const httpVersions: readonly string[] = ["1.1", "1.0"];

/**
 * Checks what HTTP requires of a request beyond what Node's parser checks: a supported version, one Host header, a target
 * within the limit that is a path with an optional query. A target in absolute form, as proxies send it, is cut
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
    // Reading anything else would be guessing, and a fragment would be ignored silently. "*" stands for the server (OPTIONS).
    if (!/^(?:\/[^#]*|\*)$/.test(ctx.url)) {
      throw broken("The target is not a path with an optional query and no fragment, expected one.");
    }
    return next();
  };
}

/** RFC 9112, section 3.2: exactly one Host header; only HTTP/1.0 has requests without. */
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

/** The sender may have meant something else by what follows, so the connection ends. */
function broken(message: string): ApiError {
  return new ApiError("BAD_REQUEST", message, { headers: { Connection: "close" } });
}

/**
 * Keeps the body's bytes exactly as they came, because a signature is made over them.
 *
 * A body that is too large is drained within bounds: a client that is still sending would otherwise see its connection
 * reset instead of the answer.
 */
export function readRawBody(): Middleware {
  return async (ctx, next) => {
    const announced = Number(ctx.get("Content-Length"));
    if (announced > bodyBytesMax) {
      await drain(ctx.req);
      throw tooLarge(`${announced} bytes`);
    }
    const coding = ctx.get("Transfer-Encoding");
    // A list of codings that ends in chunks passes Node's parser, which undoes only the chunks.
    if (coding !== "" && coding.toLowerCase() !== "chunked") {
      throw unsupportedMediaType("Transfer-Encoding", coding, "chunked alone");
    }
    const isAnnounced = announced > 0 || coding !== "";
    if (isAnnounced) ctx.state.body = await collect(ctx.req);
    return next();
  };
}

async function collect(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  await read(request, (chunk) => {
    byteCount += chunk.length;
    if (byteCount > bodyBytesMax) return true;
    chunks.push(chunk);
    return false;
  });
  if (byteCount > bodyBytesMax) {
    await drain(request);
    throw tooLarge(`more than ${bodyBytesMax} bytes`);
  }
  return Buffer.concat(chunks);
}

/** Reads and drops the body to its end, or to a bound in bytes and time. */
async function drain(request: IncomingMessage): Promise<void> {
  let byteCount = 0;
  const isEnough = (chunk: Buffer): boolean => {
    byteCount += chunk.length;
    return byteCount > drainBytesMax;
  };
  // The request is refused anyway.
  await read(request, isEnough, drainMilliseconds).catch(() => undefined);
}

/**
 * Reads a body chunk by chunk to its end, or until one was enough or the time is over.
 *
 * @throws {ApiError} What the server found wrong with the body; BAD_REQUEST when the connection is gone.
 */
function read(request: IncomingMessage, isEnough: (chunk: Buffer) => boolean, milliseconds?: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = milliseconds === undefined ? undefined : setTimeout(stop, milliseconds);
    request.on("data", take).on("end", stop).on("error", stop).on("close", loseConnection).resume();

    function take(chunk: Buffer): void {
      if (isEnough(chunk)) stop();
    }

    function loseConnection(): void {
      stop(new Error("the connection was closed"));
    }

    function stop(error?: Error): void {
      clearTimeout(timer);
      request.off("data", take).off("end", stop).off("error", stop).off("close", loseConnection).pause();
      if (error === undefined) resolve();
      else if (error instanceof ApiError) reject(error);
      else reject(new ApiError("BAD_REQUEST", "The body ended before it was complete.", { cause: error }));
    }
  });
}

function tooLarge(found: string): ApiError {
  const message = `The body has ${found}, expected at most ${bodyBytesMax} bytes.`;
  return new ApiError("PAYLOAD_TOO_LARGE", message, { headers: { Connection: "close" } });
}
