/** A table without a mapping → a mapping to begin with, and notes of what a person should check. */
import { basename, extname } from "node:path";
import type { Instant } from "../../../engine/model/calendar.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import { type Cell, cellText, unmerged } from "./cells.ts";
import { chooseColumns } from "./choose-columns.ts";
import { DateReader, dayOf } from "./date-cell.ts";
import { FieldCellsReader } from "./field-rows.ts";
import { findHeader, type Header } from "./find-header.ts";
import type { Field } from "./headings.ts";
import { proposeDateFormats } from "./inspect-dates.ts";
import { currenciesOfRows, proposeCurrency, proposeNumberStyle } from "./inspect-prices.ts";
import {
  headingNotes,
  proposeHeadingInKey,
  proposeSkippedRows,
  proposeTrailingDelimiters,
  rowNotes,
  sampleRows,
} from "./inspect-rows.ts";
import { type MappingFile, mappingDefaults, requiredFields } from "./mapping.ts";
import { decimals, splitPriceCell } from "./price-cell.ts";
import { readTables } from "./read-sheet-tables.ts";
import { noteOf } from "./row-kinds.ts";
import { unreadLines } from "./sheet-report.ts";
import type { SerialEpoch, Table, TableRow } from "./sheet-table.ts";
import { currenciesOf, proposeStated, statementsOfNote, statementsOfTable, unexplainedWords } from "./stated-values.ts";

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
  const { columns, positions } = chosen;
  const rows = sampleRows(table, header);
  const read = { header_row: header.line, columns: columns as MappingFile["columns"], currencies: {}, ignored: [] };
  const notes = rows.value.flatMap((row) => statementsOfNote(noteOf(row) ?? "", row.line, read));
  const statements = [...statementsOfTable(table, read), ...notes];
  const stated = proposeStated(statements, columns);
  const headingInKey = proposeHeadingInKey(header, chosen, stated.values, rows.value);
  const cells = cellsByField(rows.value, positions);
  const prices = cells("price").map(unmerged).map(splitPriceCell);
  const amounts = prices.map(({ amount }) => amount);
  const style = proposeNumberStyle(amounts, table.text?.delimiter === ";" ? [",", "."] : decimals);
  const marks = currenciesOfRows(amounts, cells("unit"), style.value);
  const currency = columns.currency === undefined ? proposeCurrency(currenciesOf(statements), marks) : null;
  const code = currency?.value.code;
  const values = { ...stated.values, ...(code === undefined ? {} : { currency: code }) };
  const trailing = proposeTrailingDelimiters(table, header, rows.value);
  const dates = proposeDateFormats(cells("date"), table.epoch);
  const hasTimes = hasTwoTimes(cells, dates.value, table.epoch);
  const skipped = proposeSkippedRows(rows.value, positions);
  const attribution = [`${source}, Kenya`];
  const mapping: MappingFile = {
    source,
    ...(hasSheets ? { sheet: table.sheet as string } : {}),
    header_row: header.line,
    ...(header.rowCount > 1 ? { header_rows: header.rowCount } : {}),
    columns: columns as MappingFile["columns"],
    values,
    date_formats: dates.value,
    ...style.value,
    ...(stated.scale === 1 ? {} : { scale: stated.scale }),
    ...(trailing.value === 0 ? {} : { trailing_delimiters: trailing.value }),
    fill_down: [],
    empty_texts: mappingDefaults.empty_texts,
    skip_rows: skipped.value,
    attribution,
    ...(headingInKey.value ? { heading_in_key: true } : {}),
    ...(hasTimes ? { time_in_key: true } : {}),
  };
  const hasUnitInPrice = prices.some(({ unit }) => unit !== null);
  const unexplained = unexplainedWords(read)
    .map((text) => JSON.stringify(text))
    .join(", ");
  const words = `${unexplained} in the heading of the prices: in "ignored" where it changes none; an import refuses it`;
  const needed: readonly Field[] = [
    ...requiredFields,
    ...(hasUnitInPrice ? [] : (["unit"] as const)),
    ...(currency?.value.isMissing ? (["currency"] as const) : []),
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
    /** Assumptions for a person to check, in the order in which the table is read. */
    notes: [
      ...[chosen, { notes: headingNotes(table, header) }, stated, rows, headingInKey, style].flatMap(
        ({ notes }) => notes,
      ),
      ...(unexplained === "" ? [] : [words]),
      ...(currency?.notes ?? []),
      ...[trailing, dates, skipped].flatMap(({ notes }) => notes),
      ...rowNotes(header, rows.value, positions),
      `"attribution" is ${JSON.stringify(attribution)}: say whose prices these are, and on what terms`,
    ],
  };
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
