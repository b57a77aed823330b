/** Moves the columns of a dataset to the rows of a store. */

import { wordsPerUuid } from "../model/ids.ts";
import { mapColumns, mapTexts, numberColumnNames, priceColumns, textColumnNames } from "../model/price-columns.ts";
import { missingCode, sharedFloat64, sharedUint32 } from "../model/shared-columns.ts";
import { type CodeColumn, codeColumn, lowerBound, type PriceColumns, type UnsortedPrices } from "./columns.ts";
import { shareTexts } from "./shared-texts.ts";

/** Codes of the store by position in a dataset's tables. */
export interface TableCodes {
  readonly products: Uint32Array;
  readonly markets: Uint32Array;
}

/**
 * Copies the columns of a dataset into the store's order. Text codes are renumbered by first row, so that equal
 * prices give equal columns, whatever way they came.
 *
 * @param rowOf Row by position in the dataset's table.
 * Cost: a pass over the table for each column, in its own order: writing to as many targets as there are runs is
 * several times faster than reading from all over the table.
 */
export function gatherPriceColumns(table: UnsortedPrices, rowOf: Uint32Array, codes: TableCodes): PriceColumns {
  const products = gatherCodes(table.products, rowOf, codes.products);
  const productOffsets = sharedUint32(codes.products.length + 1);
  for (let product = 0; product < codes.products.length; product++) {
    productOffsets[product + 1] = lowerBound(products, null, product + 1, productOffsets[product]!, table.rowCount);
  }
  const texts = mapColumns(textColumnNames, (name) => gatherTexts(table[name], rowOf, table[priceColumns[name].texts]));
  return {
    rowCount: table.rowCount,
    productOffsets,
    uuids: gatherUuids(table.uuids, rowOf),
    products,
    markets: gatherCodes(table.markets, rowOf, codes.markets),
    ...mapColumns(numberColumnNames, (name) => gatherNumbers(table[name], rowOf)),
    ...mapColumns(textColumnNames, (name) => texts[name].column),
    ...mapTexts((name) => texts[name].texts),
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

/** A column of codes and the texts they stand for. */
export interface CodedTexts {
  /** `missingCode` of the column where there is nothing. */
  readonly column: CodeColumn;
  /** By code. Each is used, and all are different. */
  readonly texts: readonly string[];
}

/**
 * Moves a column of text codes to its rows and numbers the texts by the first row that has them. Equal rows so give
 * equal codes, whatever codes they had before, and texts that no row has are left out.
 *
 * @param codes Codes of `texts`, or `missingCode` of the array; by position.
 * @param rowOf Row by position.
 * Cost: three passes over the rows.
 */
export function gatherTexts(
  codes: Uint16Array | Uint32Array,
  rowOf: Uint32Array,
  texts: readonly string[],
): CodedTexts {
  const missing = missingCode(codes);
  const moved = codes instanceof Uint16Array ? new Uint16Array(codes.length) : new Uint32Array(codes.length);
  for (let position = 0; position < codes.length; position++) moved[rowOf[position]!] = codes[position]!;
  const unnumbered = 0xffff_ffff;
  const numbers = new Uint32Array(texts.length).fill(unnumbered);
  const used: string[] = [];
  for (let row = 0; row < moved.length; row++) {
    const code = moved[row]!;
    if (code === missing || numbers[code] !== unnumbered) continue;
    numbers[code] = used.length;
    used.push(texts[code]!);
  }
  const column = codeColumn(moved.length, used.length);
  const missingOut = missingCode(column);
  for (let row = 0; row < moved.length; row++) {
    const code = moved[row]!;
    column[row] = code === missing ? missingOut : numbers[code]!;
  }
  return { column, texts: used };
}
