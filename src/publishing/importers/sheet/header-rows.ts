/** The rows of a table that have its headings: one row, or several whose texts belong together. */
import { type Fault, foundText } from "../../../engine/snapshots/problem.ts";
import { ImportRefusedError } from "../import-refused.ts";
import { cellText, isMerged } from "./cells.ts";
import { type Field, fields, recogniseHeading } from "./headings.ts";
import type { Mapping } from "./mapping.ts";
import { foldHeading, nameKey } from "./name-key.ts";
import { isTagRow } from "./row-kinds.ts";
import { columnLetters, isEmptyRow, type Table, type TableRow } from "./sheet-table.ts";
import { type WideColumn, type WidePrices, wideColumns, widePrices } from "./wide-columns.ts";

type Text = string | undefined;

/** Between the texts of a heading in several rows. */
const headingJoint = " / ";

/** Headings in other cells that make a row a row of headings. */
const otherHeadingsMin = 3;

/** The columns of a table by its mapping. */
export interface Columns {
  /** The headings by position, counted from 0; A, B, C … of a table without. */
  readonly headings: readonly Text[];
  /** The positions of the columns of each field, in the order of the mapping. */
  readonly positions: ReadonlyMap<Field, readonly number[]>;
  /** The columns of prices of a wide table; empty for any other. */
  readonly wide: readonly WideColumn[];
  /** The texts of each row of headings. */
  readonly rows: readonly (readonly Text[])[];
  /** The line of the last row of headings; 0 where there is none. */
  readonly lineLast: number;
}

/**
 * Finds the columns of a table.
 *
 * @throws {ImportRefusedError} when the headings are not those of the mapping.
 */
export function findColumns(table: Table, mapping: Mapping): Columns {
  const { headings, rows, lineLast } = headingsOf(table, mapping);
  const folded = headings.map((heading) => (heading === undefined ? undefined : foldHeading(heading)));
  const ofPrices = widePrices(mapping.columns);
  const wide = ofPrices === undefined ? [] : wideColumns(headings, ofPrices, table.epoch);
  const faults: string[] = [];
  let remedy = "";
  const positions = new Map<Field, readonly number[]>();
  for (const field of fields) {
    const named = field === "price" && ofPrices ? (ofPrices.columns ?? []) : columnTexts(mapping.columns[field]);
    if (named.length === 0) continue;
    const places = named.map((heading) => {
      const all = [...folded.keys()].filter((at) => folded[at] === foldHeading(heading));
      if (all.length === 0) faults.push(`no heading ${JSON.stringify(heading)} ("columns.${field}")`);
      if (all.length > 1) {
        remedy = "; rename one of two, or save a table that stands beside another by itself";
        faults.push(`the heading ${JSON.stringify(heading)} twice (columns ${all.map(columnLetters).join(" and ")})`);
      }
      return all[0] ?? -1;
    });
    positions.set(field, places);
  }
  const ownPlaces = wide.map(({ at }) => at);
  if (ofPrices !== undefined) positions.set("price", ownPlaces);
  for (const [name, { length }] of Map.groupBy(wide, (column) => foldHeading(column.name))) {
    if (length > 1) faults.push(`the prices of ${JSON.stringify(name)} twice`);
  }
  // One that is passed over may be a month or market whose name has a slip, or say what the prices mean.
  const passed = new Set([...[...positions.values()].flat().map((at) => headings[at]), undefined]);
  const ignored = new Set(mapping.ignored.map(nameKey));
  for (const other of new Set(headings).difference(passed) as Set<string>) {
    const counts = ofPrices !== undefined || isOfUnreadField(other, positions);
    if (counts && !ignored.has(nameKey(other)))
      faults.push(`${JSON.stringify(other)} (neither in "columns" nor in "ignored")`);
  }
  if (ofPrices !== undefined && wide.length === 0) faults.push('no heading of prices ("columns.price")');
  if (faults.length === 0) return { headings, positions, wide, rows, lineLast };
  const found = headings.filter((heading) => heading !== undefined).map((heading) => JSON.stringify(heading));
  throw new ImportRefusedError(
    `${table.file}:${mapping.header_row}: found ${faults.join(", ")} among ${found.join(", ")}${remedy}`,
  );
}

/** Fields without which a price means something else. */
const decidingFields: readonly Field[] = ["date", "market_type", "unit", "currency"];

/** Returns whether a heading is one of such a field, of which no column is read. */
function isOfUnreadField(text: string, read: Columns["positions"]): boolean {
  const { field, isWeak } = recogniseHeading(text) ?? {};
  return field !== undefined && decidingFields.includes(field) && !read.has(field) && !isWeak;
}

function headingsOf(
  table: Table,
  { header_row, header_rows }: Pick<Mapping, "header_row" | "header_rows">,
): Omit<Columns, "positions" | "wide"> {
  const rows = Iterator.from(table.rows);
  if (header_row === 0) {
    const first = rows.find((row) => !isEmptyRow(row));
    const headings = (first?.cells ?? []).map((_, position) => columnLetters(position));
    return { headings, rows: [], lineLast: 0 };
  }
  const read = rows
    .filter((row) => row.line === header_row || (row.line > header_row && !isEmptyRow(row)))
    .take(header_rows)
    .toArray();
  if (read[0]?.line !== header_row) {
    throw new ImportRefusedError(`${table.file}: has no row ${header_row}, expected the headings there ("header_row")`);
  }
  const lineLast = read.at(-1)?.line ?? header_row;
  return { headings: joinedHeadings(read), rows: read.map(({ cells }) => cells.map(cellText)), lineLast };
}

/**
 * The headings of several rows, from top to bottom. A text in an upper row counts for the empty cells to its right that
 * have a text below them, and one that is merged downwards counts once.
 */
export function joinedHeadings(rows: readonly TableRow[]): readonly Text[] {
  const width = Math.max(...rows.map(({ cells }) => cells.length));
  const own = rows.map(({ cells }) => {
    return Array.from({ length: width }, (_, at) => (isMerged(cells[at] ?? null) ? undefined : cellText(cells[at])));
  });
  return Array.from({ length: width }, (_, at) => {
    const texts = own.flatMap((row, depth) => {
      const hasBelow = own.slice(depth + 1).some((below) => below[at] !== undefined);
      const text = row[at] ?? (hasBelow ? row.slice(0, at).findLast((left) => left !== undefined) : undefined);
      return text ?? [];
    });
    return texts.length === 0 ? undefined : texts.join(headingJoint);
  });
}

/** The headings of a field, as its mapping names them; none for those of a wide table. */
export function columnTexts(column: string | readonly string[] | WidePrices | undefined): readonly string[] {
  if (column === undefined || "headings" in Object(column)) return [];
  return typeof column === "string" ? [column] : (column as readonly string[]);
}

/** Stands for the heading of the price in faults of a wide table until its column is known. */
export const wideName = "columns.price";

/** Names a field in messages: by the headings of its columns, else by its value in the mapping. */
export function fieldName({ columns }: Pick<Mapping, "columns">, field: Field): string {
  const isWide = field === "price" || field === widePrices(columns)?.headings;
  return columnTexts(columns[field]).join(", ") || (isWide ? wideName : `values.${field}`);
}

/** Returns whether a row has the texts of a row of headings again, where the mapping names columns. */
export function repeatsHeadings({ cells }: TableRow, { rows, positions }: Columns): boolean {
  const places = [...positions.values()].flat();
  return rows.some((row) => {
    const named = places.filter((at) => row[at] !== undefined);
    if (named.length === 0) return false;
    return named.every((at) => {
      const text = cellText(cells[at]);
      return text !== undefined && foldHeading(text) === foldHeading(row[at] as string);
    });
  });
}

/**
 * The headings that a row below those of the table has, in at least three cells; empty where it is no such row.
 *
 * Cost: it ends where half of the cells are no headings, which is after a few cells of a row of prices.
 */
export function otherHeadings(row: TableRow): readonly string[] {
  if (isTagRow(row)) return [];
  const texts = row.cells.flatMap((cell) => cellText(cell) ?? []);
  const known = new Set<Field>();
  let unknownCount = 0;
  for (const text of texts) {
    const heading = recogniseHeading(text);
    if (heading !== undefined && !heading.isType) known.add(heading.field);
    else if (++unknownCount * 2 >= texts.length) return [];
  }
  return known.size >= otherHeadingsMin ? texts : [];
}

/** The fault of a row with other headings: the rows below it have other columns. Undefined for any other row. */
export function otherTableFault(row: TableRow, { lineLast }: Pick<Columns, "lineLast">): Fault | undefined {
  const texts = otherHeadings(row);
  if (texts.length === 0) return undefined;
  const isNext = lineLast > 0 && row.line === lineLast + 1;
  const named = texts.map((text) => foundText(text)).join(", ");
  const found = `headings again, others than those of the table: ${named}`;
  const wanted = isNext
    ? '"header_rows": 2 in the mapping, or one row of headings'
    : "one table in a file or sheet: save the table that begins here by itself";
  return { kind: "line", found, wanted };
}
