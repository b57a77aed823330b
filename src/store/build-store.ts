import type { Dataset, SnapshotIdentity } from "../domain/dataset.ts";
import { countyIdMax } from "../domain/ids.ts";
import { sharedUint32 } from "../domain/shared-columns.ts";
import { compareUuids } from "../domain/uuid-words.ts";
import { sortInAnswerOrder } from "./answer-order.ts";
import { buildCatalogue, type Catalogue } from "./catalogue.ts";
import { buildNewestRows } from "./newest-rows.ts";
import { buildPeriods } from "./periods.ts";
import { buildPostingIndex } from "./posting-index.ts";
import { gatherPriceColumns, type PriceColumns } from "./price-columns.ts";
import { buildPriceOrder } from "./price-order.ts";
import { buildProductMeasures } from "./product-measures.ts";
import { buildReadyFigures } from "./ready-figures.ts";
import { buildSeriesIndex } from "./series-index.ts";
import type { Store } from "./store.ts";
import { buildUuidIndex } from "./uuid-index.ts";

/**
 * Sorts and indexes a checked dataset. The door into this room (a store with a day's prices more: extend-store.ts); the store is complete and never changes afterwards.
 *
 * Cost: one radix sort by time, then passes over the prices; the dataset's columns are copied, not kept.
 * @throws {RangeError} when an invariant that the dataset's checks guarantee does not hold.
 */
export function buildStore(dataset: Dataset): Store {
  const catalogue = buildCatalogue(dataset);
  const { prices, rowsByTime } = sortPrices(dataset, catalogue);
  return indexPrices(dataset.snapshot, catalogue, prices, rowsByTime);
}

/**
 * Indexes sorted prices.
 *
 * @param rowsByTime Every row, in answer order.
 * @throws {RangeError} when the prices are not in answer order.
 */
export function indexPrices(
  snapshot: SnapshotIdentity,
  catalogue: Catalogue,
  prices: PriceColumns,
  rowsByTime: Uint32Array<SharedArrayBuffer>,
): Store {
  const { utcOffset } = snapshot;
  const measures = buildProductMeasures(catalogue, prices);
  const series = buildSeriesIndex(prices, catalogue.markets.length);
  const periods = buildPeriods(prices.recordedAt, rowsByTime, utcOffset);
  const store: Store = {
    snapshot,
    catalogue,
    prices,
    measures,
    rowByUuid: buildUuidIndex(prices.uuids, prices.rowCount),
    rowsByTime,
    rowsByMarket: buildPostingIndex(rowsByTime, catalogue.markets.length, (row) => prices.markets[row]!),
    rowsByCounty: buildPostingIndex(
      rowsByTime,
      countyIdMax + 1,
      (row) => catalogue.marketCounties[prices.markets[row]!]!,
    ),
    series,
    newestRows: buildNewestRows(prices, series),
    periods,
    priceOrder: buildPriceOrder(prices.prices, prices.recordedAt, rowsByTime, periods, utcOffset),
    figures: buildReadyFigures(catalogue, prices, series, periods, measures, utcOffset),
  };
  checkOrders(store);
  return Object.freeze(store);
}

/**
 * A counting sort by product over the prices in answer order: it numbers the rows by product and keeps answer order
 * within each.
 */
function sortPrices(
  dataset: Dataset,
  catalogue: Catalogue,
): { prices: PriceColumns; rowsByTime: Uint32Array<SharedArrayBuffer> } {
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
  return { prices, rowsByTime };
}

/**
 * Checks once what every query relies on: prices are in answer order, altogether and within each product. The lists of
 * markets and counties are these rows, moved by counting sorts that keep their order.
 */
function checkOrders({ prices, catalogue, rowsByTime }: Store): void {
  for (const product of catalogue.products.keys()) {
    const { productOffsets } = prices;
    checkAnswerOrder(prices, null, productOffsets[product]!, productOffsets[product + 1]!, `product ${product}`);
  }
  checkAnswerOrder(prices, rowsByTime, 0, rowsByTime.length, "all rows");
}

/** @param rows Row by place, or null when places are rows. */
function checkAnswerOrder(
  { recordedAt, uuids }: PriceColumns,
  rows: Uint32Array | null,
  from: number,
  to: number,
  name: string,
): void {
  for (let place = from + 1; place < to; place++) {
    const before = rows === null ? place - 1 : rows[place - 1]!;
    const row = rows === null ? place : rows[place]!;
    const age = recordedAt[before]! - recordedAt[row]!;
    if (age > 0 || (age === 0 && compareUuids(uuids, before, row) < 0)) continue;
    throw new RangeError(`${name}: place ${place} is not in answer order`);
  }
}
