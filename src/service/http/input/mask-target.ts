/** Request targets without the secrets that clients put into them by mistake. */

import { keyLikeExpression } from "../../../contract/key-format.ts";
import { loggedTargetCharactersMax } from "../../../contract/limits.ts";

/**
 * 64 hexadecimal digits, or more by mistake. Two may be missing: `%` before a signature takes its first two for an
 * encoded character.
 */
const signatureLikeExpression = /[0-9a-f]{62,}/gi;

/** Whether there is anything to mask at all: in most targets there is not. `%` may hide it. */
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
