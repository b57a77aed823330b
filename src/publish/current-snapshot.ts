import { lstat } from "node:fs/promises";
import { readCurrent, readManifestOf, SnapshotUnavailableError } from "../dataset/load-current-dataset.ts";
import type { ReadingOptions } from "../dataset/load-dataset.ts";
import { contentHash, type Manifest } from "../dataset/manifest.ts";
import { DatasetError, ProblemList } from "../dataset/problem.ts";
import type { Candidate } from "../dataset/read-candidate.ts";
import { currentName, currentPath, idHashDigits, type SnapshotId } from "../dataset/snapshot-layout.ts";
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

/**
 * Refuses to publish beside snapshots when there is no `CURRENT`: nobody knows which to compare with, and rows might be lost
 * unseen. A first publication that was killed leaves a snapshot without a `CURRENT` as well, but one of the same files.
 *
 * @param ids Of all snapshots that are there.
 * @throws {DatasetError} when one of them has another content than the candidate.
 */
export function refuseLostCurrent({ directory, files }: Candidate, ids: readonly SnapshotId[]): void {
  const digits = contentHash(files).slice(0, idHashDigits);
  if (ids.every((id) => id.endsWith(`-${digits}`))) return;
  const problems = new ProblemList();
  const found = `no such file, though there are ${ids.length} snapshots`;
  const wanted = "the id of one to compare with; a rollback to an id makes it current again";
  problems.add({ file: currentName, kind: "not-compared", found, wanted });
  throw new DatasetError(directory, problems);
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
