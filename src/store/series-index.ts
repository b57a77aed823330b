/**
 * The prices of one product at one market are a *series*. This index lists the rows of every series, so that a question
 * about a product and a market, or a product and the markets of a county, looks at no other row. Only series that have
 * prices are listed, so its size does not grow with products times markets.
 *
 *     products  p0          p1     …            seriesOffsets
 *     series    m0 m3 m7    m1 m3  …            markets, rowOffsets
 *     rows      .. .. ....  . ...  …            rows
 */
import { sharedUint32 } from "../domain/shared-columns.ts";
import type { PriceColumns } from "./price-columns.ts";

export interface SeriesIndex {
  /** The series of product p are `seriesOffsets[p]` to `seriesOffsets[p + 1] - 1`, by market code. */
  readonly seriesOffsets: Uint32Array<SharedArrayBuffer>;
  /** Market code by series. */
  readonly markets: Uint32Array<SharedArrayBuffer>;
  /** The rows of series s are `rows[rowOffsets[s]]` to `rows[rowOffsets[s + 1] - 1]`. */
  readonly rowOffsets: Uint32Array<SharedArrayBuffer>;
  /** Within a series in answer order, which for rows of one product is ascending. */
  readonly rows: Uint32Array<SharedArrayBuffer>;
}

/**
 * Sorts the rows of each product by market.
 *
 * Cost: two passes over the prices, and one over the markets for every product.
 */
export function buildSeriesIndex(prices: PriceColumns, marketCount: number): SeriesIndex {
  const { productOffsets } = prices;
  const productCount = productOffsets.length - 1;
  const rows = sharedUint32(prices.rowCount);
  const seriesOffsets = sharedUint32(productCount + 1);
  const markets: number[] = [];
  const rowOffsets: number[] = [];
  const next = new Uint32Array(marketCount);
  for (let product = 0; product < productCount; product++) {
    const from = productOffsets[product]!;
    const to = productOffsets[product + 1]!;
    next.fill(0);
    for (let row = from; row < to; row++) next[prices.markets[row]!]!++;
    for (let market = 0, offset = from; market < marketCount; market++) {
      const count = next[market]!;
      if (count > 0) {
        markets.push(market);
        rowOffsets.push(offset);
      }
      next[market] = offset;
      offset += count;
    }
    for (let row = from; row < to; row++) rows[next[prices.markets[row]!]!++] = row;
    seriesOffsets[product + 1] = markets.length;
  }
  rowOffsets.push(prices.rowCount);
  return { seriesOffsets, markets: shared(markets), rowOffsets: shared(rowOffsets), rows };
}

/** The series of a product at a market; undefined when it has no prices there. Cost: a binary search. */
export function findSeries(
  { seriesOffsets, markets }: SeriesIndex,
  product: number,
  market: number,
): number | undefined {
  const end = seriesOffsets[product + 1]!;
  const one = firstSeriesFrom(markets, seriesOffsets[product]!, end, market);
  return one < end && markets[one] === market ? one : undefined;
}

/**
 * The series of a product at some markets, by market code.
 *
 * @param marketCodes Ascending.
 * Cost: a binary search for each market.
 */
export function seriesAt({ seriesOffsets, markets }: SeriesIndex, product: number, marketCodes: Uint32Array): number[] {
  const end = seriesOffsets[product + 1]!;
  const found: number[] = [];
  let from = seriesOffsets[product]!;
  for (let at = 0; at < marketCodes.length && from < end; at++) {
    const market = marketCodes[at]!;
    // Neighbours often follow one another, as when all markets of a type are wanted.
    if (markets[from]! < market) from = firstSeriesFrom(markets, from + 1, end, market);
    if (from < end && markets[from] === market) found.push(from++);
  }
  return found;
}

/** The first series in a range whose market code is at least `market`. */
function firstSeriesFrom(markets: Uint32Array, from: number, to: number, market: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (markets[middle]! < market) low = middle + 1;
    else high = middle;
  }
  return low;
}

function shared(numbers: readonly number[]): Uint32Array<SharedArrayBuffer> {
  const column = sharedUint32(numbers.length);
  column.set(numbers);
  return column;
}
