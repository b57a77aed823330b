import { sharedUint32 } from "../domain/shared-columns.ts";
import type { Extension } from "./extension.ts";
import { goneRow } from "./merged-rows.ts";
import { buildUuidIndex, emptySlot, hashUuid, homeCountFor, isSameUuid, type UuidIndex } from "./uuid-index.ts";

/**
 * As `buildUuidIndex`, from the table of the store that was extended: rows get their new numbers, which keep their order,
 * those that are gone are taken out, and added ones put in. Each step leaves the rows in the order of their home
 * slots, each at its home or in the first free slot behind it, so the table is the one that building would give.
 *
 * @param uuids Of the new store.
 * Cost: a pass over the slots, and a few steps for each changed row.
 * @throws {RangeError} when a uuid stands twice.
 */
export function extendUuidIndex(uuids: Uint32Array, rowCount: number, extension: Extension): UuidIndex {
  const { before, rowsOfOld, replacedRows, addedRows } = extension;
  const { homeCount } = before.rowByUuid;
  if (homeCountFor(rowCount) !== homeCount) return buildUuidIndex(uuids, rowCount);
  const slots = sharedUint32(before.rowByUuid.slots.length);
  moveRows(before.rowByUuid.slots, rowsOfOld, slots);
  const holes = replacedRows.map((row) => slotOf(before.rowByUuid, before.prices.uuids, row)).sort();
  // The last first, so that behind a hole there is no other.
  for (let at = holes.length - 1; at >= 0; at--) closeHole(slots, homeCount, uuids, holes[at]!);
  for (const row of addedRows) {
    if (!putIn(slots, homeCount, uuids, row)) return buildUuidIndex(uuids, rowCount);
  }
  // How far the last rows spill over decides how long the table is.
  if (endOfRows(slots, homeCount) + 1 !== slots.length) return buildUuidIndex(uuids, rowCount);
  return { homeCount, slots };
}

const blockBits = 6;
const blockRows = 1 << blockBits;

/** Stands for a block whose rows do not all move by the same number of places. */
const mixed = 0x7fff_ffff;

/**
 * Puts rows under their new numbers; one that is gone leaves its slot empty. Slots name rows at random, so what is asked for
 * each must be near the processor: by how much a block of rows moves, and only where that differs, each row by itself.
 */
function moveRows(old: Uint32Array, rowsOfOld: Uint32Array, slots: Uint32Array): void {
  const shifts = new Int32Array(Math.ceil(rowsOfOld.length / blockRows));
  for (let block = 0; block < shifts.length; block++) {
    const first = block << blockBits;
    const end = Math.min(rowsOfOld.length, first + blockRows);
    const shift = rowsOfOld[first]! - first;
    let row = first;
    while (row < end && rowsOfOld[row]! - row === shift && rowsOfOld[row] !== goneRow) row++;
    shifts[block] = row === end ? shift : mixed;
  }
  for (let slot = 0; slot < old.length; slot++) {
    const row = old[slot]!;
    if (row === emptySlot) slots[slot] = emptySlot;
    else {
      const shift = shifts[row >>> blockBits]!;
      slots[slot] = shift === mixed ? rowsOfOld[row]! : row + shift;
    }
  }
}

function slotOf({ slots, homeCount }: UuidIndex, uuids: Uint32Array, row: number): number {
  let slot = homeOf(uuids, row, homeCount);
  while (slots[slot] !== row) slot++;
  return slot;
}

/** Lets the rows behind an empty slot move up, as far as their homes let them. */
function closeHole(slots: Uint32Array, homeCount: number, uuids: Uint32Array, hole: number): void {
  let slot = hole;
  for (;;) {
    const next = slots[slot + 1]!;
    if (next === emptySlot || homeOf(uuids, next, homeCount) === slot + 1) break;
    slots[slot++] = next;
  }
  slots[slot] = emptySlot;
}

/** Puts a row in its place; those behind it move on to the next empty slot. @returns False when the table is too short. */
function putIn(slots: Uint32Array, homeCount: number, uuids: Uint32Array, row: number): boolean {
  const home = homeOf(uuids, row, homeCount);
  let slot = home;
  for (let at = home; slots[at] !== emptySlot; at++) {
    const other = slots[at]!;
    const otherHome = homeOf(uuids, other, homeCount);
    if (otherHome > home) break;
    if (otherHome === home && isSameUuid(uuids, other, uuids, row)) {
      throw new RangeError(`rows ${other} and ${row}: one uuid`);
    }
    if (otherHome < home || other < row) slot = at + 1;
  }
  for (let moved = row; moved !== emptySlot; slot++) {
    // The very last slot stays empty.
    if (slot === slots.length - 1) return false;
    const next = slots[slot]!;
    slots[slot] = moved;
    moved = next;
  }
  return true;
}

/** The end of the rows, or that of the home slots if it is further. */
function endOfRows(slots: Uint32Array, homeCount: number): number {
  let end = slots.length;
  while (end > homeCount && slots[end - 1] === emptySlot) end--;
  return end;
}

function homeOf(uuids: Uint32Array, row: number, homeCount: number): number {
  return hashUuid(uuids, row) & (homeCount - 1);
}
