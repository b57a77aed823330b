/**
 * The prices of one product at one market are a *series*: one run of the price columns, newest first. Only series that have
 * prices are listed, so the size of this index does not grow with products times markets.
 *
 *     products  p0          p1     …            seriesOffsets
 *     series    m0 m3 m7    m1 m3  …            markets
 *     rows      |  |  |     |  |   …            rowOffsets
 */
import { sharedUint32 } from "../domain/shared-columns.ts";
import { lowerBound } from "./lower-bound.ts";
import type { Range } from "./periods.ts";
import type { PostingLists } from "./posting-list.ts";
import type { PriceColumns } from "./price-columns.ts";

export interface SeriesIndex {
  /** The series of product p are `seriesOffsets[p]` to `seriesOffsets[p + 1] - 1`, by market code. */
  readonly seriesOffsets: Uint32Array<SharedArrayBuffer>;
  /** Market code by series. */
  readonly markets: Uint32Array<SharedArrayBuffer>;
  /** The rows of series s are `rowOffsets[s]` to `rowOffsets[s + 1] - 1`. */
  readonly rowOffsets: Uint32Array<SharedArrayBuffer>;
}

/** Finds where series begin. Cost: one pass over the market column. */
export function buildSeriesIndex({ productOffsets, markets, rowCount }: PriceColumns): SeriesIndex {
  const productCount = productOffsets.length - 1;
  const seriesOffsets = sharedUint32(productCount + 1);
  const marketOfSeries: number[] = [];
  const rowOffsets: number[] = [];
  for (let product = 0; product < productCount; product++) {
    let market = -1;
    for (let row = productOffsets[product]!; row < productOffsets[product + 1]!; row++) {
      if (markets[row] === market) continue;
      market = markets[row]!;
      marketOfSeries.push(market);
      rowOffsets.push(row);
    }
    seriesOffsets[product + 1] = marketOfSeries.length;
  }
  rowOffsets.push(rowCount);
  return { seriesOffsets, markets: shared(marketOfSeries), rowOffsets: shared(rowOffsets) };
}

/** The series of a product at a market; undefined when it has no prices there. Cost: a binary search. */
export function findSeries(index: SeriesIndex, product: number, market: number): number | undefined {
  const { from, to } = seriesAt(index, product, { from: market, to: market + 1 });
  return from < to ? from : undefined;
}

/** The series of a product at a range of market codes. Cost: two binary searches. */
export function seriesAt({ seriesOffsets, markets }: SeriesIndex, product: number, marketCodes: Range): Range {
  const end = seriesOffsets[product + 1]!;
  const from = lowerBound(markets, null, marketCodes.from, seriesOffsets[product]!, end);
  return { from, to: lowerBound(markets, null, marketCodes.to, from, end) };
}

/**
 * The newest row of every product, market and unit, by product: "what does it cost now, everywhere".
 *
 * @param rowsByProduct In answer order.
 * @returns Rows by product code, in answer order. Cost: one look at every price.
 */
export function buildNewestRows(
  { units, unitNames, rowCount }: PriceColumns,
  { rowOffsets, markets }: SeriesIndex,
  rowsByProduct: PostingLists,
): PostingLists {
  const isNewest = new Uint8Array(rowCount);
  // The series in which a unit was last seen, so that the array need not be cleared for each.
  const seenIn = new Int32Array(unitNames.length).fill(-1);
  for (let series = 0; series < markets.length; series++) {
    for (let row = rowOffsets[series]!; row < rowOffsets[series + 1]!; row++) {
      if (seenIn[units[row]!] === series) continue;
      seenIn[units[row]!] = series;
      isNewest[row] = 1;
    }
  }
  const offsets = sharedUint32(rowsByProduct.offsets.length);
  const newest: number[] = [];
  for (let product = 0; product + 1 < offsets.length; product++) {
    for (let at = rowsByProduct.offsets[product]!; at < rowsByProduct.offsets[product + 1]!; at++) {
      if (isNewest[rowsByProduct.rows[at]!] === 1) newest.push(rowsByProduct.rows[at]!);
    }
    offsets[product + 1] = newest.length;
  }
  return { offsets, rows: shared(newest) };
}

function shared(numbers: readonly number[]): Uint32Array<SharedArrayBuffer> {
  const column = sharedUint32(numbers.length);
  column.set(numbers);
  return column;
}
