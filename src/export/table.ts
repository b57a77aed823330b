/**
 * What a table of an export is: columns of named values, and rows in blocks. Every form of an export is made from it.
 */
import type { Store } from "../store/store.ts";

/**
 * What the values of a column are. `texts`: a list of texts. `type_counts`: numbers by type of market. `timestamp`: an
 * instant; `date`: a day of the dataset's calendar.
 */
export type ColumnType =
  | "uuid"
  | "text"
  | "texts"
  | "type_counts"
  | "number"
  | "integer"
  | "boolean"
  | "date"
  | "timestamp";

/** As a column is written: a question mark where its cells may be null. */
export type CellType = ColumnType | `${ColumnType}?`;

/**
 * Null where there is no value. Dates are `YYYY-MM-DD`, timestamps RFC 3339 in UTC.
 */
export type Cell = string | number | boolean | readonly string[] | CountsByName | null;

export type CountsByName = Readonly<Record<string, number>>;

/** What a column has of a row; where rows share few values, of the code that a row has. */
export type Cells<Row> =
  | { readonly codeOf?: undefined; readonly cellOf: (row: Row) => Cell }
  | { readonly codeOf: (row: Row) => number; readonly cellOf: (code: number) => Cell };

export interface Column<Row> {
  readonly name: string;
  readonly type: ColumnType;
  /** What it means, with its unit. */
  readonly description: string;
  /** The unit of a number, or what it counts; backquotes enclose the name of another column. */
  readonly unit?: string;
  /** The texts that a cell can have, where these are a closed list. */
  readonly values?: readonly string[];
  /** Whether a cell may be null. */
  readonly isNullable?: true;
  readonly cells: (store: Store) => Cells<Row>;
}

/** In the order in which they are written. Within a version of the interface, columns are only added at the end. */
export type Columns<Row> = readonly Column<Row>[];

/** Rows in their order. Each block is written before the next one is made; a block may be empty. */
export type RowBlocks<Row> = Iterable<ArrayLike<Row>>;

/** Rows in memory, in blocks. */
export function* blocksOf<Row>(rows: ArrayLike<Row>): Generator<Row[]> {
  for (let from = 0; from < rows.length; from += blockRows)
    yield Array.prototype.slice.call(rows, from, from + blockRows);
}

const blockRows = 64;

/** An empty block for each step of some work, so that others are served in between. */
export function* withEmptyBlocks<T>(work: Generator<unknown, T>): Generator<readonly never[], T> {
  let step = work.next();
  for (; step.done !== true; step = work.next()) yield [];
  return step.value;
}

/** What becomes of the cells of a column; of those of a code it is made once. */
export function cellReader<Row, Value>(
  store: Store,
  { cells }: Column<Row>,
  convert: (cell: Cell) => Value,
): (row: Row) => Value {
  const { codeOf, cellOf } = cells(store);
  if (codeOf === undefined) return (row) => convert(cellOf(row));
  const known: { readonly value: Value }[] = [];
  return (row) => {
    const code = codeOf(row);
    known[code] ??= { value: convert(cellOf(code)) };
    return known[code].value;
  };
}

/** A column of which each row has a value of its own. @param unit Of numbers, as in `Column`. */
export function column<Row>(
  name: string,
  type: CellType,
  description: string,
  cellOf: (store: Store) => (row: Row) => Cell,
  unit?: string,
): Column<Row> {
  return { ...describedColumn(name, type, description, unit), cells: (store) => ({ cellOf: cellOf(store) }) };
}

/** As `column`, where nothing is to be looked up in the store but for each row. */
export function ofRow<Row>(
  name: string,
  type: CellType,
  description: string,
  cellOf: (row: Row, store: Store) => Cell,
  unit?: string,
): Column<Row> {
  return column(name, type, description, (store) => (row) => cellOf(row, store), unit);
}

/** A column of texts of a closed list. */
export function oneOf<Row>(values: readonly string[], column: Column<Row>): Column<Row> {
  return { ...column, values };
}

function describedColumn(
  name: string,
  type: CellType,
  description: string,
  unit: string | undefined,
): Omit<Column<unknown>, "cells"> {
  const described = {
    name,
    type: type.replace("?", "") as ColumnType,
    description,
    ...(unit !== undefined && { unit }),
  };
  return type.endsWith("?") ? { ...described, isNullable: true } : described;
}

/** Unit of numbers that only identify something. */
export const noUnit = "none";

/** Makes columns whose values are those of a code that a row has. */
export function codedColumns<Row>(
  codeOf: (store: Store) => (row: Row) => number,
): (
  name: string,
  type: CellType,
  description: string,
  cellOf: (store: Store, code: number) => Cell,
  unit?: string,
) => Column<Row> {
  return (name, type, description, cellOf, unit) => ({
    ...describedColumn(name, type, description, unit),
    cells: (store) => ({ codeOf: codeOf(store), cellOf: (code: number) => cellOf(store, code) }),
  });
}
