import { sharedUint32 } from "../domain/shared-columns.ts";

/**
 * Where the rows of a store come to stand when a few prices are added and a few replaced. Nearly all of them stay together,
 * so they are told as runs: a column is copied run by run, at the speed of memory, and no row is asked where it goes.
 */
export interface MergedRows {
  readonly rowCount: number;
  readonly productOffsets: Uint32Array<SharedArrayBuffer>;
  /** The old rows that are kept, ascending; so are the places where they come to stand. */
  readonly runs: readonly Run[];
  /** New row by position in the table of added prices. */
  readonly ofAdded: Uint32Array;
}

/** The old rows [from, end) come to stand at `place` and behind. */
export interface Run {
  readonly place: number;
  readonly from: number;
  readonly end: number;
}

/** Stands for a row that no longer exists. */
export const goneRow = 0xffff_ffff;

/** Shorter runs are copied sooner entry by entry than as a block. */
const blockEntriesMin = 64;

/**
 * Copies the entries of old rows to where these come to stand.
 *
 * @param column Takes them; of the same type.
 * @param entriesPerRow Of both.
 */
export function copyRuns<Column extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
  old: Column,
  { runs }: MergedRows,
  column: Column,
  entriesPerRow = 1,
): void {
  for (const { place, from, end } of runs) {
    const first = from * entriesPerRow;
    const last = end * entriesPerRow;
    const to = place * entriesPerRow;
    if (last - first >= blockEntriesMin) column.set(old.subarray(first, last), to);
    else for (let at = first; at < last; at++) column[to + at - first] = old[at]!;
  }
}

/** New row by old row; `goneRow` for those that are replaced. */
export function rowsOfOld({ runs }: MergedRows, oldRowCount: number): Uint32Array<SharedArrayBuffer> {
  const rows = sharedUint32(oldRowCount);
  let next = 0;
  for (const { place, from, end } of runs) {
    rows.fill(goneRow, next, from);
    for (let row = from; row < end; row++) rows[row] = place + row - from;
    next = end;
  }
  rows.fill(goneRow, next);
  return rows;
}
