import type { IncomingMessage } from "node:http";
import type { Middleware } from "./context.ts";
import { ApiError, unsupportedMediaType } from "./errors.ts";
import { bodyBytesMax, drainBytesMax, drainMilliseconds } from "./limits.ts";

/**
 * Keeps the body's bytes exactly as they came, because a signature is made over them.
 *
 * A body that is too large is read on for a bounded while and thrown away: a client that is still sending would
 * otherwise see its connection reset instead of the answer.
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

/** Reads and forgets, until the body ends or has had its share of bytes or time. */
async function drain(request: IncomingMessage): Promise<void> {
  let byteCount = 0;
  const isEnough = (chunk: Buffer): boolean => {
    byteCount += chunk.length;
    return byteCount > drainBytesMax;
  };
  // What else is wrong with it does not matter any more.
  await read(request, isEnough, drainMilliseconds).catch(() => undefined);
}

/**
 * Reads a body chunk by chunk to its end, or until one was enough or the time is over.
 *
 * @throws {ApiError} What the server found wrong with the body; BAD_REQUEST, which nobody gets to see, when the connection
 * is gone.
 */
function read(request: IncomingMessage, isEnough: (chunk: Buffer) => boolean, milliseconds?: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = milliseconds === undefined ? undefined : setTimeout(stop, milliseconds);
    request.on("data", take).on("end", stop).on("error", stop).on("close", lose).resume();

    function take(chunk: Buffer): void {
      if (isEnough(chunk)) stop();
    }

    function lose(): void {
      stop(new Error("the connection was closed"));
    }

    function stop(error?: Error): void {
      clearTimeout(timer);
      request.off("data", take).off("end", stop).off("error", stop).off("close", lose).pause();
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
