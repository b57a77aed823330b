import type { RecordKind } from "../dataset/snapshot-layout.ts";
import type { Store } from "../store/store.ts";
import { type LatestPriceMove, latestPriceMoves } from "./latest-price-moves.ts";
import { comparePriceRows } from "./price-row-changes.ts";
import { type SeriesChanges, seriesChanges } from "./series-changes.ts";
import { compareTables, type RowChanges } from "./table-changes.ts";

/** What a reader of one snapshot would see change with another. */
export interface SnapshotChanges {
  /** Records by id (prices, products, markets by uuid; units by category; market types by type). */
  readonly rows: Readonly<Record<RecordKind, RowChanges>>;
  /** By product name, then uuid. */
  readonly latestPriceMoves: readonly LatestPriceMove[];
  readonly series: SeriesChanges;
}

/**
 * Compares two snapshots record by record. A record is changed when any of its fields differs.
 *
 * Cost: one look-up for each price of `after`, and memory for the dictionaries; no object per price.
 */
export function changesBetween(before: Store, after: Store): SnapshotChanges {
  return {
    rows: { ...compareTables(before.catalogue, after.catalogue), prices: comparePriceRows(before, after) },
    latestPriceMoves: latestPriceMoves(before, after),
    series: seriesChanges(before, after),
  };
}
