/** Finds where a product has prices. */
import { type Day, type MonthNumber, monthOf } from "../model/calendar.ts";
import type { CountyId } from "../model/ids.ts";
import type { Coordinates, MarketRecord } from "../model/records.ts";
import { type MarketType, marketTypes } from "../model/vocabulary.ts";
import { countyRecord, type MarketCode, marketOf } from "../store/catalogue.ts";
import { dayOfRow } from "../store/periods.ts";
import { allDays, selectSegments } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import { isSuspicious } from "../store/suspicious-prices.ts";
import { findMarkets } from "./find-markets.ts";
import { findSeries } from "./find-series.ts";
import type { Place } from "./place.ts";
import type { MarketConditions } from "./questions.ts";
import { selectMarkets } from "./select.ts";

export interface PlacesOfProduct {
  /** In the order of the vocabulary. */
  readonly types: readonly MarketType[];
  /** By folded name. */
  readonly counties: readonly CountyId[];
  /** By folded name, then uuid. */
  readonly markets: readonly MarketCode[];
}

/**
 * The types, counties and markets where a product has prices. Cost: a read of each of its runs, of all counties and
 * markets.
 */
export function placesOfProduct({ catalogue, runs }: Store, product: number): PlacesOfProduct {
  const markets = new Set<number>(runs.markets.subarray(runs.runOffsets[product]!, runs.runOffsets[product + 1]!));
  const types = new Set<number>();
  const counties = new Set<number>();
  for (const market of markets) {
    types.add(catalogue.marketTypeCodes[market]!);
    counties.add(catalogue.marketCounties[market]!);
  }
  return {
    types: marketTypes.filter((_, code) => types.has(code)),
    counties: catalogue.countiesByName.filter((id) => counties.has(id)),
    markets: catalogue.marketsByName.filter((code) => markets.has(code)),
  };
}

/**
 * The day of the newest price of a product at some markets; undefined where it has none there.
 *
 * Cost: that of `selectSegments`.
 */
export function newestDayAt(store: Store, product: number, conditions: MarketConditions): Day | undefined {
  const { from } = selectSegments(store, product, selectMarkets(store.catalogue, conditions), allDays);
  if (from.length === 0) return undefined;
  return from.reduce((day, row) => Math.max(day, dayOfRow(store.periods, row)), -Infinity) as Day;
}

/** The newest month of a product at some markets. */
export interface NewestMonth {
  readonly month: MonthNumber;
  /** How many of the markets have a price in it. */
  readonly markets: number;
}

/**
 * The newest month in which a product has a price at some markets, suspicious ones left out; undefined without one.
 *
 * Cost: that of `selectSegments`.
 */
export function newestMonthAt(store: Store, product: number, conditions: MarketConditions): NewestMonth | undefined {
  const { from, to } = selectSegments(store, product, selectMarkets(store.catalogue, conditions), allDays);
  let newest: NewestMonth | undefined;
  for (const [at, first] of from.entries()) {
    const row = nextSound(store, first, to[at]!);
    if (row === to[at]) continue;
    const month = monthOf(dayOfRow(store.periods, row));
    if (newest === undefined || month > newest.month) newest = { month, markets: 1 };
    else if (month === newest.month) newest = { month, markets: newest.markets + 1 };
  }
  return newest;
}

/** The first row from `row` on that is not suspicious; `end` without one. */
export function nextSound({ suspicious }: Store, row: number, end: number): number {
  let next = row;
  while (next < end && isSuspicious(suspicious, next)) next++;
  return next;
}

/** A point from which distances are. */
export interface Origin {
  readonly point: Coordinates;
  /** True if it is the middle of the county. */
  readonly isMiddle: boolean;
}

/** The market's own point, or the middle of the county where it is not known; undefined for the country. */
export function originOf({ catalogue }: Store, { conditions: { countyId, marketUuid } }: Place): Origin | undefined {
  const market = marketUuid === undefined ? undefined : marketOf(catalogue, marketUuid);
  if (market?.location) return { point: market.location, isMiddle: false };
  const county = market?.countyId ?? countyId;
  const middle = county === undefined ? null : countyRecord(catalogue, county).coordinates;
  return middle === null ? undefined : { point: middle, isMiddle: true };
}

/** A market with what it sells. */
export interface SellingMarket {
  readonly market: MarketRecord;
  /** Codes. */
  readonly products: ReadonlySet<number>;
  /** Row of its newest price; undefined without prices. */
  readonly newestRow: number | undefined;
}

/** The markets of a county, those with newer prices first. Cost: a read of every market and every series. */
export function sellingMarkets(store: Store, countyId: CountyId): SellingMarket[] {
  const { catalogue, prices, series } = store;
  const positions = findSeries(store, { countyId }, "last_recorded_at");
  const seriesOf = Map.groupBy(positions, (at) => series.markets[at]!);
  const markets = findMarkets(store, { countyId }).map((market): SellingMarket => {
    const rows = (seriesOf.get(catalogue.marketCodes.get(market.uuid)!) ?? []).map((at) => series.newestRows[at]!);
    const products = new Set(rows.map((row) => prices.products[row]!));
    return { market, products, newestRow: rows[0] };
  });
  const timeOf = ({ newestRow }: SellingMarket): number =>
    newestRow === undefined ? 0 : prices.recordedAt[newestRow]!;
  return markets.sort((a, b) => timeOf(b) - timeOf(a));
}
