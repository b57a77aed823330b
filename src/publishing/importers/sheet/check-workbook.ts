/** A table and what is wrong with it → a workbook in which a person repairs it, and which an import reads. */

import { type WriteSheet, writeXlsx } from "hucre/xlsx";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { faultText, type Problem } from "../../../engine/snapshots/problem.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { type Cell, cellText, isMerged, unmerged } from "./cells.ts";
import { type Columns, fieldName } from "./header-rows.ts";
import { fields } from "./headings.ts";
import type { Mapping } from "./mapping.ts";
import type { Table, TableRow } from "./sheet-table.ts";

/** The heading of the last column, which an import passes over, begins so. */
const checkHeading = "what is wrong";

/** Most rows of a workbook that is written, which takes some memory for each cell. */
const checkRowsMax = 50_000;

type WrittenCell = NonNullable<WriteSheet["cells"]> extends Map<string, infer T> ? T : never;
type MergeRange = NonNullable<WriteSheet["merges"]>[number];

const wrongFill = { type: "pattern", pattern: "solid", fgColor: { rgb: "FFFFC7CE" } } as const;

/** A table in which the column of an earlier check is empty. */
export function withoutCheck(table: Table, { header_row }: Pick<Mapping, "header_row">): Table {
  const header = Iterator.from(table.rows).find(({ line }) => line === header_row);
  const column = header?.cells.findIndex((cell) => /^what is wrong(?:: |$)/.test(cellText(cell) ?? "")) ?? -1;
  if (column === -1) return table;
  const withoutText = ({ line, cells }: TableRow): TableRow => {
    return { line, cells: cells.map((cell, at) => (at === column ? null : cell)) };
  };
  return { ...table, rows: { [Symbol.iterator]: () => Iterator.from(table.rows).map(withoutText) } };
}

/**
 * The workbook. Cells stand where they stand in the table, and are texts, numbers and dates, never formulas.
 *
 * @param problems Those of the table. One without a field colours its whole row.
 */
export async function checkWorkbook(
  { rows, sheet, epoch, text, file }: Table,
  mapping: Mapping,
  columns: Columns,
  problems: readonly Problem[],
): Promise<Uint8Array> {
  const placesOf = new Map([
    ...columns.headings.map((heading, at) => [heading, [at]] as const),
    ...fields.map((field) => [fieldName(mapping, field), columns.positions.get(field) ?? []] as const),
  ]);
  const byLine = Map.groupBy(problems, ({ line }) => line);
  const cells = new Map<string, WrittenCell>();
  const width = Iterator.from(rows).reduce((width, { cells }) => {
    return Math.max(width, cells.findLastIndex((cell) => cell !== null) + 1);
  }, 0);
  const merges: MergeRange[] = [];
  const merged = new Map<number, MergeRange>();
  let count = 0;
  for (const row of rows) {
    if (++count > checkRowsMax) {
      throw new ImportRefusedError(`${file}: found more than ${checkRowsMax} rows, expected at most that to check`);
    }
    const at = row.line - 1;
    const own = byLine.get(row.line) ?? [];
    const wrong = new Set(own.flatMap(({ field }) => (field === undefined ? [] : (placesOf.get(field) ?? []))));
    const isWholeRow = own.some(({ field }) => field === undefined);
    // A workbook has no delimiters that tell that cells of a row of CSV moved, so that its price must be typed again.
    const lost = text !== null && own.some(({ kind }) => kind === "line") ? columns.positions.get("price") : [];
    for (const [column, cell] of row.cells.entries()) {
      const range = merged.get(column);
      if (isMerged(cell) && range?.endRow === at - 1) range.endRow = at;
      else if (isMerged(cell)) {
        merged.set(column, { startRow: at - 1, startCol: column, endRow: at, endCol: column });
        merges.push(merged.get(column) as MergeRange);
      }
      const written = lost?.includes(column) && cell !== null ? noValue : writtenCell(isMerged(cell) ? null : cell);
      const fill = wrong.has(column) || (isWholeRow && cell !== null) ? { fill: wrongFill } : {};
      cells.set(`${at},${column}`, { ...written, style: { ...written.style, ...fill } });
    }
    for (const column of wrong)
      getOrInsert(cells, `${at},${column}`, () => ({ value: null, style: { fill: wrongFill } }));
    const said = [...new Set(own.map(faultText))].join("; ");
    const value = row.line !== mapping.header_row ? said : said === "" ? checkHeading : `${checkHeading}: ${said}`;
    if (value !== "") cells.set(`${at},${width}`, { value });
  }
  const dateSystem = epoch === 1904 ? "1904" : "1900";
  return writeXlsx({ sheets: [{ name: sheet ?? "table", rows: [], cells, merges }], dateSystem });
}

/** A cell that an import refuses until it has a value. */
const noValue: WrittenCell = { value: "#N/A", type: "error" };

/** As the table shows it. A cell without a usable value is an error here as well. */
function writtenCell(cell: Cell): WrittenCell {
  const value = unmerged(cell);
  if (typeof value !== "object" || value === null) return { value };
  if ("clock" in value) {
    const numFmt = (cellText(value) ?? "").includes(":") ? "yyyy-mm-dd hh:mm:ss" : "yyyy-mm-dd";
    return { value: new Date(value.clock), style: { numFmt } };
  }
  if ("unusable" in value) return noValue;
  const quoted = (around: string): string => (around === "" ? "" : `"${around.replaceAll('"', "")}"`);
  const [before, after] = [quoted(value.before && `${value.before} `), quoted(value.after && ` ${value.after}`)];
  return { value: value.number, style: { numFmt: `${before}General${after}` } };
}
