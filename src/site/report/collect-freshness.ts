/** Collects the age of the newest prices, by source and market. */
import { dayOfInstant, type Instant } from "../../engine/model/calendar.ts";
import { describePrices } from "../../engine/query/describe-prices.ts";
import { findSilent } from "../../engine/query/find-silent.ts";
import { countyRecord, recordAt } from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import type { Store } from "../../engine/store/store.ts";

export type Freshness = ReturnType<typeof collectFreshness>;
export type SourceFreshness = ReturnType<typeof freshnessOfSources>[number];
export type SilentMarket = ReturnType<typeof silentMarkets>[number];

/** Ends of the classes of ages, in days; about a month, two, half a year, a year, five years. */
const ageClasses = [31, 60, 183, 366, 1827, Infinity] as const;

/** Collects the figures of freshness. Cost: one pass over all markets and series. */
export function collectFreshness(store: Store, before: Store | undefined) {
  const { catalogue, rowsByMarket } = store;
  const newest = [...catalogue.markets.keys()].map((market) => rowsOf(rowsByMarket, market)[0]);
  const ages = newest.filter((row) => row !== undefined).map((row) => ageOf(store, row));
  return {
    sources: freshnessOfSources(store, before),
    /**
     * Number of markets that have their newest price how many days before the newest of all: each class from the age
     * above the one before.
     */
    marketAges: ageClasses.map((daysMax, at) => ({
      daysMax: daysMax as number,
      markets: ages.filter((age) => age <= daysMax && age > (ageClasses[at - 1] ?? -1)).length,
    })),
    marketsWithoutPrices: newest.length - ages.length,
    silentMarkets: silentMarkets(store),
  };
}

/** Days from the price of a row to the newest of all. */
function ageOf({ periods }: Store, row: number): number {
  return periods.ages[periods.dayCodes[row] as number] as number;
}

/** Most prices first. */
function freshnessOfSources(store: Store, before: Store | undefined) {
  const sourcesBefore = before && describePrices(before).sources;
  return describePrices(store).sources.map(({ name, count, lastRecordedAt }) => ({
    name,
    prices: count,
    /** Prices in the snapshot compared with; undefined without one. */
    pricesBefore: sourcesBefore && (sourcesBefore.find((source) => source.name === name)?.count ?? 0),
    lastRecordedAt,
    /** Days to the newest price of all. */
    age: store.periods.newestDay - dayOfInstant(lastRecordedAt, store.snapshot.utcOffset),
  }));
}

/** Markets without a new price, the latest to fall silent first. Those that never had a price are left out. */
function silentMarkets(store: Store) {
  const { catalogue, prices, rowsByMarket } = store;
  const { codes, newestRows } = findSilent(store).markets;
  return codes.flatMap((code, at) => {
    const row = newestRows[at];
    if (row === undefined) return [];
    const { uuid, name, type, countyId } = recordAt(catalogue.markets, code);
    const lastRecordedAt = prices.recordedAt[row] as Instant;
    const source = prices.sourceNames[prices.sources[row] as number] as string;
    const county = countyRecord(catalogue, countyId).name;
    const priceCount = rowsOf(rowsByMarket, code).length;
    return [{ uuid, name, type, county, lastRecordedAt, source, age: ageOf(store, row), prices: priceCount }];
  });
}
