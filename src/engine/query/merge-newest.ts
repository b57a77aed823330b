/** Runs are newest first each; a page of several is their merge. */
import { compareUuids } from "../model/ids.ts";
import type { PriceColumns } from "../store/columns.ts";
import type { Segments } from "../store/runs.ts";

/** Working memory of a merge, by segment: the next row, and its time. Kept, because most merges are of a few rows. */
let heads = new Uint32Array(64);
let times = new Float64Array(64);

/**
 * The newest rows of some runs, or parts of runs, in answer order.
 *
 * @param count At most what the segments hold.
 * Cost: a step for each segment and row.
 */
export function mergeNewest({ recordedAt, uuids }: PriceColumns, { from, to }: Segments, count: number): Uint32Array {
  const segmentCount = from.length;
  if (heads.length < segmentCount) {
    heads = new Uint32Array(2 * segmentCount);
    times = new Float64Array(2 * segmentCount);
  }
  const merged = new Uint32Array(count);
  if (segmentCount === 1) {
    for (let at = 0; at < count; at++) merged[at] = from[0]! + at;
    return merged;
  }
  for (let segment = 0; segment < segmentCount; segment++) {
    heads[segment] = from[segment]!;
    times[segment] = recordedAt[from[segment]!]!;
  }
  for (let at = 0; at < count; at++) {
    let newest = 0;
    let time = times[0]!;
    for (let segment = 1; segment < segmentCount; segment++) {
      const other = times[segment]!;
      if (other < time) continue;
      if (other > time || compareUuids(uuids, heads[segment]!, heads[newest]!) < 0) {
        newest = segment;
        time = other;
      }
    }
    const row = heads[newest]!;
    merged[at] = row;
    heads[newest] = row + 1;
    times[newest] = row + 1 < to[newest]! ? recordedAt[row + 1]! : -Infinity;
  }
  return merged;
}
