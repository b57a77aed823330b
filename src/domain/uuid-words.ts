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
 * putting a text together from pieces, and a page of prices reads hundreds of them.
 */
export function readUuid(words: Uint32Array, row: number): Uuid {
  const at = row * wordsPerUuid;
  const a = words[at] as number;
  const b = words[at + 1] as number;
  const c = words[at + 2] as number;
  const d = words[at + 3] as number;
  // biome-ignore format: a line a word shows the form of the text.
  return String.fromCharCode(
    hex(a >>> 28), hex(a >>> 24), hex(a >>> 20), hex(a >>> 16), hex(a >>> 12), hex(a >>> 8), hex(a >>> 4), hex(a), hyphen,
    hex(b >>> 28), hex(b >>> 24), hex(b >>> 20), hex(b >>> 16), hyphen, hex(b >>> 12), hex(b >>> 8), hex(b >>> 4), hex(b), hyphen,
    hex(c >>> 28), hex(c >>> 24), hex(c >>> 20), hex(c >>> 16), hyphen, hex(c >>> 12), hex(c >>> 8), hex(c >>> 4), hex(c),
    hex(d >>> 28), hex(d >>> 24), hex(d >>> 20), hex(d >>> 16), hex(d >>> 12), hex(d >>> 8), hex(d >>> 4), hex(d),
  ) as Uuid;
}

const hyphen = 0x2d;
const hexDigits = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));

/** The character of the lowest four bits. */
function hex(bits: number): number {
  return hexDigits[bits & 0xf] as number;
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
