/**
 * The form of the rows of a CSV file. A delimiter inside a cell without quotes, such as that of `9,500`, moves all
 * cells behind it; one that was left out moves them back.
 */
import type { Fault } from "../../../engine/snapshots/problem.ts";
import { type Cell, foundInCell } from "./cells.ts";
import type { Columns } from "./header-rows.ts";
import { columnLetters, type TableRow } from "./sheet-table.ts";

/** The form of all rows: how cells are separated, the columns, and empty cells that rows may have behind the headed. */
export interface CsvRowForm extends Pick<Columns, "headings" | "positions"> {
  readonly delimiter: string;
  readonly trailingDelimiters: number;
}

/** The fault in the form of a row, if any; its cells may then stand under other headings than their own. */
export function csvRowFault({ cells }: TableRow, form: CsvRowForm): Fault | undefined {
  const fault = widthFault(cells, form) ?? shortRowFault(cells, form) ?? cutNumberFault(cells, form);
  return fault && { kind: "line", ...fault };
}

type FormFault = Pick<Fault, "found" | "wanted">;

function widthFault(cells: readonly Cell[], form: CsvRowForm): FormFault | undefined {
  const { delimiter, headings, trailingDelimiters } = form;
  const { length: width } = headings;
  const headedWidth = headings.findLastIndex((heading) => heading !== undefined) + 1;
  const sign = JSON.stringify(delimiter);
  const column = cells.findIndex((cell, at) => at >= headedWidth && cell !== null);
  if (cells.length > width + trailingDelimiters) {
    const most = width + trailingDelimiters;
    const cut = cells.findIndex((_, at) => mayBeOneNumber(cells[at], cells[at + 1]));
    const example = cut === -1 ? "" : `, such as "${cells[cut]}${delimiter}${cells[cut + 1]}",`;
    const quotes = `at most ${most}, one for each heading; a cell with ${sign} in it${example} needs quotes`;
    if (column !== -1) return { found: `${cells.length} cells`, wanted: quotes };
    const option = `"trailing_delimiters" in the mapping is ${cells.length - width}`;
    return { found: `${cells.length} cells`, wanted: `${quotes}; where ${sign} ends every row, ${option}` };
  }
  if (column === -1) return undefined;
  const found = `${foundInCell(cells[column])} in column ${columnLetters(column)}, which has no heading`;
  return { found, wanted: `a heading, or no value; a cell with ${sign} in it needs quotes` };
}

/** A row that ends before the column of the price, with a number that may be the price. */
function shortRowFault(cells: readonly Cell[], { positions, headings, delimiter }: CsvRowForm): FormFault | undefined {
  const position = positions.get("price")?.[0] ?? 0;
  if (cells.length > position || !isNumber(cells.at(-1), /^\d[\d.,]*$/)) return undefined;
  const isRow = (["date", "market", "product"] as const).every((field) => {
    const own = positions.get(field);
    return own === undefined || own.some((at) => (cells[at] ?? null) !== null);
  });
  if (!isRow) return undefined;
  const found = `${cells.length} cells, the last ${foundInCell(cells.at(-1))}`;
  return {
    found,
    wanted: `${headings.length}, one for each heading; a cell that is left empty needs its ${delimiter}`,
  };
}

/**
 * A number that a comma cuts in two, in a row that has no cell too many because another one was left out: a price of
 * up to three digits beside a note of three, or of two (`9,500` and `120,50`), is such a number and no note.
 */
function cutNumberFault(cells: readonly Cell[], { positions, delimiter }: CsvRowForm): FormFault | undefined {
  if (delimiter !== ",") return undefined;
  const price = positions.get("price")?.[0] ?? 0;
  const isOf = (field: "notes" | "grade", at: number): boolean => positions.get(field)?.includes(at) === true;
  const [left, right] = [price - 1, price + 1];
  const first = isOf("notes", right) || isOf("grade", right) ? price : isOf("notes", left) ? left : -1;
  if (first === -1 || !mayBeOneNumber(cells[first], cells[first + 1])) return undefined;
  const found = `the cells ${foundInCell(cells[first])} and ${foundInCell(cells[first + 1])} beside each other`;
  return { found, wanted: "one number in quotes, or a note that is no number" };
}

function mayBeOneNumber(first: Cell | undefined, second: Cell | undefined): boolean {
  if (isNumber(first, /^[1-9]\d{0,2}$/) && isNumber(second, /^\d{3}(?:\.\d+)?$/)) return true;
  return isNumber(first, /^\d+$/) && isNumber(second, /^\d{2}$/);
}

function isNumber(cell: Cell | undefined, form: RegExp): boolean {
  return typeof cell === "string" && form.test(cell);
}
