/** What can be seen of a table without knowing it: a mapping to begin with, and what a person should look at. */
import { basename, extname } from "node:path";
import { dayText, type Instant } from "../../../engine/model/calendar.ts";
import { countTrailingDelimiters } from "./csv-row-form.ts";
import type { CurrencyMark } from "./currency.ts";
import { DateReader, dayOf, orderOf, withDayAndMonthExchanged } from "./date-cell.ts";
import { chooseColumns, findHeader, type Header } from "./find-header.ts";
import { columnTexts } from "./header-rows.ts";
import { type Field, recogniseHeading } from "./headings.ts";
import { findOtherTable, findSkippedRows, hasColumnsOfPrices, noteRows } from "./inspect-rows.ts";
import { type MappingFile, mappingDefaults, requiredFields } from "./mapping.ts";
import {
  decimals,
  hasThreeDecimals,
  isShortText,
  type NumberStyle,
  readPriceCell,
  splitPriceCell,
  splitUnitCell,
  type thousands,
} from "./price-cell.ts";
import { choosePriceColumn } from "./price-column.ts";
import { readTables } from "./read-sheet-tables.ts";
import { unreadLines } from "./sheet-report.ts";
import {
  type Cell,
  cellText,
  columnLetters,
  foundInCell,
  isEmptyRow,
  type Table,
  type TableRow,
  unmerged,
} from "./sheet-table.ts";
import { proposeCurrency, statementsOfTable } from "./stated-currency.ts";

/** Rows that decide the forms of dates and numbers. */
const sampleRows = 2000;

/** Forms of days that are recognised; where several fit, the first counts, so days stand before months. */
const dayForms = [
  "yyyy-MM-dd",
  "dd/MM/yyyy",
  "dd.MM.yyyy",
  "dd-MM-yyyy",
  "d MMM yyyy",
  "d-MMM-yyyy",
  "d/MMM/yyyy",
  "d MMMM yyyy",
  "MMM d, yyyy",
  "MMMM d, yyyy",
  "yyyy/MM/dd",
  "yyyy.MM.dd",
  "dd/MM/yy",
  "dd.MM.yy",
  "dd-MM-yy",
  "d-MMM-yy",
  "d/MMM/yy",
  "d MMM yy",
  "MM/dd/yyyy",
  "MM.dd.yyyy",
  "MM-dd-yyyy",
  "MM/dd/yy",
  "MM.dd.yy",
  "MM-dd-yy",
  "d M yyyy",
];

/** Forms of times of day that may follow. */
const timeForms = [
  " HH:mm",
  " HH:mm:ss",
  " h:mm a",
  " h:mm:ss a",
  "'T'HH:mm",
  "'T'HH:mm:ss",
  "'T'HH:mmXXX",
  "'T'HH:mm:ssXXX",
  " HH:mmXXX",
  " HH:mm:ssXXX",
];

/** Dates that no form fits after which no more are looked at: each is tried in all forms. */
const unreadDatesMax = 100;

const commonDateFormats = [
  ...dayForms,
  ...timeForms.flatMap((time) => dayForms.map((day) => `${day}${time}`)),
  "yyyyMMdd",
  "serial",
];

export type Inspection = ReturnType<typeof inspectTables>;

/**
 * Inspects a file. In a workbook with several sheets the sheet with most fields counts, of equal sheets the first.
 *
 * @param source The source of the prices; the name of the file when absent.
 * @throws {ImportRefusedError} as `readTables`.
 */
export async function inspectFile(path: string, source: string | undefined): Promise<Inspection> {
  return inspectTables(await readTables(path, {}), path, source);
}

/** As `inspectFile`, of the tables of a file that was read. */
export function inspectTables(tables: readonly Table[], path: string, source: string | undefined) {
  const found = tables.map((table) => ({ table, header: findHeader(table) }));
  const best = found.reduce((best, next) => (countKnown(next) > countKnown(best) ? next : best));
  const notes =
    source === undefined ? ['"source" is the name of the file; it is part of the identity of every price'] : [];
  const others = tables.filter((table) => table !== best.table).map(({ sheet }) => `sheet ${JSON.stringify(sheet)}`);
  const inspection = inspectTable(best.table, best.header, source ?? basename(path, extname(path)), tables.length > 1);
  const unread = [...others, ...best.table.unread];
  return { ...inspection, notes: [...notes, ...unreadLines(unread), ...inspection.notes] };
}

function countKnown({ header }: { readonly header: Header }): number {
  return new Set(header.headings.map((heading) => heading?.field).filter(Boolean)).size;
}

function inspectTable(table: Table, header: Header, source: string, hasSheets: boolean) {
  const { texts } = header;
  const chosen = chooseColumns(header);
  const { columns, values, positions } = chosen;
  const notes: string[] = [...chosen.notes];
  if (header.line === 0) {
    const first = Iterator.from(table.rows).find((row) => !isEmptyRow(row));
    const cells = (first?.cells ?? []).slice(0, 5).map((cell, at) => `${columnLetters(at)} ${foundInCell(cell)}`);
    notes.push(`the table has no headings: its columns are ${cells.join(", ")}${texts.length > 5 ? ", …" : ""}`);
  } else if (header.headings.length === 0) {
    notes.push(`no heading of row ${header.line} is known: "header_row" may be another one`);
  }
  const priceHeadings = texts.filter((text) => text !== undefined && recogniseHeading(text)?.field === "price");
  if (priceHeadings.length > 1) {
    const named = priceHeadings.map((text) => JSON.stringify(text)).join(", ");
    notes.push(`several columns have prices (${named}): import the file once for each, with a mapping for each`);
  }
  const below = [
    ...Iterator.from(table.rows)
      .filter((row) => row.line > header.lineLast && !isEmptyRow(row))
      .take(sampleRows),
  ];
  const other = findOtherTable(header, below);
  const sampled = other === undefined ? below : below.filter(({ line }) => line < other.line);
  if (other !== undefined) {
    notes.push(`row ${other.line} has headings again: save the table that begins there by itself`);
  }
  const read = { columns, values, heading_in_key: undefined };
  const isHeadingInKey =
    columns.price === undefined
      ? hasColumnsOfPrices(header, sampled, positions)
      : choosePriceColumn(texts, read).others.length > 0;
  if (isHeadingInKey) {
    notes.push('"heading_in_key": prices are known by the heading of their column, too, so that none replaces another');
  }
  const cellsOf = (field: Field): Cell[] => {
    const places = positions.get(field) ?? [];
    if (places.length === 0) return [];
    return sampled.map(({ cells }) => {
      const own = places.map((at) => cells[at] ?? null);
      return own.length === 1 ? (own[0] as Cell) : own.flatMap((cell) => cellText(cell) ?? []).join(" ") || null;
    });
  };
  const prices = cellsOf("price").map(unmerged).map(splitPriceCell);
  const amounts = prices.map(({ amount }) => amount);
  const style = findNumberStyle(amounts, table.text?.delimiter === ";" ? [",", "."] : decimals, notes);
  const marks = currenciesOfRows(amounts, cellsOf("unit"), style);
  const isCurrencyOpen = columns.currency === undefined && !findCurrency(table, header, chosen, marks, notes);
  const trailing = table.text === null ? 0 : findTrailingDelimiters(sampled, texts.length, notes);
  const dateFormats = findDateFormats(cellsOf("date"), table, notes);
  noteExchangedDates(cellsOf("date"), table, notes);
  const skipped = findSkippedRows(sampled, positions);
  const added = skipped.slice(mappingDefaults.skip_rows.length).map((text) => JSON.stringify(text));
  if (added.length > 0) {
    notes.push(`"skip_rows" has ${added.join(", ")}, which begin rows that look like tags or sums: they are left out`);
  }
  const mapping: MappingFile = {
    source,
    ...(hasSheets ? { sheet: table.sheet as string } : {}),
    header_row: header.line,
    ...(header.rowCount > 1 ? { header_rows: header.rowCount } : {}),
    columns: columns as MappingFile["columns"],
    values,
    date_formats: dateFormats,
    ...style,
    ...(trailing === 0 ? {} : { trailing_delimiters: trailing }),
    fill_down: [],
    empty_texts: mappingDefaults.empty_texts,
    skip_rows: skipped,
    attribution: [`${source}, Kenya`],
    ...(isHeadingInKey ? { heading_in_key: true } : {}),
  };
  notes.push(...noteRows(header, sampled, positions));
  notes.push(`"attribution" is ${JSON.stringify(mapping.attribution)}: say whose prices these are, and on what terms`);
  return {
    file: table.file,
    /** Encoding and delimiter of a CSV file. The mapping leaves them out, because the next file may have others. */
    form: table.text,
    mapping,
    /** All headings of the table, in order. */
    headings: texts.filter((text) => text !== undefined),
    /** Fields that every price needs and nothing was found for. */
    missing: [
      ...requiredFields,
      ...(prices.some(({ unit }) => unit !== null) ? [] : (["unit"] as const)),
      ...(isCurrencyOpen ? (["currency"] as const) : []),
    ].filter((field) => columns[field] === undefined && values[field] === undefined),
    /** What was assumed, for a person to check. */
    notes,
  };
}

/** The currencies that the cells of each price state. @param units Of the same rows as the amounts. */
function currenciesOfRows(
  amounts: readonly Cell[],
  units: readonly Cell[],
  style: NumberStyle,
): readonly (readonly CurrencyMark[])[] {
  return amounts.flatMap((amount, at) => {
    const read = readPriceCell(amount, style);
    if ("found" in read) return [];
    const { mark } = splitUnitCell(units[at] ?? null);
    return [mark === null ? read.currencies : [...read.currencies, mark]];
  });
}

/**
 * Sets the currency of all prices among the values, where the table leaves only one.
 *
 * @returns Whether the mapping needs none besides.
 */
function findCurrency(
  table: Table,
  { line }: Header,
  { columns, values }: ReturnType<typeof chooseColumns>,
  marks: readonly (readonly CurrencyMark[])[],
  notes: string[],
): boolean {
  const [heading] = line === 0 ? [] : columnTexts(columns.price);
  const ofTable = statementsOfTable(table, { header_row: line, currencies: {} }, heading);
  const { value, isMissing, note } = proposeCurrency(ofTable, marks);
  delete values.currency;
  if (value !== undefined) values.currency = value;
  if (note !== undefined) notes.push(note);
  return !isMissing;
}

/** Delimiters that end every row. Rows with a cell more for another reason are shown: an import refuses them. */
function findTrailingDelimiters(rows: readonly TableRow[], width: number, notes: string[]): number {
  const filled = rows.filter((row) => !isEmptyRow(row));
  const count = countTrailingDelimiters(filled, width);
  const wide = filled.filter(({ cells }) => cells.length > width);
  const [first] = wide;
  if (count > 0) notes.push(`rows end with more delimiters than the headings: "trailing_delimiters" is ${count}`);
  else if (first !== undefined) {
    const rowsFound = `${wide.length} of ${filled.length} rows`;
    const found = `${rowsFound} have more cells than headings, the first in row ${first.line}`;
    notes.push(`${found}: an import refuses them; a cell with a delimiter in it needs quotes`);
  }
  return count;
}

/** A number whose one separator may be either, prefix and suffix aside. */
const ambiguousNumber = /^\D*\d{1,3}[.,]\d{3}\D*$/;

/**
 * The style that fits most texts; of equal ones the first. Numbers whose separator may be either do not count: they
 * would prove any style.
 *
 * @param decimals In order of preference. Spreadsheet programs separate cells by semicolons where their decimal sign is
 * a comma.
 */
function findNumberStyle(
  cells: readonly Cell[],
  decimals: readonly NumberStyle["decimal"][],
  notes: string[],
): NumberStyle {
  const texts = cells.filter(isShortText).filter((text) => /\d/.test(text));
  const styles: NumberStyle[] = decimals.flatMap((decimal) =>
    [",", ".", " ", "'"]
      .filter((group) => group !== decimal)
      .map((group) => ({ decimal, thousands: group as (typeof thousands)[number] })),
  );
  const deciding = texts.filter((text) => !ambiguousNumber.test(text));
  const fitting = styles.map((style) => ({
    style,
    count: deciding.filter((text) => "price" in readPriceCell(text, style)).length,
  }));
  const { style } = fitting.reduce((best, next) => (next.count > best.count ? next : best));
  for (const text of texts.filter((text) => ambiguousNumber.test(text))) {
    const read = readPriceCell(text, style);
    if ("found" in read) continue;
    notes.push(`the price ${JSON.stringify(text)} is read as ${read.price}`);
    break;
  }
  const refused = texts.find((text) => hasThreeDecimals(text.replace(/^\D+|\D+$/g, ""), style));
  if (refused !== undefined) {
    const found = `the price ${JSON.stringify(refused)} may have thousands or three decimals`;
    const thousands = 'with another "decimal" and "thousands" it has thousands';
    notes.push(`${found}, and an import refuses it: ${thousands}, with "three_decimals": true decimals`);
  }
  return style;
}

/** One form that fits all dates, or else those that fit, each for dates that no earlier one fits. */
function findDateFormats(cells: readonly Cell[], table: Table, notes: string[]): readonly string[] {
  const values = cells.map(unmerged).filter((cell) => typeof cell === "string" || typeof cell === "number");
  const distinct = [...new Set(values)].filter((cell) => /\d/.test(String(cell)));
  const fits = (format: string): ((cell: Cell) => boolean) => {
    const reader = new DateReader([format], table.epoch);
    return (cell) => typeof reader.read(cell) === "number";
  };
  if (distinct.length === 0) return mappingDefaults.date_formats;
  const single = commonDateFormats.find((format) => distinct.every(fits(format)));
  if (single !== undefined) {
    noteDayFirst([single], distinct, table, notes);
    return [single];
  }
  const fitting = new Set<string>();
  const unread: Cell[] = [];
  for (let rest = distinct; rest.length > 0 && unread.length < unreadDatesMax; ) {
    const [first = null] = rest;
    const format = commonDateFormats.find((format) => fits(format)(first));
    if (format === undefined) unread.push(first);
    else fitting.add(format);
    rest = format === undefined ? rest.slice(1) : rest.filter((cell) => !fits(format)(cell));
  }
  const chosen = commonDateFormats.filter((format) => fitting.has(format));
  if (unread.length > 0) {
    const examples = unread
      .slice(0, 3)
      .map((cell) => JSON.stringify(cell))
      .join(", ");
    notes.push(`no form of dates fits ${examples}${unread.length > 3 ? ", …" : ""}: complete "date_formats"`);
  }
  const orders = new Set(chosen.map(orderOf));
  if (chosen.some((format) => orderOf(format) && orders.has(orderOf(withDayAndMonthExchanged(format))))) {
    const both = "some dates have the day first, some the month: those that could be both are refused";
    notes.push(`${both}; leave in "date_formats" the forms of one order`);
  } else noteDayFirst(chosen, distinct, table, notes);
  return chosen.length === 0 ? mappingDefaults.date_formats : chosen;
}

/** Shows how a date is read where none of its form decides whether the day or the month stands first. */
function noteDayFirst(formats: readonly string[], cells: readonly Cell[], table: Table, notes: string[]): void {
  for (const format of formats) {
    if (orderOf(format) !== "dM") continue;
    const monthFirst = withDayAndMonthExchanged(format);
    const [reader, other] = [new DateReader([format], table.epoch), new DateReader([monthFirst], table.epoch)];
    const readings = cells
      .map((cell) => ({ cell, instant: reader.read(cell), otherwise: other.read(cell) }))
      .filter(({ instant }) => typeof instant === "number");
    const example = readings.find(({ instant, otherwise }) => instant !== otherwise);
    if (example === undefined || readings.some(({ otherwise }) => typeof otherwise !== "number")) continue;
    const day = dayText(dayOf(example.instant as Instant));
    notes.push(`the date ${JSON.stringify(example.cell)} is read as ${day}, with the day first`);
  }
}

/**
 * A spreadsheet program that expects the month first takes 05/06 for 6 May and leaves 13/06 as text. So dates all of
 * days up to 12 beside texts of greater days, the day first, may have day and month exchanged.
 */
function noteExchangedDates(cells: readonly Cell[], table: Table, notes: string[]): void {
  const values = cells.map(unmerged);
  const dates = values.filter((cell) => typeof cell === "object" && cell !== null && "clock" in cell);
  const dayFirst = new DateReader(["dd/MM/yyyy", "dd-MM-yyyy", "dd/MM/yy"], table.epoch);
  const text = values.find((cell) => {
    const instant = typeof cell === "string" ? dayFirst.read(cell) : undefined;
    return typeof instant === "number" && Number(dayText(dayOf(instant)).slice(8)) > 12;
  });
  if (text === undefined || dates.length === 0) return;
  if (dates.some(({ clock }) => new Date(clock).getUTCDate() > 12)) return;
  const found = `the sheet has days up to 12 as dates and others, such as ${JSON.stringify(text)}, as text`;
  notes.push(`${found}: the program that made it may have exchanged day and month of the dates`);
}
