/** Snapshots opened as the product opens them, by folder or id. */
import { readFile, writeFile } from "node:fs/promises";
import { type Compilation, compileManifest } from "../../src/engine/compiled/compiled-folder.ts";
import { type OpenedSnapshot, openCurrentSnapshot } from "../../src/engine/compiled/open-snapshot.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import {
  type LoadCurrentOptions,
  readCurrent,
  readManifestOf,
  withSnapshotOrParent,
} from "../../src/engine/snapshots/current-snapshot.ts";
import { loadManifestDataset } from "../../src/engine/snapshots/load-dataset.ts";
import { readManifest } from "../../src/engine/snapshots/manifest.ts";
import { currentPath, type SnapshotId, snapshotPath } from "../../src/engine/snapshots/snapshot-layout.ts";
import type { Store } from "../../src/engine/store/store.ts";

/** The records of a snapshot's folder, whatever the name of the folder. */
export async function loadDataset(directory: string): Promise<Dataset> {
  return await loadManifestDataset(directory, await readManifest(directory));
}

/** The records of the current snapshot; if they are broken those of its parent, and so on. */
export async function loadCurrentDataset(dataDirectory: string, options: LoadCurrentOptions): Promise<Dataset> {
  return await withSnapshotOrParent(dataDirectory, await readCurrent(dataDirectory), options, (manifest) =>
    loadManifestDataset(snapshotPath(dataDirectory, manifest.id), manifest),
  );
}

/** Makes a snapshot current and opens it, without falling back to its parent. */
export async function openSnapshot(dataDirectory: string, id: SnapshotId): Promise<OpenedSnapshot> {
  const path = currentPath(dataDirectory);
  if ((await readFile(path, "utf8")) !== `${id}\n`) await writeFile(path, `${id}\n`);
  return await openCurrentSnapshot(dataDirectory, {
    onFallback({ error }) {
      throw error;
    },
    onCompiledRefused() {},
  });
}

/** Compiles a store as that of a snapshot. */
export async function compileSnapshot(dataDirectory: string, id: SnapshotId, store: Store): Promise<Compilation> {
  return await compileManifest(dataDirectory, await readManifestOf(dataDirectory, id), store);
}
