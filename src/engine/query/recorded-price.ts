/** A price as reports name it. */

import type { Instant } from "../model/calendar.ts";
import { readUuid } from "../model/ids.ts";
import type { PriceRecord } from "../model/records.ts";
import { recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";

/** A price with the names of its product and market. */
export interface RecordedPrice
  extends Pick<
    PriceRecord,
    "uuid" | "productUuid" | "marketUuid" | "price" | "unit" | "currency" | "recordedAt" | "source"
  > {
  readonly product: string;
  readonly market: string;
}

/** The price of a row. */
export function recordedPrice({ catalogue, prices }: Store, row: number): RecordedPrice {
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
