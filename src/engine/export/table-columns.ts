/**
 * The columns of a table, each declared once: files (CSV, NDJSON, Parquet), their descriptions, the JSON of answers and
 * the schemas of the API are made from the declaration.
 */

import type { CodeColumn } from "../store/columns.ts";
import { roundFigure } from "../store/figures.ts";
import type { Store } from "../store/store.ts";

/**
 * The type of the values of a column. `texts`: a list of texts. `type_counts`: numbers by type of market. `timestamp`:
 * an instant; `date`: a day of the dataset's calendar.
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

/** As a column is declared: a question mark where its cells may be null. */
export type CellType = ColumnType | `${ColumnType}?`;

/** Null where there is no value. Dates are `YYYY-MM-DD`, timestamps `Instant`s. */
export type Cell = string | number | boolean | readonly string[] | CountsByName | null;

export type CountsByName = Readonly<Record<string, number>>;

/** Properties that only some columns have. */
export interface ColumnDetails {
  /** The unit of a number, or what it counts; backquotes enclose the name of another column. */
  readonly unit?: string;
  /** True for numbers of at least 0 that are rounded to 6 decimals when they are written. */
  readonly isRounded?: true;
  /** The texts that a cell can have, where these are a closed list. */
  readonly values?: readonly string[];
  /** The column in the JSON of answers, where that differs from files; null where only files have it. */
  readonly answer?: AnswerField | null;
}

/** A column as a field of an answer; what is absent is as in files. */
export interface AnswerField {
  /** The fields that lead to it, joined by points: `market.county.id`. */
  readonly path?: string;
  /** Never null where it is given. */
  readonly type?: ColumnType;
  readonly description?: string;
  readonly unit?: string;
  /** True if the field is left out where the cell is null. */
  readonly isOptional?: true;
}

export interface ColumnDescription extends ColumnDetails {
  readonly name: string;
  readonly type: ColumnType;
  /** Its meaning, with its unit. */
  readonly description: string;
  /** True if a cell may be null. */
  readonly isNullable?: true;
}

/** A value of each row: of the row itself, or where rows share few values, of the code that a row has. */
export type RowValue<Row, Value> =
  | { readonly codeOf?: undefined; readonly cellOf: (row: Row, store: Store) => Value }
  | { readonly codeOf: (store: Store) => (row: Row) => number; readonly cellOf: (code: number, store: Store) => Value };

/** A column of a store: codes, numbers, instants, or uuids as words. */
export type StoredValues = CodeColumn | Float64Array;

export type Column<Row> = ColumnDescription &
  RowValue<Row, Cell> & {
    /** The column of the store that has the codes or cells, where rows are its rows: read without a call for each. */
    readonly storedIn?: (store: Store) => StoredValues;
  };

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

/** Returns the reader of the cells of a column, rounded where they are; what a code stands for is converted once. */
export function cellReader<Row, Value>(
  store: Store,
  column: Column<Row>,
  convert: (cell: Cell) => Value,
): (row: Row) => Value {
  if (column.codeOf === undefined) {
    const { cellOf, isRounded } = column;
    if (isRounded !== true) return (row) => convert(cellOf(row, store));
    return (row) => {
      const figure = cellOf(row, store);
      return convert(typeof figure === "number" ? roundFigure(figure) : figure);
    };
  }
  const { cellOf } = column;
  const codeOf = column.codeOf(store);
  const known: { readonly value: Value }[] = [];
  return (row) => {
    const code = codeOf(row);
    known[code] ??= { value: convert(cellOf(code, store)) };
    return known[code].value;
  };
}

/** Makes a column from what its cells are made of. */
export type ColumnMaker<Row, Value> = (
  name: string,
  type: CellType,
  description: string,
  cellOf: (value: Value, store: Store) => Cell,
  details?: ColumnDetails,
) => Column<Row>;

/** A column of which each row has a value of its own. */
export function ofRow<Row>(
  name: string,
  type: CellType,
  description: string,
  cellOf: (row: Row, store: Store) => Cell,
  details?: ColumnDetails,
): Column<Row> {
  return { ...describedColumn(name, type, description, details), cellOf };
}

/** Makes columns whose values are those of a code that a row has. */
export function codedColumns<Row>(codeOf: (store: Store) => (row: Row) => number): ColumnMaker<Row, number> {
  return (name, type, description, cellOf, details) => ({
    ...describedColumn(name, type, description, details),
    codeOf,
    cellOf,
  });
}

/** A column of a part of rows, such as a group or a month, of the rows that have one. */
export function ofPart<Row, Part>(column: Column<Part>, partOf: (row: Row) => Part): Column<Row> {
  const { cellOf } = column as Extract<Column<Part>, { codeOf?: undefined }>;
  return { ...column, codeOf: undefined, cellOf: (row, store) => cellOf(partOf(row), store) };
}

function describedColumn(
  name: string,
  type: CellType,
  description: string,
  details: ColumnDetails | undefined,
): ColumnDescription {
  const isNullable = type.endsWith("?");
  return {
    name,
    type: type.replace("?", "") as ColumnType,
    description,
    ...(isNullable && { isNullable }),
    ...details,
  };
}
