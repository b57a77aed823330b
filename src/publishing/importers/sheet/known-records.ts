/** The current snapshot, as far as an import needs it. */
import { readCurrent, readManifestOf } from "../../../engine/snapshots/current-snapshot.ts";
import { toListedFile } from "../../../engine/snapshots/load-dataset.ts";
import { readManifestDecisions } from "../../../engine/snapshots/price-decisions.ts";
import { ProblemList } from "../../../engine/snapshots/problem.ts";
import { readTables } from "../../../engine/snapshots/read-tables.ts";
import { snapshotPath } from "../../../engine/snapshots/snapshot-layout.ts";
import { ReadingCounter } from "../../../engine/snapshots/stored-file.ts";
import type { KnownRecords } from "./known-names.ts";
import type { PricesPlace } from "./known-prices.ts";

export interface CurrentRecords extends KnownRecords {
  readonly pricesPlace: PricesPlace;
}

/**
 * Reads the tables of the current snapshot, and its withdrawals. Prices stay in their files.
 *
 * @throws {SnapshotUnavailableError} when there is no current snapshot.
 * @throws {DatasetError} naming every fault of its tables.
 */
export async function readKnownRecords(dataDirectory: string): Promise<CurrentRecords> {
  const id = await readCurrent(dataDirectory);
  const manifest = await readManifestOf(dataDirectory, id);
  const problems = new ProblemList();
  const directory = snapshotPath(dataDirectory, id);
  const reading = { directory, problems, counter: new ReadingCounter() };
  const tables = await readTables(reading, manifest.files.map(toListedFile));
  problems.throwIfAny(`snapshot ${id}`);
  const { withdrawals } = await readManifestDecisions(directory, manifest);
  return {
    pricesPlace: { directory, files: manifest.files, withdrawn: new Set(withdrawals.map(({ uuid }) => uuid)) },
    counties: tables.counties.records,
    unitCategories: tables.units.records,
    products: tables.products.records,
    markets: tables.markets.records,
  };
}
