/** Rows below the headings that are no prices: tags, titles, sums, and what "skip_rows" of a mapping names. */
import { type Fault, foundText } from "../../../engine/snapshots/problem.ts";
import { type Cell, cellText, isMerged } from "./cells.ts";
import type { Field } from "./headings.ts";
import { nameKey } from "./name-key.ts";
import type { TableRow } from "./sheet-table.ts";
import { readTitle } from "./statements.ts";

/** A test of the first text of a row. */
export type RowTest = (text: string) => boolean;

/**
 * Returns whether `skip_rows` names the first text of a row. An entry is the whole text, or what stands in it before a
 * colon: "total" is "TOTAL" and "Total: 5", but not "Total Junction". One that ends with `*` is a beginning, as is one
 * of signs alone: "avg*", "#".
 */
export function skipTest(entries: readonly string[]): RowTest {
  const tests = entries.map((entry): ((text: string, keys: readonly string[]) => boolean) => {
    const wanted = nameKey(entry);
    const isBeginning = entry.length > 1 && entry.endsWith("*");
    if (wanted === "") return (text) => text.startsWith(isBeginning ? entry.slice(0, -1) : entry);
    return (_, [key = "", before]) => key === wanted || before === wanted || (isBeginning && key.startsWith(wanted));
  });
  return (text) => {
    const keys = [text, text.split(/[:=]/, 1)[0] ?? ""].map(nameKey);
    return tests.some((test) => test(text, keys));
  };
}

/** The cells of a row that have a value of their own, with their columns. */
function ownCells({ cells }: TableRow): readonly { readonly cell: Exclude<Cell, null>; readonly at: number }[] {
  return cells.flatMap((cell, at) => (cell === null || isMerged(cell) ? [] : { cell, at }));
}

/** Returns whether every cell of a row has a tag of the Humanitarian Exchange Language, `#date`. Source: HXL 1.1. */
export function isTagRow(row: TableRow): boolean {
  const own = ownCells(row);
  return own.length > 1 && own.every(({ cell }) => typeof cell === "string" && /^#\s*[a-z]/i.test(cell));
}

/** A text that stands alone in its row, as titles and remarks do. */
export interface Title {
  readonly text: string;
  /** Its column, counted from 0. */
  readonly at: number;
  /** True if it names a type of market, `RETAIL PRICES`. */
  readonly hasType: boolean;
}

/** The title that a row is; undefined where it has other cells, or a number or date. */
export function titleOf(row: TableRow): Title | undefined {
  const own = ownCells(row);
  const [first] = own;
  if (first === undefined || own.length > 1 || typeof first.cell !== "string" || isNumberLike(first.cell)) {
    return undefined;
  }
  return { text: first.cell, at: first.at, hasType: readTitle(first.cell).some(({ kind }) => kind === "market_type") };
}

/** The text of a row that has nothing but one to three texts, as notes have. */
export function noteOf(row: TableRow): string | undefined {
  const texts = ownCells(row).map(({ cell }) => cell);
  const isNote = texts.length > 0 && texts.length <= 3 && texts.every((text) => typeof text === "string");
  return isNote ? texts.join(" ") : undefined;
}

/**
 * The text of a row that has numbers beside it and nothing else, as sums and averages do. A product alone is no sum:
 * its date and market may stand above it.
 */
export function summaryText(row: TableRow, positions: ReadonlyMap<Field, readonly number[]>): string | undefined {
  const texts: number[] = [];
  let numberCount = 0;
  for (const { cell, at } of ownCells(row)) {
    if (isNumberLike(cell)) numberCount++;
    else texts.push(at);
  }
  const [at] = texts;
  if (at === undefined || texts.length > 1 || numberCount === 0) return undefined;
  const isProduct = positions.get("product")?.includes(at) === true;
  const text = row.cells[at];
  return isProduct || typeof text !== "string" ? undefined : text;
}

/** Returns whether a cell has a number, or digits and signs as numbers and dates have them. */
export function isNumberLike(cell: Cell): boolean {
  if (typeof cell === "number") return true;
  return typeof cell === "string" && /\d/.test(cell) && !/\p{L}/u.test(cell);
}

/** A title says something of the prices below it that their rows do not. */
export function titleFault({ text }: Title): Fault {
  const column = 'a column that has it, a type of market in "market_type", or each table in a file of its own';
  const wanted = `${column}, or the text in "skip_rows" where it says nothing of the prices below it`;
  return { kind: "line", found: `${foundText(text)} alone in its row, above prices`, wanted };
}

/** The fault of a row of a sum. @param text See `summaryText`. */
export function summaryFault(text: string): Fault {
  const wanted = `a price with its date, market and product, or ${foundText(text)} in "skip_rows" of the mapping`;
  return { kind: "line", found: `${foundText(text)} and numbers alone, as a sum or an average has them`, wanted };
}

/** Names the remedy for a text that may mean that there is no price. */
export function withEmptyText(fault: Fault, cell: Cell): Fault {
  const text = cellText(cell);
  if (text === undefined || isMerged(cell) || /(?!0)\p{N}/u.test(text)) return fault;
  return { ...fault, wanted: `${fault.wanted}, or ${foundText(text)} in "empty_texts" where it means no price` };
}
