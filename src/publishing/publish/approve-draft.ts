/** Drafts: snapshots that were checked and compared, and wait for somebody to approve them. */
import { rename } from "node:fs/promises";
import type { SnapshotChanges } from "../../contract/publication-report.ts";
import { isSystemError } from "../../engine/files/read-regular-file.ts";
import type { Instant } from "../../engine/model/calendar.ts";
import { ifAvailable, readManifestOf, SnapshotUnavailableError } from "../../engine/snapshots/current-snapshot.ts";
import { type Manifest, type TableRows, tableRows } from "../../engine/snapshots/manifest.ts";
import { compiledPath, draftsPath, type SnapshotId, snapshotPath } from "../../engine/snapshots/snapshot-layout.ts";
import type { LapsedAcceptance } from "./acceptances.ts";
import { removeSnapshot } from "./collect-garbage.ts";
import { holdsSnapshot } from "./open-published.ts";
import { beginPublication } from "./publication.ts";
import { type ChangeRequest, changeDirectory, type Finished } from "./publish-lock.ts";
import { diffSnapshots } from "./snapshot-changes.ts";
import { refuseFutureId } from "./snapshot-id.ts";
import { nameSnapshot } from "./stage-snapshot.ts";
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
  /** The changes from its parent to the current snapshot; undefined where one of them cannot be compared. */
  readonly changesMeanwhile: SnapshotChanges | undefined;
}

/**
 * Makes a draft the current snapshot, if that is still the one that it was compared with. Its files are hashed again.
 *
 * @returns Beside the report, the acceptances that do not hold in what is approved.
 *
 * A draft that has left its folder, because an approval was killed, is found among the snapshots.
 *
 * @throws {SnapshotUnavailableError} when there is no such draft.
 * @throws {ClockError} when its id is in the future, which every later id would be above.
 * @throws {DatasetError} when its files are not those that were drafted; it stays a draft.
 * @throws {FollowsOriginError} when the dataset directory follows an origin.
 * @throws {LockHeldError} when a publisher holds the lock for more than ten seconds.
 */
export async function approveDraft(
  request: ApprovalRequest,
): Promise<ApprovalReport & Finished & { readonly lapsed: readonly LapsedAcceptance[] }> {
  const { dataDirectory, now = Date.now() as Instant } = request;
  return await beginPublication({ ...request, now, dryRun: false }, async (publication) => {
    const plan = await planApproval({ ...request, now }, publication.from);
    const { report, manifest } = plan;
    if (report.outcome !== "approved") return { ...report, lapsed: [] };
    await moveDraft(dataDirectory, plan);
    const { lapsed } = await publication.adopt(manifest.id, { note: manifest.note, counts: {} });
    return { ...report, lapsed };
  });
}

/** A draft, and what becomes of it. */
interface ApprovalPlan {
  readonly report: ApprovalReport;
  readonly manifest: Manifest;
  /** The dataset directory that holds it: that of the drafts, or else the one that an approval has moved it to. */
  readonly directory: string;
}

/** Compares a draft with what is current; one to approve is hashed again. */
async function planApproval(
  { dataDirectory, id, now, allowClock = false }: ApprovalRequest & { readonly now: Instant },
  current: SnapshotId | null,
): Promise<ApprovalPlan> {
  const drafts = draftsPath(dataDirectory);
  const isThere = await holdsSnapshot(drafts, id);
  if (!isThere && !(await holdsSnapshot(dataDirectory, id))) throw noSuchDraft(id);
  const directory = isThere ? drafts : dataDirectory;
  const manifest = await readManifestOf(directory, id);
  const { parent } = manifest;
  const rows = tableRows(manifest.files);
  const plan = (outcome: ApprovalReport["outcome"], changesMeanwhile?: SnapshotChanges): ApprovalPlan => {
    return { report: { outcome, id, parent, current, rows, changesMeanwhile }, manifest, directory };
  };
  if (current === id) return plan("already-current");
  if (current !== parent) {
    const isComparable = parent !== null && current !== null;
    return plan(
      "outdated",
      isComparable ? await ifAvailable(diffSnapshots(dataDirectory, parent, current)) : undefined,
    );
  }
  const remedy = "reject it and draft again, or approve with --allow-clock";
  if (!allowClock) refuseFutureId(id, now, `draft ${id}`, remedy);
  (await verifyFiles(snapshotPath(directory, id), manifest)).throwIfAny(`draft ${id}`);
  return plan("approved");
}

/** Moves a draft among the snapshots, and its compiled store, if it can be: otherwise it is compiled again. */
async function moveDraft(dataDirectory: string, { manifest: { id }, directory }: ApprovalPlan): Promise<void> {
  if (directory === dataDirectory) return;
  await rename(compiledPath(directory, id), compiledPath(dataDirectory, id)).catch((error: unknown) => {
    if (!isSystemError(error)) throw error;
  });
  await nameSnapshot(dataDirectory, snapshotPath(directory, id), id);
}

/**
 * Removes a draft.
 *
 * @throws {SnapshotUnavailableError} when there is no such draft.
 */
export async function rejectDraft(request: DraftRequest & { readonly reason?: string | undefined }): Promise<Finished> {
  const { dataDirectory, id, reason = null } = request;
  return await changeDirectory(request, async (change) => {
    const drafts = draftsPath(dataDirectory);
    if (!(await holdsSnapshot(drafts, id))) throw noSuchDraft(id);
    await removeSnapshot(drafts, id, change.cleaning);
    change.log({ note: reason, subject: id, counts: {} });
    return {};
  });
}

function noSuchDraft(id: SnapshotId): SnapshotUnavailableError {
  return new SnapshotUnavailableError(`${id}: found no such draft; drafts lists them`);
}
