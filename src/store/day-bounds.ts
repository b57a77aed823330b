/** Positions [from, to) in a list of rows. */
export interface PositionRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/**
 * The part of a range of rows, newest first, whose time lies in a half-open interval, by two binary searches.
 *
 * @param recordedAt Instants by row.
 * @param rows Rows in answer order, or null when positions are rows (the prices of one product).
 * @param range Where to look.
 * @param instantFirst Oldest instant wanted (inclusive).
 * @param instantEnd End of the interval (exclusive).
 */
export function narrowToInstants(
  recordedAt: Float64Array,
  rows: Uint32Array | null,
  range: PositionRange,
  instantFirst: number,
  instantEnd: number,
): PositionRange {
  const from = firstOlderThan(recordedAt, rows, range, instantEnd);
  const to = firstOlderThan(recordedAt, rows, { from, to: range.to }, instantFirst);
  return { from, to };
}

/** The first position whose instant is less than `instant`; `range.to` when there is none. */
function firstOlderThan(
  recordedAt: Float64Array,
  rows: Uint32Array | null,
  range: PositionRange,
  instant: number,
): number {
  let low = range.from;
  let high = range.to;
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    const row = rows === null ? middle : rows[middle]!;
    if (recordedAt[row]! < instant) high = middle;
    else low = middle + 1;
  }
  return low;
}
