import { compareUuidsOf } from "../domain/uuid-words.ts";

/** What answer order is told by: times in milliseconds, and uuids of four words a row. */
export interface TimedUuids {
  readonly recordedAt: Float64Array;
  readonly uuids: Uint32Array;
}

/** Rows of a table in answer order: places [from, to) of `rows`, or of the table itself when it is null. */
export interface OrderedRows extends TimedUuids {
  readonly rows: Uint32Array | null;
  readonly from: number;
  readonly to: number;
}

/**
 * Merges a few rows into many, both in answer order.
 *
 * @param removed Places of `many` that are left out, ascending.
 * @param few Rows of their table, in answer order.
 * @param placeFirst The place of the first row.
 * @param takeRun Is told that the places [from, end) of `many` come to stand at `place` and behind.
 * @param takeOne Is told the place of one of the few rows.
 * @returns The place behind the last row.
 * Cost: a binary search for each of the few, and the runs between them.
 */
export function mergeOrders(
  many: OrderedRows,
  removed: Uint32Array,
  few: TimedUuids & { readonly rows: Uint32Array },
  placeFirst: number,
  takeRun: (place: number, from: number, end: number) => void,
  takeOne: (place: number, row: number) => void,
): number {
  let place = placeFirst;
  let done = many.from;
  let nextRemoved = 0;
  for (const row of few.rows) {
    takeRunsTo(firstPlaceNotBefore({ ...many, from: done }, few, row));
    takeOne(place++, row);
  }
  takeRunsTo(many.to);
  return place;

  function takeRunsTo(end: number): void {
    while (done < end) {
      const stop = nextRemoved < removed.length && removed[nextRemoved]! < end ? removed[nextRemoved++]! : end;
      if (stop > done) takeRun(place, done, stop);
      place += stop - done;
      done = stop === end ? end : stop + 1;
    }
  }
}

/** The first place whose row is the given one of another table or comes after it in answer order. A binary search. */
export function firstPlaceNotBefore(
  { recordedAt, uuids, rows, from, to }: OrderedRows,
  other: TimedUuids,
  row: number,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    const found = rows === null ? middle : rows[middle]!;
    const age = other.recordedAt[row]! - recordedAt[found]!;
    if (age < 0 || (age === 0 && compareUuidsOf(uuids, found, other.uuids, row) < 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}
