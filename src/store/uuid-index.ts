/**
 * uuid → row: a hash table in one flat array, with open addressing. A slot holds a row number or `emptySlot`; the uuid
 * itself is compared in the uuid column, so the table costs four bytes a slot and no object. At most three quarters of
 * the home slots are taken, so a search ends at an empty slot after a few steps, also for a uuid that is not there.
 *
 * Rows stand in the order of their home slots, each at its home or in the first free slot behind it (P. Celis, "Robin Hood
 * Hashing", 1986, filled in sorted order). So the table is written from one end to the other instead of at random, and
 * equal uuids in equal rows give equal tables.
 */
import { sharedUint32 } from "../domain/shared-columns.ts";
import { wordsPerUuid, writeUuid } from "../domain/uuid-words.ts";
import type { PriceRow } from "./codes.ts";

export interface UuidIndex {
  /** A power of two: a uuid's home slot is its hash modulo this. */
  readonly homeCount: number;
  /** Row numbers. The home slots, then those that the last of them spill into; the very last slot is empty. */
  readonly slots: Uint32Array<SharedArrayBuffer>;
}

export const emptySlot = 0xffff_ffff;

/** Home slots that are filled together: few enough that their rows stay near the processor while they are sorted. */
const blockHomes = 1 << 13;

/**
 * Builds the table over the uuid column.
 *
 * @param uuids Four words a row.
 * @throws {RangeError} when a uuid stands twice; the dataset's checks exclude it.
 * Cost: three passes over the rows.
 */
export function buildUuidIndex(uuids: Uint32Array, rowCount: number): UuidIndex {
  const homeCount = homeCountFor(rowCount);
  const { rows, hashes, blockOffsets } = groupByBlock(uuids, rowCount, homeCount);
  const slots = new Uint32Array(homeCount + rowCount + 1).fill(emptySlot);
  const homeMask = Math.min(homeCount, blockHomes) - 1;
  const homeOffsets = new Uint32Array(blockHomes + 1);
  let sorted: BlockRows = { rows: new Uint32Array(0), hashes: new Uint32Array(0) };
  let free = 0;
  for (let block = 0; block + 1 < blockOffsets.length; block++) {
    const from = blockOffsets[block]!;
    const to = blockOffsets[block + 1]!;
    if (sorted.rows.length < to - from) {
      sorted = { rows: new Uint32Array((to - from) * 2), hashes: new Uint32Array((to - from) * 2) };
    }
    sortByHome({ rows: rows.subarray(from, to), hashes: hashes.subarray(from, to) }, homeMask, homeOffsets, sorted);
    for (let home = 0; home < blockHomes; home++) {
      const first = homeOffsets[home]!;
      const end = homeOffsets[home + 1]!;
      if (first === end) continue;
      checkDifferent(uuids, sorted, first, end);
      free = Math.max(free, block * blockHomes + home);
      for (let at = first; at < end; at++) slots[free++] = sorted.rows[at]!;
    }
  }
  const used = sharedUint32(Math.max(homeCount, free) + 1);
  used.set(slots.subarray(0, used.length));
  return { homeCount, slots: used };
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
  { homeCount, slots }: UuidIndex,
  uuids: Uint32Array,
  words: Uint32Array,
  position: number,
): PriceRow | undefined {
  let slot = hashUuid(words, position) & (homeCount - 1);
  while (slots[slot] !== emptySlot) {
    if (isSameUuid(uuids, slots[slot]!, words, position)) return slots[slot] as PriceRow;
    slot++;
  }
  return undefined;
}

/** The least power of two that leaves at least a quarter of the home slots (and always one) empty. */
export function homeCountFor(rowCount: number): number {
  let count = 2;
  while (count * 3 < rowCount * 4) count *= 2;
  return count;
}

/** Rows and the hashes of their uuids, place by place. */
interface BlockRows {
  readonly rows: Uint32Array;
  readonly hashes: Uint32Array;
}

/** Grouped by the block of their home slot; rows ascend within each. */
interface BlockGroups extends BlockRows {
  /** Where the rows of each block begin. */
  readonly blockOffsets: Uint32Array;
}

/** A counting sort of the rows by block. */
function groupByBlock(uuids: Uint32Array, rowCount: number, homeCount: number): BlockGroups {
  const hashOf = new Uint32Array(rowCount);
  const homeMask = homeCount - 1;
  const blockShift = Math.log2(blockHomes);
  const blockOffsets = new Uint32Array(Math.ceil(homeCount / blockHomes) + 1);
  for (let row = 0; row < rowCount; row++) {
    const hash = hashUuid(uuids, row);
    hashOf[row] = hash;
    blockOffsets[((hash & homeMask) >>> blockShift) + 1]!++;
  }
  for (let block = 0; block + 1 < blockOffsets.length; block++) blockOffsets[block + 1]! += blockOffsets[block]!;
  const next = blockOffsets.slice();
  const rows = new Uint32Array(rowCount);
  const hashes = new Uint32Array(rowCount);
  for (let row = 0; row < rowCount; row++) {
    const hash = hashOf[row]!;
    const place = next[(hash & homeMask) >>> blockShift]!++;
    rows[place] = row;
    hashes[place] = hash;
  }
  return { rows, hashes, blockOffsets };
}

/**
 * Sorts the rows of one block by home slot, ascending within each: a counting sort.
 *
 * @param homeMask Takes a hash to its home within the block.
 * @param homeOffsets Takes where each home's rows begin in `sorted`.
 */
function sortByHome({ rows, hashes }: BlockRows, homeMask: number, homeOffsets: Uint32Array, sorted: BlockRows): void {
  homeOffsets.fill(0);
  for (let at = 0; at < hashes.length; at++) homeOffsets[(hashes[at]! & homeMask) + 1]!++;
  for (let home = 0; home < blockHomes; home++) homeOffsets[home + 1]! += homeOffsets[home]!;
  // Filled from behind, each home's end moves down to its beginning.
  for (let at = rows.length - 1; at >= 0; at--) {
    const hash = hashes[at]!;
    const place = --homeOffsets[(hash & homeMask) + 1]!;
    sorted.rows[place] = rows[at]!;
    sorted.hashes[place] = hash;
  }
  homeOffsets.copyWithin(0, 1);
  homeOffsets[blockHomes] = rows.length;
}

/** Equal uuids have one home, so only its few rows need be compared, and of those only the ones with equal hashes. */
function checkDifferent(uuids: Uint32Array, { rows, hashes }: BlockRows, from: number, to: number): void {
  for (let at = from + 1; at < to; at++) {
    for (let other = from; other < at; other++) {
      if (hashes[other] !== hashes[at] || !isSameUuid(uuids, rows[other]!, uuids, rows[at]!)) continue;
      throw new RangeError(`rows ${rows[other]} and ${rows[at]}: one uuid`);
    }
  }
}

/**
 * Mixes all four words, because version 7 uuids share their first bits and hand-made ones differ only in the last.
 * Finaliser of MurmurHash3 (Austin Appleby, public domain) after each word.
 */
export function hashUuid(words: Uint32Array, row: number): number {
  const at = row * wordsPerUuid;
  let hash = 0;
  for (let word = 0; word < wordsPerUuid; word++) {
    hash = (Math.imul(hash, 31) + words[at + word]!) | 0;
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}

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
