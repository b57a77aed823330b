import { noNotes, noQualityGrade, type PriceTable } from "../domain/dataset.ts";
import { sharedFloat64, sharedUint32 } from "../domain/shared-columns.ts";
import { wordsPerUuid } from "../domain/uuid-words.ts";
import { type CodeColumn, codeColumn, missingCode } from "./code-column.ts";
import { type CodedTexts, numberByFirstRow } from "./coded-texts.ts";
import { type PriceColumns, productColumn } from "./price-columns.ts";
import { shareTexts, textOf } from "./shared-texts.ts";

/** Where the rows of a store and of the prices added to it come to stand. */
export interface MergedRows {
  readonly rowCount: number;
  readonly productOffsets: Uint32Array<SharedArrayBuffer>;
  /** New row by old row; `goneRow` for those that are replaced. */
  readonly ofOld: Uint32Array;
  /** New row by position in the table of added prices. */
  readonly ofAdded: Uint32Array;
}

/** Stands for a row that no longer exists. */
export const goneRow = 0xffff_ffff;

/**
 * The columns of a store with those of added prices, as `gatherPriceColumns` makes them of all prices together.
 *
 * @param added Markets by their codes in the store.
 * Cost: a pass over the rows for each column, in their order.
 */
export function mergePriceColumns(old: PriceColumns, added: PriceTable, rows: MergedRows): PriceColumns {
  const units = mergeTexts(old.units, old.unitNames, added.units, added.unitNames, rows);
  const currencies = mergeTexts(old.currencies, old.currencyCodes, added.currencies, added.currencyCodes, rows);
  const sources = mergeTexts(old.sources, old.sourceNames, added.sources, added.sourceNames, rows);
  const grades = mergeTexts(old.grades, old.gradeNames, added.grades, added.gradeNames, rows, noQualityGrade);
  const noteCount = old.noteTexts.offsets.length - 1;
  const oldNotes: TextList = { length: noteCount, at: (code) => textOf(old.noteTexts, code) };
  const notes = mergeTexts(old.notes, oldNotes, added.notes, added.noteTexts, rows, noNotes);
  return {
    rowCount: rows.rowCount,
    productOffsets: rows.productOffsets,
    uuids: mergeUuids(old.uuids, added.uuids, rows),
    products: productColumn(rows.productOffsets, rows.rowCount),
    markets: mergeMarkets(old.markets, added.markets, rows),
    prices: mergeNumbers(old.prices, added.prices, rows),
    recordedAt: mergeNumbers(old.recordedAt, added.recordedAt, rows),
    createdAt: mergeNumbers(old.createdAt, added.createdAt, rows),
    updatedAt: mergeNumbers(old.updatedAt, added.updatedAt, rows),
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

function mergeUuids(old: Uint32Array, added: Uint32Array, { rowCount, ofOld, ofAdded }: MergedRows) {
  const column = sharedUint32(rowCount * wordsPerUuid);
  copyUuids(old, ofOld, column);
  copyUuids(added, ofAdded, column);
  return column;
}

function copyUuids(uuids: Uint32Array, rows: Uint32Array, column: Uint32Array): void {
  for (let from = 0; from < rows.length; from++) {
    const row = rows[from]!;
    if (row === goneRow) continue;
    const at = from * wordsPerUuid;
    const to = row * wordsPerUuid;
    column[to] = uuids[at]!;
    column[to + 1] = uuids[at + 1]!;
    column[to + 2] = uuids[at + 2]!;
    column[to + 3] = uuids[at + 3]!;
  }
}

function mergeNumbers(old: Float64Array, added: Float64Array, { rowCount, ofOld, ofAdded }: MergedRows) {
  const column = sharedFloat64(rowCount);
  for (let from = 0; from < ofOld.length; from++) {
    const row = ofOld[from]!;
    if (row !== goneRow) column[row] = old[from]!;
  }
  for (let from = 0; from < ofAdded.length; from++) column[ofAdded[from]!] = added[from]!;
  return column;
}

function mergeMarkets(old: CodeColumn, added: Uint32Array, { rowCount, ofOld, ofAdded }: MergedRows): CodeColumn {
  // The markets are the same, so the column is as wide as it was.
  const column = codeColumn(rowCount, missingCode(old));
  for (let from = 0; from < ofOld.length; from++) {
    const row = ofOld[from]!;
    if (row !== goneRow) column[row] = old[from]!;
  }
  for (let from = 0; from < ofAdded.length; from++) column[ofAdded[from]!] = added[from]!;
  return column;
}

/** What is asked of a list of texts, also of one in shared memory. */
interface TextList {
  readonly length: number;
  at(code: number): string | undefined;
}

/** @param missing Code that means "nothing" in the table of added prices; none when absent. */
function mergeTexts(
  old: CodeColumn,
  oldTexts: TextList,
  added: Uint16Array | Uint32Array,
  addedTexts: readonly string[],
  { rowCount, ofOld, ofAdded }: MergedRows,
  missing = -1,
): CodedTexts {
  const nothing = goneRow;
  const oldNothing = missing === -1 ? -1 : missingCode(old);
  const codes = new Uint32Array(rowCount);
  for (let from = 0; from < ofOld.length; from++) {
    const row = ofOld[from]!;
    if (row !== goneRow) codes[row] = old[from] === oldNothing ? nothing : old[from]!;
  }
  const codesOfAdded = codesBehind(oldTexts, addedTexts);
  for (let from = 0; from < ofAdded.length; from++) {
    const code = added[from]!;
    codes[ofAdded[from]!] = code === missing ? nothing : codesOfAdded[code]!;
  }
  const textAt = (code: number): string =>
    (code < oldTexts.length ? oldTexts.at(code) : addedTexts[code - oldTexts.length])!;
  return numberByFirstRow(codes, oldTexts.length + addedTexts.length, textAt, nothing);
}

/** Codes for added texts: the old one of a text that was there, else one behind the old ones. */
function codesBehind(oldTexts: TextList, addedTexts: readonly string[]): Uint32Array {
  const codes = Uint32Array.from(addedTexts, (_, at) => oldTexts.length + at);
  const positions = new Map(addedTexts.map((text, at) => [text, at]));
  for (let code = 0; code < oldTexts.length; code++) {
    const position = positions.get(oldTexts.at(code)!);
    if (position !== undefined) codes[position] = code;
  }
  return codes;
}
