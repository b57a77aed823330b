/** Finds what an append adds to a snapshot: the new ones of the input prices, and the store with them. */

import { type Dataset, type SnapshotIdentity, shortDictionarySizeMax } from "../../engine/model/dataset.ts";
import { getOrInsert } from "../../engine/model/get-or-insert.ts";
import { findRowOf, readUuid, type Uuid, UuidSet } from "../../engine/model/ids.ts";
import type { PriceDecision } from "../../engine/model/records.ts";
import { sharedUint32 } from "../../engine/model/shared-columns.ts";
import { dropRows } from "../../engine/snapshots/price-decisions.ts";
import type { ProblemList } from "../../engine/snapshots/problem.ts";
import type { PlacedRecords } from "../../engine/snapshots/read-tables.ts";
import { buildCatalogue } from "../../engine/store/catalogue.ts";
import { extendStoreOnThreads } from "../../engine/store/extend-store.ts";
import type { Store } from "../../engine/store/store.ts";
import { pricesOfRecords, pricesOfStore, rowComparison, timestampColumns } from "./compare-prices.ts";

/** The prices of a reading that a snapshot is to have and does not have as they are. */
export interface NewPrices {
  readonly reading: PlacedRecords;
  /** Number of rows that were left out because the snapshot has them. */
  readonly knownCount: number;
  /** By uuid of a withdrawn price the file of its row, which is left out. */
  readonly withheld: ReadonlyMap<Uuid, string>;
  /** As `withheld`, of rows that the files get all the same: they correct what is withdrawn. */
  readonly kept: ReadonlyMap<Uuid, string>;
  /** Lines that were left out, by file. */
  readonly leftOutLines: ReadonlyMap<string, ReadonlySet<number>>;
  /** Number of prices of the snapshot that the others replace, by file. */
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
  withdrawals: readonly PriceDecision[],
): NewPrices {
  const { prices } = reading.records;
  const isSame = rowComparison(pricesOfRecords(reading.records), pricesOfStore(before), timestampColumns);
  const withdrawn = new UuidSet(withdrawals.map(({ uuid }) => uuid));
  const leftOutLines = new Map<string, Set<number>>();
  const replaced = new Map<string, number>();
  const leftOut: number[] = [];
  const withheld = new Map<Uuid, string>();
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
    getOrInsert(leftOutLines, file, () => new Set()).add(line);
    if (isWithdrawn) withheld.set(readUuid(prices.uuids, row), file);
  }
  return {
    reading: dropRows(reading, leftOut),
    knownCount: leftOut.length - withheld.size,
    withheld,
    kept: new Map(),
    leftOutLines,
    replaced,
  };
}

/**
 * The store of a snapshot that adds a day's prices to its parent. It equals a store built from all records, without
 * reading those of the parent again.
 *
 * @param day The small tables and accepted prices of the new snapshot, and the prices to add; a uuid that the parent
 *   has replaces its row.
 * @param hasNewTables True if the small tables differ from those of the parent.
 */
export async function storeAfterAppend(
  parent: Store,
  day: Omit<Dataset, "snapshot">,
  snapshot: SnapshotIdentity,
  hasNewTables: boolean,
): Promise<Store> {
  const catalogue = hasNewTables ? buildCatalogue(day) : parent.catalogue;
  const prices = {
    ...day.prices,
    products: codesOf(day.prices.products, day.products, catalogue.productCodes),
    markets: codesOf(day.prices.markets, day.markets, catalogue.marketCodes),
  };
  return await extendStoreOnThreads(parent, { snapshot, catalogue, prices, accepted: day.accepted });
}

/** Remaps positions in the list of records to codes of the catalogue. */
function codesOf(
  positions: Uint32Array,
  records: readonly { readonly uuid: Uuid }[],
  codes: ReadonlyMap<Uuid, number>,
): Uint32Array<SharedArrayBuffer> {
  // The catalogue was made from these records, so each has a code.
  const codeOf = Uint32Array.from(records, ({ uuid }) => codes.get(uuid) as number);
  const column = sharedUint32(positions.length);
  positions.forEach((position, row) => {
    column[row] = codeOf[position] as number;
  });
  return column;
}

/** Fields with few texts, and the columns of their texts. */
const shortTexts = { unit: "unitNames", currency: "currencyCodes", source: "sourceNames", quality_grade: "gradeNames" };

/**
 * Reports what reading old and new prices together from their files would refuse: a field with more different texts
 * than a snapshot may have.
 *
 * @param files Names of the prices files that are added, for the message.
 */
export function reportTooManyTexts(
  before: Store,
  { records }: PlacedRecords,
  files: readonly string[],
  problems: ProblemList,
): void {
  for (const [field, column] of Object.entries(shortTexts)) {
    const texts = column as "unitNames";
    const { size } = new Set([...before.prices[texts], ...records.prices[texts]]);
    if (size <= shortDictionarySizeMax) continue;
    const found = `${size} different ones, with those of the current snapshot`;
    const wanted = `at most ${shortDictionarySizeMax}`;
    problems.add({ file: files.join(", "), kind: "value", field, found, wanted });
  }
}
