/** Tables as text: CSV (RFC 4180, UTF-8, lines end with CR LF) and NDJSON (an object a line). */

import { type Instant, instantText } from "../model/calendar.ts";
import { csvCell, csvRow, guardFormula } from "../model/csv-text.ts";
import type { Store } from "../store/store.ts";
import {
  type Cell,
  type Column,
  type Columns,
  type CountsByName,
  cellReader,
  type RowBlocks,
} from "./table-columns.ts";

export const textFormats = ["csv", "ndjson"] as const;
export type TextFormat = (typeof textFormats)[number];

/**
 * Forms of a text in CSV that a spreadsheet would read as a formula: `escaped` puts an apostrophe in front,
 * `raw` leaves it.
 */
export const formulaForms = ["escaped", "raw"] as const;
export type FormulaForm = (typeof formulaForms)[number];

/**
 * A table as text.
 *
 * @param blocks Rows of the store.
 * @returns A piece for the head of CSV, then one for each block, empty where the block is.
 */
export function* tableText<Row>(
  store: Store,
  columns: Columns<Row>,
  blocks: RowBlocks<Row>,
  format: TextFormat,
  formulas: FormulaForm = "escaped",
): Generator<string> {
  if (format === "csv") yield csvRow(columns.map(({ name }) => name));
  const rowText = format === "csv" ? csvRows(store, columns, formulas) : jsonRows(store, columns);
  for (const block of blocks) {
    let text = "";
    for (let at = 0; at < block.length; at++) text += rowText(block[at] as Row);
    yield text;
  }
}

type RowText<Row> = (row: Row) => string;

function csvRows<Row>(store: Store, columns: Columns<Row>, formulas: FormulaForm): RowText<Row> {
  const cellText = (cell: Cell): string => {
    if (cell === null) return "";
    if (typeof cell === "number" || typeof cell === "boolean") return String(cell);
    const text = typeof cell === "string" ? cell : listText(cell);
    return csvCell(formulas === "raw" ? text : guardFormula(text));
  };
  return rowTexts(store, columns, (_, at) => (at === 0 ? "" : ","), cellText, "\r\n");
}

function jsonRows<Row>(store: Store, columns: Columns<Row>): RowText<Row> {
  return rowTexts(store, columns, (name, at) => `${at === 0 ? "{" : ","}${JSON.stringify(name)}:`, jsonCell, "}\n");
}

/**
 * Rows from the texts of their cells, each with what stands in front of it. The text of a code is made once.
 *
 * @param before Gives the text in front of the cell of a column.
 */
function rowTexts<Row>(
  store: Store,
  columns: Columns<Row>,
  before: (name: string, at: number) => string,
  cellText: (cell: Cell) => string,
  end: string,
): RowText<Row> {
  const texts = columns.map((column, at) => {
    const front = before(column.name, at);
    return cellReader(store, column, (cell) => front + cellText(spelledOut(column, cell)));
  });
  return (row) => {
    let text = "";
    for (const cell of texts) text += cell(row);
    return text + end;
  };
}

/** A cell as text formats have it: an instant in the form of RFC 3339. */
function spelledOut<Row>({ type }: Column<Row>, cell: Cell): Cell {
  return type === "timestamp" && cell !== null ? instantText(cell as Instant) : cell;
}

/** A list, or counts by name, in one cell: `a; b`, `Wholesale:4; Retail:8`. */
export function listText(list: readonly string[] | CountsByName): string {
  if (isTexts(list)) return list.join("; ");
  let text = "";
  for (const name of Object.keys(list)) text += `${text === "" ? "" : "; "}${name}:${list[name]}`;
  return text;
}

function isTexts(list: readonly string[] | CountsByName): list is readonly string[] {
  return Array.isArray(list);
}

function jsonCell(cell: Cell): string {
  if (typeof cell === "number") return String(cell);
  return cell === null ? "null" : JSON.stringify(cell);
}
