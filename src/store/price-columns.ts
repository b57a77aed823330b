import type { PriceTable } from "../domain/dataset.ts";
import {
  mapColumns,
  type NumberColumnName,
  numberColumnNames,
  type PriceColumnName,
  priceColumns,
  type TextColumnName,
  textColumnNames,
} from "../domain/price-columns.ts";
import { sharedFloat64, sharedUint32 } from "../domain/shared-columns.ts";
import { wordsPerUuid } from "../domain/uuid-words.ts";
import { type CodeColumn, codeColumn, gatherTexts, type SharedTexts, shareTexts } from "./code-column.ts";

/**
 * The price table as typed arrays, sorted by product code, then market code, then in answer order (newest first, equal times
 * by uuid): the prices of one product at one market are a run of rows, and so are those of one product in a county.
 */
export interface PriceColumns
  extends Readonly<Record<Exclude<PriceColumnName, NumberColumnName | "uuids">, CodeColumn>>,
    Readonly<Record<NumberColumnName, Float64Array<SharedArrayBuffer>>> {
  readonly rowCount: number;
  /** The rows of product p are `productOffsets[p]` to `productOffsets[p + 1] - 1`. */
  readonly productOffsets: Uint32Array<SharedArrayBuffer>;
  /** Four words a row, see domain/uuid-words.ts. */
  readonly uuids: Uint32Array<SharedArrayBuffer>;
  readonly unitNames: readonly string[];
  readonly currencyCodes: readonly string[];
  readonly sourceNames: readonly string[];
  readonly gradeNames: readonly string[];
  readonly noteTexts: SharedTexts;
}

/** Prices to be sorted: a dataset's, or a store's and a day's, whose texts may be more than 16 bits tell apart. */
export interface UnsortedPrices
  extends Omit<PriceTable, TextColumnName>,
    Readonly<Record<TextColumnName, Uint16Array | Uint32Array>> {}

/** Codes of the store by position in a dataset's tables. */
export interface TableCodes {
  readonly products: Uint32Array;
  readonly markets: Uint32Array;
}

/**
 * Copies the columns of a dataset into the store's order. Text codes are numbered anew by first row, so that equal prices
 * give equal columns, whatever way they came.
 *
 * @param rowOf Row by position in the dataset's table.
 * Cost: a pass over the table for each column, in its own order: writing to as many places as there are series is several times
 * faster than reading from all over the table.
 */
export function gatherPriceColumns(
  table: UnsortedPrices,
  rowOf: Uint32Array,
  productOffsets: Uint32Array<SharedArrayBuffer>,
  codes: TableCodes,
): PriceColumns {
  const texts = mapColumns(textColumnNames, (name) => gatherTexts(table[name], rowOf, table[priceColumns[name].texts]));
  return {
    rowCount: table.rowCount,
    productOffsets,
    uuids: gatherUuids(table.uuids, rowOf),
    products: gatherCodes(table.products, rowOf, codes.products),
    markets: gatherCodes(table.markets, rowOf, codes.markets),
    ...mapColumns(numberColumnNames, (name) => gatherNumbers(table[name], rowOf)),
    ...mapColumns(textColumnNames, (name) => texts[name].column),
    unitNames: texts.units.texts,
    currencyCodes: texts.currencies.texts,
    sourceNames: texts.sources.texts,
    gradeNames: texts.grades.texts,
    noteTexts: shareTexts(texts.notes.texts),
  };
}

function gatherUuids(uuids: Uint32Array, rowOf: Uint32Array): Uint32Array<SharedArrayBuffer> {
  const column = sharedUint32(uuids.length);
  for (let position = 0, from = 0; position < rowOf.length; position++) {
    const to = rowOf[position]! * wordsPerUuid;
    for (let word = 0; word < wordsPerUuid; word++) column[to + word] = uuids[from++]!;
  }
  return column;
}

function gatherNumbers(numbers: Float64Array, rowOf: Uint32Array): Float64Array<SharedArrayBuffer> {
  const column = sharedFloat64(rowOf.length);
  for (let position = 0; position < rowOf.length; position++) column[rowOf[position]!] = numbers[position]!;
  return column;
}

function gatherCodes(positions: Uint32Array, rowOf: Uint32Array, codes: Uint32Array): CodeColumn {
  const column = codeColumn(rowOf.length, codes.length);
  for (let position = 0; position < rowOf.length; position++) column[rowOf[position]!] = codes[positions[position]!]!;
  return column;
}
