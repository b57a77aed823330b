import { type Compilation, compileManifest, readCompiledSnapshot } from "../compiled/compiled-folder.ts";
import { CompiledStoreError } from "../compiled/compiled-store-error.ts";
import { orUnavailable, readCurrent, readManifestOf, SnapshotUnavailableError } from "../dataset/current-snapshot.ts";
import { loadManifestDataset } from "../dataset/load-dataset.ts";
import { type Manifest, tableRows } from "../dataset/manifest.ts";
import { type RecordKind, type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";
import { buildStoreOnThreads } from "../store/build-store.ts";
import { requireOwnDirectory } from "../transfer/followed-origin.ts";
import { type ChangeRequest, ignoreSteps, withPublishLock } from "./publish-steps.ts";
import { pointCurrentAt } from "./stage-snapshot.ts";

export interface RollbackRequest extends ChangeRequest {
  /** The snapshot to go to, older or newer than the current one; the parent of the current one when absent. */
  readonly id?: SnapshotId | undefined;
}

export interface RollbackReport {
  readonly outcome: "rolled-back" | "already-current";
  readonly id: SnapshotId;
  /** The snapshot that was current before; undefined when `CURRENT` held no id. */
  readonly from: SnapshotId | undefined;
  readonly rows: Readonly<Record<RecordKind, number>>;
  /** How compiling its store ended; undefined when it was compiled already. */
  readonly compilation: Compilation | undefined;
}

/**
 * Makes an existing snapshot the current one, after checking all its files and records as publishing does. No file of
 * any snapshot changes; the next snapshot is published on top of it, with an id above all others. With an id, it also
 * repairs a `CURRENT` that holds no id.
 *
 * @throws {SnapshotUnavailableError} when there is no such snapshot, or no parent to go to.
 * @throws {DatasetError} when the snapshot is damaged; `CURRENT` stays.
 * @throws {FollowsOriginError} when the dataset directory follows an origin.
 * @throws {LockHeldError} when a publisher holds the lock for more than ten seconds.
 */
export async function rollbackSnapshot(request: RollbackRequest): Promise<RollbackReport> {
  const { dataDirectory, onStep = ignoreSteps } = request;
  return await withPublishLock(request, async () => {
    await requireOwnDirectory(dataDirectory);
    const current = await orUnavailable(readCurrent(dataDirectory));
    const from = current instanceof SnapshotUnavailableError ? undefined : current;
    const id = request.id ?? (await parentOfCurrent(dataDirectory));
    const manifest = await readManifestOf(dataDirectory, id);
    const rows = tableRows(manifest.files);
    if (id === from) return { outcome: "already-current", id, from, rows, compilation: undefined };
    const dataset = await loadManifestDataset(snapshotPath(dataDirectory, id), manifest);
    await onStep("verified");
    // Services load the current snapshot at once, so its store is compiled now if it is not.
    let compilation: Compilation | undefined;
    if (!(await isCompiled(dataDirectory, manifest))) {
      compilation = await compileManifest(dataDirectory, manifest, await buildStoreOnThreads(dataset));
      await onStep("compiled");
    }
    await pointCurrentAt(dataDirectory, id, onStep);
    return { outcome: "rolled-back", id, from, rows, compilation };
  });
}

async function parentOfCurrent(dataDirectory: string): Promise<SnapshotId> {
  const { id, parent } = await readManifestOf(dataDirectory, await readCurrent(dataDirectory));
  if (parent !== null) return parent;
  throw new SnapshotUnavailableError(`snapshot ${id} has no parent, expected the id of a snapshot to roll back to`);
}

/** Whether a snapshot has a compiled store that can be used. */
async function isCompiled(dataDirectory: string, manifest: Manifest): Promise<boolean> {
  try {
    await readCompiledSnapshot(dataDirectory, manifest);
    return true;
  } catch (error) {
    if (error instanceof CompiledStoreError) return false;
    throw error;
  }
}
