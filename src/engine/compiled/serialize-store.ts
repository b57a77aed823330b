/**
 * A store as what a file can hold: its typed arrays, wherever they stand in it, and the rest as JSON; and back again.
 * The catalogue is not kept, because it is made of maps and quickly built from the small tables, which are; neither is
 * the snapshot's identity, which its manifest holds. The columns are found by walking the store, so a new index needs
 * no code here.
 */

import type { SnapshotIdentity } from "../model/dataset.ts";
import { type ColumnOf, type ColumnTypeName, columnTypes } from "../model/shared-columns.ts";
import { buildCatalogue, type Catalogue, type SmallTables } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import type { ColumnDescription, StoreDescription } from "./file-layout.ts";

/** A column of any type that a store has. */
export type Column = ColumnOf<ColumnTypeName, ArrayBufferLike>;

/** A column with its description; its path is made of property names from the store down, with dots. */
export interface DescribedColumn extends Pick<ColumnDescription, "path" | "type"> {
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
    columns.push({ path, type, column });
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

/** The store that was serialized. @param columns By path. */
export function deserializeStore(
  snapshot: SnapshotIdentity,
  { tables, rest }: Pick<StoreDescription, "tables" | "rest">,
  columns: ReadonlyMap<string, Column>,
): Store {
  const parts = mapParts(rest, (part, path) => columns.get(path) ?? part);
  return { snapshot, catalogue: buildCatalogue(tables), ...(parts as Omit<Store, "snapshot" | "catalogue">) };
}

function isColumnTypeName(name: string): name is ColumnTypeName {
  return Object.hasOwn(columnTypes, name);
}
