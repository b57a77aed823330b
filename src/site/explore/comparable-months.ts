/** The comparable prices of a county or the country by month. */

import type { MonthNumber } from "../../engine/model/calendar.ts";
import { divisorsOf } from "../../engine/query/measures/find-index.ts";
import type { ComparablePrices } from "../../engine/query/measures/fit-comparable.ts";
import type { ConversionTarget } from "../../engine/store/price-conversion.ts";
import type { Store } from "../../engine/store/store.ts";
import type { ComparableMonth } from "../charts/comparable-month.ts";

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
