import { compareStores } from "../compiled/compare-stores.ts";
import { CompiledStoreError } from "../compiled/compiled-store-error.ts";
import { readCompiledSnapshot } from "../compiled/open-snapshot.ts";
import { readCurrent, readManifestOf } from "../dataset/load-current-dataset.ts";
import type { ReadingOptions } from "../dataset/load-dataset.ts";
import { loadManifestDataset } from "../dataset/load-dataset.ts";
import { tableRows } from "../dataset/manifest.ts";
import { ProblemList } from "../dataset/problem.ts";
import { compiledName, type RecordKind, type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";
import { buildStoreOnThreads } from "../store/build-store.ts";

export interface VerificationReport {
  readonly id: SnapshotId;
  readonly rows: Readonly<Record<RecordKind, number>>;
  /** Whether there is a compiled store; if so it is what the records make. */
  readonly isCompiled: boolean;
}

/**
 * Checks a published snapshot from the beginning: every file is hashed, every record checked, and the store that the
 * records make is held against the compiled one, byte by byte.
 *
 * @param wanted The current snapshot when absent.
 * @throws {SnapshotUnavailableError} when there is no such snapshot.
 * @throws {DatasetError} with everything that is wrong. A compiled store that is wrong may be deleted: it is made again.
 */
export async function verifySnapshot(
  dataDirectory: string,
  wanted?: SnapshotId,
  options?: Pick<ReadingOptions, "onBytes">,
): Promise<VerificationReport> {
  const id = wanted ?? (await readCurrent(dataDirectory));
  const manifest = await readManifestOf(dataDirectory, id);
  const dataset = await loadManifestDataset(snapshotPath(dataDirectory, id), manifest, options);
  const store = await buildStoreOnThreads(dataset);
  const problems = new ProblemList();
  let isCompiled = true;
  try {
    const differences = compareStores(store, await readCompiledSnapshot(dataDirectory, manifest));
    for (const path of differences) report(`other values in ${path}`);
  } catch (error) {
    if (!(error instanceof CompiledStoreError)) throw error;
    if (error.code === "missing") isCompiled = false;
    else report(`a compiled store that cannot be used (${error.code}: ${error.message})`);
  }
  problems.throwIfAny(`snapshot ${id}`);
  return { id, rows: tableRows(manifest.files), isCompiled };

  function report(found: string): void {
    const wanted = "the store that the records make; delete the file, it is made again";
    problems.add({ file: `compiled/${compiledName(id)}`, kind: "checksum", found, wanted });
  }
}
