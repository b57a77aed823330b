/** Compares rows of two tables of prices, whose records and texts have other codes. */
import { type Dataset, shortDictionarySizeMax } from "../../engine/model/dataset.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import {
  mapColumns,
  type PriceColumnName,
  priceColumnNames,
  priceColumns,
  type TextColumnName,
  textColumnNames,
} from "../../engine/model/price-columns.ts";
import { missingCode } from "../../engine/model/shared-columns.ts";
import type { CodeColumn } from "../../engine/store/columns.ts";
import { textOf } from "../../engine/store/shared-texts.ts";
import type { Store } from "../../engine/store/store.ts";

/** Texts by code. */
interface TextList {
  readonly length: number;
  at(code: number): string | undefined;
}

/** Columns of prices, and what their codes stand for. */
export interface ComparedPrices {
  readonly columns: Readonly<Record<PriceColumnName, CodeColumn | Float64Array>>;
  readonly texts: Readonly<Record<TextColumnName, TextList>>;
  /** By code. */
  readonly products: readonly Uuid[];
  readonly markets: readonly Uuid[];
}

/** The times at which a price was entered and last changed: they change nothing of what it says of the market. */
export const timestampColumns: readonly PriceColumnName[] = ["createdAt", "updatedAt"];

/** The prices of a store, to be compared. */
export function pricesOfStore({ prices, catalogue }: Store): ComparedPrices {
  const { noteTexts } = prices;
  const notes = { length: noteTexts.offsets.length - 1, at: (code: number) => textOf(noteTexts, code) };
  return {
    columns: prices,
    texts: mapColumns(textColumnNames, (name) => (name === "notes" ? notes : prices[priceColumns[name].texts])),
    products: catalogue.products.map(({ record }) => record.uuid),
    markets: catalogue.markets.map(({ record }) => record.uuid),
  };
}

/** The prices of checked records, to be compared. */
export function pricesOfRecords({ prices, products, markets }: Omit<Dataset, "snapshot">): ComparedPrices {
  return {
    columns: prices,
    texts: mapColumns(textColumnNames, (name) => prices[priceColumns[name].texts]),
    products: products.map(({ uuid }) => uuid),
    markets: markets.map(({ uuid }) => uuid),
  };
}

/**
 * Makes a test whether a row of one table and a row of another agree in every field but the uuid.
 *
 * @param without Columns that may differ.
 * Cost: memory for the short dictionaries; no object per price.
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
): (rowA: number, rowB: number) => boolean {
  const [columnA, columnB] = [a.columns[name], b.columns[name]];
  const { kind } = priceColumns[name];
  if (kind === "number" || kind === "instant" || kind === "uuid")
    return (rowA, rowB) => columnA[rowA] === columnB[rowB];
  const valuesOf = (prices: ComparedPrices): TextList => {
    if (kind === "text") return prices.texts[name as TextColumnName];
    return kind === "product" ? prices.products : prices.markets;
  };
  const [valuesA, valuesB] = [valuesOf(a), valuesOf(b)];
  const [missingA, missingB] = [missingCode(columnA), missingCode(columnB)];
  if (valuesA.length > shortDictionarySizeMax || valuesB.length > shortDictionarySizeMax) {
    // Millions of notes: comparing two texts costs less than a map of all of them.
    return (rowA, rowB) => {
      const [codeA, codeB] = [columnA[rowA] as number, columnB[rowB] as number];
      if (codeA === missingA || codeB === missingB) return codeA === missingA && codeB === missingB;
      return valuesA.at(codeA) === valuesB.at(codeB);
    };
  }
  const codes = new Map(Array.from({ length: valuesB.length }, (_, code) => [valuesB.at(code), code]));
  const remapped = Int32Array.from({ length: valuesA.length }, (_, code) => codes.get(valuesA.at(code)) ?? absent);
  return (rowA, rowB) => {
    const code = columnA[rowA] as number;
    return (code === missingA ? missingB : remapped[code]) === columnB[rowB];
  };
}

/** In a remapped code: the other table has no such record or text. Equal to no code and to no `missingCode`. */
export const absent = -1;

/** For each product and market code of one store, the code of the same uuid in another, or `absent`. */
export function remapCatalogue(
  { catalogue: from }: Store,
  { catalogue: to }: Store,
): { readonly products: Int32Array; readonly markets: Int32Array } {
  return {
    products: Int32Array.from(from.products, ({ record }) => to.productCodes.get(record.uuid) ?? absent),
    markets: Int32Array.from(from.markets, ({ record }) => to.marketCodes.get(record.uuid) ?? absent),
  };
}
