import type { PlacedRecords, RecordsReading } from "../dataset/load-dataset.ts";
import type { PriceTable } from "../domain/dataset.ts";
import { Dictionary } from "../domain/dictionary.ts";
import {
  elementsPerRow,
  type PriceTexts,
  priceColumnNames,
  priceColumns,
  sharedPriceRows,
  textColumnNames,
} from "../domain/price-columns.ts";
import type { PriceRuling } from "../domain/records.ts";
import { missingCode } from "../domain/shared-columns.ts";
import { UuidSet } from "../domain/uuid-set.ts";
import type { Store } from "../store/store.ts";
import { findRowOf } from "../store/uuid-index.ts";
import { pricesOfRecords, pricesOfStore, rowComparison, timestampColumns } from "./compare-prices.ts";

/** The prices of a reading that a snapshot is to have and does not have as they are. */
export interface NewPrices<Reading extends PlacedRecords = RecordsReading> {
  readonly reading: Reading;
  /** How many rows were left out because the snapshot has them. */
  readonly knownCount: number;
  /** How many rows were left out because their prices are withdrawn. */
  readonly withheldCount: number;
  /** Lines that were left out, by file. */
  readonly leftOutLines: ReadonlyMap<string, ReadonlySet<number>>;
}

/**
 * Leaves out the prices that a snapshot has already, whatever their times of entry, and those that are withdrawn.
 *
 * Cost: a look-up for each price, and memory for those that are left out.
 */
export function withoutKnownPrices<Reading extends PlacedRecords>(
  reading: Reading,
  before: Store,
  withdrawals: readonly PriceRuling[],
): NewPrices<Reading> {
  const { prices } = reading.records;
  const isSame = rowComparison(pricesOfRecords(reading.records), pricesOfStore(before), timestampColumns);
  const withdrawn = new UuidSet(withdrawals.map(({ uuid }) => uuid));
  const leftOutLines = new Map<string, Set<number>>();
  const rows: number[] = [];
  let withheldCount = 0;
  for (let row = 0; row < prices.rowCount; row++) {
    const known = findRowOf(before.rowByUuid, before.prices.uuids, prices.uuids, row);
    const isWithdrawn = known === undefined && withdrawn.positionOf(prices.uuids, row) !== undefined;
    if (!isWithdrawn && (known === undefined || !isSame(row, known))) {
      rows.push(row);
      continue;
    }
    if (isWithdrawn) withheldCount++;
    const { file, line } = reading.locationOfPrice(row);
    leftOutLines.getOrInsertComputed(file, () => new Set()).add(line);
  }
  const counts = { knownCount: prices.rowCount - rows.length - withheldCount, withheldCount };
  if (leftOutLines.size === 0) return { reading, ...counts, leftOutLines };
  const kept: Reading = {
    ...reading,
    records: { ...reading.records, prices: takeRows(prices, rows) },
    locationOfPrice: (row) => reading.locationOfPrice(rows[row] as number),
  };
  return { reading: kept, ...counts, leftOutLines };
}

/** A table of some rows of another, in the order given, with only the texts that these have. */
function takeRows(table: PriceTable, rows: readonly number[]): PriceTable {
  const columns = sharedPriceRows(rows.length);
  for (const name of priceColumnNames) {
    const width = elementsPerRow(name);
    for (const [at, row] of rows.entries()) {
      for (let element = 0; element < width; element++) {
        columns[name][at * width + element] = table[name][row * width + element] as number;
      }
    }
  }
  const texts = textColumnNames.map((name) => {
    const column = columns[name];
    const { texts: textsName, label } = priceColumns[name];
    const dictionary = new Dictionary(`${label} of prices`, missingCode(column));
    for (const [at, code] of column.entries()) {
      if (code !== missingCode(column)) column[at] = dictionary.codeOf(table[textsName][code] as string);
    }
    return [textsName, dictionary.texts];
  });
  return { rowCount: rows.length, ...columns, ...(Object.fromEntries(texts) as PriceTexts) };
}
