/** What the store holds of a price, beside what the dataset said of it: the one place here that reads the columns. */

import type { Dataset, PriceTable } from "../../../src/engine/model/dataset.ts";
import { findRow, readUuid, type Uuid } from "../../../src/engine/model/ids.ts";
import { missingCode } from "../../../src/engine/model/shared-columns.ts";
import { searchPrices } from "../../../src/engine/query/search-prices.ts";
import type { PriceColumns } from "../../../src/engine/store/columns.ts";
import { type SharedTexts, textOf } from "../../../src/engine/store/shared-texts.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import type { Store } from "../../../src/engine/store/store.ts";

/** Every field of a price, with product and market by uuid. */
export interface PriceFields {
  readonly uuid: Uuid;
  readonly productUuid: Uuid | undefined;
  readonly marketUuid: Uuid | undefined;
  readonly price: number | undefined;
  readonly unit: string | undefined;
  readonly currency: string | undefined;
  readonly recordedAt: number | undefined;
  readonly source: string | undefined;
  readonly qualityGrade: string | null | undefined;
  readonly notes: string | null | undefined;
  readonly priceFlag: string | null;
  readonly createdAt: number | undefined;
  readonly updatedAt: number | undefined;
}

/** The price that a store has under a uuid; undefined when it has none. */
export function storedPrice({ prices, rowByUuid, catalogue }: Store, uuid: Uuid): PriceFields | undefined {
  const row = findRow(rowByUuid, prices.uuids, uuid);
  if (row === undefined) return undefined;
  return {
    ...fieldsAt(prices, row, missingCode(prices.grades), missingCode(prices.notes)),
    productUuid: catalogue.products[numberAt(prices.products, row)]?.record.uuid,
    marketUuid: catalogue.markets[numberAt(prices.markets, row)]?.record.uuid,
  };
}

/** Every price of a dataset, in its order. */
export function pricesOfDataset({ prices, products, markets }: Dataset): PriceFields[] {
  return Array.from({ length: prices.rowCount }, (_, row) => ({
    ...fieldsAt(prices, row, missingCode(prices.grades), missingCode(prices.notes)),
    productUuid: products[numberAt(prices.products, row)]?.uuid,
    marketUuid: markets[numberAt(prices.markets, row)]?.uuid,
  }));
}

/** Uuids of rows that a query answered, in its order. */
export function uuidsOfRows({ prices }: Store, rows: Iterable<number>): Uuid[] {
  return Array.from(rows, (row) => readUuid(prices.uuids, row));
}

/** Uuids of all prices of a store, as a search without conditions answers them. */
export async function allUuids(store: Store): Promise<Uuid[]> {
  const { entries, total } = finish(searchPrices(store, { filter: {}, page: 1, pageSize: store.prices.rowCount + 1 }));
  if (entries.length !== total) throw new Error(`${entries.length} prices on the only page, ${total} in all`);
  return uuidsOfRows(store, entries);
}

/** The columns that a dataset and a store have in common. */
function fieldsAt(
  prices: PriceTable | PriceColumns,
  row: number,
  noGrade: number,
  noNote: number,
): Omit<PriceFields, "productUuid" | "marketUuid"> {
  const grade = prices.grades[row];
  const note = prices.notes[row];
  return {
    uuid: readUuid(prices.uuids, row),
    price: prices.prices[row],
    unit: prices.unitNames[numberAt(prices.units, row)],
    currency: prices.currencyCodes[numberAt(prices.currencies, row)],
    recordedAt: prices.recordedAt[row],
    source: prices.sourceNames[numberAt(prices.sources, row)],
    qualityGrade: grade === noGrade ? null : prices.gradeNames[grade ?? -1],
    notes: note === noNote ? null : noteOf(prices.noteTexts, note ?? -1),
    priceFlag: prices.flagNames[numberAt(prices.flags, row)] ?? null,
    createdAt: prices.createdAt[row],
    updatedAt: prices.updatedAt[row],
  };
}

function noteOf(texts: readonly string[] | SharedTexts, code: number): string | undefined {
  return "bytes" in texts ? textOf(texts, code) : texts[code];
}

function numberAt(column: ArrayLike<number>, row: number): number {
  return column[row] ?? -1;
}
