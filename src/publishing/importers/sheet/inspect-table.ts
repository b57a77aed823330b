/** A table without a mapping → a mapping to begin with, and notes of what a person should check. */

import { basename, extname } from "node:path";
import type { Instant } from "../../../engine/model/calendar.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { type Cell, cellText, foundInCell, unmerged } from "./cells.ts";
import { type ChosenColumns, chooseColumns } from "./choose-columns.ts";
import { DateReader, dayOf } from "./date-cell.ts";
import { FieldCellsReader } from "./field-rows.ts";
import { findHeader, type Header } from "./find-header.ts";
import type { Field } from "./headings.ts";
import { proposeDateFormats } from "./inspect-dates.ts";
import { proposeCurrency, proposeNumberStyle } from "./inspect-prices.ts";
import { indexNames, type KnownRecords } from "./known-names.ts";
import { type MappingFile, mappingDefaults, requiredFields } from "./mapping.ts";
import { decimals, splitPriceCell } from "./price-cell.ts";
import { choosePriceColumn } from "./price-column.ts";
import { readTables } from "./read-sheet-tables.ts";
import { isNumberLike, isTagRow, noteOf, skipTest, summaryText } from "./row-kinds.ts";
import { unreadLines } from "./sheet-report.ts";
import { isEmptyRow, type SerialEpoch, type Table, type TableRow } from "./sheet-table.ts";
import words from "./sheet-words.json" with { type: "json" };
import { currenciesOf, proposeStated, statementsOfNote, statementsOfTable, unexplainedWords } from "./stated-values.ts";
import { type WideColumn, type WidePrices, wideColumns } from "./wide-columns.ts";

/** Rows that decide the forms of dates and numbers. */
const sampleRowsMax = 2000;

/** Names that a note lists. */
const namedMax = 10;

/** Longest text of a sum that is proposed for `skip_rows`. */
const sumTextMax = 40;

export type Inspection = ReturnType<typeof inspectTables>;

/**
 * Inspects a file. In a workbook with several sheets the sheet with most fields counts, of equal sheets the first.
 *
 * @param source The source of the prices; the name of the file when absent.
 * @throws {ImportRefusedError} as `readTables`.
 */
export async function inspectFile(path: string, source: string | undefined, known?: KnownRecords): Promise<Inspection> {
  return inspectTables(await readTables(path, {}), path, source, known);
}

/** As `inspectFile`, of the tables of a file that was read. */
export function inspectTables(
  tables: readonly Table[],
  path: string,
  source: string | undefined,
  known?: KnownRecords,
) {
  const found = tables.map((table) => ({ table, header: findHeader(table) }));
  const best = found.reduce((best, next) => (countKnown(next) > countKnown(best) ? next : best));
  const notes =
    source === undefined ? ['"source" is the name of the file; it is part of the identity of every price'] : [];
  const others = tables.filter((table) => table !== best.table).map(({ sheet }) => `sheet ${JSON.stringify(sheet)}`);
  const named = source ?? basename(path, extname(path));
  const inspection = inspectTable(best.table, best.header, named, tables.length > 1, known);
  const unread = [...others, ...best.table.unread];
  return { ...inspection, notes: [...notes, ...unreadLines(unread), ...inspection.notes] };
}

function countKnown({ header }: { readonly header: Header }): number {
  return new Set(header.headings.map((heading) => heading?.field).filter(Boolean)).size;
}

function inspectTable(table: Table, header: Header, source: string, hasSheets: boolean, known?: KnownRecords) {
  const { line, texts } = header;
  const chosen = chooseColumns(header);
  const rows = Iterator.from(table.rows)
    .filter((row) => row.line > header.lineLast && !isEmptyRow(row))
    .take(sampleRowsMax)
    .toArray();
  const wide = proposeWide(header, chosen, rows, table.epoch, known);
  const columns = { ...chosen.columns, ...(wide.price && { price: wide.price }) } as MappingFile["columns"];
  const ofPrices = wide.price === undefined ? [] : [["price", wide.columns.map(({ at }) => at)] as const];
  const positions = new Map([...chosen.positions, ...ofPrices]);
  const read = { header_row: line, columns, currencies: {}, ignored: [] };
  const below = rows.flatMap((row) => statementsOfNote(noteOf(row) ?? "", row.line, read));
  const statements = [...statementsOfTable(table, read, wide.columns), ...below];
  const stated = proposeStated(statements, columns);
  const cells = cellsByField(rows, positions);
  const priceCells = wide.price === undefined ? cells("price") : cellsBelow(rows, wide.columns);
  const prices = priceCells.map(unmerged).map(splitPriceCell);
  const amounts = prices.map(({ amount }) => amount);
  const style = proposeNumberStyle(amounts, table.text?.delimiter === ";" ? [",", "."] : decimals);
  const currency =
    columns.currency === undefined
      ? proposeCurrency(currenciesOf(statements), amounts, cells("unit"), style)
      : { value: undefined, notes: [] };
  const values = { ...stated.values, ...(currency.value === undefined ? {} : { currency: currency.value }) };
  const priced = wide.price === undefined ? columnsOfPrices(header, columns, stated.values, rows) : noOthers;
  const dates = proposeDateFormats(cells("date"), table.epoch);
  const skipped = skippedTexts(rows, positions);
  const attribution = [`${source}, Kenya`];
  const used = new Set([...positions.values()].flat());
  const unused = texts.filter((text, at) => text !== undefined && !used.has(at)) as readonly string[];
  const mapping: MappingFile = {
    source,
    ...(hasSheets ? { sheet: table.sheet as string } : {}),
    header_row: line,
    ...(header.rowCount > 1 ? { header_rows: header.rowCount } : {}),
    columns,
    values,
    ...(wide.price?.headings === "date" ? {} : { date_formats: dates.value }),
    ...style,
    ...(stated.scale === 1 ? {} : { scale: stated.scale }),
    fill_down: [],
    empty_texts: mappingDefaults.empty_texts,
    skip_rows: [...mappingDefaults.skip_rows, ...skipped],
    attribution,
    ...(wide.price === undefined ? {} : { ignored: unused.filter((text) => !wide.numbered.includes(text)) }),
    ...(priced.isInKey ? { heading_in_key: true } : {}),
    ...(hasTwoTimes(cells, dates.value, table.epoch) ? { time_in_key: true } : {}),
  };
  const hasUnitInPrice = prices.some(({ unit }) => unit !== null);
  const needed: readonly Field[] = [...requiredFields, ...(hasUnitInPrice ? [] : (["unit"] as const))];
  const named: readonly (readonly [texts: readonly string[], note: (listed: string) => string])[] = [
    [priced.texts, (found) => `prices stand in ${found}, which are not read: ${onceForEach(priced)}`],
    [unexplainedWords(read, wide.columns), (found) => `${found} in the heading of the prices: ${asIgnored}`],
    [skipped, (found) => `"skip_rows" has ${found}, which begin rows that look like tags or sums: they are left out`],
    [line === 0 ? [] : unused, (found) => `not read: columns ${found}`],
    [attribution, (found) => `"attribution" is [${found}]: say whose prices these are, and on what terms`],
  ];
  return {
    file: table.file,
    /** Encoding and delimiter of a CSV file. The mapping leaves them out, because the next file may have others. */
    form: table.text,
    mapping,
    /** All headings of the table, in order. */
    headings: texts.filter((text) => text !== undefined),
    /** Fields that every price needs and nothing was found for. */
    missing: needed.filter(
      (field) => columns[field] === undefined && !(field in values) && field !== wide.price?.headings,
    ),
    /** Assumptions for a person to check. */
    notes: [
      ...headingNotes(table, header),
      ...[chosen, wide, stated, currency, dates].flatMap(({ notes }) => notes),
      ...named.flatMap(([texts, noteOf]) => (texts.length === 0 ? [] : noteOf(listed(texts)))),
    ],
  };
}

const asIgnored = 'in "ignored" where it changes none; an import refuses it';

function listed(texts: readonly string[]): string {
  const quoted = texts.slice(0, namedMax).map((text) => JSON.stringify(text));
  return `${quoted.join(", ")}${texts.length > namedMax ? ` and ${texts.length - namedMax} more` : ""}`;
}

function onceForEach({ texts: [first], isInKey }: ReturnType<typeof columnsOfPrices>): string {
  const once = `import the file once for each, with "price": ${JSON.stringify(first)} in a mapping of its own`;
  const apart = isInKey ? '; "heading_in_key" keeps the prices of columns apart' : "";
  return `make a row of each price, name them in a wide "price", or ${once}${apart}`;
}

/** Notes on headings that are not there, or not known. */
function headingNotes({ rows }: Table, { line, headings, texts }: Header): readonly string[] {
  if (headings.length > 0) return [];
  if (line > 0) return [`no heading of row ${line} is known: "header_row" may be another one`];
  const first = Iterator.from(rows).find((row) => !isEmptyRow(row));
  const cells = (first?.cells ?? []).slice(0, 5).map((cell, at) => `${texts[at]} ${foundInCell(cell)}`);
  return [`the table has no headings: its columns are ${cells.join(", ")}${texts.length > 5 ? ", …" : ""}`];
}

/**
 * Other columns of prices; where a table has no heading of prices all columns of numbers, one for each market or month.
 * The heading of a column of prices is part of their identity where nothing else tells them apart.
 */
function columnsOfPrices(
  header: Header,
  columns: Partial<MappingFile["columns"]>,
  values: Partial<Record<Field, string>>,
  rows: readonly TableRow[],
): { readonly texts: readonly string[]; readonly isInKey: boolean } {
  const { texts, headings } = header;
  if (columns.price !== undefined) {
    const read = { columns: columns as MappingFile["columns"], values, heading_in_key: undefined, ignored: [] };
    const { others } = choosePriceColumn(texts, read);
    const priced = texts.filter((text, at): text is string => {
      const isPriced = headings[at]?.field === "price" || others.includes(text ?? "");
      return text !== undefined && text !== columns.price && isPriced;
    });
    return { texts: priced, isInKey: others.length > 0 };
  }
  const numbered = numberedTexts(header, rows);
  return numbered.length > 1 ? { texts: numbered, isInKey: true } : noOthers;
}

const noOthers: ReturnType<typeof columnsOfPrices> = { texts: [], isInKey: false };

/** Headings of columns of numbers that are no other field. */
function numberedTexts({ texts, headings, lineLast }: Header, rows: readonly TableRow[]): readonly string[] {
  return texts.filter((text, at): text is string => {
    const given = cellsBelow(rows, [{ at }]).filter((cell) => cell !== null);
    const isOpen = text !== undefined && lineLast > 0 && (headings[at] === undefined || headings[at].field === "price");
    return isOpen && given.length > 0 && given.filter(isNumberLike).length * 2 > given.length;
  });
}

/** The cells of columns that say something. */
function cellsBelow(rows: readonly TableRow[], columns: readonly { readonly at: number }[]): readonly Cell[] {
  const cells = rows.flatMap((row) => columns.map(({ at }) => unmerged(row.cells[at])));
  return cells.map((cell) => (isEmptyText(cell) ? null : cell));
}

/** What the headings of columns of numbers have: dates of a form, or markets or products that are known. */
function proposeWide(
  header: Header,
  { columns }: ChosenColumns,
  rows: readonly TableRow[],
  epoch: SerialEpoch,
  known?: KnownRecords,
) {
  const numbered = numberedTexts(header, rows);
  const proposed = (price: WidePrices) => {
    const own = wideColumns(header.texts, price, epoch).filter(({ heading }) => numbered.includes(heading));
    const note = `prices stand below ${listed(own.map(({ heading }) => heading))}: each is a ${price.headings}`;
    return { price, columns: own, numbered, notes: [note] };
  };
  if (columns.date === undefined) {
    const forms = [...words.dateForms.days, ...words.dateForms.months];
    const [dated] = forms
      .map((form) => proposed({ headings: "date", form }))
      .toSorted((a, b) => b.columns.length - a.columns.length);
    if (dated !== undefined && dated.columns.length > (columns.price === undefined ? 0 : 1)) return dated;
  }
  const indexes = known && indexNames(known);
  for (const headings of columns.price === undefined ? (["market", "product"] as const) : []) {
    const named = proposed({ headings, columns: numbered });
    const isKnown = ({ name }: WideColumn): boolean => (indexes?.[headings].find(name, () => true).length ?? 0) > 0;
    if (columns[headings] === undefined && named.columns.filter(isKnown).length * 2 > numbered.length) return named;
  }
  return { price: undefined, columns: [], numbered, notes: [] };
}

function isEmptyText(cell: Cell): boolean {
  return typeof cell === "string" && (mappingDefaults.empty_texts as readonly string[]).includes(cell.toLowerCase());
}

/** The texts that begin rows of tags and of sums, for `skip_rows` beside the usual ones. */
function skippedTexts(rows: readonly TableRow[], positions: ReadonlyMap<Field, readonly number[]>): readonly string[] {
  const isUsual = skipTest(mappingDefaults.skip_rows);
  const texts = rows.flatMap((row) => summaryText(row, positions) ?? []);
  const sums = new Set(texts.filter((text) => !isUsual(text) && text.length <= sumTextMax));
  return [...(rows.some(isTagRow) ? ["#"] : []), ...(sums.size <= namedMax ? sums : [])];
}

/** The cells of a field in rows, as an import reads them with the defaults of a mapping. */
function cellsByField(
  rows: readonly TableRow[],
  positions: ReadonlyMap<Field, readonly number[]>,
): (field: Field) => readonly Cell[] {
  const { empty_texts } = mappingDefaults;
  const reader = new FieldCellsReader(positions, { values: {}, fill_down: [], empty_texts });
  const read = rows.map((row) => reader.read(row).cells);
  return (field) => (positions.has(field) ? read.map((cells) => cells[field]) : []);
}

/** Returns whether a market, product and unit have prices of two times of one day. */
function hasTwoTimes(
  cells: (field: Field) => readonly Cell[],
  formats: readonly string[],
  epoch: SerialEpoch,
): boolean {
  const reader = new DateReader(formats, epoch);
  const [markets, products, units] = [cells("market"), cells("product"), cells("unit")];
  const timeOf = new Map<string, Instant>();
  return cells("date").some((cell, at) => {
    const time = reader.read(cell);
    if (typeof time === "object") return false;
    const key = JSON.stringify([...[markets, products, units].map((column) => cellText(column[at])), dayOf(time)]);
    return getOrInsert(timeOf, key, () => time) !== time;
  });
}
