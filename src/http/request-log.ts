/** The end of a request, when its answer has left or its connection is gone: its log line and its count. */
import { keyLikeExpression } from "../auth/key-format.ts";
import type { AppDependencies, Context } from "./context.ts";
import type { ApiErrorCode } from "./errors.ts";
import { loggedTargetCharactersMax } from "./limits.ts";

/** What the log says of a request; undefined fields are left out. */
export interface RequestEntry {
  readonly request_id: string;
  readonly method: string;
  /** As sent, with what looks like a key or signature masked. */
  readonly target: string;
  /** Undefined when no answer has left. */
  readonly status: number | undefined;
  /** Of an error. */
  readonly code: ApiErrorCode | undefined;
  readonly bytes: number | undefined;
  readonly duration_ms: number;
  /** Whether the connection was gone before the whole answer had left. */
  readonly aborted: true | undefined;
  /** Id of the key. */
  readonly key: string | undefined;
  readonly snapshot: string | undefined;
  /** The client's address. */
  readonly remote: string | undefined;
}

/** Takes log lines; pino has this shape. */
export interface RequestLogger {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
  /** Writes what `info(entry, "request")` writes; that is called where this is absent. */
  request?(entry: RequestEntry): void;
}

/** Logs and counts a request at its end, and releases what it was admitted with. */
export function endWithAnswer(ctx: Context, { admission, log, countRequest }: AppDependencies): void {
  const { req, res, state } = ctx;
  const startedAt = performance.now();
  // Read now: a closed connection has no address.
  const remote = req.socket.remoteAddress;
  res.on("close", () => {
    if (state.isAdmitted) admission.release("requests", admission.slotsOfSocket(req.socket));
    const milliseconds = performance.now() - startedAt;
    // An answer that was never sent does not count.
    const isSent = res.headersSent;
    const status = isSent ? res.statusCode : undefined;
    const entry: RequestEntry = {
      request_id: state.requestId,
      method: req.method as string,
      target: maskTarget(req.url as string),
      status,
      code: isSent ? state.errorCode : undefined,
      bytes: isSent ? state.answerBytes : undefined,
      duration_ms: Math.round(milliseconds * 1000) / 1000,
      aborted: res.writableFinished ? undefined : true,
      key: state.principal?.id,
      snapshot: state.store?.snapshot.id,
      remote,
    };
    if (log.request === undefined) log.info(entry, "request");
    else log.request(entry);
    countRequest?.(state.endpoint, status, milliseconds);
  });
}

/**
 * 64 hexadecimal digits, or more by mistake. Two may be missing: `%` before a signature takes its first two for an encoded
 * character.
 */
const signatureLikeExpression = /[0-9a-f]{62,}/gi;

/** Whether there is anything to mask at all, in a fraction of the time; `%` may hide it. */
const keyExpression = /svc_/i;
const signatureExpression = /[0-9a-f]{62}/i;

const twoDigitsExpression = /^[0-9a-f]{2}$/i;

/**
 * A request target as it may be logged: keys and signatures in it are masked, in either case and however often
 * percent-encoded; a long target is cut to `loggedTargetCharactersMax`. Everything else stays as sent. Linear time.
 */
export function maskTarget(target: string): string {
  if (!target.includes("%") && !keyExpression.test(target) && !signatureExpression.test(target)) return cut(target);
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
  return cut(masked);
}

function cut(target: string): string {
  return target.length <= loggedTargetCharactersMax ? target : `${target.slice(0, loggedTargetCharactersMax)}…`;
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
