import type { IncomingMessage } from "node:http";
import type { Middleware } from "./context.ts";
import { ApiError } from "./errors.ts";
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
    const isAnnounced = announced > 0 || ctx.get("Transfer-Encoding") !== "";
    if (isAnnounced) ctx.state.body = await collect(ctx.req);
    return next();
  };
}

async function collect(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let byteCount = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      byteCount += (chunk as Buffer).length;
      if (byteCount > bodyBytesMax) break;
      chunks.push(chunk as Buffer);
    }
  } catch (error) {
    // The connection broke, or its bytes were not HTTP; in the second case it has been answered already.
    throw new ApiError("BAD_REQUEST", "The body ended before it was complete.", { cause: error });
  }
  if (byteCount > bodyBytesMax) {
    await drain(request);
    throw tooLarge(`more than ${bodyBytesMax} bytes`);
  }
  return Buffer.concat(chunks);
}

/** Reads and forgets, until the body ends or has had its share of bytes or time. */
function drain(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let byteCount = 0;
    const stop = (): void => {
      clearTimeout(timer);
      request.off("data", count).off("end", stop).off("close", stop).pause();
      resolve();
    };
    const count = (chunk: Buffer): void => {
      byteCount += chunk.length;
      if (byteCount > drainBytesMax) stop();
    };
    const timer = setTimeout(stop, drainMilliseconds);
    request.on("data", count).on("end", stop).on("close", stop).resume();
  });
}

function tooLarge(found: string): ApiError {
  const message = `The body has ${found}, expected at most ${bodyBytesMax} bytes.`;
  return new ApiError("PAYLOAD_TOO_LARGE", message, { headers: { Connection: "close" } });
}
