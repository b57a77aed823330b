/**
 * The one comparison sort of a build: all prices in answer order (newest first, then uuid ascending). Every other order
 * comes from it by counting sorts, which keep it.
 *
 * Times are sorted by radix, 16 bits a pass, least significant first: each pass keeps the order of the one before, so no
 * comparator runs over millions of rows. Only runs of equal times are then compared by uuid.
 */
import { compareUuids } from "../domain/uuid-words.ts";

const digitBits = 16;
const digitCount = 1 << digitBits;

/** Runs of equal times up to this length are sorted by insertion, which needs no comparator function. */
const shortRun = 24;

/**
 * @param recordedAt Instants in milliseconds, whole numbers.
 * @param uuids Four words a row.
 * @returns Positions in answer order.
 */
export function sortInAnswerOrder(recordedAt: Float64Array, uuids: Uint32Array): Uint32Array {
  const order = sortNewestFirst(recordedAt);
  for (let from = 0; from < order.length; ) {
    let to = from + 1;
    const instant = recordedAt[order[from]!];
    while (to < order.length && recordedAt[order[to]!] === instant) to++;
    if (to - from > shortRun) order.subarray(from, to).sort((a, b) => compareUuids(uuids, a, b));
    else if (to - from > 1) insertByUuid(order, from, to, uuids);
    from = to;
  }
  return order;
}

function insertByUuid(order: Uint32Array, from: number, to: number, uuids: Uint32Array): void {
  for (let end = from + 1; end < to; end++) {
    const position = order[end]!;
    let at = end;
    while (at > from && compareUuids(uuids, order[at - 1]!, position) > 0) {
      order[at] = order[at - 1]!;
      at--;
    }
    order[at] = position;
  }
}

function sortNewestFirst(recordedAt: Float64Array): Uint32Array {
  const rowCount = recordedAt.length;
  let newest = -Infinity;
  let oldest = Infinity;
  for (let position = 0; position < rowCount; position++) {
    const instant = recordedAt[position]!;
    if (instant > newest) newest = instant;
    if (instant < oldest) oldest = instant;
  }
  let order = new Uint32Array(rowCount);
  for (let position = 0; position < rowCount; position++) order[position] = position;
  let sorted = new Uint32Array(rowCount);
  const counts = new Uint32Array(digitCount);
  // The age in milliseconds is a whole number below 2^53, taken apart by division because it may pass 32 bits.
  for (let divisor = 1; divisor <= newest - oldest; divisor *= digitCount) {
    counts.fill(0);
    for (let position = 0; position < rowCount; position++) {
      counts[Math.floor((newest - recordedAt[position]!) / divisor) % digitCount]!++;
    }
    for (let digit = 0, sum = 0; digit < digitCount; digit++) {
      const count = counts[digit]!;
      counts[digit] = sum;
      sum += count;
    }
    for (let place = 0; place < rowCount; place++) {
      const position = order[place]!;
      const digit = Math.floor((newest - recordedAt[position]!) / divisor) % digitCount;
      sorted[counts[digit]!++] = position;
    }
    [order, sorted] = [sorted, order];
  }
  return order;
}
