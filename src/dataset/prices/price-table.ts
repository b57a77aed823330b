/** From rows that several readers have filled to a price table: without deleted rows, with one dictionary for each column. */
import type { PriceTable } from "../../domain/dataset.ts";
import { Dictionary } from "../../domain/dictionary.ts";
import {
  elementsPerRow,
  firstRows,
  type PriceRows,
  type PriceTexts,
  priceColumnNames,
  priceColumns,
  textColumnNames,
} from "../../domain/price-columns.ts";
import { missingCode } from "../../domain/shared-columns.ts";
import type { ColumnTexts } from "./block-reader.ts";

/** Rows of one block. */
export interface RowRun {
  readonly rowFirst: number;
  readonly rows: number;
  /** What the codes in these rows stand for; the runs of one reader share one. */
  readonly texts: ColumnTexts;
}

/** Rows that are left. */
export interface KeptRows {
  readonly rowCount: number;
  readonly rows: PriceRows<SharedArrayBuffer>;
  readonly runs: readonly RowRun[];
  /** Which row each of them was before; undefined where none was deleted. */
  readonly rowsBefore: Uint32Array | undefined;
}

/** A column has more different texts than its codes can tell apart. */
export class DictionaryFullError extends RangeError {
  /** Where the text stands that has no place. */
  readonly row: number;

  constructor(message: string, row: number) {
    super(message);
    this.row = row;
  }
}

/**
 * Moves the rows that stay to the front of their columns, in order.
 *
 * @param isDeleted A byte for each row.
 * @param deletedCount How many of them are 1.
 */
export function withoutDeleted(
  rows: PriceRows<SharedArrayBuffer>,
  runs: readonly RowRun[],
  isDeleted: Uint8Array,
  deletedCount: number,
): KeptRows {
  const rowsRead = runs.reduce((sum, run) => sum + run.rows, 0);
  const rowCount = rowsRead - deletedCount;
  if (deletedCount === 0) return { rowCount, rows: firstRows(rows, rowCount), runs, rowsBefore: undefined };
  const rowsBefore = new Uint32Array(rowCount);
  let kept = 0;
  const keptRuns = runs.map(({ rowFirst, rows: count, texts }) => {
    const keptFirst = kept;
    for (let row = rowFirst; row < rowFirst + count; row++) {
      if (isDeleted[row] === 0) rowsBefore[kept++] = row;
    }
    return { rowFirst: keptFirst, rows: kept - keptFirst, texts };
  });
  for (const name of priceColumnNames) {
    const width = elementsPerRow(name);
    for (let row = 0; row < rowCount; row++) {
      const from = (rowsBefore[row] as number) * width;
      rows[name].copyWithin(row * width, from, from + width);
    }
  }
  return { rowCount, rows: firstRows(rows, rowCount), runs: keptRuns, rowsBefore };
}

/**
 * Replaces the codes of readers, in place, by those of one dictionary a column, which count from 0 in order of first
 * appearance.
 *
 * @throws {DictionaryFullError}
 */
export function remapTexts({ rowCount, rows, runs }: KeptRows): PriceTable {
  const dictionaries = textColumnNames.map((name) => {
    const dictionary = new Dictionary(`${priceColumns[name].called} of prices`, missingCode(rows[name]));
    const codes = new Map<ColumnTexts, Int32Array>();
    for (const { rowFirst, rows: count, texts } of runs) {
      const known = codes.get(texts) ?? new Int32Array(texts[name].length).fill(-1);
      codes.set(texts, known);
      remapRun(rows[name], rowFirst, rowFirst + count, known, texts[name], dictionary);
    }
    return [priceColumns[name].texts, dictionary.texts];
  });
  return { rowCount, ...rows, ...(Object.fromEntries(dictionaries) as PriceTexts) };
}

/** @param codes By code of the reader; -1 where the dictionary has not been asked yet. */
function remapRun(
  column: Uint16Array | Uint32Array,
  rowFirst: number,
  rowEnd: number,
  codes: Int32Array,
  texts: readonly string[],
  dictionary: Dictionary,
): void {
  const missing = missingCode(column);
  for (let row = rowFirst; row < rowEnd; row++) {
    const own = column[row] as number;
    if (own === missing) continue;
    let code = codes[own] as number;
    if (code === -1) {
      try {
        code = dictionary.codeOf(texts[own] as string);
      } catch (error) {
        throw new DictionaryFullError((error as RangeError).message, row);
      }
      codes[own] = code;
    }
    column[row] = code;
  }
}
