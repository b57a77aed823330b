/** From a snapshot on disk to a store, the short way if there is one. */
import { type LoadCurrentOptions, readManifestOf, withCurrentSnapshot } from "../dataset/current-snapshot.ts";
import { loadManifestDataset, snapshotIdentity } from "../dataset/load-dataset.ts";
import type { Manifest } from "../dataset/manifest.ts";
import { compiledPath, type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";
import { buildStoreOnThreads } from "../store/build-store.ts";
import type { Store } from "../store/store.ts";
import { readCompiledStore } from "./compiled-file.ts";
import { type Compilation, compileManifest } from "./compiled-folder.ts";
import { CompiledStoreError, type CompiledStoreFault } from "./compiled-store-error.ts";
import { storeSource } from "./file-layout.ts";

/** A store, and where it came from: plain data, which other threads may be sent. Times are in milliseconds. */
export type OpenedSnapshot =
  | {
      readonly origin: "compiled";
      readonly store: Store;
      readonly readMilliseconds: number;
    }
  | {
      readonly origin: "records";
      readonly store: Store;
      /** Why the compiled store was not used; its code is `missing` when there was none. */
      readonly refused: { readonly code: CompiledStoreFault; readonly message: string };
      readonly readMilliseconds: number;
      readonly buildMilliseconds: number;
      readonly compilation: Compilation;
    };

export interface OpenCurrentOptions extends LoadCurrentOptions {
  /** Called for every compiled store that cannot be used, before the records of its snapshot are read. */
  readonly onCompiledRefused: (error: CompiledStoreError) => void;
}

/**
 * Opens a snapshot: reads its compiled store, whose record files are then not read; or, when there is none that is
 * whole and made from this very content, builds the store from the records and compiles it for the next time.
 *
 * @throws {SnapshotUnavailableError} when the manifest cannot be read.
 * @throws {DatasetError} when there is no compiled store to use and the records are broken.
 */
export async function openSnapshot(dataDirectory: string, id: SnapshotId): Promise<OpenedSnapshot> {
  return await openManifest(dataDirectory, await readManifestOf(dataDirectory, id), () => {});
}

/**
 * Opens the snapshot that `CURRENT` names; if it cannot be opened its parent, and so on.
 *
 * @throws {SnapshotUnavailableError} when `CURRENT` or the manifest it leads to cannot be read, or no ancestor can be opened.
 */
export async function openCurrentSnapshot(dataDirectory: string, options: OpenCurrentOptions): Promise<OpenedSnapshot> {
  return await withCurrentSnapshot(dataDirectory, options, (manifest) =>
    openManifest(dataDirectory, manifest, options.onCompiledRefused),
  );
}

/**
 * Reads the compiled store of a snapshot and nothing else: no records, no rebuilding.
 *
 * @throws {CompiledStoreError} when there is none that can be used.
 */
export async function readCompiledSnapshot(dataDirectory: string, manifest: Manifest): Promise<Store> {
  const path = compiledPath(dataDirectory, manifest.id);
  return await readCompiledStore(path, storeSource(manifest), snapshotIdentity(manifest));
}

async function openManifest(
  dataDirectory: string,
  manifest: Manifest,
  onCompiledRefused: (error: CompiledStoreError) => void,
): Promise<OpenedSnapshot> {
  const startedAt = performance.now();
  let refused: { readonly code: CompiledStoreFault; readonly message: string };
  try {
    const store = await readCompiledSnapshot(dataDirectory, manifest);
    return { origin: "compiled", store, readMilliseconds: performance.now() - startedAt };
  } catch (error) {
    if (!(error instanceof CompiledStoreError)) throw error;
    if (error.code !== "missing") onCompiledRefused(error);
    refused = { code: error.code, message: error.message };
  }
  const refusedAt = performance.now();
  const dataset = await loadManifestDataset(snapshotPath(dataDirectory, manifest.id), manifest);
  const readAt = performance.now();
  const store = await buildStoreOnThreads(dataset);
  const builtAt = performance.now();
  return {
    origin: "records",
    store,
    refused,
    readMilliseconds: readAt - refusedAt,
    buildMilliseconds: builtAt - readAt,
    compilation: await compileManifest(dataDirectory, manifest, store),
  };
}
