/**
 * The rows of each month, all products together, by price: how many prices of a month lie in a range is two binary
 * searches, and which they are is a slice.
 */
import { sharedUint32 } from "../domain/shared-columns.ts";
import { countsToStarts } from "./answer-order.ts";
import { lowerBound, type Range } from "./lower-bound.ts";
import type { Periods } from "./periods.ts";

export interface PriceOrder {
  /** Positions of month m in `Store.rowsByTime` and in `rows`: `monthOffsets[m]` to `monthOffsets[m + 1] - 1`. */
  readonly monthOffsets: Uint32Array<SharedArrayBuffer>;
  /** The rows of each month, by price ascending; equal prices in answer order. */
  readonly rows: Uint32Array<SharedArrayBuffer>;
}

/**
 * Sorts the rows of each month by price, with a radix sort over the bits of the numbers: those of positive
 * floating-point numbers order as the numbers do (IEEE 754). Every price is above 0.
 *
 * @param rowsByTime Every row, in answer order.
 * Cost: up to four passes over each month, which fits in the processor's cache.
 */
export function buildPriceOrder(prices: Float64Array, rowsByTime: Uint32Array, periods: Periods): PriceOrder {
  const { dayOffsets } = periods.month;
  const monthCount = dayOffsets.length - 1;
  const monthOffsets = sharedUint32(monthCount + 1);
  let longest = 0;
  for (let month = 0; month < monthCount; month++) {
    const from = monthOffsets[month]!;
    const to = lowerBound(periods.dayCodes, rowsByTime, dayOffsets[month + 1]!, from, rowsByTime.length);
    monthOffsets[month + 1] = to;
    longest = Math.max(longest, to - from);
  }
  const rows = sharedUint32(rowsByTime.length);
  const sorter = new PriceSorter(longest);
  for (let month = 0; month < monthCount; month++) {
    const from = monthOffsets[month]!;
    const to = monthOffsets[month + 1]!;
    sorter.sort(prices, rowsByTime.subarray(from, to), rows.subarray(from, to));
  }
  return { monthOffsets, rows };
}

/**
 * Where the prices of a range lie among the rows of a month.
 *
 * @param priceMin Inclusive.
 * @param priceMax Inclusive.
 * @returns Positions of `PriceOrder.rows`. Cost: two binary searches.
 */
export function positionsOfPrices(
  { monthOffsets, rows }: PriceOrder,
  prices: Float64Array,
  month: number,
  priceMin: number,
  priceMax: number,
): Range {
  const end = monthOffsets[month + 1]!;
  const from = lowerBound(prices, rows, priceMin, monthOffsets[month]!, end);
  return { from, to: lowerBound(prices, rows, nextAbove(priceMax), from, end) };
}

const bits = new Float64Array(1);
const wholeBits = new BigUint64Array(bits.buffer);

/**
 * The least number above a number that is not negative; the bits of such numbers order as they do (IEEE 754). Below a
 * negative number, as a question may ask for, it gives a lower one: no matter, because every price is above 0.
 */
function nextAbove(number: number): number {
  if (number === Infinity) return Infinity;
  bits[0] = number;
  wholeBits[0]!++;
  return bits[0];
}

const digitBits = 16;
const digitCount = 1 << digitBits;
const digitMask = digitCount - 1;

/** Fewer rows than this are sorted sooner by comparison than the counts of a radix pass are cleared. */
const radixMin = 4096;

/** A radix sort of rows by price that keeps its working memory. */
class PriceSorter {
  readonly #bits: Float64Array;
  readonly #digits: Uint32Array;
  readonly #counts: Uint32Array;
  #order: Uint32Array;
  #sorted: Uint32Array;

  constructor(lengthMax: number) {
    this.#bits = new Float64Array(lengthMax);
    this.#digits = new Uint32Array(this.#bits.buffer);
    this.#order = new Uint32Array(lengthMax);
    this.#sorted = new Uint32Array(lengthMax);
    this.#counts = new Uint32Array(lengthMax < radixMin ? 0 : digitCount);
  }

  sort(prices: Float64Array, rows: Uint32Array, into: Uint32Array): void {
    for (let at = 0; at < rows.length; at++) {
      this.#bits[at] = prices[rows[at]!]!;
      this.#order[at] = at;
    }
    if (rows.length < radixMin) {
      const bits = this.#bits;
      this.#order.subarray(0, rows.length).sort((a, b) => bits[a]! - bits[b]! || a - b);
    } else
      for (let pass = 0; pass < 4; pass++) this.#pass(rows.length, pass < 2 ? 0 : 1, pass % 2 === 0 ? 0 : digitBits);
    for (let at = 0; at < rows.length; at++) into[at] = rows[this.#order[at]!]!;
  }

  /** Sorts by 16 bits; `half` 0 is the low word of each number on this machine's byte order. */
  #pass(length: number, half: number, shift: number): void {
    const digits = this.#digits;
    const counts = this.#counts;
    const order = this.#order;
    const sorted = this.#sorted;
    const word = isLittleEndian ? half : 1 - half;
    counts.fill(0);
    for (let at = 0; at < length; at++) counts[(digits[2 * at + word]! >>> shift) & digitMask]!++;
    // Prices of whole shillings and cents share many digits; a digit that all share sorts nothing.
    if (counts[(digits[word]! >>> shift) & digitMask] === length) return;
    countsToStarts(counts);
    for (let position = 0; position < length; position++) {
      const at = order[position]!;
      sorted[counts[(digits[2 * at + word]! >>> shift) & digitMask]!++] = at;
    }
    this.#order = sorted;
    this.#sorted = order;
  }
}

const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
