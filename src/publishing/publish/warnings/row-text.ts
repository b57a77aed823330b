/** Names a row of a store, for messages. */
import { type Day, dayOfInstant, dayText, type Instant } from "../../../engine/model/calendar.ts";
import { recordAt } from "../../../engine/store/catalogue.ts";
import type { Store } from "../../../engine/store/store.ts";

/** The day of a row, in the calendar of its snapshot. */
export function dayOfRow({ prices, snapshot }: Store, row: number): Day {
  return dayOfInstant(prices.recordedAt[row]! as Instant, snapshot.utcOffset);
}

/** `Maize at Wakulima on 2026-01-15` */
export function rowText(store: Store, row: number): string {
  const { catalogue, prices } = store;
  const product = recordAt(catalogue.products, prices.products[row]!).name;
  const market = recordAt(catalogue.markets, prices.markets[row]!).name;
  return `${product} at ${market} on ${dayText(dayOfRow(store, row))}`;
}
