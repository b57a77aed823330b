import type { Uuid } from "../domain/ids.ts";
import { recordAt } from "../store/catalogue.ts";
import { findSeries } from "../store/series-index.ts";
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
    const end = series.seriesOffsets[product + 1] as number;
    for (let one = series.seriesOffsets[product] as number; one < end; one++) {
      const market = series.markets[one] as number;
      const marketThere = markets[market] as number;
      const isThere = productThere !== absent && marketThere !== absent;
      if (isThere && findSeries(other.series, productThere, marketThere) !== undefined) continue;
      const [productRecord, marketRecord] = [
        recordAt(catalogue.products, product),
        recordAt(catalogue.markets, market),
      ];
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
