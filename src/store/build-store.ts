import { availableParallelism } from "node:os";
import type { Dataset } from "../domain/dataset.ts";
import { sharedUint32 } from "../domain/shared-columns.ts";
import { sortInAnswerOrder } from "./answer-order.ts";
import { buildCatalogue } from "./catalogue.ts";
import { indexPrices, indexPricesOnThreads, type SortedPrices } from "./index-prices.ts";
import { gatherPriceColumns } from "./price-columns.ts";
import type { Store } from "./store.ts";

/**
 * Sorts and indexes a checked dataset: the door into this room (a store with a day's prices more: extend-store.ts). The
 * store is complete and never changes afterwards.
 *
 * Cost: one radix sort by time, then passes over the prices; the dataset's columns are copied, not kept.
 * @throws {RangeError} when an invariant that the dataset's checks guarantee does not hold.
 */
export function buildStore(dataset: Dataset): Store {
  return indexPrices(sortPrices(dataset));
}

/** Fewer prices than this are indexed sooner than threads are started. */
export const threadedRowsMin = 200_000;

/** As `buildStore`, on several threads where that is quicker. The store is the same. */
export async function buildStoreOnThreads(dataset: Dataset, threads: number = availableParallelism()): Promise<Store> {
  if (dataset.prices.rowCount < threadedRowsMin || threads === 1) return buildStore(dataset);
  return await indexPricesOnThreads(sortPrices(dataset), threads);
}

/**
 * A counting sort by product over the prices in answer order: it numbers the rows by product and keeps answer order
 * within each.
 */
function sortPrices(dataset: Dataset): SortedPrices {
  const catalogue = buildCatalogue(dataset);
  const table = dataset.prices;
  const productCodes = Uint32Array.from(dataset.products, ({ uuid }) => catalogue.productCodes.get(uuid)!);
  const marketCodes = Uint32Array.from(dataset.markets, ({ uuid }) => catalogue.marketCodes.get(uuid)!);
  const productOffsets = sharedUint32(productCodes.length + 1);
  for (let position = 0; position < table.rowCount; position++) {
    productOffsets[productCodes[table.products[position]!]! + 1]!++;
  }
  for (let code = 0; code < productCodes.length; code++) productOffsets[code + 1]! += productOffsets[code]!;

  const next = productOffsets.slice();
  const rowsByTime = sharedUint32(table.rowCount);
  const positions = sortInAnswerOrder(table.recordedAt, table.uuids);
  for (let place = 0; place < positions.length; place++) {
    rowsByTime[place] = next[productCodes[table.products[positions[place]!]!]!]!++;
  }
  const prices = gatherPriceColumns(table, { positions, rows: rowsByTime, productOffsets, marketCodes });
  return { snapshot: dataset.snapshot, catalogue, prices, rowsByTime };
}
