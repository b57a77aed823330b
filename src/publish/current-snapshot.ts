import { lstat } from "node:fs/promises";
import { readCurrent, readManifestOf, SnapshotUnavailableError } from "../dataset/load-current-dataset.ts";
import type { Manifest } from "../dataset/manifest.ts";
import { DatasetError } from "../dataset/problem.ts";
import type { ReadingOptions } from "../dataset/read-records.ts";
import { currentPath, type SnapshotId } from "../dataset/snapshot-layout.ts";
import type { Store } from "../store/store.ts";
import { openSnapshotStore } from "./snapshot-store.ts";

/** The snapshot that a new one would follow, as far as it can be read. */
export interface CurrentSnapshot {
  readonly id: SnapshotId;
  readonly manifest: Manifest | undefined;
  readonly store: Store | undefined;
  /** Why the manifest or the records cannot be read. */
  readonly error: SnapshotUnavailableError | DatasetError | undefined;
}

/**
 * Reads the current snapshot to compare another with it.
 *
 * @returns Undefined when there is no `CURRENT`, so no snapshot has been published yet.
 * @throws {SnapshotUnavailableError} when `CURRENT` is there and holds no id: then nobody can tell what would follow what.
 */
export async function readCurrentSnapshot(
  dataDirectory: string,
  options?: Pick<ReadingOptions, "onBytes">,
): Promise<CurrentSnapshot | undefined> {
  if (!(await exists(currentPath(dataDirectory)))) return undefined;
  const id = await readCurrent(dataDirectory);
  let manifest: Manifest | undefined;
  try {
    manifest = await readManifestOf(dataDirectory, id);
    const store = await openSnapshotStore(dataDirectory, id, options);
    return { id, manifest, store, error: undefined };
  } catch (error) {
    if (!(error instanceof DatasetError || error instanceof SnapshotUnavailableError)) throw error;
    return { id, manifest, store: undefined, error };
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
