/** From a snapshot on disk to a store, the short way if there is one. */
import { type LoadCurrentOptions, withSnapshotOrParent } from "../snapshots/current-snapshot.ts";
import { loadManifestDataset } from "../snapshots/load-dataset.ts";
import type { Manifest } from "../snapshots/manifest.ts";
import { readWanted } from "../snapshots/pin.ts";
import { snapshotPath } from "../snapshots/snapshot-layout.ts";
import type { BytesObserver } from "../snapshots/stored-file.ts";
import { buildStoreOnThreads } from "../store/build-store.ts";
import type { Store } from "../store/store.ts";
import { type Compilation, compileManifest, readCompiledSnapshot } from "./compiled-folder.ts";
import { CompiledStoreError, type CompiledStoreFault } from "./compiled-store-error.ts";

/** A store that was read from its file. Times are in milliseconds. */
interface FromCompiled {
  readonly origin: "compiled";
  readonly store: Store;
  readonly readMilliseconds: number;
}

/** A store that was built from the records. */
interface FromRecords {
  readonly origin: "records";
  readonly store: Store;
  /** Why the compiled store was not used; its code is `missing` when there was none. */
  readonly refused: { readonly code: CompiledStoreFault; readonly message: string };
  readonly readMilliseconds: number;
  readonly buildMilliseconds: number;
}

/** A store, where it came from, and how compiling it ended: plain data, which other threads may be sent. */
export type OpenedSnapshot = FromCompiled | (FromRecords & { readonly compilation: Compilation });

export interface OpenOptions {
  /** Called for a compiled store that cannot be used, before the records of its snapshot are read. */
  readonly onCompiledRefused?: (error: CompiledStoreError) => void;
  /** Called while records are read. */
  readonly onBytes?: BytesObserver | undefined;
}

/**
 * Opens the snapshot to serve, which a pin or `CURRENT` names; if it cannot be opened its parent, and so on. A store
 * that had to be built from the records is compiled for the next time.
 *
 * @throws {SnapshotUnavailableError} when neither a pin nor `CURRENT` names one that can be read, or no ancestor can be
 * opened.
 */
export async function openCurrentSnapshot(
  dataDirectory: string,
  options: LoadCurrentOptions & OpenOptions,
): Promise<OpenedSnapshot> {
  const id = await readWanted(dataDirectory);
  return await withSnapshotOrParent(dataDirectory, id, options, (manifest) =>
    compileSnapshot(dataDirectory, manifest, options),
  );
}

/**
 * Opens a snapshot, and compiles its store where it had to be built from the records.
 *
 * @throws {DatasetError} when the records are broken.
 */
export async function compileSnapshot(
  dataDirectory: string,
  manifest: Manifest,
  options?: OpenOptions,
): Promise<OpenedSnapshot> {
  const opened = await openSnapshot(dataDirectory, manifest, options);
  if (opened.origin === "compiled") return opened;
  return { ...opened, compilation: await compileManifest(dataDirectory, manifest, opened.store) };
}

/**
 * Opens a snapshot: reads its compiled store, whose record files are then not read; or, when there is none that is
 * whole and made from this very content, builds the store from the records. Writes nothing.
 *
 * @throws {DatasetError} when there is no compiled store to use and the records are broken.
 */
export async function openSnapshot(
  dataDirectory: string,
  manifest: Manifest,
  { onCompiledRefused = () => {}, onBytes }: OpenOptions = {},
): Promise<FromCompiled | FromRecords> {
  const startedAt = performance.now();
  const compiled = await readCompiledSnapshot(dataDirectory, manifest);
  const openedAt = performance.now();
  if (!(compiled instanceof CompiledStoreError)) {
    return { origin: "compiled", store: compiled, readMilliseconds: openedAt - startedAt };
  }
  const refused = { code: compiled.code, message: compiled.message };
  if (refused.code !== "missing") onCompiledRefused(compiled);
  const dataset = await loadManifestDataset(snapshotPath(dataDirectory, manifest.id), manifest, { onBytes });
  const readAt = performance.now();
  const store = await buildStoreOnThreads(dataset);
  const buildMilliseconds = performance.now() - readAt;
  return { origin: "records", store, refused, readMilliseconds: readAt - openedAt, buildMilliseconds };
}
