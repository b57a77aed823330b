/** What a row of a store is, for messages. */
import { type Day, dayOfInstant, dayText } from "../../../engine/model/calendar-day.ts";
import type { Instant } from "../../../engine/model/instant.ts";
import { readUuid } from "../../../engine/model/uuid-words.ts";
import { recordAt } from "../../../engine/store/catalogue.ts";
import type { Store } from "../../../engine/store/store.ts";
import type { WarnedPrice } from "./warning.ts";

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

/** A row as a warning names it. */
export function warnedPrice({ catalogue, prices }: Store, row: number): WarnedPrice {
  const product = recordAt(catalogue.products, prices.products[row]!);
  const market = recordAt(catalogue.markets, prices.markets[row]!);
  return {
    uuid: readUuid(prices.uuids, row),
    productUuid: product.uuid,
    product: product.name,
    marketUuid: market.uuid,
    market: market.name,
    price: prices.prices[row]!,
    unit: prices.unitNames[prices.units[row]!]!,
    currency: prices.currencyCodes[prices.currencies[row]!]!,
    recordedAt: prices.recordedAt[row]! as Instant,
    source: prices.sourceNames[prices.sources[row]!]!,
  };
}
