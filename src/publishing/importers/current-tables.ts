/** The tables of the current snapshot, which an import is compared with. Prices stay in their files. */
import { readManifestOf } from "../../engine/snapshots/current-snapshot.ts";
import { toListedFile } from "../../engine/snapshots/load-dataset.ts";
import { ProblemList } from "../../engine/snapshots/problem.ts";
import { readTables } from "../../engine/snapshots/read-tables.ts";
import { type SnapshotId, snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import { ReadingCounter } from "../../engine/snapshots/stored-file.ts";

/**
 * Reads the manifest and the tables of a snapshot.
 *
 * @throws {SnapshotUnavailableError} when its manifest cannot be read.
 * @throws {DatasetError} naming every fault of its tables.
 */
export async function readTablesOf(dataDirectory: string, id: SnapshotId) {
  const manifest = await readManifestOf(dataDirectory, id);
  const problems = new ProblemList();
  const directory = snapshotPath(dataDirectory, id);
  const reading = { directory, problems, counter: new ReadingCounter() };
  const tables = await readTables(reading, manifest.files.map(toListedFile));
  problems.throwIfAny(`snapshot ${id}`);
  return { manifest, directory, tables };
}
