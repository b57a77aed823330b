/** Drafts: snapshots that were checked and compared, and wait for somebody to approve them. */
import { rename, stat } from "node:fs/promises";
import type { SnapshotChanges } from "../../contract/publication-report.ts";
import { compileManifest } from "../../engine/compiled/compiled-folder.ts";
import { systemErrorCode } from "../../engine/files/read-regular-file.ts";
import {
  ifAvailable,
  readCurrentIfAny,
  readManifestOf,
  SnapshotUnavailableError,
} from "../../engine/snapshots/current-snapshot.ts";
import { type Manifest, type TableRows, tableRows } from "../../engine/snapshots/manifest.ts";
import { compiledPath, draftsPath, type SnapshotId, snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import { requireOwnDirectory } from "../transfer/followed-origin.ts";
import { removeOrphans, removeSnapshot } from "./collect-garbage.ts";
import { openSnapshotStore } from "./open-published.ts";
import { type ChangeRequest, withPublishLock } from "./publish-lock.ts";
import { diffSnapshots } from "./snapshot-changes.ts";
import { refuseFutureId } from "./snapshot-id.ts";
import { nameSnapshot, pointCurrentAt } from "./stage-snapshot.ts";
import { verifyFiles } from "./verify-snapshot.ts";

export interface DraftRequest extends ChangeRequest {
  readonly id: SnapshotId;
}

export interface ApprovalRequest extends DraftRequest {
  /** Approve it although its id is in the future. */
  readonly allowClock?: boolean | undefined;
}

/** `outdated`: another snapshot is current than the one that the draft was compared with. */
export interface ApprovalReport {
  readonly outcome: "approved" | "outdated" | "already-current";
  readonly id: SnapshotId;
  /** The snapshot that the draft was compared with. */
  readonly parent: SnapshotId | null;
  /** The one that is current instead, where the draft is outdated. */
  readonly current: SnapshotId | null;
  readonly rows: TableRows;
  /** What has changed from its parent to the current snapshot; undefined where one of them cannot be compared. */
  readonly changesMeanwhile: SnapshotChanges | undefined;
}

/**
 * Makes a draft the current snapshot, if that is still the one that it was compared with. Its files are hashed again.
 *
 * A draft that has left its folder, because an approval was killed, is found among the snapshots.
 *
 * @throws {SnapshotUnavailableError} when there is no such draft.
 * @throws {ClockError} when its id is in the future, which every later id would be above.
 * @throws {DatasetError} when its files are not those that were drafted; it stays a draft.
 * @throws {FollowsOriginError} when the dataset directory follows an origin.
 * @throws {LockHeldError} when a publisher holds the lock for more than ten seconds.
 */
export async function approveDraft(request: ApprovalRequest): Promise<ApprovalReport> {
  const { dataDirectory, id, allowClock = false } = request;
  return await withPublishLock(request, async ({ now, onStep, log }) => {
    await requireOwnDirectory(dataDirectory);
    await removeOrphans(dataDirectory, onStep);
    const drafts = draftsPath(dataDirectory);
    const isDraft = (await holds(drafts, id)) || !(await holds(dataDirectory, id));
    const directory = isDraft ? drafts : dataDirectory;
    const manifest = await readManifestOf(directory, id);
    const { parent, note } = manifest;
    const current = await readCurrentIfAny(dataDirectory);
    const rows = tableRows(manifest.files);
    const same = { id, parent, current, rows, changesMeanwhile: undefined };
    if (current === id) return { ...same, outcome: "already-current" };
    if (current !== parent) {
      const isComparable = parent !== null && current !== null;
      const compared = isComparable ? await ifAvailable(diffSnapshots(dataDirectory, parent, current)) : undefined;
      return { ...same, outcome: "outdated", changesMeanwhile: compared };
    }
    const remedy = "reject it and draft again, or approve with --allow-clock";
    if (!allowClock) refuseFutureId(id, now, `draft ${id}`, remedy);
    (await verifyFiles(snapshotPath(directory, id), manifest)).throwIfAny(`draft ${id}`);
    await onStep("verified");
    await provideCompiled(dataDirectory, directory, manifest);
    await onStep("compiled");
    if (isDraft) await nameSnapshot(dataDirectory, snapshotPath(drafts, id), id, onStep);
    await pointCurrentAt(dataDirectory, id, onStep);
    await log({ note, from: current, counts: {} });
    return { ...same, outcome: "approved" };
  });
}

/**
 * Removes a draft.
 *
 * @throws {SnapshotUnavailableError} when there is no such draft.
 */
export async function rejectDraft(request: DraftRequest & { readonly reason?: string | undefined }): Promise<void> {
  const { dataDirectory, id, reason = null } = request;
  await withPublishLock(request, async ({ onStep, log }) => {
    const drafts = draftsPath(dataDirectory);
    if (!(await holds(drafts, id))) throw new SnapshotUnavailableError(`${id}: found no such draft; drafts lists them`);
    await removeSnapshot(drafts, id, onStep);
    await log({ note: reason, subject: id, counts: {} });
  });
}

async function holds(dataDirectory: string, id: SnapshotId): Promise<boolean> {
  return (await stat(snapshotPath(dataDirectory, id)).catch(() => undefined)) !== undefined;
}

/** Moves the compiled store of a draft, or compiles it anew. Without one, services build it. */
async function provideCompiled(dataDirectory: string, directory: string, manifest: Manifest): Promise<void> {
  const { id } = manifest;
  try {
    await rename(compiledPath(directory, id), compiledPath(dataDirectory, id));
  } catch (error) {
    if (systemErrorCode(error) === "") throw error;
    await compileManifest(dataDirectory, manifest, await openSnapshotStore(directory, id));
  }
}
