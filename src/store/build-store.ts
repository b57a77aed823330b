import type { Dataset } from "../domain/dataset.ts";
import { countyIdMax } from "../domain/ids.ts";
import { sharedUint32 } from "../domain/shared-columns.ts";
import { compareUuids } from "../domain/uuid-words.ts";
import { sortInAnswerOrder } from "./answer-order.ts";
import { buildCatalogue, type Catalogue } from "./catalogue.ts";
import { buildPostingIndex, rowsOf } from "./posting-index.ts";
import { gatherPriceColumns, type PriceColumns } from "./price-columns.ts";
import { buildProductMeasures } from "./product-measures.ts";
import type { Store } from "./store.ts";
import { buildUuidIndex } from "./uuid-index.ts";

/**
 * Sorts and indexes a checked dataset. The only door into this room; the store is complete and never changes afterwards.
 *
 * Cost: one radix sort by time, then passes over the prices; the dataset's columns are copied, not kept.
 * @throws {RangeError} when an invariant that the dataset's checks guarantee does not hold.
 */
export function buildStore(dataset: Dataset): Store {
  const catalogue = buildCatalogue(dataset);
  const { prices, rowsByTime } = sortPrices(dataset, catalogue);
  const countyIds = Uint32Array.from(catalogue.markets, ({ record }) => record.countyId);
  const store: Store = {
    snapshot: dataset.snapshot,
    catalogue,
    prices,
    measures: buildProductMeasures(catalogue, prices),
    rowByUuid: buildUuidIndex(prices.uuids, prices.rowCount),
    rowsByTime,
    rowsByMarket: buildPostingIndex(rowsByTime, catalogue.markets.length, (row) => prices.markets[row]!),
    rowsByCounty: buildPostingIndex(rowsByTime, countyIdMax + 1, (row) => countyIds[prices.markets[row]!]!),
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
  for (const product of table.products) productOffsets[productCodes[product]! + 1]!++;
  for (let code = 0; code < productCodes.length; code++) productOffsets[code + 1]! += productOffsets[code]!;

  const next = productOffsets.slice();
  const source = new Uint32Array(table.rowCount);
  const rowsByTime = sharedUint32(table.rowCount);
  for (const [place, position] of sortInAnswerOrder(table.recordedAt, table.uuids).entries()) {
    const row = next[productCodes[table.products[position]!]!]!++;
    source[row] = position;
    rowsByTime[place] = row;
  }
  return { prices: gatherPriceColumns(table, source, productOffsets, productCodes, marketCodes), rowsByTime };
}

/** Checks once what every query relies on: each list of rows is in answer order. */
function checkOrders({ prices, catalogue, rowsByTime, rowsByMarket, rowsByCounty }: Store): void {
  const sources = Uint32Array.from({ length: prices.rowCount }, (_, row) => row);
  for (const product of catalogue.products.keys()) {
    const range = sources.subarray(prices.productOffsets[product], prices.productOffsets[product + 1]);
    checkAnswerOrder(prices, range, `prices of product ${product}`);
  }
  checkAnswerOrder(prices, rowsByTime, "rows by time");
  for (const market of catalogue.markets.keys()) {
    checkAnswerOrder(prices, rowsOf(rowsByMarket, market), `rows of market ${market}`);
  }
  for (let county = 0; county <= countyIdMax; county++) {
    checkAnswerOrder(prices, rowsOf(rowsByCounty, county), `rows of county ${county}`);
  }
}

function checkAnswerOrder({ recordedAt, uuids }: PriceColumns, rows: Uint32Array, name: string): void {
  for (let at = 1; at < rows.length; at++) {
    const before = rows[at - 1]!;
    const row = rows[at]!;
    const age = recordedAt[before]! - recordedAt[row]!;
    if (age > 0 || (age === 0 && compareUuids(uuids, before, row) < 0)) continue;
    throw new RangeError(`${name}: place ${at} is not in answer order`);
  }
}
