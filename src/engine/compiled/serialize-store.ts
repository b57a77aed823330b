/**
 * A store as what a file can hold: its typed arrays, wherever they stand in it, and the rest as JSON; and back again.
 * The catalogue is not kept, because it is made of maps and quickly built from the small tables, which are; neither is
 * the snapshot's identity, which its manifest holds. The columns are found by walking the store, so a new index needs
 * no code here.
 */

import { emptyPriceTable, type SnapshotIdentity, unpublished } from "../model/dataset.ts";
import { type ColumnOf, type ColumnTypeName, columnTypes } from "../model/shared-columns.ts";
import { buildStore } from "../store/build-store.ts";
import { buildCatalogue, type Catalogue, type SmallTables } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { alignedBytes, type ColumnDescription, type StoreDescription } from "./file-layout.ts";

/** A column of any type that a store has. */
export type Column = ColumnOf<ColumnTypeName, ArrayBufferLike>;

/** A column with its description; its path is made of property names from the store down, with dots. */
export interface DescribedColumn extends ColumnDescription {
  readonly column: Column;
}

export interface StoreContent {
  readonly columns: readonly DescribedColumn[];
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
  const columns: DescribedColumn[] = [];
  const rest = mapParts(others, (part, path) => {
    if (!ArrayBuffer.isView(part)) return requireJson(part, path);
    const type = part.constructor.name;
    if (!isColumnTypeName(type)) throw unknownPart(path, type);
    const column = part as Column;
    columns.push({ path, type, length: column.length, column });
    return null;
  });
  return { columns, tables: smallTables(catalogue), rest: rest as object };
}

/** An object with changed parts: whatever in it is no plain object, at any depth. @param path That of the value. */
function mapParts(value: unknown, change: (part: unknown, path: string) => unknown, path = ""): unknown {
  if (!isPlainObject(value)) return change(value, path);
  const parts = Object.entries(value);
  return Object.fromEntries(
    parts.map(([name, part]) => [name, mapParts(part, change, path === "" ? name : `${path}.${name}`)]),
  );
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function requireJson(value: unknown, path: string): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item, position) => mapParts(item, requireJson, `${path}.${position}`));
  throw unknownPart(path, typeof value === "object" ? value.constructor.name : String(value));
}

function unknownPart(path: string, found: string): TypeError {
  return new TypeError(`${path} is ${found}, expected a typed array or what JSON can hold`);
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
    marketContinuations: catalogue.marketContinuations,
  };
}

/**
 * Returns where columns lie that are written one after the other: the position of the first byte of each, and the bytes
 * of all, padding included.
 */
export function placeColumns<Described extends ColumnDescription>(
  columns: readonly Described[],
): { readonly placed: readonly (Described & { readonly from: number })[]; readonly bytes: number } {
  let from = 0;
  const placed = columns.map((column) => {
    const { type, length } = column;
    const start = from;
    from += alignedBytes(length * columnTypes[type].BYTES_PER_ELEMENT);
    return { ...column, from: start };
  });
  return { placed, bytes: from };
}

/**
 * Deserializes a store whose columns lie in `memory` one after the other.
 *
 * @throws {TypeError} when a column is no part of the rest, or the tables are not such tables.
 */
export function deserializeStore(
  snapshot: SnapshotIdentity,
  { tables, rest, columns }: Pick<StoreDescription, "tables" | "rest" | "columns">,
  memory: SharedArrayBuffer,
): Store {
  const { placed } = placeColumns(columns);
  const unused = new Map(placed.map((column) => [column.path, column]));
  const parts = mapParts(rest, (part, path) => {
    const column = part === null ? unused.get(path) : undefined;
    if (column === undefined) return part;
    unused.delete(path);
    return new columnTypes[column.type](memory, column.from, column.length);
  });
  for (const path of unused.keys()) throw new TypeError(`${path} is no part of the store`);
  return { snapshot, catalogue: buildCatalogue(tables), ...(parts as Omit<Store, "snapshot" | "catalogue">) };
}

function isColumnTypeName(name: string): name is ColumnTypeName {
  return Object.hasOwn(columnTypes, name);
}

let ownShape: string | undefined;

/**
 * Returns whether columns and rest are those of a store that this code builds; those of another version of the code
 * differ. Taken from a store without records, so that no list of columns has to be kept up to date.
 */
export function isOwnShape(columns: readonly ColumnDescription[], rest: object): boolean {
  ownShape ??= shapeOfEmptyStore();
  return columns.every(({ type }) => isColumnTypeName(type)) && shapeOf(columns, rest) === ownShape;
}

function shapeOfEmptyStore(): string {
  const store = buildStore({
    snapshot: unpublished,
    counties: [],
    crops: [],
    unitCategories: [],
    marketTypes: [],
    products: [],
    markets: [],
    exchangeRates: [],
    continuations: [],
    marketContinuations: [],
    prices: emptyPriceTable(),
  });
  const { columns, rest } = serializeStore(store);
  return shapeOf(columns, rest);
}

/**
 * One line a property: its path, and the type of a column. What is in a list depends on the records, so it is left out.
 */
function shapeOf(columns: readonly ColumnDescription[], rest: object): string {
  // Codes are as narrow as their number allows, so the width of whole numbers says nothing.
  const types = new Map(columns.map(({ path, type }) => [path, type.startsWith("Uint") ? "unsigned" : type]));
  const lines: string[] = [];
  mapParts(rest, (part, path) => lines.push(`${path} ${Array.isArray(part) ? "list" : (types.get(path) ?? "value")}`));
  return lines.sort().join("\n");
}
