import { isDeepStrictEqual } from "node:util";
import type { TableKind } from "../dataset/snapshot-layout.ts";
import type { Catalogue } from "../store/catalogue.ts";

/** How many records of a table differ between two snapshots. */
export interface RowChanges {
  readonly added: number;
  readonly gone: number;
  /** Records of one id that differ in any field. */
  readonly changed: number;
}

/** Compares the small tables by the ids of their records. The order of a file is not looked at. */
export function compareTables(before: Catalogue, after: Catalogue): Readonly<Record<TableKind, RowChanges>> {
  const [a, b] = [recordsById(before), recordsById(after)];
  return {
    counties: compareRecords(a.counties, b.counties),
    crops: compareRecords(a.crops, b.crops),
    units: compareRecords(a.units, b.units),
    "market-types": compareRecords(a["market-types"], b["market-types"]),
    products: compareRecords(a.products, b.products),
    markets: compareRecords(a.markets, b.markets),
  };
}

type RecordsById = ReadonlyMap<string | number, unknown>;

function recordsById(catalogue: Catalogue): Readonly<Record<TableKind, RecordsById>> {
  return {
    counties: catalogue.counties,
    crops: new Map(catalogue.crops.map((crop) => [crop.id, crop])),
    units: new Map(catalogue.unitCategories.map((unitCategory) => [unitCategory.category, unitCategory])),
    "market-types": new Map(catalogue.marketTypes.map((marketType) => [marketType.type, marketType])),
    products: new Map(catalogue.products.map(({ record }) => [record.uuid, record])),
    markets: new Map(catalogue.markets.map(({ record }) => [record.uuid, record])),
  };
}

function compareRecords(before: RecordsById, after: RecordsById): RowChanges {
  let kept = 0;
  let changed = 0;
  for (const [id, record] of after) {
    if (!before.has(id)) continue;
    kept++;
    if (!isDeepStrictEqual(before.get(id), record)) changed++;
  }
  return { added: after.size - kept, gone: before.size - kept, changed };
}
