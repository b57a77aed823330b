import { CompiledStoreError } from "../compiled/compiled-store-error.ts";
import { readCompiledSnapshot } from "../compiled/open-snapshot.ts";
import { readManifestOf } from "../dataset/load-current-dataset.ts";
import type { ReadingOptions } from "../dataset/load-dataset.ts";
import { loadManifestDataset } from "../dataset/load-dataset.ts";
import type { Manifest } from "../dataset/manifest.ts";
import { type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";
import { buildStoreOnThreads } from "../store/build-store.ts";
import type { Store } from "../store/store.ts";

/**
 * The store of a published snapshot: its compiled store, or else built from its records. Writes nothing.
 *
 * @throws {SnapshotUnavailableError} when its manifest cannot be read.
 * @throws {DatasetError} when there is no compiled store to use and the records are broken.
 */
export async function openSnapshotStore(
  dataDirectory: string,
  id: SnapshotId,
  options?: Pick<ReadingOptions, "onBytes">,
): Promise<Store> {
  const manifest = await readManifestOf(dataDirectory, id);
  const compiled = await readCompiledIfAny(dataDirectory, manifest);
  if (compiled !== undefined) return compiled;
  return await buildStoreOnThreads(await loadManifestDataset(snapshotPath(dataDirectory, id), manifest, options));
}

/** The compiled store of a snapshot; undefined when there is none that can be used. */
export async function readCompiledIfAny(dataDirectory: string, manifest: Manifest): Promise<Store | undefined> {
  try {
    return await readCompiledSnapshot(dataDirectory, manifest);
  } catch (error) {
    if (error instanceof CompiledStoreError) return undefined;
    throw error;
  }
}
