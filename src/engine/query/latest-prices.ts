/** The newest prices of products, at markets and in counties that a question may choose. */
import { compareUuids } from "../model/ids.ts";
import type { ProductCode } from "../store/catalogue.ts";
import { type PriceColumns, rowsOf } from "../store/columns.ts";
import { narrowToDays } from "../store/periods.ts";
import { allDays, allTypes, type MarketRange, runsAt, type Segments, selectSegments } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import type { LatestPrices } from "./questions.ts";
import { markMarkets, select, selectProducts } from "./select.ts";

/** The cost of a product, as so many rows of a search: up to 70 microseconds, at ten million prices. */
const rowsPerProduct = 2500;

/** The newest prices of one product. */
export interface LatestGroup {
  readonly product: ProductCode;
  /** Newest first, equal times by uuid ascending; at least one. */
  readonly rows: Uint32Array;
}

/**
 * The newest prices of each requested product: at most `limit` records, or with `onePerMarket` the newest record of at
 * most `limit` pairs of market and unit.
 *
 * @returns Groups by name of the product, then uuid. Unknown products and products without a match are left out.
 * Cost: per product, a read of its newest rows, at most `walkedPerPrice` for each price wanted, or of each of its runs
 * that is wanted; with `onePerMarket` of the newest row of each of its markets and units.
 */
export function* latestPrices(store: Store, question: LatestPrices): Generator<number, LatestGroup[]> {
  const { catalogue } = store;
  const { marketUuid, countyId, marketType, refugeeCamps, recordedSince: dayFirst } = question;
  const { markets, days } = select(store, { marketUuid, countyId, marketType, refugeeCamps, dayFirst });
  const isPart = markets.type !== allTypes || markets.only !== undefined;
  const isEverywhere = !isPart && markets.to - markets.from === catalogue.markets.length;
  const mask = isEverywhere ? undefined : markMarkets(catalogue, markets);
  const groups: LatestGroup[] = [];
  for (const product of selectProducts(store, question.productUuids)) {
    const everywhere = rowsOf(question.onePerMarket ? store.newestRows : store.rowsByProduct, product);
    const newest =
      mask === undefined ? everywhere.subarray(0, question.limit) : newestAt(store, product, question, markets, mask);
    const { from, to } = narrowToDays(store.periods, newest, { from: 0, to: newest.length }, days);
    if (from < to) groups.push({ product, rows: newest.subarray(from, to) });
    yield rowsPerProduct;
  }
  return groups;
}

/**
 * A product's newest rows are walked where at least every 16th of its rows is at the wanted markets, and no further
 * than this many for each price wanted; otherwise the runs of these markets are merged.
 */
const walkedPerPrice = 16;

/** @param mask 1 for each market wanted. */
function newestAt(
  store: Store,
  product: ProductCode,
  { limit, onePerMarket }: LatestPrices,
  markets: MarketRange,
  mask: Uint8Array,
): Uint32Array {
  const { prices, runs } = store;
  if (onePerMarket) return pickRows(prices, rowsOf(store.newestRows, product), mask, limit);
  const newestFirst = rowsOf(store.rowsByProduct, product);
  // The runs of neighbouring markets are neighbours, so all their rows are one range.
  const { from, to } = runsAt(runs, product, markets);
  if ((runs.rowOffsets[to]! - runs.rowOffsets[from]!) * walkedPerPrice >= newestFirst.length) {
    const walked = newestFirst.subarray(0, limit * walkedPerPrice);
    const picked = pickRows(prices, walked, mask, limit);
    if (picked.length === limit || walked.length === newestFirst.length) return picked;
  }
  const segments = selectSegments(store, product, markets, allDays);
  return mergeNewest(prices, segments, Math.min(limit, segments.rowCount));
}

/** The first of some rows that are at wanted markets. @param mask 1 for each of them. */
function pickRows({ markets }: PriceColumns, rows: Uint32Array, mask: Uint8Array, limit: number): Uint32Array {
  const picked = new Uint32Array(Math.min(limit, rows.length));
  let count = 0;
  for (let at = 0; at < rows.length && count < limit; at++) {
    const row = rows[at]!;
    if (mask[markets[row]!] === 1) picked[count++] = row;
  }
  return picked.subarray(0, count);
}

/**
 * The newest rows of some runs, or parts of runs, in answer order: each is newest first, and they are merged.
 *
 * @param count At most what the segments hold.
 * Cost: a step for each segment and row.
 */
export function mergeNewest({ recordedAt, uuids }: PriceColumns, { from, to }: Segments, count: number): Uint32Array {
  // By segment the next row, and its time.
  const heads = [...from];
  const times = heads.map((row) => recordedAt[row]!);
  const merged = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    let newest = 0;
    let time = times[0]!;
    for (let segment = 1; segment < times.length; segment++) {
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
