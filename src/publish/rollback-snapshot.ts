import { type Compilation, compileManifest } from "../compiled/compile-snapshot.ts";
import { readCurrent, readManifestOf, SnapshotUnavailableError } from "../dataset/load-current-dataset.ts";
import { loadManifestDataset } from "../dataset/load-dataset.ts";
import { tableRows } from "../dataset/manifest.ts";
import { type RecordKind, type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";
import { buildStoreOnThreads } from "../store/build-store.ts";
import { pointCurrentAt } from "./activate-snapshot.ts";
import { withPublishLock } from "./publish-lock.ts";
import { ignoreSteps, type StepObserver } from "./publish-step.ts";
import { readCompiledIfAny } from "./snapshot-store.ts";

export interface RollbackRequest {
  readonly dataDirectory: string;
  /** The snapshot to go to, older or newer than the current one; the parent of the current one when absent. */
  readonly id?: SnapshotId | undefined;
  readonly onStep?: StepObserver | undefined;
}

export interface RollbackReport {
  readonly outcome: "rolled-back" | "already-current";
  readonly id: SnapshotId;
  /** What was current before; undefined when `CURRENT` named nothing. */
  readonly from: SnapshotId | undefined;
  readonly rows: Readonly<Record<RecordKind, number>>;
  /** How compiling its store ended; undefined when it lay ready. */
  readonly compilation: Compilation | undefined;
}

/**
 * Makes an existing snapshot the current one, after all its files and records have been checked as they were when it was
 * published. No file of any snapshot changes; what comes next is published on top of it, under an id above all others.
 *
 * With an id, it also mends a `CURRENT` that names nothing.
 *
 * @throws {SnapshotUnavailableError} when there is no such snapshot, or no parent to go to.
 * @throws {DatasetError} when the snapshot is damaged; `CURRENT` stays.
 * @throws {LockHeldError} when a publisher is at work for longer than ten seconds.
 */
export async function rollbackSnapshot(request: RollbackRequest): Promise<RollbackReport> {
  const { dataDirectory, onStep = ignoreSteps } = request;
  return await withPublishLock(dataDirectory, async () => {
    await onStep("locked");
    const from = request.id === undefined ? await readCurrent(dataDirectory) : await currentIfAny(dataDirectory);
    const id = request.id ?? (await parentOf(dataDirectory, from as SnapshotId));
    const manifest = await readManifestOf(dataDirectory, id);
    const rows = tableRows(manifest.files);
    if (id === from) return { outcome: "already-current", id, from, rows, compilation: undefined };
    const dataset = await loadManifestDataset(snapshotPath(dataDirectory, id), manifest);
    await onStep("verified");
    // What becomes current is loaded at once, so its store is made ready where it is not.
    let compilation: Compilation | undefined;
    if ((await readCompiledIfAny(dataDirectory, manifest)) === undefined) {
      compilation = await compileManifest(dataDirectory, manifest, await buildStoreOnThreads(dataset));
      await onStep("compiled");
    }
    await pointCurrentAt(dataDirectory, id, onStep);
    return { outcome: "rolled-back", id, from, rows, compilation };
  });
}

async function parentOf(dataDirectory: string, id: SnapshotId): Promise<SnapshotId> {
  const { parent } = await readManifestOf(dataDirectory, id);
  if (parent !== null) return parent;
  throw new SnapshotUnavailableError(`snapshot ${id} has no parent, expected the id of a snapshot to roll back to`);
}

async function currentIfAny(dataDirectory: string): Promise<SnapshotId | undefined> {
  try {
    return await readCurrent(dataDirectory);
  } catch (error) {
    if (error instanceof SnapshotUnavailableError) return undefined;
    throw error;
  }
}
