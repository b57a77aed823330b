/**
 * A key consists of a prefix that names its kind, 27 random digits in base 62, and a checksum.
 *
 *     svc_pub_  0123456789ABCDEFGHIJKLMNOPQ  xxxxxx
 *     kind      27 × log2(62) = 160.8 bits   CRC-32 of all before it, base 62
 *
 * The checksum is no secret. It distinguishes a mistyped key from an unknown one without a look-up: CRC-32 notices
 * every error that stays within 32 neighbouring bits, so any wrong character and any two neighbours exchanged.
 */
import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

/** A public key reads public data; a secret key reads everything and signs each request. */
export const keyKinds = ["public", "secret"] as const;
export type KeyKind = (typeof keyKinds)[number];

const prefixes = { public: "svc_pub_", secret: "svc_sec_" } as const satisfies Record<KeyKind, string>;

const randomDigitCount = 27;

/** 62^6 is more than 2^32, so six digits hold every CRC-32 and each in one way only. */
const checksumDigitCount = 6;

const keyExpression = new RegExp(`^svc_(?:pub|sec)_[0-9A-Za-z]{${randomDigitCount + checksumDigitCount}}$`);

/** Matches whatever has the form of a key, whole or mistyped, in upper case too; its first group is the prefix. */
export const keyLikeExpression = /(svc_(?:pub|sec)_)[0-9a-z]+/gi;

/** A new random key. */
export function generateKey(kind: KeyKind): string {
  const body = prefixes[kind] + randomBase62(randomDigitCount);
  return body + checksum(body);
}

/**
 * The kind of key that a text is, by its shape and checksum alone, whether or not it was ever issued.
 *
 * @returns undefined when the text is not a key.
 */
export function keyKindOf(text: string): KeyKind | undefined {
  if (!keyExpression.test(text)) return undefined;
  const checksumAt = text.length - checksumDigitCount;
  if (text.slice(checksumAt) !== checksum(text.slice(0, checksumAt))) return undefined;
  return text.startsWith(prefixes.secret) ? "secret" : "public";
}

/** SHA-256 of a key in lower-case hexadecimal: all that is ever stored of it. */
export function keyDigest(key: string): string {
  return hash("sha256", key, "hex");
}

/** A text with everything that looks like a key, whole or mistyped, cut to its prefix; for messages and logs. */
export function maskKeys(text: string): string {
  return text.replace(keyLikeExpression, "$1…");
}

function checksum(body: string): string {
  return base62Text(crc32(body), checksumDigitCount);
}

/** Digits, then capitals, then small letters: the order in which base 62 counts here. */
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random digits from the system's secure source, every text of that length equally likely (5.954 bits a digit). */
export function randomBase62(length: number): string {
  return Array.from({ length }, () => digits.charAt(randomInt(digits.length))).join("");
}

/**
 * A number in base 62, with leading zeros.
 *
 * @param value A whole number from 0.
 * @param length How many digits to write; higher ones are cut off.
 */
export function base62Text(value: number, length: number): string {
  let rest = value;
  let text = "";
  while (text.length < length) {
    text = digits.charAt(rest % digits.length) + text;
    rest = Math.floor(rest / digits.length);
  }
  return text;
}
