/**
 * A market day on top of a store: the store that `buildStore` would make of all prices together, array by array, without
 * sorting them again. The rows between two changes keep their order, so the columns are copied run by run.
 */
import { availableParallelism } from "node:os";
import type { PriceTable, SnapshotIdentity } from "../domain/dataset.ts";
import { sharedUint32 } from "../domain/shared-columns.ts";
import { sortInAnswerOrder } from "./answer-order.ts";
import { threadedRowsMin } from "./build-store.ts";
import type { PriceRow } from "./codes.ts";
import { indexPrices, indexPricesOnThreads, type SortedPrices } from "./index-prices.ts";
import { firstPlaceNotBefore, mergeOrders } from "./merge-orders.ts";
import { mergePriceColumns } from "./merge-price-columns.ts";
import { type MergedRows, type Run, rowsOfOld } from "./merged-rows.ts";
import type { Store } from "./store.ts";
import { findRowOf } from "./uuid-index.ts";

/** What a day brings. */
export interface StoreAddition {
  readonly snapshot: SnapshotIdentity;
  /** New prices, and prices that take the place of those with the same uuid. Products and markets by their codes in the store. */
  readonly prices: PriceTable;
}

/**
 * Adds prices to a store. The store given stays as it is.
 *
 * Cost: a copy of the columns, a sort of the added prices, and the building of the indexes; figures kept ready and the index
 * of uuids are taken over where the day has not touched them.
 * @throws {RangeError} when an invariant that the dataset's checks guarantee does not hold.
 */
export function extendStore(store: Store, addition: StoreAddition): Store {
  return indexPrices(mergePrices(store, addition));
}

/** As `extendStore`, on several threads where that is quicker. The store is the same. */
export async function extendStoreOnThreads(
  store: Store,
  addition: StoreAddition,
  threads: number = availableParallelism(),
): Promise<Store> {
  if (store.prices.rowCount < threadedRowsMin || threads === 1) return extendStore(store, addition);
  return await indexPricesOnThreads(mergePrices(store, addition), threads);
}

function mergePrices(store: Store, { snapshot, prices: added }: StoreAddition): SortedPrices {
  const replaced = replacedRows(store, added);
  const { rows, rowsByTime, rowsOfOld, addedPlaces } = mergeRows(store, added, replaced);
  const { catalogue, prices, measures, series, periods, rowByUuid, figures } = store;
  return {
    snapshot,
    catalogue,
    prices: mergePriceColumns(prices, added, rows),
    rowsByTime,
    extension: {
      before: { prices, measures, series, periods, rowByUuid, figures },
      rowsOfOld,
      replacedRows: replaced,
      addedRows: rows.ofAdded,
      addedPlaces,
    },
  };
}

/** Rows of the store that an added price takes the place of, ascending. */
function replacedRows({ prices, rowByUuid }: Store, added: PriceTable): Uint32Array {
  const found: PriceRow[] = [];
  for (let position = 0; position < added.rowCount; position++) {
    const row = findRowOf(rowByUuid, prices.uuids, added.uuids, position);
    if (row !== undefined) found.push(row);
  }
  return Uint32Array.from(found).sort();
}

/** Where the prices of both come to stand. */
interface MergedOrders {
  readonly rows: MergedRows;
  /** Every row, in answer order. */
  readonly rowsByTime: Uint32Array<SharedArrayBuffer>;
  /** New row by old row; `goneRow` for those that are replaced. */
  readonly rowsOfOld: Uint32Array<SharedArrayBuffer>;
  /** Places of added prices in `rowsByTime`, ascending. */
  readonly addedPlaces: Uint32Array;
}

function mergeRows(store: Store, added: PriceTable, replaced: Uint32Array): MergedOrders {
  const { prices, rowsByTime: oldByTime, catalogue } = store;
  const old = { recordedAt: prices.recordedAt, uuids: prices.uuids };
  const rowCount = prices.rowCount - replaced.length + added.rowCount;
  const addedByTime = sortInAnswerOrder(added.recordedAt, added.uuids);
  const addedByProduct = addedByTime.slice().sort((a, b) => added.products[a]! - added.products[b]!);

  const productOffsets = sharedUint32(catalogue.products.length + 1);
  const runs: Run[] = [];
  const rows: MergedRows = { rowCount, productOffsets, runs, ofAdded: new Uint32Array(added.rowCount) };
  let next = 0;
  let nextReplaced = 0;
  let nextAdded = 0;
  for (let product = 0; product < catalogue.products.length; product++) {
    const to = prices.productOffsets[product + 1]!;
    const firstReplaced = nextReplaced;
    while (nextReplaced < replaced.length && replaced[nextReplaced]! < to) nextReplaced++;
    const firstAdded = nextAdded;
    while (nextAdded < addedByProduct.length && added.products[addedByProduct[nextAdded]!] === product) nextAdded++;
    next = mergeOrders(
      { ...old, rows: null, from: prices.productOffsets[product]!, to },
      replaced.subarray(firstReplaced, nextReplaced),
      { ...added, rows: addedByProduct.subarray(firstAdded, nextAdded) },
      next,
      (place, from, end) => runs.push({ place, from, end }),
      (place, position) => {
        rows.ofAdded[position] = place;
      },
    );
    productOffsets[product + 1] = next;
  }
  if (next !== rowCount) throw new RangeError(`${next} rows merged, expected ${rowCount}`);

  const ofOld = rowsOfOld(rows, prices.rowCount);
  const addedPlaces: number[] = [];
  const rowsByTime = sharedUint32(rowCount);
  mergeOrders(
    { ...old, rows: oldByTime, from: 0, to: oldByTime.length },
    placesByTime(store, replaced),
    { ...added, rows: addedByTime },
    0,
    (place, from, end) => {
      for (let at = from; at < end; at++) rowsByTime[place + at - from] = ofOld[oldByTime[at]!]!;
    },
    (place, position) => {
      rowsByTime[place] = rows.ofAdded[position]!;
      addedPlaces.push(place);
    },
  );
  return { rows, rowsByTime, rowsOfOld: ofOld, addedPlaces: Uint32Array.from(addedPlaces) };
}

/** The places of some rows in `Store.rowsByTime`, ascending. */
function placesByTime({ prices, rowsByTime }: Store, rows: Uint32Array): Uint32Array {
  const all = { ...prices, rows: rowsByTime, from: 0, to: rowsByTime.length };
  return rows.map((row) => firstPlaceNotBefore(all, prices, row)).sort();
}
