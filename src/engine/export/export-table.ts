/** A table of an export has columns of named values, and rows in blocks. Every form of an export is made from it. */
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

/** As a column is written: a question mark where its cells may be null. */
export type CellType = ColumnType | `${ColumnType}?`;

/**
 * Null where there is no value. Dates are `YYYY-MM-DD`, timestamps RFC 3339 in UTC.
 */
export type Cell = string | number | boolean | readonly string[] | CountsByName | null;

export type CountsByName = Readonly<Record<string, number>>;

interface ColumnDescription {
  readonly name: string;
  readonly type: ColumnType;
  /** Its meaning, with its unit. */
  readonly description: string;
  /** The unit of a number, or what it counts; backquotes enclose the name of another column. */
  readonly unit?: string;
  /** The texts that a cell can have, where these are a closed list. */
  readonly values?: readonly string[];
  /** True if a cell may be null. */
  readonly isNullable?: true;
}

/** A column, and what its cells are made of: the row, or where rows share few values the code that a row has. */
export type Column<Row> = ColumnDescription &
  (
    | { readonly codeOf?: undefined; readonly cellOf: (row: Row, store: Store) => Cell }
    | { readonly codeOf: (store: Store) => (row: Row) => number; readonly cellOf: (code: number, store: Store) => Cell }
  );

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

/** Returns the reader of the cells of a column; of those of a code it is made once. */
export function cellReader<Row, Value>(
  store: Store,
  column: Column<Row>,
  convert: (cell: Cell) => Value,
): (row: Row) => Value {
  if (column.codeOf === undefined) {
    const { cellOf } = column;
    return (row) => convert(cellOf(row, store));
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

/** Unit of numbers that only identify something. */
export const noUnit = "none";

/** Makes a column from what its cells are made of. @param about The unit of a number, or the texts of a closed list. */
export type ColumnMaker<Row, Value> = (
  name: string,
  type: CellType,
  description: string,
  cellOf: (value: Value, store: Store) => Cell,
  about?: string | readonly string[],
) => Column<Row>;

/** A column of which each row has a value of its own. @param about As in `ColumnMaker`. */
export function ofRow<Row>(
  name: string,
  type: CellType,
  description: string,
  cellOf: (row: Row, store: Store) => Cell,
  about?: string | readonly string[],
): Column<Row> {
  return { ...describedColumn(name, type, description, about), cellOf };
}

/** Makes columns whose values are those of a code that a row has. */
export function codedColumns<Row>(codeOf: (store: Store) => (row: Row) => number): ColumnMaker<Row, number> {
  return (name, type, description, cellOf, about) => ({
    ...describedColumn(name, type, description, about),
    codeOf,
    cellOf,
  });
}

function describedColumn(
  name: string,
  type: CellType,
  description: string,
  about: string | readonly string[] | undefined,
): ColumnDescription {
  return {
    name,
    type: type.replace("?", "") as ColumnType,
    description,
    ...(typeof about === "string" && { unit: about }),
    ...(typeof about === "object" && { values: about }),
    ...(type.endsWith("?") && { isNullable: true }),
  };
}
