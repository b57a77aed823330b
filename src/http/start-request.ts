/** The start of a request: its id, its store, the headers of every answer; and its end: the log line and the count. */
import { randomUUID } from "node:crypto";
import { keyLikeExpression, maskKeys } from "../auth/key-format.ts";
import { isSignature } from "../auth/signature.ts";
import type { AppDependencies, Context, Middleware } from "./context.ts";
import { loggedTargetCharactersMax } from "./limits.ts";

const exposedHeaders = ["ETag", "X-Snapshot-Id", "X-Request-Id", "RateLimit", "RateLimit-Policy", "Retry-After"];

/** The headers of every answer, also of one that is written without the app: CORS, and that no type is guessed. */
export const commonHeaders = {
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": exposedHeaders.join(", "),
  "X-Content-Type-Options": "nosniff",
};

/** The header in both directions. */
export const requestIdHeader = "X-Request-Id";

const requestIdExpression = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The id of a request in the log: the one its sender gave it, if it is 1 to 64 letters, digits, dots,
 * dashes or underscores and nothing like a key or signature, otherwise a new one.
 */
export function requestIdFor(given: string): string {
  const isGood = requestIdExpression.test(given) && maskKeys(given) === given && !isSignature(given.toLowerCase());
  return isGood ? given : randomUUID();
}

/** Gives a request its id, the headers of every answer, and the store that it sees to its end, whatever is swapped meanwhile. */
export function startRequest({ currentStore }: AppDependencies): Middleware {
  return (ctx, next) => {
    const store = currentStore();
    ctx.state = {
      requestId: requestIdFor(ctx.get(requestIdHeader)),
      store,
      principal: undefined,
      body: Buffer.alloc(0),
      endpoint: undefined,
      answerBytes: undefined,
      errorCode: undefined,
    };
    ctx.set(requestIdHeader, ctx.state.requestId);
    if (store !== undefined) ctx.set("X-Snapshot-Id", store.snapshot.id);
    ctx.set(commonHeaders);
    return next();
  };
}

/**
 * One log line and one count per request when its answer has left, or its connection is gone. The line names the key by its
 * id; what looks like a key or signature in the target is masked.
 */
export function logRequests({ log, countRequest }: AppDependencies): Middleware {
  return (ctx, next) => {
    const startedAt = performance.now();
    // Read now: a closed connection has no address.
    const remote = ctx.req.socket.remoteAddress;
    ctx.res.once("close", () => {
      const milliseconds = performance.now() - startedAt;
      log.info({ ...describe(ctx, milliseconds), remote }, "request");
      countRequest?.(ctx.state.endpoint, ctx.res.headersSent ? ctx.status : undefined, milliseconds);
    });
    return next();
  };
}

function describe(ctx: Context, milliseconds: number): object {
  const { state, res } = ctx;
  // An answer that was never sent does not count.
  const answer = res.headersSent
    ? { status: ctx.status, code: state.errorCode, bytes: state.answerBytes ?? ctx.length }
    : {};
  return {
    request_id: state.requestId,
    method: ctx.method,
    target: maskTarget(ctx.url),
    ...answer,
    duration_ms: Math.round(milliseconds * 1000) / 1000,
    aborted: res.writableFinished ? undefined : true,
    key: state.principal?.id,
    snapshot: state.store?.snapshot.id,
  };
}

/**
 * 64 hexadecimal digits, or more by mistake. Two may be missing: `%` before a signature takes its first two for an encoded
 * character.
 */
const signatureLikeExpression = /[0-9a-f]{62,}/gi;

const twoDigitsExpression = /^[0-9a-f]{2}$/i;

/**
 * A request target as it may be logged: keys and signatures in it are masked, in either case and however often
 * percent-encoded; a long target is cut to `loggedTargetCharactersMax`. Everything else stays as sent. Linear time.
 */
export function maskTarget(target: string): string {
  const { plain, starts } = target.includes("%") ? decodePercent(target) : { plain: target, starts: undefined };
  const startOf = (index: number): number => (starts === undefined ? index : (starts[index] ?? target.length));
  const found = [...plain.matchAll(keyLikeExpression), ...plain.matchAll(signatureLikeExpression)];
  let masked = "";
  let end = 0;
  for (const { index, 0: secret, 1: prefix = "" } of found.sort((a, b) => a.index - b.index)) {
    const start = startOf(index);
    // A key that has a signature in it.
    if (start < end) continue;
    masked += `${target.slice(end, start)}${prefix}…`;
    end = startOf(index + secret.length);
  }
  masked += target.slice(end);
  // Cut at last: half a secret would not be recognised.
  return masked.length <= loggedTargetCharactersMax ? masked : `${masked.slice(0, loggedTargetCharactersMax)}…`;
}

/** A text with all percent-encoding undone, bytes as Latin-1, and where each character of it starts in the text. */
function decodePercent(text: string): { readonly plain: string; readonly starts: readonly number[] } {
  const characters: string[] = [];
  const starts: number[] = [];
  for (let at = 0; at < text.length; at++) {
    characters.push(text.charAt(at));
    starts.push(at);
    // What was decoded may complete another encoded character. Each round takes two characters away for good.
    while (characters.at(-3) === "%") {
      const digits = `${characters.at(-2)}${characters.at(-1)}`;
      if (!twoDigitsExpression.test(digits)) break;
      characters.splice(-3, 3, String.fromCharCode(Number.parseInt(digits, 16)));
      starts.length -= 2;
    }
  }
  return { plain: characters.join(""), starts };
}
