/** Rows of a table → rows with their cells by field. A row that is no price by its form says why. */
import { foldText } from "../../../engine/model/folded-text.ts";
import type { Fault } from "../../../engine/snapshots/problem.ts";
import { type Cell, cellText, foundInCell, unmerged } from "./cells.ts";
import { type CsvRowForm, csvRowFault } from "./csv-row-form.ts";
import { type Columns, fieldName, otherTableFault, repeatsHeadings } from "./header-rows.ts";
import { type Field, fields } from "./headings.ts";
import type { Mapping } from "./mapping.ts";
import {
  isNumberLike,
  isTagRow,
  noteOf,
  type RowTest,
  skipTest,
  summaryFault,
  summaryText,
  type Title,
  titleOf,
} from "./row-kinds.ts";
import { columnLetters, isEmptyRow, type Table, type TableRow } from "./sheet-table.ts";
import { readTitle } from "./statements.ts";
import { widePrices } from "./wide-columns.ts";

/** The cell of each field, or the text of the mapping for all rows; null where neither is. */
export type FieldCells = Readonly<Record<Field, Cell>>;

export interface FieldRow {
  readonly line: number;
  readonly cells: FieldCells;
  /** The heading of its price in a wide table. */
  readonly heading?: string | undefined;
  /** Fields without a value here whose columns have one in a row above. */
  readonly fillable: readonly Field[];
}

/** The reasons to leave out a row that is no problem, with the words of the report. */
export const leftOutReasons = {
  no_price: "no price",
  skipped_row: 'its first text is one of "skip_rows" in the mapping',
  headings_again: "the headings again, or their HXL tags",
  skipped_name: 'has a name that matches.csv says to "skip"',
  withdrawn: "its price is withdrawn in the current snapshot",
} as const;

export type LeftOutReason = keyof typeof leftOutReasons;

export interface LeftOutRow {
  readonly line: number;
  readonly leftOut: LeftOutReason;
  /** The text of a row that has nothing else. */
  readonly note?: string | undefined;
  /** The same where it is one cell, and may say something of the prices below it that their rows do not. */
  readonly title?: Title | undefined;
}

export interface FaultyRow {
  readonly line: number;
  /** Empty where only names of the row have no match yet. */
  readonly faults: readonly Fault[];
  /** Given where another table begins: no row follows. */
  readonly isEnd?: true;
}

/** A row that gives no price. */
export type PricelessRow = LeftOutRow | FaultyRow;

/** The fault of a cell; for an empty one that has a value above it the remedy as well. */
export function cellFault(
  mapping: Pick<Mapping, "columns">,
  { fillable }: Pick<FieldRow, "fillable">,
  field: Field,
  cell: Cell,
  wanted: string,
): Fault {
  const canFill = cell === null && fillable.includes(field);
  const remedy = canFill ? `; "fill_down": [${JSON.stringify(field)}] in the mapping takes the value above` : "";
  return { kind: "value", field: fieldName(mapping, field), found: foundInCell(cell), wanted: `${wanted}${remedy}` };
}

/** A table and how its rows are read. */
interface RowsReading {
  readonly columns: Columns;
  readonly mapping: Mapping;
  /** Null for a workbook, whose cells have their places. */
  readonly form: CsvRowForm | null;
  readonly cells: FieldCellsReader;
  readonly isSkippedText: RowTest;
}

/**
 * Reads the rows below the headings in order, empty ones aside, up to a row where another table begins. Rows are read
 * while the result is iterated.
 */
export function* fieldRows(
  table: Pick<Table, "rows" | "text">,
  columns: Columns,
  mapping: RowsReading["mapping"],
): Generator<FieldRow | PricelessRow> {
  const { trailing_delimiters: trailingDelimiters } = mapping;
  const form = table.text && { ...columns, trailingDelimiters, delimiter: table.text.delimiter };
  const isSkippedText = skipTest(mapping.skip_rows);
  const readings = wideOrOne(columns, mapping).map(({ columns, values, heading }) => {
    const cells = new FieldCellsReader(columns.positions, { ...mapping, values });
    return { heading, reading: { columns, mapping, form, cells, isSkippedText } };
  });
  for (const row of table.rows) {
    if (row.line <= columns.lineLast || isEmptyRow(row)) continue;
    const hasWidePrice = columns.wide.some(({ at }) => (row.cells[at] ?? null) !== null);
    for (const { heading, reading } of readings) {
      const read = readRow(row, reading);
      yield "cells" in read ? { ...read, heading } : read;
      if ("isEnd" in read) return;
      // What holds for the row is said once; its other columns may have prices.
      if (!("cells" in read) && !("leftOut" in read && read.leftOut === "no_price" && hasWidePrice)) break;
    }
  }
}

/** How each row is read: in a wide table once for each heading, whose date or name stands in for a cell. */
function wideOrOne(columns: Columns, { columns: mapped, values }: RowsReading["mapping"]) {
  const field = widePrices(mapped)?.headings;
  if (field === undefined) return [{ columns, values, heading: undefined }];
  return columns.wide.map(({ at, name, heading }) => {
    const positions = new Map([...columns.positions, ["price", [at]] as const]);
    return { columns: { ...columns, positions }, values: { ...values, [field]: name }, heading };
  });
}

function readRow(row: TableRow, reading: RowsReading): FieldRow | PricelessRow {
  const { columns, form, isSkippedText } = reading;
  const { line } = row;
  if (repeatsHeadings(row, columns) || isTagRow(row)) return { line, leftOut: "headings_again" };
  if (isSkipped(row, reading)) return { line, leftOut: "skipped_row", note: noteOf(row) };
  const otherTable = otherTableFault(row, columns);
  if (otherTable !== undefined) return { line, faults: [otherTable], isEnd: true };
  const moved = form === null ? undefined : csvRowFault(row, form);
  // Cells under other headings than their own would only give further problems, and names for matches.csv.
  if (moved !== undefined) return { line, faults: [moved] };
  const read = reading.cells.read(row);
  const { price, product, market } = read.cells;
  if (price === null) return withoutPrice(row, reading);
  const beside = unheadedFault(row, columns);
  if (beside !== undefined) return { line, faults: [beside] };
  const summary = product === null || market === null ? summaryText(row, columns.positions) : undefined;
  if (summary === undefined) return read;
  // A date may stand before "Total".
  return isSkippedText(summary) ? { line, leftOut: "skipped_row" } : { line, faults: [summaryFault(summary)] };
}

/**
 * A number in a column without a heading may be the price that counts, and a text there may state something of prices.
 * A first number numbers rows.
 */
function unheadedFault({ cells }: TableRow, { headings }: Columns): Fault | undefined {
  const at = cells.findIndex((cell, at) => {
    if (headings[at] !== undefined) return false;
    return (
      (at > 0 && isNumberLike(unmerged(cell))) ||
      (typeof cell === "string" && readTitle(cell).some(({ kind }) => kind !== "date"))
    );
  });
  if (at === -1) return undefined;
  const found = `${foundInCell(cells[at])} in column ${columnLetters(at)}, which has no heading`;
  return { kind: "line", found, wanted: "a heading above it, or an empty cell" };
}

/** A type of market skips no row: "jumla" is a total, and wholesale as well. */
function isSkipped({ cells }: TableRow, { columns, isSkippedText }: RowsReading): boolean {
  const position = cells.findIndex((cell) => cell !== null);
  if (columns.positions.get("market_type")?.includes(position)) return false;
  const first = cellText(cells[position]);
  return first !== undefined && isSkippedText(first);
}

/** Columns with which a row says all of its price, but for its type of market. */
const wholeRowFields = ["date", "market", "product", "unit"] as const satisfies Field[];

/**
 * A title may say something of the prices below it. One such as `CEREALS` adds nothing where each row has its own date,
 * market, product and unit, nor does a type of market to a column of types, a note, or a cell that is filled down.
 */
function withoutPrice(row: TableRow, { columns: { positions }, mapping }: RowsReading): LeftOutRow {
  const { line } = row;
  const title = titleOf(row);
  const note = noteOf(row);
  if (title === undefined) return { line, leftOut: "no_price", note };
  const isOfField = (field: Field): boolean => positions.get(field)?.includes(title.at) === true;
  const isAboutPrices = title.hasType
    ? !positions.has("market_type")
    : !wholeRowFields.every((field) => positions.has(field)) &&
      !isOfField("notes") &&
      !mapping.fill_down.some(isOfField);
  return { line, leftOut: "no_price", note, title: isAboutPrices ? title : undefined };
}

/** Reads the cells of rows by field, one row after the other: cells that are filled down have the values above them. */
export class FieldCellsReader {
  readonly #positions: Columns["positions"];
  readonly #mapping: Pick<Mapping, "values" | "fill_down">;
  readonly #emptyTexts: ReadonlySet<string>;
  /** The last values of the columns of each field. */
  readonly #above = new Map<Field, readonly Cell[]>();

  constructor(positions: Columns["positions"], mapping: Pick<Mapping, "values" | "fill_down" | "empty_texts">) {
    this.#positions = positions;
    this.#mapping = mapping;
    this.#emptyTexts = new Set(mapping.empty_texts.map((text) => foldText(text)));
  }

  read(row: TableRow): FieldRow {
    const cellOf = (field: Field): Cell => this.#cellOf(field, row) ?? this.#mapping.values[field] ?? null;
    const cells = Object.fromEntries(fields.map((field) => [field, cellOf(field)])) as Record<Field, Cell>;
    const fillable = fields.filter((field) => cells[field] === null && this.#above.has(field));
    return { line: row.line, cells, fillable };
  }

  /** A field of several columns has their texts, a date with spaces between its parts. Empty texts are empty. */
  #cellOf(field: Field, { cells }: TableRow): Cell {
    const own = (this.#positions.get(field) ?? []).map((at) => {
      const cell = cells[at] ?? null;
      // The 0 of a workbook is a number.
      return this.#emptyTexts.has(foldText(cellText(cell) ?? "")) ? null : cell;
    });
    const isFilledDown = this.#mapping.fill_down.includes(field);
    const filled = isFilledDown ? filledDown(field, own, this.#above.get(field) ?? []) : own;
    if (own.some((cell) => cell !== null)) this.#above.set(field, filled.map(unmerged));
    if (filled.length === 1) return filled[0] as Cell;
    const present = filled.filter((cell) => cell !== null);
    const unusable = present.find((cell) => cellText(cell) === undefined);
    if (present.length === 0 || unusable !== undefined) return unusable ?? null;
    return present.map(cellText).join(field === "date" ? " " : ", ");
  }
}

/**
 * Cells with the values above them where they are empty. Each column of a date is filled by itself. A name is filled to
 * the left of the first cell that the row has: another variety belongs to the product above, another product has none
 * of its varieties.
 */
function filledDown(field: Field, own: readonly Cell[], above: readonly Cell[]): readonly Cell[] {
  const first = own.findIndex((cell) => cell !== null);
  return own.map((cell, at) => {
    return cell ?? (field === "date" || first === -1 || at < first ? (above[at] ?? null) : null);
  });
}
