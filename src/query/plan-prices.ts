/**
 * A price filter → which list of rows to walk, how much of it, and what is left to check of each row. Every list is in
 * answer order, so the days become two binary searches; the shortest list that holds all answers is walked. When nothing
 * is left to check, the answer is the list itself: its length is the total and a page is a slice.
 */
import { dayMilliseconds, instantOfDayStart } from "../domain/calendar-day.ts";
import { isCountyId } from "../domain/ids.ts";
import type { MarketRecord } from "../domain/records.ts";
import { narrowToInstants, type PositionRange } from "../store/day-bounds.ts";
import { rowsOf } from "../store/posting-index.ts";
import type { Store } from "../store/store.ts";
import type { PriceFilter } from "./questions.ts";

export interface PricePlan {
  /** Which list is walked; `nothing` when no price can match. */
  readonly walk: "product" | "market" | "county" | "time" | "nothing";
  /** Rows in answer order, or null when positions are rows (walk `product`). */
  readonly rows: Uint32Array | null;
  /** The positions to walk. */
  readonly range: PositionRange;
  /** What is left to check of each row walked, or null when every one of them is an answer. */
  readonly check: RowCheck | null;
}

export interface RowCheck {
  /** Product code, or -1 when any product will do. */
  readonly product: number;
  /** 1 for each market code that will do, or null when any market will do. */
  readonly marketMask: Uint8Array | null;
  /** Both inclusive; infinite where not asked for. */
  readonly priceMin: number;
  readonly priceMax: number;
}

/**
 * Plans the walk for a filter.
 *
 * Cost: a few binary searches, and a pass over the markets when a condition on markets is left to check.
 */
export function planPrices(store: Store, filter: PriceFilter): PricePlan {
  const { catalogue } = store;
  const product = filter.productUuid === undefined ? undefined : catalogue.productCodes.get(filter.productUuid);
  const market = filter.marketUuid === undefined ? undefined : catalogue.marketCodes.get(filter.marketUuid);
  if (filter.productUuid !== undefined && product === undefined) return nothingPlan;
  if (filter.marketUuid !== undefined) {
    if (market === undefined) return nothingPlan;
    if (!isMarketWanted(catalogue.markets[market]!.record, filter)) return nothingPlan;
  }

  const walks: Walk[] = [{ walk: "time", rows: store.rowsByTime, range: wholeOf(store.rowsByTime) }];
  if (product !== undefined) {
    const range = { from: store.prices.productOffsets[product]!, to: store.prices.productOffsets[product + 1]! };
    walks.push({ walk: "product", rows: null, range });
  }
  if (market !== undefined) {
    const rows = rowsOf(store.rowsByMarket, market);
    walks.push({ walk: "market", rows, range: wholeOf(rows) });
  } else if (filter.countyId !== undefined) {
    // Answers nothing rather than failing for a number no county can have; http refuses those before.
    if (!isCountyId(filter.countyId)) return nothingPlan;
    const rows = rowsOf(store.rowsByCounty, filter.countyId);
    walks.push({ walk: "county", rows, range: wholeOf(rows) });
  }
  const shortest = walks
    .map((walk) => narrowToDays(store, walk, filter))
    .reduce((best, walk) => (lengthOf(walk.range) <= lengthOf(best.range) ? walk : best));
  return { ...shortest, check: checkLeft(store, filter, shortest.walk, product) };
}

type Walk = Pick<PricePlan, "walk" | "rows" | "range">;

const nothingPlan: PricePlan = { walk: "nothing", rows: null, range: { from: 0, to: 0 }, check: null };

function wholeOf(rows: Uint32Array): PositionRange {
  return { from: 0, to: rows.length };
}

function lengthOf({ from, to }: PositionRange): number {
  return to - from;
}

function narrowToDays(store: Store, walk: Walk, { dayFirst, dayLast }: PriceFilter): Walk {
  if (dayFirst === undefined && dayLast === undefined) return walk;
  const { utcOffset } = store.snapshot;
  const instantFirst = dayFirst === undefined ? -Infinity : instantOfDayStart(dayFirst, utcOffset);
  const instantEnd = dayLast === undefined ? Infinity : instantOfDayStart(dayLast, utcOffset) + dayMilliseconds;
  return { ...walk, range: narrowToInstants(store.prices.recordedAt, walk.rows, walk.range, instantFirst, instantEnd) };
}

/** What the walk itself does not guarantee. */
function checkLeft(
  store: Store,
  filter: PriceFilter,
  walk: PricePlan["walk"],
  product: number | undefined,
): RowCheck | null {
  const productLeft = walk === "product" || product === undefined ? -1 : product;
  const marketMask = marketMaskLeft(store, filter, walk);
  const { priceMin = -Infinity, priceMax = Infinity } = filter;
  const isNothingLeft = productLeft === -1 && marketMask === null && priceMin === -Infinity && priceMax === Infinity;
  return isNothingLeft ? null : { product: productLeft, marketMask, priceMin, priceMax };
}

function marketMaskLeft(store: Store, filter: PriceFilter, walk: PricePlan["walk"]): Uint8Array | null {
  // Walking one market leaves nothing: that market was found to be wanted.
  if (walk === "market") return null;
  const left: MarketFilter = {
    marketUuid: filter.marketUuid,
    countyId: walk === "county" ? undefined : filter.countyId,
    marketType: filter.marketType,
  };
  if (left.marketUuid === undefined && left.countyId === undefined && left.marketType === undefined) return null;
  return Uint8Array.from(store.catalogue.markets, ({ record }) => (isMarketWanted(record, left) ? 1 : 0));
}

type MarketFilter = Pick<PriceFilter, "marketUuid" | "countyId" | "marketType">;

function isMarketWanted(market: MarketRecord, { marketUuid, countyId, marketType }: MarketFilter): boolean {
  return (
    (marketUuid === undefined || market.uuid === marketUuid) &&
    (countyId === undefined || market.countyId === countyId) &&
    (marketType === undefined || market.type === marketType)
  );
}
