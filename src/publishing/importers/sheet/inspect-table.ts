/** A table without a mapping → a mapping to begin with, and notes of what a person should check. */

import { basename, extname } from "node:path";
import type { Instant } from "../../../engine/model/calendar.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { type Cell, cellText, unmerged } from "./cells.ts";
import { type ChosenColumns, chooseColumns } from "./choose-columns.ts";
import { DateReader, dayOf } from "./date-cell.ts";
import { FieldCellsReader } from "./field-rows.ts";
import { findHeader, type Header } from "./find-header.ts";
import type { Field } from "./headings.ts";
import { proposeDateFormats } from "./inspect-dates.ts";
import { type MappingFile, mappingDefaults, requiredFields } from "./mapping.ts";
import { type NumberStyle, readPriceCell, splitPriceCell, splitUnitCell } from "./price-cell.ts";
import { otherPriceColumns } from "./price-column.ts";
import { readTables } from "./read-sheet-tables.ts";
import { noteOf, skipTest, summaryText } from "./row-kinds.ts";
import { unreadLines } from "./sheet-report.ts";
import { isEmptyRow, type Table, type TableRow } from "./sheet-table.ts";
import { agreedCurrency, type CurrencyStatement } from "./stated-currency.ts";
import { currenciesOf, proposeStated, statementsOfNote, statementsOfTable, unexplainedWords } from "./stated-values.ts";

/** Rows that decide the forms of dates and numbers. */
const sampleRowsMax = 2000;

/** Texts of sums that are proposed for `skip_rows`; more are no sums. */
const sumsMax = 10;

const pointStyle = { decimal: ".", thousands: "," } as const;
const commaStyle = { decimal: ",", thousands: "." } as const;

/**
 * Inspects a file. In a workbook with several sheets the sheet with most fields counts, of equal sheets the first.
 *
 * @param source The source of the prices; the name of the file when absent.
 * @throws {ImportRefusedError} as `readTables`.
 */
export async function inspectFile(path: string, source: string | undefined): Promise<ReturnType<typeof inspectTables>> {
  return inspectTables(await readTables(path, {}), path, source);
}

/** As `inspectFile`, of the tables of a file that was read. */
export function inspectTables(tables: readonly Table[], path: string, source: string | undefined) {
  const found = tables.map((table) => {
    const header = findHeader(table);
    return { table, header, known: new Set(header.headings.flatMap((heading) => heading?.field ?? [])).size };
  });
  const best = found.reduce((best, next) => (next.known > best.known ? next : best));
  const notes =
    source === undefined ? ['"source" is the name of the file; it is part of the identity of every price'] : [];
  const others = tables.filter((table) => table !== best.table).map(({ sheet }) => `sheet ${JSON.stringify(sheet)}`);
  const named = source ?? basename(path, extname(path));
  const inspection = inspectTable(best.table, best.header, named, tables.length > 1);
  const unread = [...others, ...best.table.unread];
  return { ...inspection, notes: [...notes, ...unreadLines(unread), ...inspection.notes] };
}

function inspectTable(table: Table, header: Header, source: string, hasSheets: boolean) {
  const { line, texts } = header;
  const chosen = chooseColumns(header);
  const rows = Iterator.from(table.rows)
    .filter((row) => row.line > header.lineLast && !isEmptyRow(row))
    .take(sampleRowsMax)
    .toArray();
  const { columns, positions } = chosen as { columns: MappingFile["columns"]; positions: ChosenColumns["positions"] };
  const read = { header_row: line, columns, currencies: {}, ignored: [] };
  const below = rows.flatMap((row) => statementsOfNote(noteOf(row) ?? "", row.line, read));
  const statements = [...statementsOfTable(table, read), ...below];
  const stated = proposeStated(statements, columns);
  const cells = cellsByField(rows, positions);
  const prices = cells("price").map(unmerged).map(splitPriceCell);
  const amounts = prices.map(({ amount }) => amount);
  // Spreadsheet programs separate cells by semicolons where their decimal sign is a comma.
  const style = table.text?.delimiter === ";" ? commaStyle : pointStyle;
  const isOfRow = hasCurrencies(amounts, cells("unit"), style);
  const currency = columns.currency ? { notes: [] } : proposeCurrency(currenciesOf(statements), isOfRow);
  const values = { ...stated.values, ...(currency.value === undefined ? {} : { currency: currency.value }) };
  const others = otherPriceColumns(texts, { columns, values: stated.values, ignored: [] });
  const dates = proposeDateFormats(cells("date"), table.epoch);
  const isUsual = skipTest(mappingDefaults.skip_rows);
  const summed = new Set(rows.flatMap((row) => summaryText(row, positions) ?? []).filter((text) => !isUsual(text)));
  const sums = summed.size > sumsMax ? [] : [...summed];
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
    date_formats: dates.value,
    ...style,
    ...(stated.scale === 1 ? {} : { scale: stated.scale }),
    fill_down: [],
    empty_texts: mappingDefaults.empty_texts,
    skip_rows: [...mappingDefaults.skip_rows, ...sums],
    attribution,
    ...(columns.price === undefined || others.length > 0 ? { heading_in_key: true } : {}),
    ...(hasTwoTimes(cells, new DateReader(dates.value, table.epoch)) ? { time_in_key: true } : {}),
  };
  const hasUnitInPrice = prices.some(({ unit }) => unit !== null);
  const needed: readonly Field[] = [...requiredFields, ...(hasUnitInPrice ? [] : (["unit"] as const))];
  const named: readonly (readonly [texts: readonly string[], note: (listed: string) => string])[] = [
    [others, (found) => `prices stand in ${found}, which are not read: ${onceForEach(others)}`],
    [unexplainedWords(read), (found) => `${found} in the heading of the prices: ${asIgnored}`],
    [sums, (found) => `"skip_rows" has ${found}, which begin rows that look like sums: they are left out`],
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
    missing: needed.filter((field) => columns[field] === undefined && !(field in values)),
    /** Assumptions for a person to check. */
    notes: [
      ...[stated, currency, dates].flatMap(({ notes }) => notes),
      ...named.flatMap(([texts, noteOf]) => (texts.length === 0 ? [] : noteOf(listed(texts)))),
    ],
  };
}

const asIgnored = 'in "ignored" where it changes none; an import refuses it';

function listed(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(", ");
}

function onceForEach([first]: readonly string[]): string {
  const once = `import the file once for each, with "price": ${JSON.stringify(first)} in a mapping of its own`;
  return `make a row of each price, or ${once}; "heading_in_key" keeps the prices of columns apart`;
}

/** Returns whether a price has its currency in its cell or that of its unit. */
function hasCurrencies(amounts: readonly Cell[], units: readonly Cell[], style: NumberStyle): boolean {
  return amounts.some((amount, at) => {
    const read = readPriceCell(amount, style);
    return ("currencies" in read && read.currencies.length > 0) || splitUnitCell(units[at] ?? null).mark !== null;
  });
}

/** Proposes the currency of all rows. @param isOfRow True if rows state their own, which only a statement limits. */
function proposeCurrency(ofTable: readonly CurrencyStatement[], isOfRow: boolean) {
  const [first] = ofTable;
  if (first === undefined) {
    return isOfRow ? { notes: [] } : { value: "KES", notes: ["no column has the currency: all prices count as KES"] };
  }
  const agreed = agreedCurrency(ofTable);
  if (typeof agreed !== "string") return { notes: [`found ${agreed.found}, expected ${agreed.wanted}`] };
  return { value: agreed, notes: [`all prices count as ${agreed}: ${JSON.stringify(first.sign)} in ${first.place}`] };
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
function hasTwoTimes(cells: (field: Field) => readonly Cell[], reader: DateReader): boolean {
  const [markets, products, units] = [cells("market"), cells("product"), cells("unit")];
  const timeOf = new Map<string, Instant>();
  return cells("date").some((cell, at) => {
    const time = reader.read(cell);
    if (typeof time === "object") return false;
    const key = JSON.stringify([...[markets, products, units].map((column) => cellText(column[at])), dayOf(time)]);
    return getOrInsert(timeOf, key, () => time) !== time;
  });
}
