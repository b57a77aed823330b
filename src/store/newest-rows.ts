import { sharedUint32 } from "../domain/shared-columns.ts";
import type { PostingIndex } from "./posting-index.ts";
import type { PriceColumns } from "./price-columns.ts";
import type { SeriesIndex } from "./series-index.ts";

/**
 * The newest row of every product, market and unit, kept ready by product: "what does it cost now, everywhere".
 *
 * Cost: one look at every price.
 * @returns Rows by product code, in answer order.
 */
export function buildNewestRows(prices: PriceColumns, series: SeriesIndex): PostingIndex {
  const productCount = series.seriesOffsets.length - 1;
  const offsets = sharedUint32(productCount + 1);
  const newest: number[] = [];
  // The series in which a unit was last seen, so that the array need not be cleared for each.
  const seenIn = new Int32Array(prices.unitNames.length).fill(-1);
  for (let product = 0; product < productCount; product++) {
    const first = newest.length;
    for (let one = series.seriesOffsets[product]!; one < series.seriesOffsets[product + 1]!; one++) {
      for (let at = series.rowOffsets[one]!; at < series.rowOffsets[one + 1]!; at++) {
        const row = series.rows[at]!;
        const unit = prices.units[row]!;
        if (seenIn[unit] === one) continue;
        seenIn[unit] = one;
        newest.push(row);
      }
    }
    // Rows of one product ascend in answer order.
    const ordered = newest.splice(first).sort((a, b) => a - b);
    for (const row of ordered) newest.push(row);
    offsets[product + 1] = newest.length;
  }
  const rows = sharedUint32(newest.length);
  rows.set(newest);
  return { offsets, rows };
}
