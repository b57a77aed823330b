/** Where a snapshot has prices: the series of each product by month, and those of each county. */
import type { CountyId, Uuid } from "../domain/ids.ts";
import { type MonthGrid, monthGrid, type ProductCoverage, seriesByMonth, spreadOver } from "../query/coverage.ts";
import { silentDays } from "../query/find-silent.ts";
import { recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";

export interface Coverage {
  /** `2026-05`, ascending, without omissions; the newest `coverageMonthsMax`. */
  readonly months: readonly string[];
  /** Months with prices before these. */
  readonly earlierMonths: number;
  /** Those with most series, by name. */
  readonly products: readonly CoveredProduct[];
  /** Further products with prices. */
  readonly otherProducts: number;
  /** By id. */
  readonly counties: readonly CountyCoverage[];
}

export interface CoveredProduct {
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
  const grid = monthGrid(store, coverageMonthsMax);
  const all = seriesByMonth(store);
  const shown = new Set(all.toSorted((a, b) => b.total - a.total).slice(0, coverageProductsMax));
  return {
    months: grid.months,
    earlierMonths: grid.columns.filter((column) => column < 0).length,
    products: all.filter((product) => shown.has(product)).map((coverage) => coveredProduct(store, grid, coverage)),
    otherProducts: all.length - shown.size,
    counties: countyCoverage(store),
  };
}

function coveredProduct(store: Store, grid: MonthGrid, coverage: ProductCoverage): CoveredProduct {
  const { product, total } = coverage;
  const { prices } = store;
  const { uuid, name } = recordAt(store.catalogue.products, product);
  return {
    uuid,
    name,
    prices: (prices.productOffsets[product + 1] as number) - (prices.productOffsets[product] as number),
    series: total,
    recentSeries: countRecent(store, product),
    byMonth: spreadOver(grid, coverage),
  };
}

function countRecent({ series, periods }: Store, product: number): number {
  const days = series.newestDays.subarray(series.offsets[product], series.offsets[product + 1]);
  return days.filter((day) => (periods.ages[day] as number) <= silentDays).length;
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
