import { narrowToInstants } from "../store/day-bounds.ts";
import { seriesAt } from "../store/series-index.ts";
import type { Store } from "../store/store.ts";
import { instantsOfDays, listMarketCodes } from "./plan-prices.ts";
import type { PriceFilter } from "./questions.ts";

/**
 * How many prices a filter without bounds on the price selects, without looking at any: the lengths of the lists of the
 * wanted markets are added, of one product's series where a product is asked for.
 *
 * Cost: one look at every market (or series of the product), and two binary searches for each that is wanted.
 */
export function countByMarkets(store: Store, filter: PriceFilter): number {
  const { recordedAt } = store.prices;
  const { first, end } = instantsOfDays(store, filter);
  let count = 0;
  for (const { rows, from, to } of listsOf(store, filter, listMarketCodes(store, filter))) {
    const range = narrowToInstants(recordedAt, rows, { from, to }, first, end);
    count += range.to - range.from;
  }
  return count;
}

function* listsOf(
  { catalogue, series, rowsByMarket }: Store,
  { productUuid }: PriceFilter,
  marketCodes: Uint32Array,
): Generator<{ rows: Uint32Array; from: number; to: number }> {
  const product = productUuid === undefined ? undefined : catalogue.productCodes.get(productUuid);
  if (product === undefined) {
    const { offsets, rows } = rowsByMarket;
    for (const market of marketCodes) yield { rows, from: offsets[market]!, to: offsets[market + 1]! };
  } else {
    const { rowOffsets, rows } = series;
    for (const one of seriesAt(series, product, marketCodes)) {
      yield { rows, from: rowOffsets[one]!, to: rowOffsets[one + 1]! };
    }
  }
}
