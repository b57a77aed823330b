/** What a monthly value is, how values lie in series, and which months are of now. */
import { type MonthNumber, monthNumber } from "../../model/calendar.ts";
import { conversionTo, convertPrice, type PriceConversion } from "../../store/price-conversion.ts";
import type { Store } from "../../store/store.ts";
import { isSuspicious } from "../../store/suspicious-prices.ts";

/** A value of each of some months, ascending. Measures are of one. The arrays may be longer. */
export interface MonthSeries {
  /** Month numbers. */
  readonly months: Int32Array;
  /** Values by position: medians of the prices of a market, or comparable prices. */
  readonly medians: Float64Array;
}

/**
 * The least price, in the unit of the statistics, that is a value (inclusive): far below any real one, and far enough
 * above 0 that a ratio of two is finite. Files may have any price above 0, and one of 5e-324 a bag is 0 a kilogram.
 */
export const valueMin = 1e-30;

const newestMonths = new WeakMap<Store, MonthNumber>();

/**
 * The newest month in which any product has a value at any market; undefined without one. Cost: a read of the prices
 * from there on, once for a store.
 */
export function newestMonthOf(store: Store): MonthNumber | undefined {
  const known = newestMonths.get(store);
  if (known !== undefined) return known;
  const { prices, periods, rowsByTime, suspicious, statisticsUnits } = store;
  const conversions: (PriceConversion | undefined)[] = [];
  for (const row of rowsByTime) {
    const product = prices.products[row]!;
    conversions[product] ??= conversionTo(store, statisticsUnits[product]!);
    if (isSuspicious(suspicious, row) || !(convertPrice(prices, conversions[product], row) >= valueMin)) continue;
    const month = monthNumber(periods.month.labels[periods.month.ofDay[periods.dayCodes[row]!]!]!);
    newestMonths.set(store, month);
    return month;
  }
  return undefined;
}

/** Months before the newest month of the data beyond which a price is old: surveys are quarterly. */
export const currentMonths = 6;

/** The first month whose prices are not old. */
export function currentMonthFirst(store: Store): MonthNumber {
  return (newestMonthOf(store) ?? 0) - currentMonths;
}

/** Returns whether prices of a month are old; undefined, where there is none, is. */
export function isOld(store: Store, month: MonthNumber | undefined): boolean {
  return month === undefined || month < currentMonthFirst(store);
}

/** The position of a month among the first `length` ones; -1 where it has no value. */
export function positionOf(months: Int32Array, length: number, month: MonthNumber): number {
  let at = length - 1;
  while (at >= 0 && months[at]! > month) at--;
  return at >= 0 && months[at] === month ? at : -1;
}
