/**
 * The columns of a price, described once: what allocates, fills, gathers, merges, checks or counts columns walks this
 * table instead of naming them one by one.
 */

import { firstNotBefore } from "./binary-search.ts";
import { wordsPerUuid } from "./ids.ts";
import { type ColumnOf, type ColumnTypeName, sharedColumn } from "./shared-columns.ts";

/** Describes a column. */
interface PriceColumn {
  /** The field of a price in record files. */
  readonly field: string;
  /**
   * `uuid`: four words a row, see ids.ts. `product` and `market`: position in the table of that name. `number`:
   * as written. `instant`: milliseconds since 1970-01-01T00:00:00Z. `text`: code of a text in a dictionary.
   */
  readonly kind: "uuid" | "product" | "market" | "number" | "instant" | "text";
  /** Wide enough for every dataset; a store chooses the narrowest type for its codes. */
  readonly type: ColumnTypeName;
}

/** A column of codes; its dictionary lists the texts by code. */
interface PriceTextColumn extends PriceColumn {
  readonly kind: "text";
  /** Name of the dictionary. */
  readonly texts: string;
  /** The name of the texts in messages. */
  readonly label: string;
  /** Given where there may be no text: the code is then `missingCode` of the column. */
  readonly isOptional?: true;
}

/** All columns, in the order in which the fields of a price are usually written. */
export const priceColumns = {
  uuids: { field: "uuid", kind: "uuid", type: "Uint32Array" },
  products: { field: "product_uuid", kind: "product", type: "Uint32Array" },
  markets: { field: "market_uuid", kind: "market", type: "Uint32Array" },
  prices: { field: "price", kind: "number", type: "Float64Array" },
  units: { field: "unit", kind: "text", type: "Uint16Array", texts: "unitNames", label: "units" },
  currencies: { field: "currency", kind: "text", type: "Uint16Array", texts: "currencyCodes", label: "currencies" },
  recordedAt: { field: "recorded_at", kind: "instant", type: "Float64Array" },
  sources: { field: "source", kind: "text", type: "Uint16Array", texts: "sourceNames", label: "sources" },
  grades: {
    field: "quality_grade",
    kind: "text",
    type: "Uint16Array",
    texts: "gradeNames",
    label: "quality grades",
    isOptional: true,
  },
  notes: { field: "notes", kind: "text", type: "Uint32Array", texts: "noteTexts", label: "notes", isOptional: true },
  flags: {
    field: "price_flag",
    kind: "text",
    type: "Uint16Array",
    texts: "flagNames",
    label: "price flags",
    isOptional: true,
  },
  createdAt: { field: "created_at", kind: "instant", type: "Float64Array" },
  updatedAt: { field: "updated_at", kind: "instant", type: "Float64Array" },
} as const;

priceColumns satisfies Readonly<Record<string, PriceColumn | PriceTextColumn>>;

type Columns = typeof priceColumns;

export type PriceColumnName = keyof Columns;

/** Names of the columns of these kinds. */
type NamesOf<Kind extends PriceColumn["kind"]> = {
  readonly [Name in PriceColumnName]: Columns[Name]["kind"] extends Kind ? Name : never;
}[PriceColumnName];

/** Columns of floating-point numbers. */
export type NumberColumnName = NamesOf<"number" | "instant">;

/** Columns of codes with a dictionary. */
export type TextColumnName = NamesOf<"text">;

export const priceColumnNames: readonly PriceColumnName[] = Object.keys(priceColumns) as PriceColumnName[];

export const numberColumnNames: readonly NumberColumnName[] = priceColumnNames.filter((name) => {
  const { kind } = priceColumns[name];
  return kind === "number" || kind === "instant";
}) as NumberColumnName[];

export const textColumnNames: readonly TextColumnName[] = priceColumnNames.filter(
  (name) => priceColumns[name].kind === "text",
) as TextColumnName[];

/** One typed array a column. */
export type PriceRows<Memory extends ArrayBufferLike = ArrayBufferLike> = {
  readonly [Name in PriceColumnName]: ColumnOf<Columns[Name]["type"], Memory>;
};

/** One list of texts a dictionary, in order of their codes. */
export type PriceTexts = {
  readonly [Name in TextColumnName as Columns[Name]["texts"]]: readonly string[];
};

/**
 * One value for each column.
 *
 * @returns An object with these names, in their order.
 */
export function mapColumns<Name extends PriceColumnName, Value>(
  names: readonly Name[],
  valueFor: (name: Name) => Value,
): { readonly [Key in Name]: Value } {
  return Object.fromEntries(names.map((name) => [name, valueFor(name)])) as { [Key in Name]: Value };
}

/** The dictionaries of all columns of codes. */
export function mapTexts(textsOf: (name: TextColumnName) => readonly string[]): PriceTexts {
  return Object.fromEntries(textColumnNames.map((name) => [priceColumns[name].texts, textsOf(name)])) as PriceTexts;
}

/** Returns how many array elements of a column belong to one row. */
export function elementsPerRow(name: PriceColumnName): number {
  return priceColumns[name].kind === "uuid" ? wordsPerUuid : 1;
}

/** @returns Columns of zeros for `rowCount` prices, in memory that all threads see: 70 bytes each. */
export function sharedPriceRows(rowCount: number): PriceRows<SharedArrayBuffer> {
  return mapColumns(priceColumnNames, (name) =>
    sharedColumn(priceColumns[name].type, rowCount * elementsPerRow(name)),
  ) as PriceRows<SharedArrayBuffer>;
}

/**
 * Removes rows from a table: those that stay move up in their columns.
 *
 * @param removed Ascending.
 * @returns Views of the columns. Cost: a move of each stretch of rows that stays; nothing where none is removed.
 */
export function removeRows<Memory extends ArrayBufferLike>(
  rows: PriceRows<Memory>,
  rowCount: number,
  removed: readonly number[],
): PriceRows<Memory> {
  return mapColumns(priceColumnNames, (name) => {
    const column = rows[name];
    const width = elementsPerRow(name);
    removed.forEach((row, at) => {
      const end = removed[at + 1] ?? rowCount;
      // Neighbours that go leave nothing between them: of a long file appended again, millions.
      if (end > row + 1) column.copyWithin((row - at) * width, (row + 1) * width, end * width);
    });
    return column.subarray(0, (rowCount - removed.length) * width);
  }) as PriceRows<Memory>;
}

/** The row that one which has stayed was before others were removed. @param removed Ascending. */
export function rowBefore(removed: readonly number[], row: number): number {
  return row + firstNotBefore(0, removed.length, (at) => (removed[at] as number) - at <= row);
}
