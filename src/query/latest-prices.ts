import type { Uuid } from "../domain/ids.ts";
import type { ProductCode } from "../store/codes.ts";
import { rowsOf } from "../store/posting-index.ts";
import { findSeries, seriesAt } from "../store/series-index.ts";
import type { Store } from "../store/store.ts";
import { takeLeast } from "./ascending-lists.ts";
import { isMarketWanted, listMarketCodes, markMarkets } from "./plan-prices.ts";
import type { LatestPrices } from "./questions.ts";

/** The newest prices of one product. */
export interface LatestGroup {
  readonly product: ProductCode;
  /** Newest first, equal times by uuid ascending; at least one. */
  readonly rows: Uint32Array;
}

/**
 * The newest prices of each product asked for: at most `limit` records, or with `onePerMarket` the newest record of at
 * most `limit` pairs of market and unit.
 *
 * @returns Groups by name of the product, then uuid. Unknown products and products without a match are left out.
 * Cost: per product, a look at its newest rows, or at the newest of each of its series that is wanted; never at all of
 * its rows.
 */
export function latestPrices(store: Store, question: LatestPrices): LatestGroup[] {
  const newestOf = newestRowsFinder(store, question);
  const groups: LatestGroup[] = [];
  for (const product of productsAskedFor(store, question.productUuids)) {
    const rows = newestOf(product);
    if (rows.length > 0) groups.push({ product, rows });
  }
  return groups;
}

/** Codes ascending, which is the order of names; repeated uuids once. */
function productsAskedFor({ catalogue }: Store, uuids: readonly Uuid[] | undefined): Iterable<ProductCode> {
  if (uuids === undefined) return catalogue.productCodes.values();
  const codes = new Set<ProductCode>();
  for (const uuid of uuids) {
    const code = catalogue.productCodes.get(uuid);
    if (code !== undefined) codes.add(code);
  }
  return [...codes].sort((a, b) => a - b);
}

const none = new Uint32Array(0);

/** Decides once how the newest rows of a product are found. */
function newestRowsFinder(store: Store, question: LatestPrices): (product: ProductCode) => Uint32Array {
  const { catalogue, prices, series, newestRows } = store;
  const { marketUuid, countyId, marketType, limit, onePerMarket } = question;
  if (marketUuid !== undefined) {
    const market = catalogue.marketCodes.get(marketUuid);
    if (market === undefined || !isMarketWanted(catalogue.markets[market]!.record, question)) return () => none;
    if (onePerMarket) {
      return (product) => pickRows(rowsOf(newestRows, product), (row) => prices.markets[row] === market, limit);
    }
    return (product) => {
      const one = findSeries(series, product, market);
      if (one === undefined) return none;
      const from = series.rowOffsets[one]!;
      return series.rows.subarray(from, Math.min(series.rowOffsets[one + 1]!, from + limit));
    };
  }
  if (countyId === undefined && marketType === undefined) {
    if (onePerMarket) return (product) => rowsOf(newestRows, product).subarray(0, limit);
    return (product) => newestOfProduct(store, product, limit);
  }
  const mask = markMarkets(store, question);
  const marketCodes = listMarketCodes(store, question);
  if (onePerMarket) {
    return (product) => pickRows(rowsOf(newestRows, product), (row) => mask[prices.markets[row]!] === 1, limit);
  }
  return (product) => newestOfMarkets(store, product, marketCodes, mask, limit);
}

function newestOfProduct({ prices }: Store, product: number, limit: number): Uint32Array {
  const from = prices.productOffsets[product]!;
  const rows = new Uint32Array(Math.min(limit, prices.productOffsets[product + 1]! - from));
  for (let place = 0; place < rows.length; place++) rows[place] = from + place;
  return rows;
}

function pickRows(rows: Uint32Array, isWanted: (row: number) => boolean, limit: number): Uint32Array {
  const picked: number[] = [];
  for (let place = 0; place < rows.length && picked.length < limit; place++) {
    if (isWanted(rows[place]!)) picked.push(rows[place]!);
  }
  return Uint32Array.from(picked);
}

/**
 * The newest rows at some markets. Where the wanted markets have a good share of the product's rows, walking its newest
 * rows meets enough of them soon; otherwise the wanted series are merged: rows of one product ascend in answer order.
 */
function newestOfMarkets(
  { prices, series }: Store,
  product: number,
  marketCodes: Uint32Array,
  mask: Uint8Array,
  limit: number,
): Uint32Array {
  const { rowOffsets } = series;
  const wanted = seriesAt(series, product, marketCodes);
  const heads: number[] = [];
  const ends: number[] = [];
  let rowCount = 0;
  for (const one of wanted) {
    heads.push(rowOffsets[one]!);
    ends.push(rowOffsets[one + 1]!);
    rowCount += rowOffsets[one + 1]! - rowOffsets[one]!;
  }
  if (rowCount === 0) return none;
  const count = Math.min(limit, rowCount);
  const from = prices.productOffsets[product]!;
  const stepsExpected = (count * (prices.productOffsets[product + 1]! - from)) / rowCount;
  if (stepsExpected > heads.length * (count + stepsPerSeries)) return takeLeast(series.rows, heads, ends, count);
  const rows = new Uint32Array(count);
  const { markets } = prices;
  // Written whether wanted or not, and kept by counting on: the next market is no more foreseeable than a coin.
  for (let row = from, found = 0; found < count; row++) {
    rows[found] = row;
    found += mask[markets[row]!]!;
  }
  return rows;
}

/** How many rows can be walked in the time it takes to reach the newest rows of a series. */
const stepsPerSeries = 16;
