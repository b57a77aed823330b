/** Names a row of a store, for messages. */

import { dayText } from "../../../engine/model/calendar.ts";
import { foundName } from "../../../engine/snapshots/problem.ts";
import { recordAt } from "../../../engine/store/catalogue.ts";
import { dayOfRow } from "../../../engine/store/periods.ts";
import type { Store } from "../../../engine/store/store.ts";

/** `Maize at Wakulima on 2026-01-15` */
export function rowText(store: Store, row: number): string {
  const { catalogue, prices } = store;
  const product = recordAt(catalogue.products, prices.products[row]!).name;
  const market = recordAt(catalogue.markets, prices.markets[row]!).name;
  return `${foundName(product)} at ${foundName(market)} on ${dayText(dayOfRow(store.periods, row))}`;
}
