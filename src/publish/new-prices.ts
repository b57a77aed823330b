import { dropRows } from "../dataset/price-rulings.ts";
import type { PlacedRecords } from "../dataset/read-tables.ts";
import type { PriceRuling } from "../domain/records.ts";
import { UuidSet } from "../domain/uuid-set.ts";
import type { Store } from "../store/store.ts";
import { findRowOf } from "../store/uuid-index.ts";
import { pricesOfRecords, pricesOfStore, rowComparison, timestampColumns } from "./compare-prices.ts";

/** The prices of a reading that a snapshot is to have and does not have as they are. */
export interface NewPrices {
  readonly reading: PlacedRecords;
  /** How many rows were left out because the snapshot has them. */
  readonly knownCount: number;
  /** How many rows were left out because their prices are withdrawn. */
  readonly withheldCount: number;
  /** Lines that were left out, by file. */
  readonly leftOutLines: ReadonlyMap<string, ReadonlySet<number>>;
  /** How many prices of the snapshot the others replace, by file. */
  readonly replaced: ReadonlyMap<string, number>;
}

/**
 * Leaves out the prices that a snapshot has already, whatever their times of entry, and those that are withdrawn.
 *
 * Cost: a look-up for each price, and memory for those that are left out.
 *
 * @param reading Its prices must not be used any more.
 */
export function withoutKnownPrices(
  reading: PlacedRecords,
  before: Store,
  withdrawals: readonly PriceRuling[],
): NewPrices {
  const { prices } = reading.records;
  const isSame = rowComparison(pricesOfRecords(reading.records), pricesOfStore(before), timestampColumns);
  const withdrawn = new UuidSet(withdrawals.map(({ uuid }) => uuid));
  const leftOutLines = new Map<string, Set<number>>();
  const replaced = new Map<string, number>();
  const leftOut: number[] = [];
  let withheldCount = 0;
  for (let row = 0; row < prices.rowCount; row++) {
    const known = findRowOf(before.rowByUuid, before.prices.uuids, prices.uuids, row);
    const isWithdrawn = known === undefined && withdrawn.positionOf(prices.uuids, row) !== undefined;
    if (known === undefined && !isWithdrawn) continue;
    const { file, line } = reading.locationOfPrice(row);
    if (known !== undefined && !isSame(row, known)) {
      replaced.set(file, (replaced.get(file) ?? 0) + 1);
      continue;
    }
    leftOut.push(row);
    leftOutLines.getOrInsertComputed(file, () => new Set()).add(line);
    if (isWithdrawn) withheldCount++;
  }
  return {
    reading: dropRows(reading, leftOut),
    knownCount: leftOut.length - withheldCount,
    withheldCount,
    leftOutLines,
    replaced,
  };
}
