/** Counts the prices of each product by month, and lists the months of a map of them. */
import { monthNumber, monthText } from "../model/calendar.ts";
import type { ProductCode } from "../store/catalogue.ts";
import { rollupPartition } from "../store/group-prices.ts";
import { allTypes } from "../store/runs.ts";
import type { Store } from "../store/store.ts";

/** Counts of the prices of a product. */
export interface ProductCoverage {
  readonly product: ProductCode;
  /** By position in `store.periods.month`, the newest month first. */
  readonly counts: Uint32Array;
  readonly total: number;
}

/**
 * The prices of the products that have some, also those that do not convert, in the order of their names. Cost: a look
 * at each month of each product.
 */
export function* coverageByMonth({ periods, rollups, catalogue }: Store): Generator<number, ProductCoverage[]> {
  const { offsets, keys, counts, excluded } = rollups.month;
  const found: ProductCoverage[] = [];
  for (let product = 0; product < catalogue.products.length; product++) {
    const partition = rollupPartition(product, allTypes);
    const from = offsets[partition]!;
    const to = offsets[partition + 1]!;
    if (from === to) continue;
    const byMonth = new Uint32Array(periods.month.labels.length);
    let total = 0;
    for (let at = from; at < to; at++) {
      const count = counts[at]! + excluded[at]!;
      byMonth[keys[at]!]! += count;
      total += count;
    }
    found.push({ product: product as ProductCode, counts: byMonth, total });
    yield to - from + byMonth.length;
  }
  return found;
}

/** The months of a map, ascending and without omissions. */
export interface MonthGrid {
  readonly months: readonly string[];
  /** The position of each month of `store.periods.month` among them; negative for those before. */
  readonly columns: readonly number[];
}

/** @param monthsMax The grid has at most so many months, the newest. */
export function monthGrid({ periods: { month } }: Store, monthsMax: number): MonthGrid {
  const numbers = month.labels.map(monthNumber);
  const [last, oldest] = [numbers[0], numbers.at(-1)];
  if (last === undefined || oldest === undefined) return { months: [], columns: [] };
  const first = Math.max(oldest, last - monthsMax + 1);
  return {
    months: Array.from({ length: last - first + 1 }, (_, at) => monthText(first + at)),
    columns: numbers.map((number) => number - first),
  };
}

/** The counts of a product in the months of a grid. */
export function spreadOver({ months, columns }: MonthGrid, { counts }: ProductCoverage): Uint32Array {
  const spread = new Uint32Array(months.length);
  for (const [at, column] of columns.entries()) if (column >= 0) spread[column] = counts[at]!;
  return spread;
}
