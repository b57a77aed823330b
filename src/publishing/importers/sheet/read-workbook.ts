/** An Excel workbook (.xlsx) → tables, one a sheet. */
import { type CellStyle, type Cell as DetailedCell, readXlsx, type Sheet } from "hucre/xlsx";
import { foundText } from "../../../engine/snapshots/problem.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { type Cell, isMerged, type MergedCell, significantDigits, textCell } from "./cells.ts";
import { entryTexts, wantedFile } from "./file-kind.ts";
import { columnLetters, columnsMax, type ParsedTable, type SerialEpoch, SerializedRows } from "./sheet-table.ts";
import { excelRowsMax, type ShownTexts, textsOfFormat } from "./shown-numbers.ts";

/**
 * Reads the sheets of a workbook. Formulas are not calculated: a cell has the value that was saved with it.
 *
 * Cost: without a limit; see parse-tables.ts.
 * @param file Its name, for messages.
 * @param sheet The name of the sheet to read; without it all that are not hidden.
 * @returns At least one table.
 * @throws {ImportRefusedError} when it is no workbook, is too large, or lacks the sheet.
 */
export async function readWorkbook(file: string, bytes: Buffer, sheet?: string): Promise<readonly ParsedTable[]> {
  const names: string[] = [];
  const unread: string[] = [];
  const workbook = await readXlsx(bytes, {
    // One column more than is kept shows that there are more.
    range: `A1:${columnLetters(columnsMax)}${excelRowsMax}`,
    sheets: ({ name, hidden, veryHidden }) => {
      const isHidden = hidden === true || veryHidden === true;
      const isRead = sheet === undefined ? !isHidden : name === sheet;
      names.push(name);
      if (!isRead) unread.push(`${isHidden ? "hidden sheet" : "sheet"} ${foundText(name)}`);
      return isRead;
    },
  }).catch((error: unknown) => {
    // Whatever a parser stumbles over in a file of other people is a fault of the file.
    const reason = error instanceof Error ? error.message : String(error);
    const found = `a ZIP archive that is no workbook (.xlsx), or a damaged one (${reason})`;
    throw new ImportRefusedError(`${file}: found ${found}, expected ${wantedFile}`, { cause: error });
  });
  if (workbook.sheets.length === 0) {
    const wanted = sheet === undefined ? "a sheet that is not hidden" : `a sheet ${foundText(sheet)}`;
    throw new ImportRefusedError(`${file}: has the sheets ${names.map(foundText).join(", ")}, expected ${wanted}`);
  }
  const hasMarks = entryTexts(bytes, /styles\.xml$/i).some((text) => /strike|vertAlign/.test(text ?? "strike"));
  if (entryTexts(bytes, /worksheets\/[^/]+\.xml$/i).some((text) => /<(?:\w+:)?rPh\b/.test(text ?? ""))) {
    // The parser appends it to the text of its cell.
    const found = "phonetic text in the cells of a sheet itself";
    throw new ImportRefusedError(`${file}: found ${found}, expected a workbook that a spreadsheet program saved again`);
  }
  const epoch: SerialEpoch = workbook.dateSystem === "1904" ? 1904 : 1900;
  return workbook.sheets.map((read) => {
    const called = names.length === 1 ? file : `${file} [${read.name}]`;
    const rows = new SerializedRows(called);
    const isCut = addRows(read, rows);
    const cut = isCut ? [`columns right of ${columnLetters(columnsMax - 1)}, the first ${columnsMax}`] : [];
    return { file: called, rows, epoch, sheet: read.name, unread: [...unread, ...cut], hasMarks, text: null };
  });
}

/**
 * Adds the rows of a sheet.
 *
 * Cells merged downwards show the value of the first one. The columns right of the first stay empty: there the value
 * would stand under another heading.
 *
 * @returns True if columns right of `columnsMax` have values, which are not added.
 */
function addRows({ rows, cells: details, merges = [] }: Sheet, table: SerializedRows): boolean {
  const count = countRows(rows, details);
  const starting = Map.groupBy(merges, ({ startRow }) => startRow);
  let isCut = false;
  let open: { readonly column: number; readonly endRow: number; readonly cell: MergedCell }[] = [];
  for (let row = 0; row < count; row++) {
    const values = rows[row] ?? [];
    if ((values[columnsMax] ?? null) !== null) isCut = true;
    const cells = values.slice(0, columnsMax).map((value, column) => toCell(value, details?.get(`${row},${column}`)));
    open = open.filter(({ endRow }) => endRow >= row);
    for (const { column, cell } of open) cells[column] = cell;
    for (const { startCol: column, endRow } of starting.get(row) ?? []) {
      const first = cells[column] ?? null;
      if (first === null || isMerged(first)) continue;
      open.push({ column, endRow, cell: { merged: first } });
    }
    table.add({ line: row + 1, cells });
  }
  return isCut;
}

/** Rows up to the last with a value or formula. Below it a sheet may be formatted to its end without any content. */
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
  if (typeof value !== "string") return value;
  const runs = details?.richText;
  const struck = runs?.find(({ font, text }) => font?.strikethrough === true && text.trim() !== "");
  if (struck !== undefined)
    return { unusable: `${foundText(value)}, of which ${foundText(struck.text)} is struck through` };
  return textCell(runs === undefined ? value : runs.map(shownRun).join(""));
}

/** The text of a run, with raised and lowered digits as such: they are no digits of a number. */
function shownRun({ text, font }: NonNullable<DetailedCell["richText"]>[number]): string {
  const digits = font?.vertAlign === "superscript" ? "⁰¹²³⁴⁵⁶⁷⁸⁹" : "₀₁₂₃₄₅₆₇₈₉";
  return font?.vertAlign === undefined ? text : text.replace(/\d/g, (digit) => digits.charAt(Number(digit)));
}

/** What the font of a whole cell makes of it, ready to follow its value. */
function markOf(font: CellStyle["font"]): string | undefined {
  return font?.strikethrough === true ? "struck through" : font?.vertAlign && `in ${font.vertAlign}`;
}

/**
 * Reads what number formats show. The parser describes each cell that it is asked the format of, which takes more
 * memory than all values, so formats are read apart from values, a range at a time.
 *
 * Cost: without a limit; the time to parse the workbook once for each range.
 * @param sheets Names of the sheets. @returns In their order.
 */
export async function readShownTexts(
  bytes: Buffer,
  sheets: readonly string[],
  ranges: readonly string[],
): Promise<readonly ShownTexts[]> {
  const shown = sheets.map((): ShownTexts[number][] => []);
  for (const range of ranges) {
    const workbook = await readXlsx(bytes, { range, readStyles: true, sheets: [...sheets] });
    for (const { name, cells = new Map() } of workbook.sheets) {
      for (const [position, { value, style }] of cells) {
        const mark = markOf(style?.font);
        const isFormatted = typeof value === "number" && style?.numFmt !== undefined;
        const texts = isFormatted ? textsOfFormat(style.numFmt as string, value) : { before: "", after: "" };
        const isShown = [mark ?? texts.mark, texts.before, texts.after].some(Boolean);
        if (isShown) shown[sheets.indexOf(name)]?.push([position, mark === undefined ? texts : { mark }]);
      }
    }
  }
  return shown;
}
