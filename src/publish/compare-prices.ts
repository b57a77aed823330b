/** Compares rows of two tables of prices, whose records and texts have other codes. */
import type { Dataset } from "../domain/dataset.ts";
import type { Uuid } from "../domain/ids.ts";
import {
  mapColumns,
  type PriceColumnName,
  type PriceTexts,
  priceColumnNames,
  priceColumns,
  type TextColumnName,
  textColumnNames,
} from "../domain/price-columns.ts";
import { missingCode } from "../domain/shared-columns.ts";
import type { CodeColumn } from "../store/columns.ts";
import { listTexts } from "../store/shared-texts.ts";
import type { Store } from "../store/store.ts";

/** Columns of prices, and what their codes stand for. */
export interface ComparedPrices {
  readonly columns: Readonly<Record<PriceColumnName, CodeColumn | Float64Array>>;
  readonly texts: Readonly<Record<TextColumnName, readonly string[]>>;
  /** By code. */
  readonly products: readonly Uuid[];
  readonly markets: readonly Uuid[];
}

/** When a price was entered and last changed: what it says of the market is the same whatever they are. */
export const timestampColumns: readonly PriceColumnName[] = ["createdAt", "updatedAt"];

/** The prices of a store, to be compared. Cost: makes a text of each note. */
export function pricesOfStore({ prices, catalogue }: Store): ComparedPrices {
  const { noteTexts, ...names } = prices;
  return {
    columns: prices,
    texts: textsByColumn({ ...names, noteTexts: listTexts(noteTexts) }),
    products: catalogue.products.map(({ record }) => record.uuid),
    markets: catalogue.markets.map(({ record }) => record.uuid),
  };
}

/** The prices of checked records, to be compared. */
export function pricesOfRecords({ prices, products, markets }: Omit<Dataset, "snapshot">): ComparedPrices {
  return {
    columns: prices,
    texts: textsByColumn(prices),
    products: products.map(({ uuid }) => uuid),
    markets: markets.map(({ uuid }) => uuid),
  };
}

function textsByColumn(texts: PriceTexts): ComparedPrices["texts"] {
  return mapColumns(textColumnNames, (name) => texts[priceColumns[name].texts]);
}

/**
 * Makes a test whether a row of one table and a row of another agree in every field but the uuid.
 *
 * @param without Columns that may differ.
 */
export function rowComparison(
  a: ComparedPrices,
  b: ComparedPrices,
  without: readonly PriceColumnName[] = [],
): (rowA: number, rowB: number) => boolean {
  const compared = priceColumnNames.filter((name) => name !== "uuids" && !without.includes(name));
  const tests = compared.map((name) => columnComparison(a, b, name));
  return (rowA, rowB) => tests.every((isSame) => isSame(rowA, rowB));
}

function columnComparison(
  a: ComparedPrices,
  b: ComparedPrices,
  name: PriceColumnName,
): (a: number, b: number) => boolean {
  const [columnA, columnB] = [a.columns[name], b.columns[name]];
  const { kind } = priceColumns[name];
  if (kind === "number" || kind === "instant" || kind === "uuid")
    return (rowA, rowB) => columnA[rowA] === columnB[rowB];
  const valuesOf = (prices: ComparedPrices): readonly string[] => {
    if (kind === "text") return prices.texts[name as TextColumnName];
    return kind === "product" ? prices.products : prices.markets;
  };
  const codes = new Map(valuesOf(b).map((value, code) => [value, code]));
  const remapped = Int32Array.from(valuesOf(a), (value) => codes.get(value) ?? absent);
  const [missing, otherMissing] = [missingCode(columnA), missingCode(columnB)];
  return (rowA, rowB) => {
    const code = columnA[rowA] as number;
    return (code === missing ? otherMissing : remapped[code]) === columnB[rowB];
  };
}

/** In a remapped code: the other table has no such record or text. Equal to no code and to no `missingCode`. */
const absent = -1;
