/** Texts that somebody sent, without the secrets that clients and readers put into them by mistake. */

import { keyLikeExpression } from "./key-format.ts";

/**
 * 64 hexadecimal digits, or more by mistake. Two may be missing: `%` before a signature takes its first two for an
 * encoded character.
 */
const signatureLikeExpression = /[0-9a-f]{62,}/gi;

/** Most texts have neither, so both are looked for first. `%` may hide them. */
const keyExpression = /svc_/i;
const signatureExpression = /[0-9a-f]{62}/i;

const twoDigitsExpression = /^[0-9a-f]{2}$/i;

/**
 * A text as an answer, a page or a log may repeat it: keys and signatures in it are masked, in either case and however
 * often percent-encoded; everything else stays as sent. To be called before the text is cut, because half a secret is
 * not recognised. Cost: linear time.
 */
export function maskSecrets(text: string): string {
  if (!text.includes("%") && !keyExpression.test(text) && !signatureExpression.test(text)) return text;
  const { plain, starts } = text.includes("%") ? decodePercent(text) : { plain: text, starts: undefined };
  const startOf = (index: number): number => (starts === undefined ? index : (starts[index] ?? text.length));
  const found = [...plain.matchAll(keyLikeExpression), ...plain.matchAll(signatureLikeExpression)];
  let masked = "";
  let end = 0;
  for (const { index, 0: secret, 1: prefix = "" } of found.sort((a, b) => a.index - b.index)) {
    const start = startOf(index);
    // A key that has a signature in it.
    if (start < end) continue;
    masked += `${text.slice(end, start)}${prefix}…`;
    end = startOf(index + secret.length);
  }
  return masked + text.slice(end);
}

/** A text with all percent-encoding undone, bytes as Latin-1, and where each character of it starts in the text. */
function decodePercent(text: string): { readonly plain: string; readonly starts: readonly number[] } {
  const characters: string[] = [];
  const starts: number[] = [];
  for (let at = 0; at < text.length; at++) {
    characters.push(text.charAt(at));
    starts.push(at);
    // A decoded character may complete another encoded character. Each round takes two characters away for good.
    while (characters.at(-3) === "%") {
      const digits = `${characters.at(-2)}${characters.at(-1)}`;
      if (!twoDigitsExpression.test(digits)) break;
      characters.splice(-3, 3, String.fromCharCode(Number.parseInt(digits, 16)));
      starts.length -= 2;
    }
  }
  return { plain: characters.join(""), starts };
}
