import { readManifestOf } from "../dataset/load-current-dataset.ts";
import { loadManifestDataset } from "../dataset/load-dataset.ts";
import { type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";
import { buildStore } from "../store/build-store.ts";
import type { Store } from "../store/store.ts";

/**
 * The store of a published snapshot.
 *
 * @throws {SnapshotUnavailableError} when its manifest cannot be read.
 * @throws {DatasetError} when its records are broken.
 */
export async function openSnapshotStore(dataDirectory: string, id: SnapshotId): Promise<Store> {
  const manifest = await readManifestOf(dataDirectory, id);
  return buildStore(await loadManifestDataset(snapshotPath(dataDirectory, id), manifest));
}
