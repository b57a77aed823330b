/**
 * The rows of each month, all products together, by price: how many prices of a month lie in a range is two binary
 * searches, and which they are is a slice.
 */
import { sharedUint32 } from "../model/shared-columns.ts";
import { lowerBound, type Range } from "./columns.ts";
import type { Periods } from "./periods.ts";
import { sortPositions } from "./radix-sort.ts";

export interface PriceOrder {
  /** Positions of month m in `Store.rowsByTime` and in `rows`: `monthOffsets[m]` to `monthOffsets[m + 1] - 1`. */
  readonly monthOffsets: Uint32Array<SharedArrayBuffer>;
  /** The rows of each month, by price ascending; equal prices in answer order. */
  readonly rows: Uint32Array<SharedArrayBuffer>;
}

/**
 * Sorts the rows of each month by price. Every price is above 0.
 *
 * @param rowsByTime Every row, in answer order.
 * Cost: that of `sortPositions` for each month, which fits in the processor's cache.
 */
export function buildPriceOrder(prices: Float64Array, rowsByTime: Uint32Array, periods: Periods): PriceOrder {
  const { dayOffsets } = periods.month;
  const monthOffsets = sharedUint32(dayOffsets.length);
  const rows = sharedUint32(rowsByTime.length);
  for (let month = 0; month + 1 < dayOffsets.length; month++) {
    const from = monthOffsets[month]!;
    const to = lowerBound(periods.dayCodes, rowsByTime, dayOffsets[month + 1]!, from, rowsByTime.length);
    monthOffsets[month + 1] = to;
    const ofMonth = new Float64Array(to - from);
    for (let at = 0; at < ofMonth.length; at++) ofMonth[at] = prices[rowsByTime[from + at]!]!;
    const sorted = sortPositions(ofMonth);
    for (let at = 0; at < sorted.length; at++) rows[from + at] = rowsByTime[from + sorted[at]!]!;
  }
  return { monthOffsets, rows };
}

/**
 * Finds where the prices of a range lie among the rows of a month.
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
