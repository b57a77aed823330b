/**
 * Answer order: newest first, equal times by uuid ascending. A build sorts all prices into it once, every other order
 * comes from it by counting sorts, which keep it.
 *
 * Times are sorted by radix over their ages, least significant digit first: each pass keeps the order of the one
 * before, so no comparator runs over millions of rows. Only groups of equal times are then compared by uuid.
 */
import { compareUuids } from "../domain/uuid-words.ts";

/** Few enough digits that all positions written to in turn stay in the cache. */
const digitBits = 11;
const digitCount = 1 << digitBits;
const digitMask = digitCount - 1;
const wordBits = 32;
const wordSize = 2 ** wordBits;

/** Times are mostly whole minutes or seconds; ages counted in those have fewer digits. Milliseconds, longest first. */
const granularities = [60_000, 1000, 1];

/** Groups of equal times up to this size are sorted by insertion, which needs no comparator function. */
const shortGroup = 24;

/** Compares two prices in answer order. @returns Negative where a comes first, positive where b does. */
export function compareAnswers(
  { recordedAt, uuids }: { readonly recordedAt: Float64Array; readonly uuids: Uint32Array },
  a: number,
  b: number,
): number {
  return recordedAt[b]! - recordedAt[a]! || compareUuids(uuids, a, b);
}

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
    if (to - from > shortGroup) order.subarray(from, to).sort((a, b) => compareUuids(uuids, a, b));
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
  if (rowCount === 0 || newest === oldest) return order;
  const granularity = granularityOf(recordedAt, newest);
  const ages = { low: new Uint32Array(rowCount), high: new Uint32Array(rowCount) };
  for (let position = 0; position < rowCount; position++) {
    const age = (newest - recordedAt[position]!) / granularity;
    ages.low[position] = age % wordSize;
    ages.high[position] = age / wordSize;
  }
  const ageMax = (newest - oldest) / granularity;
  let sorted = new Uint32Array(rowCount);
  const counts = new Uint32Array(digitCount);
  for (const [words, wordMax] of [
    [ages.low, Math.min(ageMax, wordSize - 1)],
    [ages.high, Math.floor(ageMax / wordSize)],
  ] as const) {
    for (let shift = 0; shift < wordBits && wordMax >= 2 ** shift; shift += digitBits) {
      sortByDigit(words, shift, order, sorted, counts);
      [order, sorted] = [sorted, order];
    }
  }
  return order;
}

/** The longest granularity of which all ages are multiples. */
function granularityOf(recordedAt: Float64Array, newest: number): number {
  const [first = 1, ...others] = granularities;
  let granularity = first;
  for (let position = 0; position < recordedAt.length; position++) {
    const age = newest - recordedAt[position]!;
    while (granularity > 1 && age % granularity !== 0) granularity = others.shift() ?? 1;
  }
  return granularity;
}

/** One pass: counts the digits, then moves each position after those of lower digits. */
function sortByDigit(
  words: Uint32Array,
  shift: number,
  order: Uint32Array,
  sorted: Uint32Array,
  counts: Uint32Array,
): void {
  counts.fill(0);
  for (let position = 0; position < words.length; position++) counts[(words[position]! >>> shift) & digitMask]!++;
  countsToStarts(counts);
  for (let at = 0; at < order.length; at++) {
    const position = order[at]!;
    sorted[counts[(words[position]! >>> shift) & digitMask]!++] = position;
  }
}

/** Turns how often each digit occurs into where its first position goes, in place: an exclusive prefix sum. */
export function countsToStarts(counts: Uint32Array): void {
  for (let digit = 0, sum = 0; digit < counts.length; digit++) {
    const count = counts[digit]!;
    counts[digit] = sum;
    sum += count;
  }
}
