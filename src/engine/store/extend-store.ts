/** A store and a day of new, corrected or withdrawn prices → the store of all together. */
import { availableParallelism } from "node:os";
import type { PriceTable, SnapshotIdentity } from "../model/dataset.ts";
import { Dictionary } from "../model/dictionary.ts";
import { findRow, findRowOf, type Uuid } from "../model/ids.ts";
import {
  elementsPerRow,
  mapColumns,
  mapTexts,
  type PriceColumnName,
  priceColumnNames,
  priceColumns,
  sharedPriceRows,
  type TextColumnName,
  textColumnNames,
} from "../model/price-columns.ts";
import type { PriceAcceptance } from "../model/records.ts";
import { missingCode, sharedUint32 } from "../model/shared-columns.ts";
import { indexPricesOnThreads, type SortedPrices, sortPrices } from "./build-store.ts";
import type { Catalogue } from "./catalogue.ts";
import type { UnsortedPrices } from "./columns.ts";
import { listTexts } from "./shared-texts.ts";
import type { Store } from "./store.ts";

/** The prices and withdrawals that a publication adds to a store. */
export interface StoreAddition {
  readonly snapshot: SnapshotIdentity;
  /** The catalogue of the new snapshot, with all products and markets of the store; that of the store when absent. */
  readonly catalogue?: Catalogue | undefined;
  /**
   * New prices, and prices that take the place of those with the same uuid. Products and markets by their codes in the
   * catalogue.
   */
  readonly prices: PriceTable;
  /** Prices of the store that go without one to take their place; none of `prices` is among them. */
  readonly withdrawn?: readonly Uuid[] | undefined;
  /** As in `Dataset`. */
  readonly accepted?: readonly PriceAcceptance[] | undefined;
}

/**
 * The joined table of more rows than this is worth a collection of garbage: 70 MB. V8 does not count shared memory, so
 * it begins none by itself; it does for a buffer of so many bytes, which takes no memory because it is never written.
 * At 10 M prices the peak is 2.5 GiB in place of 3.1.
 */
const collectedRowsMin = 1_000_000;
const collectingBytes: number = 128 * 1024 * 1024;

/**
 * Adds prices to a store, or takes some away: the store that `buildStore` would make of all prices together, array by
 * array. The store given stays as it is.
 *
 * Cost: two copies of the columns, a sort of all prices, and the building of all indexes.
 * @param threads Indexes are built on so many threads where that is quicker than on this one.
 * @throws {RangeError} when an invariant that the dataset's checks guarantee does not hold.
 */
export async function extendStoreOnThreads(
  store: Store,
  addition: StoreAddition,
  threads: number = availableParallelism(),
): Promise<Store> {
  const sorted = sortTogether(store, addition);
  if (sorted.prices.rowCount >= collectedRowsMin) beginCollection();
  return await indexPricesOnThreads(sorted, threads);
}

function beginCollection(): void {
  try {
    new ArrayBuffer(collectingBytes);
  } catch {
    // The memory is collected later where there is no address space for it.
  }
}

function sortTogether(store: Store, addition: StoreAddition): SortedPrices {
  const { snapshot, catalogue = store.catalogue, prices: added, withdrawn = [], accepted } = addition;
  const table = joinTables(store, added, findReplaced(store, added, withdrawn));
  const kept = table.rowCount - added.rowCount;
  if (catalogue !== store.catalogue) remapCatalogue(table, kept, store.catalogue, catalogue);
  const codes = {
    products: Uint32Array.from(catalogue.products.keys()),
    markets: Uint32Array.from(catalogue.markets.keys()),
  };
  return { snapshot, catalogue, accepted, ...sortPrices(table, codes) };
}

/** Replaces the codes of products and markets in the first rows of a table by those of another catalogue. */
function remapCatalogue(table: UnsortedPrices, rowCount: number, from: Catalogue, to: Catalogue): void {
  const products = Uint32Array.from(from.products, ({ record }) => to.productCodes.get(record.uuid)!);
  const markets = Uint32Array.from(from.markets, ({ record }) => to.marketCodes.get(record.uuid)!);
  for (let row = 0; row < rowCount; row++) {
    table.products[row] = products[table.products[row]!]!;
    table.markets[row] = markets[table.markets[row]!]!;
  }
}

/** Rows of the store that go: those that an added price takes the place of, and those withdrawn; ascending. */
function findReplaced({ prices, rowByUuid }: Store, added: PriceTable, withdrawn: readonly Uuid[]): number[] {
  const replaced: number[] = [];
  for (const uuid of withdrawn) {
    const row = findRow(rowByUuid, prices.uuids, uuid);
    if (row === undefined) throw new RangeError(`price ${uuid} is not in the store, expected one to withdraw`);
    replaced.push(row);
  }
  for (let position = 0; position < added.rowCount; position++) {
    const row = findRowOf(rowByUuid, prices.uuids, added.uuids, position);
    if (row !== undefined) replaced.push(row);
  }
  return replaced.sort((a, b) => a - b);
}

/** The rows of a store that are not replaced, and after them the added ones. */
function joinTables({ prices }: Store, added: PriceTable, replaced: readonly number[]): UnsortedPrices {
  const ends = [...replaced, prices.rowCount];
  const kept = prices.rowCount - replaced.length;
  const rowCount = kept + added.rowCount;
  const rows = sharedPriceRows(rowCount);
  for (const name of priceColumnNames) {
    if (!isTextColumn(name)) join(name, rows[name]);
  }
  const texts = mapColumns(textColumnNames, (name) => joinTexts(name, sharedUint32(rowCount)));
  return {
    rowCount,
    ...rows,
    ...mapColumns(textColumnNames, (name) => texts[name].codes),
    ...mapTexts((name) => texts[name].texts),
  };

  function join(name: PriceColumnName, column: Uint16Array | Uint32Array | Float64Array): void {
    const perRow = elementsPerRow(name);
    let from = 0;
    let to = 0;
    for (const end of ends) {
      column.set(prices[name].subarray(from * perRow, end * perRow), to * perRow);
      to += end - from;
      from = end + 1;
    }
    column.set(added[name], kept * perRow);
  }

  /** Brings the codes of both to one dictionary, which may be longer than a snapshot's: replaced rows still count. */
  function joinTexts(name: TextColumnName, codes: Uint32Array): { codes: Uint32Array; texts: readonly string[] } {
    join(name, codes);
    const missing = missingCode(codes);
    const dictionary = new Dictionary(`${priceColumns[name].label} of prices`, missing);
    const { texts } = priceColumns[name];
    for (const text of texts === "noteTexts" ? listTexts(prices.noteTexts) : prices[texts]) dictionary.codeOf(text);
    const remap = Uint32Array.from(added[texts], (text) => dictionary.codeOf(text));
    const [missingBefore, missingAdded] = [missingCode(prices[name]), missingCode(added[name])];
    for (let row = 0; row < kept; row++) if (codes[row] === missingBefore) codes[row] = missing;
    for (let row = kept; row < rowCount; row++) {
      codes[row] = codes[row] === missingAdded ? missing : remap[codes[row]!]!;
    }
    return { codes, texts: dictionary.texts };
  }
}

function isTextColumn(name: PriceColumnName): name is TextColumnName {
  return priceColumns[name].kind === "text";
}
