/**
 * Answer order: newest first, equal times by uuid ascending. A build sorts all prices into it once, every other order
 * comes from it by counting sorts, which keep it.
 */
import { compareUuids } from "../model/ids.ts";
import { sortPositions } from "./radix-sort.ts";

/** Compares two prices in answer order. @returns Negative where a comes first, positive where b does. */
export function compareAnswers(
  { recordedAt, uuids }: { readonly recordedAt: Float64Array; readonly uuids: Uint32Array },
  a: number,
  b: number,
): number {
  return recordedAt[b]! - recordedAt[a]! || compareUuids(uuids, a, b);
}

/**
 * @param recordedAt Instants in milliseconds.
 * @param uuids Four words a row.
 * @returns Positions in answer order.
 */
export function sortInAnswerOrder(recordedAt: Float64Array, uuids: Uint32Array): Uint32Array {
  let newest = -Infinity;
  for (let at = 0; at < recordedAt.length; at++) newest = Math.max(newest, recordedAt[at]!);
  const ages = new Float64Array(recordedAt.length);
  for (let at = 0; at < recordedAt.length; at++) ages[at] = newest - recordedAt[at]!;
  const order = sortPositions(ages);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    const instant = recordedAt[order[from]!];
    while (to < order.length && recordedAt[order[to]!] === instant) to++;
    if (to - from > 1) order.subarray(from, to).sort((a, b) => compareUuids(uuids, a, b));
    from = to;
  }
  return order;
}
