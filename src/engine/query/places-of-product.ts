/** Finds where a product has prices. */
import type { Day } from "../model/calendar.ts";
import type { CountyId } from "../model/ids.ts";
import type { Coordinates, MarketRecord } from "../model/records.ts";
import { type MarketType, marketTypes } from "../model/vocabulary.ts";
import { type MarketCode, recordAt } from "../store/catalogue.ts";
import { dayOfRow } from "../store/periods.ts";
import { allDays, selectSegments } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import { findMarkets } from "./find-markets.ts";
import { findSeries } from "./find-series.ts";
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

/** A market, and how far it is. */
export interface NearMarket {
  readonly market: MarketCode;
  /** As the crow flies. */
  readonly kilometres: number;
  /** Row of its newest price. */
  readonly row: number;
}

/** Mean radius of the earth. */
const earthKilometres = 6371;

/** The markets among which the nearest are looked for. */
export interface NearCondition {
  /** Of each type when undefined. */
  readonly marketType?: MarketType | undefined;
  /** With a price since this day. */
  readonly since: Day;
  /** Markets of which this is true are passed over. */
  readonly isLeftOut?: (market: MarketRecord) => boolean;
}

/**
 * The markets with a price of a product, by their distance from a point, the nearest first; those whose location is not
 * known are left out. Cost: a read of each run of the product.
 */
export function nearestMarkets(
  { catalogue, runs, periods }: Store,
  product: number,
  from: Coordinates,
  { marketType, since, isLeftOut }: NearCondition,
): NearMarket[] {
  const found: NearMarket[] = [];
  for (let run = runs.runOffsets[product]!; run < runs.runOffsets[product + 1]!; run++) {
    const market = runs.markets[run]! as MarketCode;
    const record = recordAt(catalogue.markets, market);
    const row = runs.rowOffsets[run]!;
    if (record.location === null || dayOfRow(periods, row) < since) continue;
    if ((marketType !== undefined && record.type !== marketType) || isLeftOut?.(record) === true) continue;
    found.push({ market, kilometres: distance(from, record.location), row });
  }
  return found.sort((a, b) => a.kilometres - b.kilometres);
}

/** Kilometres along a great circle, by the haversine formula. */
export function distance(a: Coordinates, b: Coordinates): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const half = (from: number, to: number): number => Math.sin(radians(to - from) / 2) ** 2;
  const across = Math.cos(radians(a.latitude)) * Math.cos(radians(b.latitude)) * half(a.longitude, b.longitude);
  return 2 * earthKilometres * Math.asin(Math.sqrt(Math.min(1, half(a.latitude, b.latitude) + across)));
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
