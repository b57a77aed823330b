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
  words[at] = Number.parseInt(text.slice(0, 8), 16);
  words[at + 1] = Number.parseInt(text.slice(9, 13) + text.slice(14, 18), 16);
  words[at + 2] = Number.parseInt(text.slice(19, 23) + text.slice(24, 28), 16);
  words[at + 3] = Number.parseInt(text.slice(28, 36), 16);
}

/** Reads the UUID of row `row` as lower-case text. */
export function readUuid(words: Uint32Array, row: number): Uuid {
  const at = row * wordsPerUuid;
  const a = hex(words[at] as number);
  const b = hex(words[at + 1] as number);
  const c = hex(words[at + 2] as number);
  const d = hex(words[at + 3] as number);
  return `${a}-${b.slice(0, 4)}-${b.slice(4)}-${c.slice(0, 4)}-${c.slice(4)}${d}` as Uuid;
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

function hex(word: number): string {
  return word.toString(16).padStart(8, "0");
}
