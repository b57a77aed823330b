/**
 * UUIDs as four 32-bit words in a flat array: row r occupies words[4r .. 4r + 3], most significant word first.
 * Compared word by word as unsigned numbers they sort as their lower-case text does, so no text is kept per price.
 */
import type { Uuid } from "./ids.ts";

/** Words a UUID occupies in a flat array. */
export const wordsPerUuid = 4;

/**
 * Writes a UUID into row `row` of a flat array.
 *
 * @param text A text that `toUuid` accepts; the caller has checked it.
 */
export function writeUuid(words: Uint32Array, row: number, text: string): void {
  const at = row * wordsPerUuid;
  words[at] = readHex(text, 0, 8);
  words[at + 1] = (readHex(text, 9, 13) << 16) | readHex(text, 14, 18);
  words[at + 2] = (readHex(text, 19, 23) << 16) | readHex(text, 24, 28);
  words[at + 3] = readHex(text, 28, 36);
}

/** The number that hexadecimal digits of either case write; the sign does not matter to an unsigned column. */
function readHex(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    // "0" to "9" are 30 to 39; letters of either case are 1 to 6 in their low bits, and stand for 10 to 15.
    value = (value << 4) | (code <= 0x39 ? code & 0xf : (code & 0x7) + 9);
  }
  return value;
}

/**
 * Reads the UUID of row `row` as lower-case text. The characters become a text in one step: several times faster than
 * putting a text together from pieces, and an export reads millions of them.
 */
export function readUuid(words: Uint32Array, row: number): Uuid {
  const at = row * wordsPerUuid;
  const first = words[at] as number;
  const second = words[at + 1] as number;
  const third = words[at + 2] as number;
  const fourth = words[at + 3] as number;
  const a = hexCharacters(first >>> 16);
  const b = hexCharacters(first & 0xffff);
  const c = hexCharacters(second >>> 16);
  const d = hexCharacters(second & 0xffff);
  const e = hexCharacters(third >>> 16);
  const f = hexCharacters(third & 0xffff);
  const g = hexCharacters(fourth >>> 16);
  const h = hexCharacters(fourth & 0xffff);
  // biome-ignore format: a line a group shows the form of the text.
  return String.fromCharCode(
    a >> 24, (a >> 16) & 0xff, (a >> 8) & 0xff, a & 0xff, b >> 24, (b >> 16) & 0xff, (b >> 8) & 0xff, b & 0xff, hyphen,
    c >> 24, (c >> 16) & 0xff, (c >> 8) & 0xff, c & 0xff, hyphen,
    d >> 24, (d >> 16) & 0xff, (d >> 8) & 0xff, d & 0xff, hyphen,
    e >> 24, (e >> 16) & 0xff, (e >> 8) & 0xff, e & 0xff, hyphen,
    f >> 24, (f >> 16) & 0xff, (f >> 8) & 0xff, f & 0xff,
    g >> 24, (g >> 16) & 0xff, (g >> 8) & 0xff, g & 0xff, h >> 24, (h >> 16) & 0xff, (h >> 8) & 0xff, h & 0xff,
  ) as Uuid;
}

const hyphen = 0x2d;

/** The four hexadecimal digits of sixteen bits as characters, one a byte, the first in the highest. */
export function hexCharacters(bits: number): number {
  const pairs = ((bits & 0xff00) << 8) | (bits & 0xff);
  const digits = ((pairs << 4) | pairs) & 0x0f0f0f0f;
  // A digit of ten or more carries into the upper half of its byte when six are added; letters lie 39 behind "9".
  const letters = ((digits + 0x06060606) >> 4) & 0x01010101;
  return digits + 0x30303030 + letters * 39;
}

/**
 * Orders two rows of one flat array by UUID, ascending.
 *
 * @returns Negative, zero or positive, as a comparator does.
 */
export function compareUuids(words: Uint32Array, rowA: number, rowB: number): number {
  const a = rowA * wordsPerUuid;
  const b = rowB * wordsPerUuid;
  for (let word = 0; word < wordsPerUuid; word++) {
    const difference = (words[a + word] as number) - (words[b + word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Returns whether two rows, of one flat array or of two, are one UUID. */
export function isSameUuid(wordsA: Uint32Array, rowA: number, wordsB: Uint32Array, rowB: number): boolean {
  const a = rowA * wordsPerUuid;
  const b = rowB * wordsPerUuid;
  return (
    wordsA[a] === wordsB[b] &&
    wordsA[a + 1] === wordsB[b + 1] &&
    wordsA[a + 2] === wordsB[b + 2] &&
    wordsA[a + 3] === wordsB[b + 3]
  );
}

/**
 * A hash of 32 bits for the UUID of a row. Mixes all four words, because version 7 uuids share their first bits and
 * hand-made ones differ only in the last. Finaliser of MurmurHash3 (Austin Appleby, public domain) after each word.
 *
 * Compiled stores hold tables by it: another hash is another layout of them.
 */
export function hashUuid(words: Uint32Array, row: number): number {
  const at = row * wordsPerUuid;
  let hash = 0;
  for (let word = 0; word < wordsPerUuid; word++) {
    hash = (Math.imul(hash, 31) + (words[at + word] as number)) | 0;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}
