/** Rows of a table without a mapping → the parts of a mapping that rows decide, and notes for a person. */
import { type Cell, cellText, foundInCell, isMerged, unmerged } from "./cells.ts";
import type { ChosenColumns } from "./choose-columns.ts";
import { countTrailingDelimiters } from "./csv-row-form.ts";
import type { Header } from "./find-header.ts";
import { otherHeadings } from "./header-rows.ts";
import { type Field, recogniseHeading } from "./headings.ts";
import { mappingDefaults, type Proposal } from "./mapping.ts";
import { choosePriceColumn } from "./price-column.ts";
import { isNumberLike, isTagRow, skipTest, summaryText } from "./row-kinds.ts";
import { columnLetters, isEmptyRow, type Table, type TableRow } from "./sheet-table.ts";

/** Rows that decide the forms of dates and numbers. */
const sampleRowsMax = 2000;

/** Names that a note lists. */
const namedMax = 10;

/** Longest text of a sum that is proposed for `skip_rows`. */
const sumTextMax = 40;

function listed(texts: readonly string[]): string {
  const more = texts.length > namedMax ? ` and ${texts.length - namedMax} more` : "";
  return `${texts
    .slice(0, namedMax)
    .map((text) => JSON.stringify(text))
    .join(", ")}${more}`;
}

/**
 * The first rows below the headings that are not empty, up to a row where another table begins. They decide the forms
 * of dates and numbers.
 */
export function sampleRows(table: Table, header: Header): Proposal<readonly TableRow[]> {
  const below = Iterator.from(table.rows)
    .filter((row) => row.line > header.lineLast && !isEmptyRow(row))
    .take(sampleRowsMax)
    .toArray();
  const other = findOtherTable(header, below);
  if (other === undefined) return { value: below, notes: [] };
  const note = `row ${other.line} has headings again: save the table that begins there by itself`;
  return { value: below.filter(({ line }) => line < other.line), notes: [note] };
}

/** Notes on headings that are not there, not known, or there for several columns of prices. */
export function headingNotes(table: Table, { line, headings, texts }: Header): readonly string[] {
  const notes: string[] = [];
  if (line === 0) {
    const first = Iterator.from(table.rows).find((row) => !isEmptyRow(row));
    const cells = (first?.cells ?? []).slice(0, 5).map((cell, at) => `${columnLetters(at)} ${foundInCell(cell)}`);
    notes.push(`the table has no headings: its columns are ${cells.join(", ")}${texts.length > 5 ? ", …" : ""}`);
  } else if (headings.length === 0) {
    notes.push(`no heading of row ${line} is known: "header_row" may be another one`);
  }
  const priceHeadings = texts.filter((text) => text !== undefined && recogniseHeading(text)?.field === "price");
  if (priceHeadings.length > 1) {
    const named = priceHeadings.map((text) => JSON.stringify(text)).join(", ");
    notes.push(`several columns have prices (${named}): import the file once for each, with a mapping for each`);
  }
  return notes;
}

/** Proposes that prices are known by the heading of their column where only headings tell columns of prices apart. */
export function proposeHeadingInKey(
  header: Header,
  { columns, positions }: ChosenColumns,
  values: Partial<Record<Field, string>>,
  rows: readonly TableRow[],
): Proposal<boolean> {
  const read = { columns, values, heading_in_key: undefined, ignored: [] };
  const isInKey =
    columns.price === undefined
      ? hasColumnsOfPrices(header, rows, positions)
      : choosePriceColumn(header.texts, read).others.length > 0;
  const why = "prices are known by the heading of their column, too, so that none replaces another";
  return { value: isInKey, notes: isInKey ? [`"heading_in_key": ${why}`] : [] };
}

/** The delimiters that end every row. */
export function proposeTrailingDelimiters(
  { text }: Table,
  { texts }: Header,
  rows: readonly TableRow[],
): Proposal<number> {
  if (text === null) return { value: 0, notes: [] };
  const count = countTrailingDelimiters(rows, texts.length);
  if (count > 0) {
    const note = `rows end with more delimiters than the headings: "trailing_delimiters" is ${count}`;
    return { value: count, notes: [note] };
  }
  return { value: 0, notes: [] };
}

/** The entries for `skip_rows`: the usual ones, tags, and the texts of sums. @param rows Below the headings. */
export function proposeSkippedRows(
  rows: readonly TableRow[],
  positions: ReadonlyMap<Field, readonly number[]>,
): Proposal<readonly string[]> {
  const isUsual = skipTest(mappingDefaults.skip_rows);
  const texts = rows.flatMap((row) => summaryText(row, positions) ?? []);
  const sums = new Set(texts.filter((text) => !isUsual(text) && text.length <= sumTextMax));
  const isFew = sums.size <= namedMax;
  const added = [...(rows.some(isTagRow) ? ["#"] : []), ...(isFew ? sums : [])];
  const named = added.map((text) => JSON.stringify(text)).join(", ");
  const note = `"skip_rows" has ${named}, which begin rows that look like tags or sums: they are left out`;
  return { value: [...mappingDefaults.skip_rows, ...added], notes: added.length === 0 ? [] : [note] };
}

/** Notes on the rows, and on columns that no field has. @param rows Below the headings. */
export function rowNotes(
  { texts, lineLast }: Header,
  rows: readonly TableRow[],
  positions: ReadonlyMap<Field, readonly number[]>,
): readonly string[] {
  const notes: string[] = [];
  const unused = unusedColumns(texts, positions);
  if (lineLast > 0 && unused.length > 0) notes.push(`not read: columns ${listed(unused.map(({ text }) => text))}`);
  if (!positions.has("price") && lineLast > 0) notes.push(...wideTableNotes(columnsOfNumbers(unused, rows)));
  return notes;
}

function isEmptyText(cell: Cell): boolean {
  return typeof cell === "string" && (mappingDefaults.empty_texts as readonly string[]).includes(cell.toLowerCase());
}

/** The first row with other headings than those of the table, below which the columns are others. */
function findOtherTable({ texts }: Header, rows: readonly TableRow[]): TableRow | undefined {
  return rows.find((row) => otherHeadings(row).length > 0 && !hasTexts(row, texts));
}

function hasTexts({ cells }: TableRow, texts: readonly (string | undefined)[]): boolean {
  return texts.every((text, at) => text === undefined || isMerged(cells[at] ?? null) || cellText(cells[at]) === text);
}

interface Column {
  readonly text: string;
  readonly at: number;
}

/** The columns with a heading that no field has. */
function unusedColumns(texts: Header["texts"], positions: ReadonlyMap<Field, readonly number[]>): readonly Column[] {
  const used = new Set([...positions.values()].flat());
  return texts.flatMap((text, at) => (text === undefined || used.has(at) ? [] : { text, at }));
}

/** Columns with numbers, where a table has no column of prices: one for each market, month or product. */
function columnsOfNumbers(columns: readonly Column[], rows: readonly TableRow[]): readonly Column[] {
  return columns.filter(({ at }) => {
    const values = rows.map(({ cells }) => unmerged(cells[at] ?? null)).filter((cell) => cell !== null);
    const given = values.filter((cell) => !isEmptyText(cell));
    return given.length > 0 && given.filter(isNumberLike).length * 2 > given.length;
  });
}

/**
 * Returns whether prices stand in columns that only their headings distinguish: `Trader A`, `Trader B` beside a date, a
 * market and a product in each row.
 */
function hasColumnsOfPrices(
  { texts, lineLast }: Header,
  rows: readonly TableRow[],
  positions: ReadonlyMap<Field, readonly number[]>,
): boolean {
  if (lineLast === 0 || positions.has("price")) return false;
  const unused = unusedColumns(texts, positions);
  const isWhole = (["date", "market", "product"] as const).every((field) => positions.has(field));
  return isWhole && columnsOfNumbers(unused, rows).length > 1;
}

function wideTableNotes(columns: readonly Column[]): string[] {
  const [first] = columns;
  if (columns.length < 2) return [];
  const named = listed(columns.map(({ text }) => text));
  const price = `"price": ${JSON.stringify(first?.text)}`;
  const once = `or import it once for each, with ${price} in "columns" and the rest in "values"`;
  return [
    `a wide table: prices stand in the columns ${named}. Make a row of each price (unpivot the columns), ${once}`,
  ];
}
