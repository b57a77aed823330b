/** Where a snapshot has prices: the series of each product by month, and those of each county. */
import type { CountyId, Uuid } from "../domain/ids.ts";
import { silentDays } from "../query/find-silent.ts";
import type { Store } from "../store/store.ts";

export interface Coverage {
  /** `2026-05`, ascending, without omissions; the newest `coverageMonthsMax`. */
  readonly months: readonly string[];
  /** Months with prices before these. */
  readonly earlierMonths: number;
  /** Those with most series, by name. */
  readonly products: readonly ProductCoverage[];
  /** Further products with prices. */
  readonly otherProducts: number;
  /** By id. */
  readonly counties: readonly CountyCoverage[];
}

export interface ProductCoverage {
  readonly uuid: Uuid;
  readonly name: string;
  readonly prices: number;
  readonly series: number;
  /** Series with a price in the newest `silentDays` days of the data. */
  readonly recentSeries: number;
  /** How many series have a price in each of the months. */
  readonly byMonth: Uint32Array;
}

export interface CountyCoverage {
  readonly id: CountyId;
  readonly name: string;
  readonly series: number;
  readonly recentSeries: number;
  /** Days from its newest price to the newest of all; null without prices. */
  readonly age: number | null;
}

/** Twenty years; a price of a wrong year must not make a map of a thousand months. */
export const coverageMonthsMax = 240;

/** As many rows as a page has room for. */
export const coverageProductsMax = 60;

/** Cost: a look at each price and each series. */
export function collectCoverage(store: Store): Coverage {
  const { periods, catalogue, series, prices } = store;
  const { labels } = periods.month;
  const months = denseMonths(labels);
  const positions = new Map(months.map((month, at) => [month, at]));
  // By month code; undefined for months before those of the map.
  const columns = labels.map((label) => positions.get(label));
  const products: ProductCoverage[] = [];
  for (const [product, { record }] of catalogue.products.entries()) {
    const [from, to] = [series.offsets[product] as number, series.offsets[product + 1] as number];
    if (from === to) continue;
    const byMonth = new Uint32Array(months.length);
    for (const [code, count] of seriesByMonth(store, product).entries()) {
      const column = columns[code];
      if (column !== undefined) byMonth[column] = count;
    }
    products.push({
      uuid: record.uuid,
      name: record.name,
      prices: (prices.productOffsets[product + 1] as number) - (prices.productOffsets[product] as number),
      series: to - from,
      recentSeries: countRecent(store, from, to),
      byMonth,
    });
  }
  const shown = new Set(products.toSorted((a, b) => b.series - a.series).slice(0, coverageProductsMax));
  return {
    months,
    earlierMonths: columns.filter((column) => column === undefined).length,
    products: products.filter((product) => shown.has(product)),
    otherProducts: products.length - shown.size,
    counties: countyCoverage(store),
  };
}

/** @param labels Newest first, without those that have no prices. */
function denseMonths(labels: readonly string[]): string[] {
  const [newest, oldest] = [labels[0], labels.at(-1)];
  if (newest === undefined || oldest === undefined) return [];
  const end = monthNumber(newest);
  const start = Math.max(monthNumber(oldest), end - coverageMonthsMax + 1);
  return Array.from({ length: end - start + 1 }, (_, at) => monthLabel(start + at));
}

/** Months since the year 0. */
function monthNumber(label: string): number {
  return Number(label.slice(0, 4)) * 12 + Number(label.slice(5)) - 1;
}

function monthLabel(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}`;
}

/**
 * How many series of a product have a price in each month, by month code.
 *
 * Rows of a run are newest first, so those of a month are neighbours, and a series is counted where it comes for the first time.
 */
function seriesByMonth({ prices, runs, periods }: Store, product: number): Uint32Array {
  const { units, currencies, unitNames } = prices;
  const { dayCodes, month } = periods;
  const counts = new Uint32Array(month.labels.length);
  for (let run = runs.runOffsets[product] as number; run < (runs.runOffsets[product + 1] as number); run++) {
    const end = runs.rowOffsets[run + 1] as number;
    let monthBefore = -1;
    const seen = new Set<number>();
    for (let row = runs.rowOffsets[run] as number; row < end; row++) {
      const code = month.ofDay[dayCodes[row] as number] as number;
      if (code !== monthBefore) seen.clear();
      monthBefore = code;
      const measure = (currencies[row] as number) * unitNames.length + (units[row] as number);
      if (seen.has(measure)) continue;
      seen.add(measure);
      counts[code] = (counts[code] as number) + 1;
    }
  }
  return counts;
}

function countRecent({ series, periods }: Store, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at++) {
    if ((periods.ages[series.newestDays[at] as number] as number) <= silentDays) count++;
  }
  return count;
}

function countyCoverage({ catalogue, series, periods }: Store): CountyCoverage[] {
  const found = new Map(
    [...catalogue.counties.values()].map(({ id, name }) => {
      const county = { id, name, series: 0, recentSeries: 0, age: null as number | null };
      return [id as number, county];
    }),
  );
  for (let at = 0; at < series.counts.length; at++) {
    const county = found.get(catalogue.marketCounties[series.markets[at] as number] as number);
    if (county === undefined) continue;
    const age = periods.ages[series.newestDays[at] as number] as number;
    county.series++;
    if (age <= silentDays) county.recentSeries++;
    county.age = Math.min(county.age ?? age, age);
  }
  return [...found.values()];
}
