/**
 * A store as what a file can hold: its typed arrays, wherever they stand in it, and the rest as JSON; and back again.
 * The catalogue is not kept, because it is made of maps and quickly built from the small tables, which are; neither is
 * the snapshot's identity, which its manifest holds. The columns are found by walking the store, so a new index needs
 * no code here.
 */

import { emptyPriceTable, type SnapshotIdentity } from "../domain/dataset.ts";
import type { Instant } from "../domain/instant.ts";
import { type ColumnOf, type ColumnTypeName, columnTypes } from "../domain/shared-columns.ts";
import { buildStore } from "../store/build-store.ts";
import { buildCatalogue, type Catalogue, type SmallTables } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { alignedBytes, type ColumnDescription } from "./file-layout.ts";

/** A column of any type that a store has. */
export type Column = ColumnOf<ColumnTypeName, ArrayBufferLike>;

/** Whether a text names a type of columns. */
function isColumnTypeName(name: string): name is ColumnTypeName {
  return Object.hasOwn(columnTypes, name);
}

/** A typed array and its path: property names and list positions from the store down, with dots. */
export interface NamedColumn {
  readonly path: string;
  readonly column: Column;
}

export interface StoreContent {
  readonly columns: readonly NamedColumn[];
  readonly tables: SmallTables;
  /** All else of the store: plain JSON values, null where a column stands. */
  readonly rest: object;
}

/**
 * Serializes a store. Nothing is copied.
 *
 * @throws {TypeError} when there is something in it that JSON cannot hold: a map, a class instance, NaN.
 */
export function serializeStore({ snapshot: _, catalogue, ...others }: Store): StoreContent {
  const columns: NamedColumn[] = [];
  const rest = withoutColumns(others, "", columns) as object;
  return { columns, tables: smallTables(catalogue), rest };
}

/** The records that a catalogue is made of. */
export function smallTables(catalogue: Catalogue): SmallTables {
  return {
    counties: [...catalogue.counties.values()],
    crops: catalogue.crops,
    unitCategories: catalogue.unitCategories,
    marketTypes: catalogue.marketTypes,
    products: catalogue.products.map(({ record }) => record),
    markets: catalogue.markets.map(({ record }) => record),
    exchangeRates: catalogue.exchangeRates,
    continuations: catalogue.continuations,
  };
}

/** The description of a column. */
export function describeColumn({ path, column }: NamedColumn): ColumnDescription {
  return { path, type: column.constructor.name as ColumnTypeName, length: column.length };
}

/** Bytes of columns that lie one after the other, padding included. */
export function columnsBytes(columns: readonly ColumnDescription[]): number {
  return columns.reduce((sum, { type, length }) => sum + alignedBytes(length * columnTypes[type].BYTES_PER_ELEMENT), 0);
}

/**
 * Deserializes a store whose columns lie in `memory` one after the other.
 *
 * @param rest Is filled with the columns and becomes the store.
 * @throws {TypeError} when a column is no part of the rest, or the tables are not such tables.
 */
export function deserializeStore(
  snapshot: SnapshotIdentity,
  tables: SmallTables,
  rest: object,
  columns: readonly ColumnDescription[],
  memory: SharedArrayBuffer,
): Store {
  let offset = 0;
  for (const { path, type, length } of columns) {
    putColumn(rest, path, columnOver(type, memory, offset, length));
    offset += alignedBytes(length * columnTypes[type].BYTES_PER_ELEMENT);
  }
  const { ...parts } = rest as Omit<Store, "snapshot" | "catalogue">;
  return { snapshot, catalogue: buildCatalogue(tables), ...parts };
}

function withoutColumns(value: unknown, path: string, columns: NamedColumn[]): unknown {
  if (ArrayBuffer.isView(value)) {
    if (!isColumnTypeName(value.constructor.name)) throw unknownValue(path, value.constructor.name);
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
  return new TypeError(`${path} is ${found}, expected a typed array or what JSON can hold`);
}

function putColumn(rest: object, path: string, column: Column): void {
  const names = path.split(".");
  const last = names.pop() as string;
  let target: unknown = rest;
  for (const name of names) target = own(target, name, path);
  if (own(target, last, path) !== null) throw new TypeError(`${path} is no part of the store`);
  (target as Record<string, unknown>)[last] = column;
}

function columnOver(type: ColumnTypeName, memory: SharedArrayBuffer, offset: number, length: number): Column {
  type Constructor = new (buffer: SharedArrayBuffer, offset: number, length: number) => Column;
  return new (columnTypes[type] as unknown as Constructor)(memory, offset, length);
}

function own(target: unknown, name: string, path: string): unknown {
  if (typeof target !== "object" || target === null || !Object.hasOwn(target, name)) {
    throw new TypeError(`${path} is no part of the store`);
  }
  return (target as Record<string, unknown>)[name];
}

let ownShape: string | undefined;

/**
 * Whether columns and rest are those of a store that this code builds; those of another version of the code differ.
 * Taken from a store without records, so that no list of columns has to be kept up to date.
 */
export function isOwnShape(columns: readonly ColumnDescription[], rest: object): boolean {
  ownShape ??= shapeOfEmptyStore();
  return columns.every(({ type }) => isColumnTypeName(type)) && shapeOf(columns, rest) === ownShape;
}

function shapeOfEmptyStore(): string {
  const store = buildStore({
    snapshot: {
      id: "",
      createdAt: 0 as Instant,
      timeZone: "UTC",
      utcOffset: 0,
      parent: null,
      note: null,
      attribution: [],
      periods: {},
      sources: {},
    },
    counties: [],
    crops: [],
    unitCategories: [],
    marketTypes: [],
    products: [],
    markets: [],
    exchangeRates: [],
    continuations: [],
    prices: emptyPriceTable(),
  });
  const { columns, rest } = serializeStore(store);
  return shapeOf(columns.map(describeColumn), rest);
}

/**
 * One line a property: its path, and the type of a column. What is in a list depends on the records, so it is left out.
 */
function shapeOf(columns: readonly ColumnDescription[], rest: object): string {
  const types = new Map(columns.map(({ path, type }) => [path, shapeOfType(type)]));
  const lines: string[] = [];
  addLines(rest, "");
  return lines.sort().join("\n");

  function addLines(value: unknown, path: string): void {
    if (Array.isArray(value)) lines.push(`${path} list`);
    else if (typeof value !== "object" || value === null) lines.push(`${path} ${types.get(path) ?? "value"}`);
    else for (const [name, item] of Object.entries(value)) addLines(item, path === "" ? name : `${path}.${name}`);
  }
}

/** Codes are as narrow as their number allows, so the width of whole numbers says nothing. */
function shapeOfType(type: ColumnDescription["type"]): string {
  return type.startsWith("Uint") ? "unsigned" : type;
}
