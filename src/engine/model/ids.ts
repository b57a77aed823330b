/**
 * Identifiers of records and snapshots. A uuid is a text in records and answers, and four 32-bit words in a column of
 * prices: row r occupies words[4r .. 4r + 3], most significant word first. Compared word by word as unsigned numbers
 * they sort as their lower-case text does, so no text is kept per price.
 */
import type { Branded } from "./branded.ts";
import { sharedUint32 } from "./shared-columns.ts";

/** Identifier of a price, product or market: 36 characters, lower case. */
export type Uuid = Branded<string, "Uuid">;

/** County number, 1 to 47, as the Constitution of Kenya lists the counties. */
export type CountyId = Branded<number, "CountyId">;

/** Least and greatest county number (both inclusive). */
export const countyIdMin = 1;
export const countyIdMax = 47;

/** The text form of a UUID of any version, either case. */
const uuidExpression = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Recognises the text form of a UUID.
 *
 * @returns The UUID in lower case, or undefined when the text is not one.
 */
export function toUuid(text: string): Uuid | undefined {
  return uuidExpression.test(text) ? (text.toLowerCase() as Uuid) : undefined;
}

/** Returns whether a number is a county number (an integer from 1 to 47). */
export function isCountyId(value: number): value is CountyId {
  return Number.isInteger(value) && value >= countyIdMin && value <= countyIdMax;
}

/** The form of a snapshot's id: time of publication and the first digits of the content hash. */
export const snapshotIdPattern = "^\\d{8}T\\d{6}Z-[0-9a-f]{12}$";

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
function isSameUuid(wordsA: Uint32Array, rowA: number, wordsB: Uint32Array, rowB: number): boolean {
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
function hashUuid(words: Uint32Array, row: number): number {
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

/** Some uuids to look for among others that are kept as words. */
export class UuidSet {
  readonly #words: Uint32Array;
  readonly #index: UuidIndex;
  #count = 0;

  /**
   * @param uuids No two are the same.
   * @param countMax It has room for so many.
   */
  constructor(uuids: readonly Uuid[], countMax: number = uuids.length) {
    this.#words = new Uint32Array(countMax * wordsPerUuid);
    this.#index = emptyUuidIndex(countMax);
    for (const uuid of uuids) {
      writeUuid(wanted, 0, uuid);
      this.add(wanted, 0);
    }
  }

  /** Adds the uuid of a row, which is not there yet; nothing where there is no room for it. */
  add(words: Uint32Array, row: number): void {
    if (this.#count * wordsPerUuid === this.#words.length) return;
    const at = row * wordsPerUuid;
    this.#words.set(words.subarray(at, at + wordsPerUuid), this.#count * wordsPerUuid);
    enterRow(this.#index, this.#words, this.#count++);
  }

  /** The position of the uuid of a row, in the order in which they were added; undefined where it is not there. */
  positionOf(words: Uint32Array, row: number): number | undefined {
    return this.#count === 0 ? undefined : findRowOf(this.#index, this.#words, words, row);
  }

  /** The rows of a column whose uuid is there, ascending. Cost: a read of each row, none for an empty set. */
  rowsIn(words: Uint32Array, rowCount: number): number[] {
    const rows: number[] = [];
    if (this.#count === 0) return rows;
    for (let row = 0; row < rowCount; row++) if (this.positionOf(words, row) !== undefined) rows.push(row);
    return rows;
  }
}

/** Position of a price in the price columns, counted from 0. */
export type PriceRow = Branded<number, "PriceRow">;

/**
 * uuid → row: a hash table in one flat array, with open addressing and linear probing. A slot holds a row number or
 * `emptySlot`; the uuid itself is compared in the uuid column, so the table costs four bytes a slot and no object. At
 * most three quarters of the slots are taken, so a search ends at an empty slot after a few steps, also for a uuid that
 * is not there. Rows are entered in ascending order, so equal uuids in equal rows give equal tables.
 */
export interface UuidIndex {
  /** Row numbers; the length is a power of two. */
  readonly slots: Uint32Array<SharedArrayBuffer>;
}

const emptySlot = 0xffff_ffff;

/**
 * Builds the table over the uuid column.
 *
 * @param uuids Four words a row.
 * @throws {RangeError} when a uuid stands twice; the dataset's checks exclude it.
 * Cost: a few steps a row, each at a random address.
 */
export function buildUuidIndex(uuids: Uint32Array, rowCount: number): UuidIndex {
  const index = emptyUuidIndex(rowCount);
  for (let row = 0; row < rowCount; row++) {
    const known = enterRow(index, uuids, row);
    if (known !== row) throw new RangeError(`rows ${known} and ${row}: one uuid`);
  }
  return index;
}

/** A table with room for so many rows. */
export function emptyUuidIndex(rowCount: number): UuidIndex {
  return { slots: sharedUint32(slotCountFor(rowCount)).fill(emptySlot) };
}

/**
 * Enters a row, unless one of its uuid is there.
 *
 * @param uuids The column the table is built over.
 * @returns The row that has the uuid: the one before, or this one.
 */
export function enterRow({ slots }: UuidIndex, uuids: Uint32Array, row: number): number {
  const slot = findSlot(slots, uuids, uuids, row);
  if (slots[slot] === emptySlot) slots[slot] = row;
  return slots[slot] as number;
}

const wanted = new Uint32Array(wordsPerUuid);

/**
 * The row of a uuid.
 *
 * @param uuids The column the index was built over.
 * @param uuid A text that `toUuid` accepts.
 * @returns undefined when no price has this uuid. Cost: a few slots on average.
 */
export function findRow(index: UuidIndex, uuids: Uint32Array, uuid: string): PriceRow | undefined {
  writeUuid(wanted, 0, uuid);
  return findRowOf(index, uuids, wanted, 0);
}

/**
 * As `findRow`, for a uuid of a flat array.
 *
 * @param words Four words a position, such as another table's uuids.
 */
export function findRowOf(
  { slots }: UuidIndex,
  uuids: Uint32Array,
  words: Uint32Array,
  position: number,
): PriceRow | undefined {
  const row = slots[findSlot(slots, uuids, words, position)] as number;
  return row === emptySlot ? undefined : (row as PriceRow);
}

/** The slot of a uuid, or the empty one where it belongs. */
function findSlot(slots: Uint32Array, uuids: Uint32Array, words: Uint32Array, position: number): number {
  const mask = slots.length - 1;
  let slot = hashUuid(words, position) & mask;
  while (slots[slot] !== emptySlot && !isSameUuid(uuids, slots[slot] as number, words, position))
    slot = (slot + 1) & mask;
  return slot;
}

/** The least power of two that leaves at least a quarter of the slots (and always one) empty. */
function slotCountFor(rowCount: number): number {
  let count = 2;
  while (count * 3 < rowCount * 4) count *= 2;
  return count;
}
