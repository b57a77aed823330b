import type { Uuid } from "../domain/ids.ts";
import { recordAt } from "../store/catalogue.ts";
import { findSeries } from "../store/series.ts";
import type { Store } from "../store/store.ts";
import { absent, translatePlaces } from "./code-translation.ts";

/** A product at a market. */
export interface SeriesName {
  readonly productUuid: Uuid;
  readonly product: string;
  readonly marketUuid: Uuid;
  readonly market: string;
}

/** Series that one of two snapshots has prices of and the other has not; each by product name, then market name. */
export interface SeriesChanges {
  readonly appearing: readonly SeriesName[];
  readonly vanishing: readonly SeriesName[];
}

/** Compares which products have prices at which markets. Cost: a binary search for each series. */
export function seriesChanges(before: Store, after: Store): SeriesChanges {
  return { appearing: seriesOnlyIn(after, before), vanishing: seriesOnlyIn(before, after) };
}

function seriesOnlyIn(store: Store, other: Store): SeriesName[] {
  const { products, markets } = translatePlaces(store, other);
  const { series, catalogue } = store;
  const found: SeriesName[] = [];
  for (let product = 0; product < products.length; product++) {
    const productThere = products[product] as number;
    const from = series.seriesOffsets[product] as number;
    const isMissing = new Set<number>();
    for (const market of series.markets.subarray(from, series.seriesOffsets[product + 1])) {
      const marketThere = markets[market] as number;
      const isThere = productThere !== absent && marketThere !== absent;
      if (!isThere || findSeries(other.series, productThere, marketThere) === undefined) isMissing.add(market);
    }
    if (isMissing.size === 0) continue;
    const productRecord = recordAt(catalogue.products, product);
    for (const market of catalogue.marketsByName) {
      if (!isMissing.has(market)) continue;
      const marketRecord = recordAt(catalogue.markets, market);
      found.push({
        productUuid: productRecord.uuid,
        product: productRecord.name,
        marketUuid: marketRecord.uuid,
        market: marketRecord.name,
      });
    }
  }
  return found;
}
