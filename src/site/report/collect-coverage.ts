/** Collects the coverage of a snapshot: the series with prices, by product and month, and by county. */
import {
  type MonthGrid,
  monthGrid,
  type ProductCoverage,
  seriesByMonth,
  spreadOver,
} from "../../engine/query/coverage.ts";
import { silentDays } from "../../engine/query/find-silent.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import type { Store } from "../../engine/store/store.ts";

export type Coverage = ReturnType<typeof collectCoverage>;
export type CoveredProduct = ReturnType<typeof coveredProduct>;
export type CountyCoverage = ReturnType<typeof countyCoverage>[number];

/** Twenty years; a price of a wrong year must not make a map of a thousand months. */
export const coverageMonthsMax = 240;

/** As many rows as a page has room for. */
export const coverageProductsMax = 60;

/** Collects the figures of coverage. Cost: one pass over all prices and series. */
export function collectCoverage(store: Store) {
  const grid = monthGrid(store, coverageMonthsMax);
  const all = seriesByMonth(store);
  const shown = new Set(all.toSorted((a, b) => b.total - a.total).slice(0, coverageProductsMax));
  return {
    /** `2026-05`, ascending, without omissions; the newest `coverageMonthsMax`. */
    months: grid.months,
    /** Months with prices before these. */
    earlierMonths: grid.columns.filter((column) => column < 0).length,
    /** The products with most series, by name. */
    products: all.filter((product) => shown.has(product)).map((coverage) => coveredProduct(store, grid, coverage)),
    /** Further products with prices. */
    otherProducts: all.length - shown.size,
    /** By id. */
    counties: countyCoverage(store),
  };
}

function coveredProduct(store: Store, grid: MonthGrid, coverage: ProductCoverage) {
  const { product, total } = coverage;
  const { prices, series } = store;
  const { uuid, name } = recordAt(store.catalogue.products, product);
  const days = series.newestDays.subarray(series.offsets[product], series.offsets[product + 1]);
  return {
    uuid,
    name,
    prices: (prices.productOffsets[product + 1] as number) - (prices.productOffsets[product] as number),
    series: total,
    recentSeries: countRecent(agesOf(store, days)),
    /** Number of series that have a price in each of the months. */
    byMonth: spreadOver(grid, coverage),
  };
}

function countyCoverage(store: Store) {
  const { catalogue, series } = store;
  const daysOf = Map.groupBy(series.newestDays, (_, at) => catalogue.marketCounties[series.markets[at] as number]);
  return [...catalogue.counties.values()].map(({ id, name }) => {
    const ages = agesOf(store, daysOf.get(id) ?? []);
    return {
      id,
      name,
      series: ages.length,
      recentSeries: countRecent(ages),
      /** Days from its newest price to the newest of all; null without prices. */
      age: ages.length === 0 ? null : ages.reduce((least, age) => Math.min(least, age)),
    };
  });
}

/** Days from some days to the newest of all. @param days Codes. */
function agesOf({ periods }: Store, days: Iterable<number>): number[] {
  return Array.from(days, (day) => periods.ages[day] as number);
}

/** Returns the number of series that have a price in the newest `silentDays` days of the data. */
function countRecent(ages: readonly number[]): number {
  return ages.filter((age) => age <= silentDays).length;
}
