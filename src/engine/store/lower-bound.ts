/** The typed arrays that are searched. */
export type SortedColumn = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Positions or codes [from, to): what two lower bounds enclose. */
export interface Range {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/**
 * The first position of an ascending list whose value is at least `value`.
 *
 * @param rows Row by position: the values are `column[rows[position]]`. Null where positions are rows.
 * @param from First position (inclusive).
 * @param to End of the positions (exclusive).
 * @returns `to` when there is none. Cost: a binary search.
 */
export function lowerBound(
  column: SortedColumn,
  rows: Uint32Array | null,
  value: number,
  from: number,
  to: number,
): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[rows === null ? middle : rows[middle]!]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
