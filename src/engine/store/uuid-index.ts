/**
 * uuid → row: a hash table in one flat array, with open addressing and linear probing. A slot holds a row number or
 * `emptySlot`; the uuid itself is compared in the uuid column, so the table costs four bytes a slot and no object. At
 * most three quarters of the slots are taken, so a search ends at an empty slot after a few steps, also for a uuid that
 * is not there. Rows are entered in ascending order, so equal uuids in equal rows give equal tables.
 */

import type { Branded } from "../model/branded.ts";
import { sharedUint32 } from "../model/shared-columns.ts";
import { hashUuid, isSameUuid, wordsPerUuid, writeUuid } from "../model/uuid-words.ts";

/** Position of a price in the price columns, counted from 0. */
export type PriceRow = Branded<number, "PriceRow">;

export interface UuidIndex {
  /** Row numbers; the length is a power of two. */
  readonly slots: Uint32Array<SharedArrayBuffer>;
}

export const emptySlot = 0xffff_ffff;

/**
 * Builds the table over the uuid column.
 *
 * @param uuids Four words a row.
 * @throws {RangeError} when a uuid stands twice; the dataset's checks exclude it.
 * Cost: a few steps a row, each at a random address.
 */
export function buildUuidIndex(uuids: Uint32Array, rowCount: number): UuidIndex {
  const slots = sharedUint32(slotCountFor(rowCount)).fill(emptySlot);
  for (let row = 0; row < rowCount; row++) {
    const slot = findSlot(slots, uuids, uuids, row);
    if (slots[slot] !== emptySlot) throw new RangeError(`rows ${slots[slot]} and ${row}: one uuid`);
    slots[slot] = row;
  }
  return { slots };
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
  const row = slots[findSlot(slots, uuids, words, position)]!;
  return row === emptySlot ? undefined : (row as PriceRow);
}

/** The slot of a uuid, or the empty one where it belongs. */
function findSlot(slots: Uint32Array, uuids: Uint32Array, words: Uint32Array, position: number): number {
  const mask = slots.length - 1;
  let slot = hashUuid(words, position) & mask;
  while (slots[slot] !== emptySlot && !isSameUuid(uuids, slots[slot]!, words, position)) slot = (slot + 1) & mask;
  return slot;
}

/** The least power of two that leaves at least a quarter of the slots (and always one) empty. */
function slotCountFor(rowCount: number): number {
  let count = 2;
  while (count * 3 < rowCount * 4) count *= 2;
  return count;
}
