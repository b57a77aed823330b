/** The short list of what most people buy: `short-list.json` names for each the products and types, the best first. */

import { marketTypeOf } from "../../engine/query/measures/find-judged.ts";
import { isOld } from "../../engine/query/measures/monthly-values.ts";
import { allInCountry } from "../../engine/query/state-of-prices.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import type { Store } from "../../engine/store/store.ts";
import type { PriceRow } from "./place-prices.ts";
import list from "./short-list.json" with { type: "json" };

/**
 * For each entry its first price outside refugee camps that is not old; where none is, its newest old one. Entries
 * without prices are left out. Cost: that of `allInCountry`.
 */
export function* shortList(store: Store): Generator<number, PriceRow[]> {
  const judged = yield* allInCountry(store, "exclude");
  const nameOf = ({ newest }: (typeof judged)[number]): string => {
    return recordAt(store.catalogue.products, newest.product).name;
  };
  return list.flatMap(({ prices }): PriceRow[] => {
    const found = prices.flatMap(([name, type]) => {
      return judged.find((one) => nameOf(one) === name && marketTypeOf(one) === type) ?? [];
    });
    const [first] = found.toSorted((a, b) => b.newest.month - a.newest.month);
    const shown = found.find(({ newest }) => !isOld(store, newest.month)) ?? first;
    return shown === undefined ? [] : [{ judged: shown, population: "exclude" }];
  });
}
