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
 * Reads the UUID of row `row` as lower-case text. The digits are written as bytes and become a text in one step: several
 * times faster than putting a text together from pieces, and a page of prices reads hundreds of them.
 */
export function readUuid(words: Uint32Array, row: number): Uuid {
  const at = row * wordsPerUuid;
  writeHex(0, words[at] as number, 28);
  writeHex(9, (words[at + 1] as number) >>> 16, 12);
  writeHex(14, (words[at + 1] as number) & 0xffff, 12);
  writeHex(19, (words[at + 2] as number) >>> 16, 12);
  writeHex(24, (words[at + 2] as number) & 0xffff, 12);
  writeHex(28, words[at + 3] as number, 28);
  return uuidBytes.toString("latin1") as Uuid;
}

const uuidBytes = Buffer.from("00000000-0000-0000-0000-000000000000", "latin1");
const hexDigits = Buffer.from("0123456789abcdef", "latin1");

/** Writes the hexadecimal digits of a number from its bit `shift` down to bit 0. */
function writeHex(from: number, value: number, shift: number): void {
  for (let at = from, bits = shift; bits >= 0; at++, bits -= 4)
    uuidBytes[at] = hexDigits[(value >>> bits) & 0xf] as number;
}

/**
 * Orders two rows of one flat array by UUID, ascending.
 *
 * @returns Negative, zero or positive, as a comparator does.
 */
export function compareUuids(words: Uint32Array, rowA: number, rowB: number): number {
  return compareUuidsOf(words, rowA, words, rowB);
}

/** As `compareUuids`, for rows of two flat arrays. */
export function compareUuidsOf(wordsA: Uint32Array, rowA: number, wordsB: Uint32Array, rowB: number): number {
  const a = rowA * wordsPerUuid;
  const b = rowB * wordsPerUuid;
  for (let word = 0; word < wordsPerUuid; word++) {
    const difference = (wordsA[a + word] as number) - (wordsB[b + word] as number);
    if (difference !== 0) return difference;
  }
  return 0;
}
