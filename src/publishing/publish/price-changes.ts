/** Finds the prices that differ between two stores. */
import type { RowChanges } from "../../contract/publication-report.ts";
import { findRowOf, type Uuid, wordsPerUuid, writeUuid } from "../../engine/model/ids.ts";
import type { Store } from "../../engine/store/store.ts";
import { pricesOfStore, rowComparison } from "./compare-prices.ts";

/** Stands for the row of a price that a store does not have. */
export const noRow = -1;

/** The prices that differ, by position: their rows before and after, or `noRow`. */
export interface PriceChanges {
  readonly before: readonly number[];
  readonly after: readonly number[];
  readonly counts: RowChanges;
}

/** Uuids as flat words, such as a column of them. */
export interface UuidWords {
  readonly uuids: Uint32Array;
  readonly rowCount: number;
}

/** Uuids as words. */
export function uuidWords(uuids: readonly Uuid[]): UuidWords {
  const words = new Uint32Array(uuids.length * wordsPerUuid);
  for (const [at, uuid] of uuids.entries()) writeUuid(words, at, uuid);
  return { uuids: words, rowCount: uuids.length };
}

/**
 * Finds the prices that one of two stores has and the other has not, or not with the same fields.
 *
 * @param changed The uuids of all prices that may differ; all are compared when absent.
 * @returns The changes, in no order; those of `changed` as often as a uuid stands there.
 * Cost: one look-up for each price of `after`, or two for each of `changed`; 16 bytes a change, and a byte a price.
 */
export function findPriceChanges(before: Store, after: Store, changed?: UuidWords): PriceChanges {
  const [a, b] = [before.prices, after.prices];
  const isSame = rowComparison(pricesOfStore(before), pricesOfStore(after));
  const changes = { before: [] as number[], after: [] as number[], counts: { added: 0, gone: 0, changed: 0 } };
  const add = (rowBefore: number, row: number): void => {
    changes.before.push(rowBefore);
    changes.after.push(row);
    changes.counts[rowBefore === noRow ? "added" : row === noRow ? "gone" : "changed"]++;
  };
  if (changed !== undefined) {
    for (let at = 0; at < changed.rowCount; at++) {
      const rowBefore = findRowOf(before.rowByUuid, a.uuids, changed.uuids, at);
      const row = findRowOf(after.rowByUuid, b.uuids, changed.uuids, at);
      if (rowBefore !== undefined && row !== undefined && isSame(rowBefore, row)) continue;
      if (rowBefore !== undefined || row !== undefined) add(rowBefore ?? noRow, row ?? noRow);
    }
    return changes;
  }
  const isKept = new Uint8Array(a.rowCount);
  for (let row = 0; row < b.rowCount; row++) {
    const rowBefore = findRowOf(before.rowByUuid, a.uuids, b.uuids, row);
    if (rowBefore === undefined) {
      add(noRow, row);
    } else {
      isKept[rowBefore] = 1;
      if (!isSame(rowBefore, row)) add(rowBefore, row);
    }
  }
  for (let row = isKept.indexOf(0); row !== -1; row = isKept.indexOf(0, row + 1)) add(row, noRow);
  return changes;
}
