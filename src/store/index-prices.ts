/** Sorted prices → a store: on this thread, or the same on several. */
import type { SnapshotIdentity } from "../domain/dataset.ts";
import type { Catalogue } from "./catalogue.ts";
import type { Extension } from "./extension.ts";
import { buildPartsOnThreads } from "./parts-on-threads.ts";
import { buildPeriods } from "./periods.ts";
import type { PriceColumns } from "./price-columns.ts";
import { buildProductMeasures } from "./product-measures.ts";
import { buildSeriesIndex } from "./series-index.ts";
import type { Store } from "./store.ts";
import { buildPart, type PartName, type PartSources, partNames, type StoreParts } from "./store-parts.ts";

/** Prices in the store's order, before they are indexed. */
export interface SortedPrices {
  readonly snapshot: SnapshotIdentity;
  readonly catalogue: Catalogue;
  readonly prices: PriceColumns;
  /** Every row, in answer order. */
  readonly rowsByTime: Uint32Array<SharedArrayBuffer>;
  /** Where they are another store's prices and a day's: what that one was. */
  readonly extension?: Extension;
}

/**
 * Indexes sorted prices.
 *
 * @throws {RangeError} when the prices are not in answer order.
 */
export function indexPrices(sorted: SortedPrices): Store {
  const sources = sourcesOf(sorted);
  const parts = Object.fromEntries(partNames.map((name) => [name, buildPart(name, sources)]));
  return assembleStore(sorted, sources, parts as Record<PartName, unknown> as StoreParts);
}

/** As `indexPrices`, on several threads. The store is the same. */
export async function indexPricesOnThreads(sorted: SortedPrices, threads: number): Promise<Store> {
  const sources = sourcesOf(sorted);
  return assembleStore(sorted, sources, await buildPartsOnThreads(sources, threads));
}

function sourcesOf(sorted: SortedPrices): PartSources {
  const { catalogue, prices, rowsByTime, extension } = sorted;
  const { utcOffset } = sorted.snapshot;
  return {
    extension,
    catalogue,
    prices,
    rowsByTime,
    utcOffset,
    measures: buildProductMeasures(catalogue, prices),
    series: buildSeriesIndex(prices, catalogue.markets.length),
    periods: buildPeriods(prices.recordedAt, rowsByTime, utcOffset),
  };
}

function assembleStore({ snapshot }: SortedPrices, sources: PartSources, parts: StoreParts): Store {
  const { catalogue, prices, rowsByTime, measures, series, periods } = sources;
  return Object.freeze({
    snapshot,
    catalogue,
    prices,
    measures,
    rowByUuid: parts.rowByUuid,
    rowsByTime,
    rowsByMarket: parts.rowsByMarket,
    rowsByCounty: parts.rowsByCounty,
    series,
    samples: parts.samples,
    newestRows: parts.newestRows,
    periods,
    priceOrder: parts.priceOrder,
    figures: {
      byTime: parts.figuresByTime,
      byTimeOfType: parts.figuresByTimeOfType,
      bySeries: parts.figuresBySeries,
      byCounty: parts.figuresByCounty,
    },
  });
}
