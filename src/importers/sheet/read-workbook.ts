/** An Excel workbook (.xlsx) → tables, one a sheet. */
import { HucreError } from "hucre";
import { type Cell as DetailedCell, type MergeRange, readXlsx, type Sheet } from "hucre/xlsx";
import { foundText } from "../../dataset/problem.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { requireBoundedContent } from "./scan-workbook.ts";
import {
  type Cell,
  columnLetters,
  columnsMax,
  excelRowsMax,
  rowsMax,
  type SerialEpoch,
  type Table,
  type TableRow,
  textCell,
  unpackedBytesMax,
} from "./table.ts";
import { requireBoundedArchive } from "./zip-limits.ts";

/** Digits that Excel keeps and shows; the sixteenth and seventeenth of a double are noise of calculation. */
const significantDigits = 15;

/**
 * Reads the sheets of a workbook. Formulas are not calculated: a cell has the value that was saved with it.
 *
 * Cost: the workbook unpacked and parsed in memory, within the limits of table.ts.
 * @param file Its name, for messages.
 * @param sheet The name of the sheet to read; without it all that are not hidden.
 * @returns At least one table.
 * @throws {ImportRefusedError} when it is no workbook, is too large, or lacks the sheet.
 */
export async function readWorkbook(file: string, bytes: Buffer, sheet?: string): Promise<readonly Table[]> {
  await requireBoundedContent(file, bytes, requireBoundedArchive(file, bytes));
  const names: string[] = [];
  const workbook = await orRefused(file, () =>
    readXlsx(bytes, {
      range: `A1:${columnLetters(columnsMax - 1)}${excelRowsMax}`,
      sheets: ({ name, hidden, veryHidden }) => {
        names.push(name);
        return sheet === undefined ? !hidden && !veryHidden : name === sheet;
      },
    }),
  );
  if (workbook.sheets.length === 0) {
    const wanted = sheet === undefined ? "a sheet that is not hidden" : `a sheet ${foundText(sheet)}`;
    throw new ImportRefusedError(`${file}: has the sheets ${names.map(foundText).join(", ")}, expected ${wanted}`);
  }
  const epoch: SerialEpoch = workbook.dateSystem === "1904" ? 1904 : 1900;
  return workbook.sheets.map((read) => {
    const called = names.length === 1 ? file : `${file} [${read.name}]`;
    return { file: called, rows: rowsOf(called, read), epoch, sheet: read.name, text: null };
  });
}

async function orRefused<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof HucreError)) throw error;
    const wanted = `expected a workbook (.xlsx) that unpacks to at most ${unpackedBytesMax} bytes`;
    throw new ImportRefusedError(`${file}: cannot be read as a workbook: ${error.message}; ${wanted}`, {
      cause: error,
    });
  }
}

function rowsOf(file: string, { rows, cells, merges = [] }: Sheet): TableRow[] {
  const count = countRows(rows, cells);
  if (count > rowsMax) {
    throw new ImportRefusedError(`${file}: found ${count} rows, expected at most ${rowsMax}; import it in parts`);
  }
  const read = rows.slice(0, count).map((values, row) => ({
    line: row + 1,
    cells: values.map((value, column) => toCell(value, cells?.get(`${row},${column}`))),
  }));
  // As many as there are cells, unless they overlap, which no spreadsheet program lets them.
  const covered = merges.reduce(
    (sum, { startRow, endRow }) => sum + Math.max(0, Math.min(endRow, count) - startRow),
    0,
  );
  if (covered > count * columnsMax) {
    throw new ImportRefusedError(`${file}: found merged cells that overlap, expected a workbook as programs save it`);
  }
  for (const range of merges) showMerged(read, range);
  return read;
}

/** Rows up to the last one with a value or formula. Below it a sheet may be formatted to its end, without anything in it. */
function countRows(rows: Sheet["rows"], cells: Sheet["cells"]): number {
  let count = rows.findLastIndex((values) => values.some((value) => value !== null)) + 1;
  for (const [position, { formula }] of cells ?? []) {
    if (formula !== undefined) count = Math.max(count, Number(position.split(",", 1)[0]) + 1);
  }
  return count;
}

function toCell(value: Sheet["rows"][number][number], details: DetailedCell | undefined): Cell {
  if (details?.type === "error") return { unusable: `the error ${String(value)}` };
  if (value === null) {
    return details?.formula === undefined ? null : { unusable: "a formula that was saved without its value" };
  }
  if (value instanceof Date) return { clock: value.getTime() };
  if (typeof value === "number") return Number(value.toPrecision(significantDigits));
  return typeof value === "string" ? textCell(value) : value;
}

/**
 * Gives the value of merged cells to the rows below their first. The columns right of the first stay empty: there the value
 * would stand under another heading.
 */
function showMerged(rows: readonly { readonly cells: Cell[] }[], range: MergeRange): void {
  const column = range.startCol;
  const first = rows[range.startRow]?.cells[column] ?? null;
  if (first === null || (typeof first === "object" && "merged" in first)) return;
  for (const { cells } of rows.slice(range.startRow + 1, range.endRow + 1)) cells[column] = { merged: first };
}
