/** The current snapshot, as far as an import needs it. */
import { readCurrent } from "../../../engine/snapshots/current-snapshot.ts";
import { readManifestDecisions } from "../../../engine/snapshots/price-decisions.ts";
import { readTablesOf } from "../current-tables.ts";

export type CurrentRecords = Awaited<ReturnType<typeof readKnownRecords>>;

/**
 * Reads the tables of the current snapshot, and its withdrawals. Prices stay in their files.
 *
 * @throws {SnapshotUnavailableError} when there is no current snapshot.
 * @throws {DatasetError} naming every fault of its tables.
 */
export async function readKnownRecords(dataDirectory: string) {
  const { manifest, directory, tables } = await readTablesOf(dataDirectory, await readCurrent(dataDirectory));
  const { withdrawals } = await readManifestDecisions(directory, manifest);
  return {
    pricesPlace: { directory, files: manifest.files, withdrawn: new Set<string>(withdrawals.map(({ uuid }) => uuid)) },
    counties: tables.counties.records,
    unitCategories: tables.units.records,
    products: tables.products.records,
    markets: tables.markets.records,
  };
}
