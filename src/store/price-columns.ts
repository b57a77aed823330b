import type { PriceTable } from "../domain/dataset.ts";
import {
  elementsPerRow,
  mapColumns,
  type NumberColumnName,
  numberColumnNames,
  type PriceColumnName,
  priceColumns,
  type TextColumnName,
  textColumnNames,
} from "../domain/price-columns.ts";
import { sharedFloat64, sharedUint32 } from "../domain/shared-columns.ts";
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
 * @param order Position in the dataset's table by row.
 * Cost: one or two passes over the rows for each column.
 */
export function gatherPriceColumns(
  table: UnsortedPrices,
  order: Uint32Array,
  productOffsets: Uint32Array<SharedArrayBuffer>,
  codes: TableCodes,
): PriceColumns {
  const texts = mapColumns(textColumnNames, (name) => gatherTexts(table[name], order, table[priceColumns[name].texts]));
  return {
    rowCount: order.length,
    productOffsets,
    uuids: gatherUuids(table.uuids, order),
    products: gatherCodes(table.products, order, codes.products),
    markets: gatherCodes(table.markets, order, codes.markets),
    ...mapColumns(numberColumnNames, (name) => gatherNumbers(table[name], order)),
    ...mapColumns(textColumnNames, (name) => texts[name].column),
    unitNames: texts.units.texts,
    currencyCodes: texts.currencies.texts,
    sourceNames: texts.sources.texts,
    gradeNames: texts.grades.texts,
    noteTexts: shareTexts(texts.notes.texts),
  };
}

function gatherUuids(uuids: Uint32Array, order: Uint32Array): Uint32Array<SharedArrayBuffer> {
  const words = elementsPerRow("uuids");
  const column = sharedUint32(order.length * words);
  for (let row = 0, to = 0; row < order.length; row++) {
    const from = order[row]! * words;
    for (let word = 0; word < words; word++) column[to++] = uuids[from + word]!;
  }
  return column;
}

function gatherNumbers(numbers: Float64Array, order: Uint32Array): Float64Array<SharedArrayBuffer> {
  const column = sharedFloat64(order.length);
  for (let row = 0; row < order.length; row++) column[row] = numbers[order[row]!]!;
  return column;
}

function gatherCodes(positions: Uint32Array, order: Uint32Array, codes: Uint32Array): CodeColumn {
  const column = codeColumn(order.length, codes.length);
  for (let row = 0; row < order.length; row++) column[row] = codes[positions[order[row]!]!]!;
  return column;
}
