/** Whose prices a selection has. */
import type { Store } from "../store/store.ts";
import { mostFrequentFirst } from "./describe-prices.ts";
import { type PriceSelection, walkPrices } from "./walk-prices.ts";

/** Rows that a block of the walk counts as: it has looked at 64 to 8192, and a slice must not become long. */
const stepRows = 4096;

/** The names of all sources, the one with most prices first. */
export function allSources({ prices, sourceCounts }: Store): string[] {
  return mostFrequentFirst(prices.sourceNames, sourceCounts).map(({ name }) => name);
}

/**
 * The sources of the prices of a selection.
 *
 * @returns Those of `allSources` that have one of the prices, in the same order.
 * Cost: a look at the selected prices until each source has been seen.
 */
export function* findSources(store: Store, selection: PriceSelection): Generator<number, string[]> {
  const { sources, sourceNames } = store.prices;
  const all = allSources(store);
  const seen = new Uint8Array(sourceNames.length);
  let missing = all.length;
  for (const block of walkPrices(store, selection)) {
    for (let at = 0; at < block.length; at++) {
      const source = sources[block[at]!]!;
      missing -= 1 - seen[source]!;
      seen[source] = 1;
    }
    if (missing === 0) break;
    yield stepRows;
  }
  return all.filter((name) => seen[sourceNames.indexOf(name)] === 1);
}
