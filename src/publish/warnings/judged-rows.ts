/** Which prices of a store a publication adds or changes: those that warnings are about. */
import type { PriceTable } from "../../domain/dataset.ts";
import type { PriceColumnName } from "../../domain/price-columns.ts";
import { isSameUuid, wordsPerUuid } from "../../domain/uuid-words.ts";
import { findRun } from "../../store/runs.ts";
import type { Store } from "../../store/store.ts";
import { findRowOf } from "../../store/uuid-index.ts";
import { absent, pricesOfStore, remapCatalogue, rowComparison } from "../compare-prices.ts";

/** Every row of a store. */
export function allRows({ prices }: Store): Uint32Array {
  return new Uint32Array(prices.rowCount).map((_, row) => row);
}

/**
 * The rows of a store that hold the prices of a table.
 *
 * @param table Prices of the store, in any order.
 * @returns Rows, ascending. Cost: a look-up for each price of the table.
 * @throws {RangeError} when the store lacks one of them.
 */
export function rowsOfTable({ prices, rowByUuid }: Store, table: PriceTable): Uint32Array {
  const rows = new Uint32Array(table.rowCount);
  for (let at = 0; at < rows.length; at++) {
    const row = findRowOf(rowByUuid, prices.uuids, table.uuids, at);
    if (row === undefined) throw new RangeError(`price ${at} of the table is not in the store`);
    rows[at] = row;
  }
  return rows.sort();
}

/** Columns by which nothing is judged, and those that two rows of one run share. */
const notJudged: readonly PriceColumnName[] = ["products", "markets", "notes", "flags", "createdAt", "updatedAt"];

/**
 * The rows of `after` whose price `before` does not have, or has with another product, market, instant, amount, unit,
 * currency, source or grade. Notes and timestamps do not count: nothing is judged by them.
 *
 * Both stores hold the prices of a product at a market in the same order, so each is read once, in sequence.
 *
 * @returns Rows of `after`, ascending.
 */
export function changedRows(before: Store, after: Store): Uint32Array {
  const [a, b] = [before.prices, after.prices];
  const isSame = rowComparison(pricesOfStore(before), pricesOfStore(after), notJudged);
  const { runs } = after;
  const { products, markets } = remapCatalogue(after, before);
  const changed = new Uint32Array(b.rowCount);
  let count = 0;
  for (let product = 0; product < after.catalogue.products.length; product++) {
    const productBefore = products[product]!;
    for (let run = runs.runOffsets[product]!; run < runs.runOffsets[product + 1]!; run++) {
      const marketBefore = markets[runs.markets[run]!]!;
      const isKnown = productBefore !== absent && marketBefore !== absent;
      const runBefore = isKnown ? findRun(before.runs, productBefore, marketBefore) : undefined;
      let rowBefore = runBefore === undefined ? 0 : before.runs.rowOffsets[runBefore]!;
      const endBefore = runBefore === undefined ? 0 : before.runs.rowOffsets[runBefore + 1]!;
      for (let row = runs.rowOffsets[run]!; row < runs.rowOffsets[run + 1]!; row++) {
        while (rowBefore < endBefore && comesBefore(rowBefore, row)) rowBefore++;
        if (rowBefore < endBefore && isSameUuid(a.uuids, rowBefore, b.uuids, row) && isSame(rowBefore, row)) continue;
        changed[count++] = row;
      }
    }
  }
  return changed.subarray(0, count);

  /** In answer order. */
  function comesBefore(rowBefore: number, row: number): boolean {
    const difference = a.recordedAt[rowBefore]! - b.recordedAt[row]!;
    if (difference !== 0) return difference > 0;
    for (let word = 0; word < wordsPerUuid; word++) {
      const [ofBefore, own] = [a.uuids[rowBefore * wordsPerUuid + word]!, b.uuids[row * wordsPerUuid + word]!];
      if (ofBefore !== own) return ofBefore < own;
    }
    return false;
  }
}
