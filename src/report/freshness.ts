/** How old the newest prices are, by source and market. */
import { dayOfInstant } from "../domain/calendar-day.ts";
import type { Uuid } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import type { MarketType } from "../domain/vocabulary.ts";
import { describePrices } from "../query/describe-prices.ts";
import { findSilent } from "../query/find-silent.ts";
import { countyRecord, recordAt } from "../store/catalogue.ts";
import { rowsOf } from "../store/posting-list.ts";
import type { Store } from "../store/store.ts";

export interface Freshness {
  /** Most prices first. */
  readonly sources: readonly SourceFreshness[];
  /**
   * How many markets have their newest price how many days before the newest of all: each class from the age above the
   * one before.
   */
  readonly marketAges: readonly { readonly daysMax: number; readonly markets: number }[];
  readonly marketsWithoutPrices: number;
  /** Those that went silent last first; without those that never had a price. */
  readonly silentMarkets: readonly SilentMarket[];
}

export interface SourceFreshness {
  readonly name: string;
  readonly prices: number;
  /** Prices in the snapshot compared with; undefined without one. */
  readonly pricesBefore: number | undefined;
  readonly lastRecordedAt: Instant;
  /** Days to the newest price of all. */
  readonly age: number;
}

export interface SilentMarket {
  readonly uuid: Uuid;
  readonly name: string;
  readonly type: MarketType;
  readonly county: string;
  readonly lastRecordedAt: Instant;
  /** Source of that price. */
  readonly source: string;
  readonly age: number;
  readonly prices: number;
}

/** Ends of the classes of ages, in days; about a month, two, half a year, a year, five years. */
const ageClasses = [31, 60, 183, 366, 1827, Infinity] as const;

/** Cost: a look at every market and series. */
export function collectFreshness(store: Store, before: Store | undefined): Freshness {
  const { catalogue, prices, periods, rowsByMarket, snapshot } = store;
  const ageOf = (row: number): number => periods.ages[periods.dayCodes[row] as number] as number;
  const newest = [...catalogue.markets.keys()].map((market) => rowsOf(rowsByMarket, market)[0]);
  const ages = newest.filter((row) => row !== undefined).map(ageOf);
  const sourcesBefore = before === undefined ? undefined : describePrices(before).sources;
  const { codes, newestRows } = findSilent(store).markets;
  return {
    sources: describePrices(store).sources.map(({ name, count, lastRecordedAt }) => ({
      name,
      prices: count,
      pricesBefore:
        sourcesBefore === undefined ? undefined : (sourcesBefore.find((source) => source.name === name)?.count ?? 0),
      lastRecordedAt,
      age: periods.newestDay - dayOfInstant(lastRecordedAt, snapshot.utcOffset),
    })),
    marketAges: ageClasses.map((daysMax, at) => ({
      daysMax,
      markets: ages.filter((age) => age <= daysMax && age > (ageClasses[at - 1] ?? -1)).length,
    })),
    marketsWithoutPrices: newest.filter((row) => row === undefined).length,
    silentMarkets: codes.flatMap((code, at): SilentMarket[] => {
      const row = newestRows[at];
      if (row === undefined) return [];
      const { uuid, name, type, countyId } = recordAt(catalogue.markets, code);
      const lastRecordedAt = prices.recordedAt[row] as Instant;
      const source = prices.sourceNames[prices.sources[row] as number] as string;
      const county = countyRecord(catalogue, countyId).name;
      const priceCount = rowsOf(rowsByMarket, code).length;
      return [{ uuid, name, type, county, lastRecordedAt, source, age: ageOf(row), prices: priceCount }];
    }),
  };
}
