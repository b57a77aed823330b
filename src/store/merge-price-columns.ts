import { noNotes, noQualityGrade, type PriceTable } from "../domain/dataset.ts";
import { sharedFloat64, sharedUint32 } from "../domain/shared-columns.ts";
import { wordsPerUuid } from "../domain/uuid-words.ts";
import { codeColumn, missingCode } from "./code-column.ts";
import { mergeTexts, type TextList } from "./merge-texts.ts";
import { copyRuns, type MergedRows } from "./merged-rows.ts";
import { type PriceColumns, productColumn } from "./price-columns.ts";
import { type SharedTexts, shareTexts, textOf } from "./shared-texts.ts";

/**
 * The columns of a store with those of added prices, as `gatherPriceColumns` makes them of all prices together.
 *
 * @param added Markets by their codes in the store.
 * Cost: a copy of each column, run by run.
 */
export function mergePriceColumns(old: PriceColumns, added: PriceTable, rows: MergedRows): PriceColumns {
  const units = mergeTexts(old.units, old.unitNames, added.units, added.unitNames, rows);
  const currencies = mergeTexts(old.currencies, old.currencyCodes, added.currencies, added.currencyCodes, rows);
  const sources = mergeTexts(old.sources, old.sourceNames, added.sources, added.sourceNames, rows);
  const grades = mergeTexts(old.grades, old.gradeNames, added.grades, added.gradeNames, rows, noQualityGrade);
  const oldNotes = listOf(old.noteTexts);
  const notes = mergeTexts(old.notes, oldNotes, added.notes, added.noteTexts, rows, noNotes);
  return {
    rowCount: rows.rowCount,
    productOffsets: rows.productOffsets,
    uuids: mergeUuids(old.uuids, added.uuids, rows),
    products: productColumn(rows.productOffsets, rows.rowCount),
    // The markets are the same, so the column is as wide as it was.
    markets: mergeNumbers(old.markets, added.markets, rows, codeColumn(rows.rowCount, missingCode(old.markets))),
    prices: mergeNumbers(old.prices, added.prices, rows, sharedFloat64(rows.rowCount)),
    recordedAt: mergeNumbers(old.recordedAt, added.recordedAt, rows, sharedFloat64(rows.rowCount)),
    createdAt: mergeNumbers(old.createdAt, added.createdAt, rows, sharedFloat64(rows.rowCount)),
    updatedAt: mergeNumbers(old.updatedAt, added.updatedAt, rows, sharedFloat64(rows.rowCount)),
    units: units.column,
    currencies: currencies.column,
    sources: sources.column,
    grades: grades.column,
    notes: notes.column,
    unitNames: units.texts,
    currencyCodes: currencies.texts,
    sourceNames: sources.texts,
    gradeNames: grades.texts,
    noteTexts: shareTexts(notes.texts),
  };
}

function listOf(texts: SharedTexts): TextList {
  return { length: texts.offsets.length - 1, at: (code) => textOf(texts, code) };
}

function mergeUuids(old: Uint32Array, added: Uint32Array, rows: MergedRows): Uint32Array<SharedArrayBuffer> {
  const column = sharedUint32(rows.rowCount * wordsPerUuid);
  copyRuns(old, rows, column, wordsPerUuid);
  for (let from = 0; from < rows.ofAdded.length; from++) {
    const at = from * wordsPerUuid;
    const to = rows.ofAdded[from]! * wordsPerUuid;
    for (let word = 0; word < wordsPerUuid; word++) column[to + word] = added[at + word]!;
  }
  return column;
}

type NumberColumn = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** @param column Takes the numbers; of the type of the old ones. */
function mergeNumbers<Merged extends NumberColumn>(
  old: Merged,
  added: NumberColumn,
  rows: MergedRows,
  column: Merged,
): Merged {
  copyRuns(old, rows, column);
  for (let from = 0; from < rows.ofAdded.length; from++) column[rows.ofAdded[from]!] = added[from]!;
  return column;
}
