/** Whose prices a selection has. */
import type { Store } from "../store/store.ts";
import { mostFrequentFirst } from "./describe-prices.ts";
import { type PriceSelection, walkPrices } from "./walk-prices.ts";

/** Rows that a block of the walk counts as: it has looked at 64 to 8192, and a slice must not become long. */
const stepRows = 4096;

/**
 * The sources of the prices of a selection.
 *
 * @returns Most frequent first, as `describePrices` has them.
 * Cost: nothing where all prices are of one source; otherwise a look at the selected prices until each source has been seen.
 */
export function* findSources(store: Store, selection: PriceSelection): Generator<number, string[]> {
  const { sources, sourceNames } = store.prices;
  const all = mostFrequentFirst(sourceNames, store.sourceCounts).map(({ name }) => name);
  if (all.length < 2) return all;
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
