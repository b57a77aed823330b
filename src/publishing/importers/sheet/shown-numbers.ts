/** Numbers of a workbook whose formats show text around them, such as `UGX 4,100` and `90 kg bag`. */
import { foldHeading } from "./name-key.ts";
import {
  type Cell,
  columnLetters,
  columnsMax,
  isMerged,
  SerializedRows,
  type ShownNumber,
  type Table,
} from "./sheet-table.ts";

/** Rows of which an inspection sees all formats: those in which headings are looked for, and the sampled ones. */
const inspectedRows = 2100;

/** The last row that a workbook can have. */
export const excelRowsMax = 1_048_576;

/** Cells whose number formats show text, of one sheet: row and column, counted from 0, and the texts. */
export type ShownTexts = readonly (readonly [position: string, before: string, after: string])[];

/**
 * The ranges of a workbook whose number formats say something: columns with numbers, one in each range.
 *
 * @param headings The headings of the columns; all columns count if one is not found. Undefined for an inspection: all
 * columns of the first rows.
 */
export function rangesOfFormats(tables: readonly Table[], headings: readonly string[] | undefined): readonly string[] {
  if (headings === undefined) return [`A1:${columnLetters(columnsMax - 1)}${inspectedRows}`];
  const columns = new Set(tables.flatMap((table) => columnsWithNumbers(table, headings)));
  return [...columns].map(columnLetters).map((letters) => `${letters}1:${letters}${excelRowsMax}`);
}

/** The columns under these headings that have a number; all that have one where a heading is not found. */
function columnsWithNumbers({ rows }: Table, headings: readonly string[]): readonly number[] {
  const wanted = new Set(headings.map(foldHeading));
  const [numbers, headed, found] = [new Set<number>(), new Set<number>(), new Set<string>()];
  for (const { cells } of rows) {
    cells.forEach((cell, column) => {
      if (typeof cell === "number") numbers.add(column);
      if (typeof cell !== "string" || !wanted.has(foldHeading(cell))) return;
      headed.add(column);
      found.add(foldHeading(cell));
    });
  }
  return [...(found.size === wanted.size && wanted.size > 0 ? numbers.intersection(headed) : numbers)];
}

/** A table whose numbers have the texts that their formats show. */
export function withShownTexts(table: Table, texts: ShownTexts): Table {
  if (texts.length === 0) return table;
  const shown = new Map(texts.map(([position, before, after]) => [position, { before, after }]));
  const rows = new SerializedRows(table.file);
  const above = new Map<number, ShownNumber>();
  for (const { line, cells } of table.rows) {
    const withText = cells.map((cell, column): Cell => {
      const around = shown.get(`${line - 1},${column}`);
      if (typeof cell === "number" && around !== undefined) {
        const first = { number: cell, ...around };
        above.set(column, first);
        return first;
      }
      const first = above.get(column);
      return first !== undefined && isMerged(cell) && cell.merged === first.number ? { merged: first } : cell;
    });
    rows.add({ line, cells: withText });
  }
  return { ...table, rows };
}
