/** The comparable prices of a county or the country by month, and how a line of them is drawn. */

import type { MonthNumber } from "../../engine/model/calendar.ts";
import { divisorsOf } from "../../engine/query/measures/find-index.ts";
import { type ComparablePrices, fewMarkets } from "../../engine/query/measures/fit-comparable.ts";
import type { ConversionTarget } from "../../engine/store/price-conversion.ts";
import type { Store } from "../../engine/store/store.ts";
import type { PointStyle } from "../charts/plot.ts";

/** The comparable price of a month of a county or the country. */
export interface ComparableMonth {
  readonly price: number;
  /** Markets with a value in the month. */
  readonly markets: number;
  /** Levels of two components do not compare. */
  readonly component: number;
}

/** Comparable prices by month, in a unit and currency; empty without any. A month without an exchange rate has none. */
export function comparableMonths(
  store: Store,
  product: number,
  target: Required<ConversionTarget>,
  comparable: ComparablePrices | undefined,
): ReadonlyMap<MonthNumber, ComparableMonth> {
  const found = new Map<MonthNumber, ComparableMonth>();
  if (comparable === undefined) return found;
  const { months, prices, marketCounts, components } = comparable;
  const divisorOf = divisorsOf(store, product, target);
  for (const [at, month] of months.entries()) {
    const price = (prices[at] as number) / divisorOf(month);
    const [markets, component] = [marketCounts[at] as number, components[at] as number];
    if (!Number.isNaN(price)) found.set(month, { price, markets, component });
  }
  return found;
}

/** How a chart draws a month. @param comparable Undefined for a market. */
export function styleOf(comparable: ComparableMonth | undefined): PointStyle {
  if (comparable === undefined) return {};
  return { isHollow: comparable.markets < fewMarkets, stretch: comparable.component };
}
