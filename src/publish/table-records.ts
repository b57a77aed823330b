/** The small tables of a store by the kind of their files, what identifies a record of each, and their files. */
import { continuationKey } from "../dataset/check-links.ts";
import { writtenRecord } from "../dataset/check-record.ts";
import { type RulingKind, recordKinds, singleFileNames, type TableKind } from "../dataset/snapshot-layout.ts";
import { type Records, recordFormats } from "../domain/records.ts";
import { type Catalogue, recordAt } from "../store/catalogue.ts";

export const tableKinds: readonly TableKind[] = recordKinds.filter((kind) => kind !== "prices");

/** Records by kind of table. */
export type TableRecords = { readonly [Kind in TableKind]: readonly Records[Kind][] };

/** Identifier and name of each kind of record. */
export const identities: {
  readonly [Kind in TableKind]: (record: Records[Kind]) => readonly [id: string, name: string];
} = {
  counties: ({ id, name }) => [String(id), name],
  crops: ({ id, name }) => [String(id), name],
  units: ({ category }) => [category, category],
  "market-types": ({ type }) => [type, type],
  products: ({ uuid, name }) => [uuid, name],
  markets: ({ uuid, name }) => [uuid, name],
  "exchange-rates": ({ month, currency }) => [`${month} ${currency}`, `${month} ${currency}`],
  continuations: (record) => [continuationKey(record), continuationKey(record)],
};

/** The records of all small tables, in the order in which an export writes them. */
export function tableRecords(catalogue: Catalogue): TableRecords {
  return {
    counties: [...catalogue.counties.values()],
    crops: catalogue.crops,
    units: catalogue.unitCategories,
    "market-types": catalogue.marketTypes,
    products: catalogue.products.map(({ record }) => record),
    markets: catalogue.marketsByName.map((code) => recordAt(catalogue.markets, code)),
    "exchange-rates": catalogue.exchangeRates,
    continuations: catalogue.continuations,
  };
}

/** The content of the file of a small table or of rulings, with these records in their order. */
export function recordFileText<Kind extends TableKind | RulingKind>(
  kind: Kind,
  records: readonly Records[Kind][],
): string {
  const written = records.map((record) => writtenRecord<Records[Kind]>(recordFormats[kind], record));
  if (singleFileNames[kind].endsWith(".json")) return `${JSON.stringify(written, null, 2)}\n`;
  return written.map((record) => `${JSON.stringify(record)}\n`).join("");
}
