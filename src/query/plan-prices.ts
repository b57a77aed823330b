/**
 * A price filter → which list of rows to walk, how much of it, and what is left to check of each row. Every list is in
 * answer order, so the days become two binary searches; the shortest list that holds all answers is walked. When nothing
 * is left to check, the answer is the list itself: its length is the total and a page is a slice.
 */
import { dayMilliseconds, instantOfDayStart } from "../domain/calendar-day.ts";
import { isCountyId } from "../domain/ids.ts";
import type { MarketRecord } from "../domain/records.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import type { MarketCode, ProductCode } from "../store/codes.ts";
import { narrowToInstants, type PositionRange } from "../store/day-bounds.ts";
import { rowsOf } from "../store/posting-index.ts";
import { findSeries } from "../store/series-index.ts";
import type { Store } from "../store/store.ts";
import type { PriceFilter } from "./questions.ts";

export interface PricePlan {
  /** Which list is walked; `nothing` when no price can match, `series` for one product at one market. */
  readonly walk: "series" | "product" | "market" | "county" | "time" | "nothing";
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
  // Answers nothing rather than failing for a number no county can have; http refuses those before.
  if (filter.countyId !== undefined && !isCountyId(filter.countyId)) return nothingPlan;

  const shortest = walksFor(store, filter, product, market)
    .map((walk) => narrowToDays(store, walk, filter))
    .reduce((best, walk) => (lengthOf(walk.range) < lengthOf(best.range) ? walk : best));
  return { ...shortest, check: checkLeft(store, filter, shortest.walk, product) };
}

type Walk = Pick<PricePlan, "walk" | "rows" | "range">;

const nothingPlan: PricePlan = { walk: "nothing", rows: null, range: { from: 0, to: 0 }, check: null };

/** The lists that hold every answer; at equal length the first is taken. */
function walksFor(store: Store, { countyId }: PriceFilter, product?: ProductCode, market?: MarketCode): Walk[] {
  const { series, prices } = store;
  if (product !== undefined && market !== undefined) {
    const one = findSeries(series, product, market);
    if (one === undefined) return [nothingPlan];
    const range = { from: series.rowOffsets[one]!, to: series.rowOffsets[one + 1]! };
    return [{ walk: "series", rows: series.rows, range }];
  }
  if (market !== undefined) {
    const rows = rowsOf(store.rowsByMarket, market);
    return [{ walk: "market", rows, range: wholeOf(rows) }];
  }
  const walks: Walk[] = [];
  if (product !== undefined) {
    const range = { from: prices.productOffsets[product]!, to: prices.productOffsets[product + 1]! };
    walks.push({ walk: "product", rows: null, range });
  }
  if (countyId !== undefined) {
    const rows = rowsOf(store.rowsByCounty, countyId);
    walks.push({ walk: "county", rows, range: wholeOf(rows) });
  }
  if (walks.length === 0) walks.push({ walk: "time", rows: store.rowsByTime, range: wholeOf(store.rowsByTime) });
  return walks;
}

function wholeOf(rows: Uint32Array): PositionRange {
  return { from: 0, to: rows.length };
}

function lengthOf({ from, to }: PositionRange): number {
  return to - from;
}

function narrowToDays(store: Store, walk: Walk, days: DayRange): Walk {
  if (days.dayFirst === undefined && days.dayLast === undefined) return walk;
  const { first, end } = instantsOfDays(store, days);
  return { ...walk, range: narrowToInstants(store.prices.recordedAt, walk.rows, walk.range, first, end) };
}

/** Both ends inclusive; absent where there is none. */
export type DayRange = Pick<PriceFilter, "dayFirst" | "dayLast">;

/** The instants of some days in the dataset's calendar: first (inclusive) and end (exclusive), infinite where absent. */
export function instantsOfDays({ snapshot }: Store, { dayFirst, dayLast }: DayRange): { first: number; end: number } {
  const { utcOffset } = snapshot;
  return {
    first: dayFirst === undefined ? -Infinity : instantOfDayStart(dayFirst, utcOffset),
    end: dayLast === undefined ? Infinity : instantOfDayStart(dayLast, utcOffset) + dayMilliseconds,
  };
}

/** What the walk itself does not guarantee. */
function checkLeft(
  store: Store,
  filter: PriceFilter,
  walk: PricePlan["walk"],
  product: number | undefined,
): RowCheck | null {
  if (walk === "nothing") return null;
  const productLeft = walk === "product" || walk === "series" || product === undefined ? -1 : product;
  const marketMask = marketMaskLeft(store, filter, walk);
  const { priceMin = -Infinity, priceMax = Infinity } = filter;
  const isNothingLeft = productLeft === -1 && marketMask === null && priceMin === -Infinity && priceMax === Infinity;
  return isNothingLeft ? null : { product: productLeft, marketMask, priceMin, priceMax };
}

function marketMaskLeft(store: Store, filter: PriceFilter, walk: PricePlan["walk"]): Uint8Array | null {
  // Walking one market leaves nothing: that market was found to be wanted.
  if (walk === "market" || walk === "series") return null;
  const left: MarketFilter = {
    countyId: walk === "county" ? undefined : filter.countyId,
    marketType: filter.marketType,
  };
  if (left.countyId === undefined && left.marketType === undefined) return null;
  return markMarkets(store, left);
}

/** Conditions on the markets of prices. */
export type MarketFilter = Pick<PriceFilter, "countyId" | "marketType">;

/** 1 for each market code that meets the conditions. Cost: one look at every market. */
export function markMarkets(store: Store, filter: MarketFilter): Uint8Array {
  const mask = new Uint8Array(store.catalogue.markets.length);
  for (const market of listMarketCodes(store, filter)) mask[market] = 1;
  return mask;
}

/** The codes of the markets that meet the conditions, ascending. Cost: one look at every market. */
export function listMarketCodes({ catalogue }: Store, { countyId, marketType }: MarketFilter): Uint32Array {
  const { marketCounties, marketTypeCodes } = catalogue;
  const type = marketType === undefined ? undefined : marketTypes.indexOf(marketType);
  const codes = new Uint32Array(marketCounties.length);
  let count = 0;
  for (let market = 0; market < codes.length; market++) {
    if (countyId !== undefined && marketCounties[market] !== countyId) continue;
    if (type !== undefined && marketTypeCodes[market] !== type) continue;
    codes[count++] = market;
  }
  return codes.subarray(0, count);
}

/** Whether a market meets the conditions. */
export function isMarketWanted(market: MarketRecord, { countyId, marketType }: MarketFilter): boolean {
  return (
    (countyId === undefined || market.countyId === countyId) && (marketType === undefined || market.type === marketType)
  );
}
