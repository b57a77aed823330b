/**
 * A store taken apart into what a file can hold: its typed arrays, wherever they stand in it, and the rest as JSON. The
 * catalogue is not kept, for it is made of maps and quickly built from the small tables, which are; neither is the
 * snapshot's identity, which its manifest tells.
 */
import type { SnapshotIdentity } from "../domain/dataset.ts";
import { buildCatalogue, type Catalogue, type SmallTables } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { type Column, type ColumnTypeName, columnOver, columnTypeName, elementBytes } from "./column-types.ts";
import { alignedBytes } from "./file-layout.ts";

/** A typed array and the place where it stands: property names and list positions from the store down, with dots. */
export interface NamedColumn {
  readonly path: string;
  readonly column: Column;
}

/** What is known of a column without its content. */
export interface ColumnDescription {
  readonly path: string;
  readonly type: ColumnTypeName;
  /** Elements. */
  readonly length: number;
}

export interface StoreContent {
  readonly columns: readonly NamedColumn[];
  readonly tables: SmallTables;
  /** All else of the store: plain JSON values, null where a column stands. */
  readonly rest: object;
}

/**
 * Takes a store apart. Nothing is copied.
 *
 * @throws {TypeError} when there is something in it that JSON cannot tell: a map, a class instance, NaN.
 */
export function takeApart({ snapshot: _, catalogue, ...others }: Store): StoreContent {
  const columns: NamedColumn[] = [];
  const rest = withoutColumns(others, "", columns) as object;
  return { columns, tables: smallTables(catalogue), rest };
}

/** The records that a catalogue is made of. */
export function smallTables({
  counties,
  crops,
  unitCategories,
  marketTypes,
  products,
  markets,
}: Catalogue): SmallTables {
  return {
    counties: [...counties.values()],
    crops,
    unitCategories,
    marketTypes,
    products: products.map(({ record }) => record),
    markets: markets.map(({ record }) => record),
  };
}

/** The description of a column. */
export function describeColumn({ path, column }: NamedColumn): ColumnDescription {
  return { path, type: columnTypeName(column) as ColumnTypeName, length: column.length };
}

/** Bytes of columns that lie one after the other, padding included. */
export function columnsBytes(columns: readonly ColumnDescription[]): number {
  return columns.reduce((sum, { type, length }) => sum + alignedBytes(length * elementBytes(type)), 0);
}

/**
 * Puts a store together again, its columns lying in `memory` one after the other.
 *
 * @param rest Is filled with the columns and becomes the store.
 * @throws {TypeError} when a column has no place in the rest, or the tables are not such tables.
 */
export function putTogether(
  snapshot: SnapshotIdentity,
  tables: SmallTables,
  rest: object,
  columns: readonly ColumnDescription[],
  memory: SharedArrayBuffer,
): Store {
  let offset = 0;
  for (const { path, type, length } of columns) {
    place(rest, path, columnOver(type, memory, offset, length));
    offset += alignedBytes(length * elementBytes(type));
  }
  const { ...parts } = rest as Omit<Store, "snapshot" | "catalogue">;
  return { snapshot, catalogue: buildCatalogue(tables), ...parts };
}

function withoutColumns(value: unknown, path: string, columns: NamedColumn[]): unknown {
  if (ArrayBuffer.isView(value)) {
    if (columnTypeName(value) === undefined) throw unknownValue(path, value.constructor.name);
    columns.push({ path, column: value as Column });
    return null;
  }
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item, position) => withoutColumns(item, `${path}.${position}`, columns));
  if (typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) {
    throw unknownValue(path, typeof value === "object" ? value.constructor.name : String(value));
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (name.includes(".")) throw unknownValue(path, `an object with a property "${name}"`);
      return [name, withoutColumns(item, path === "" ? name : `${path}.${name}`, columns)];
    }),
  );
}

function unknownValue(path: string, found: string): TypeError {
  return new TypeError(`${path} is ${found}, expected a typed array or what JSON can tell`);
}

function place(rest: object, path: string, column: Column): void {
  const names = path.split(".");
  const last = names.pop() as string;
  let target: unknown = rest;
  for (const name of names) target = own(target, name, path);
  if (own(target, last, path) !== null) throw new TypeError(`${path} has no place in the store`);
  (target as Record<string, unknown>)[last] = column;
}

function own(target: unknown, name: string, path: string): unknown {
  if (typeof target !== "object" || target === null || !Object.hasOwn(target, name)) {
    throw new TypeError(`${path} has no place in the store`);
  }
  return (target as Record<string, unknown>)[name];
}
