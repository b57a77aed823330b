import { type Compilation, compileManifest, readCompiledSnapshot } from "../compiled/compiled-folder.ts";
import { CompiledStoreError } from "../compiled/compiled-store-error.ts";
import { orUnavailable, readCurrent, readManifestOf, SnapshotUnavailableError } from "../dataset/current-snapshot.ts";
import { loadManifestDataset, readManifestRecords, snapshotIdentity } from "../dataset/load-dataset.ts";
import { contentHash, type Manifest, tableRows } from "../dataset/manifest.ts";
import { joinRulings, type PriceRulings, readManifestRulings } from "../dataset/price-rulings.ts";
import { isRulingKind, type RecordKind, type SnapshotId, snapshotPath } from "../dataset/snapshot-layout.ts";
import type { PriceRuling } from "../domain/records.ts";
import { buildStoreOnThreads } from "../store/build-store.ts";
import { requireOwnDirectory } from "../transfer/followed-origin.ts";
import { ParentSnapshot } from "./open-published.ts";
import { type Change, type ChangeRequest, withPublishLock } from "./publish-lock.ts";
import { rulingEntries, stageRulings } from "./ruling-files.ts";
import { shareCurrent } from "./stage-merged.ts";
import { activateStaged, finishStaging, nextManifest, pointCurrentAt, withStagingFolder } from "./stage-snapshot.ts";

export interface RollbackRequest extends ChangeRequest {
  /** The snapshot to go to, older or newer than the current one; the parent of the current one when absent. */
  readonly id?: SnapshotId | undefined;
  /** Go back exactly: prices that were withdrawn since come back. */
  readonly withoutWithdrawals?: boolean | undefined;
}

export interface RollbackReport {
  /** `only-withdrawals`: nothing changes, for the two snapshots differ in withdrawals alone, which stay in force. */
  readonly outcome: "rolled-back" | "already-current" | "only-withdrawals";
  /** The snapshot that is current now. */
  readonly id: SnapshotId;
  /** The snapshot that was gone back to; another than `id` where withdrawals were kept. */
  readonly target: SnapshotId;
  /** How many withdrawals were kept that the target does not have. */
  readonly keptWithdrawals: number;
  /** The snapshot that was current before; undefined when `CURRENT` held no id. */
  readonly from: SnapshotId | undefined;
  readonly rows: Readonly<Record<RecordKind, number>>;
  /** How compiling its store ended; undefined when it was compiled already. */
  readonly compilation: Compilation | undefined;
  /** As of a publication. */
  readonly logFault: string | undefined;
}

/**
 * Makes an existing snapshot the current one, after checking all its files and records as publishing does. No file of
 * any snapshot changes; the next snapshot is published on top of it, with an id above all others. With an id, it also
 * repairs a `CURRENT` that holds no id.
 *
 * Where prices are withdrawn now and not in that snapshot, a new one takes its place: its files and these withdrawals.
 * Its parent is that of the snapshot it stands for, so that going back once more goes further back. Withdrawals of a
 * current snapshot whose manifest cannot be read are not known, and are not kept.
 *
 * @throws {SnapshotUnavailableError} when there is no such snapshot, or no parent to go to.
 * @throws {DatasetError} when the snapshot is damaged, or the withdrawals of the current one; `CURRENT` stays.
 * @throws {FollowsOriginError} when the dataset directory follows an origin.
 * @throws {LockHeldError} when a publisher holds the lock for more than ten seconds.
 */
export async function rollbackSnapshot(request: RollbackRequest): Promise<RollbackReport> {
  return await withPublishLock(request, async (change) => {
    await requireOwnDirectory(request.dataDirectory);
    const report = await goBack(request, change);
    if (report.outcome !== "rolled-back") return report;
    const { from = null, keptWithdrawals: kept_withdrawals } = report;
    return { ...report, logFault: await change.log({ from, counts: { kept_withdrawals } }) };
  });
}

/** The caller holds the lock. */
async function goBack(request: RollbackRequest, change: Change): Promise<RollbackReport> {
  const { dataDirectory } = request;
  const { onStep } = change;
  const current = await orUnavailable(readCurrent(dataDirectory));
  const from = current instanceof SnapshotUnavailableError ? undefined : current;
  const id = request.id ?? (await parentOfCurrent(dataDirectory));
  const manifest = await readManifestOf(dataDirectory, id);
  const rows = tableRows(manifest.files);
  const same = { id, target: id, from, rows, keptWithdrawals: 0, compilation: undefined, logFault: undefined };
  if (id === from) return { ...same, outcome: "already-current" };
  const inForce = request.withoutWithdrawals ? [] : await withdrawalsOf(dataDirectory, from);
  const rulings = await readManifestRulings(snapshotPath(dataDirectory, id), manifest);
  const withdrawals = joinRulings(rulings.withdrawals, inForce);
  if (from !== undefined && withdrawals.length > rulings.withdrawals.length) {
    return await publishWithdrawn(dataDirectory, change, from, id, { ...rulings, withdrawals });
  }
  const dataset = await loadManifestDataset(snapshotPath(dataDirectory, id), manifest);
  await onStep("verified");
  // Services load the current snapshot at once, so its store is compiled now if it is not.
  let compilation: Compilation | undefined;
  if (!(await isCompiled(dataDirectory, manifest))) {
    compilation = await compileManifest(dataDirectory, manifest, await buildStoreOnThreads(dataset));
    await onStep("compiled");
  }
  await pointCurrentAt(dataDirectory, id, onStep);
  return { ...same, outcome: "rolled-back", compilation };
}

/** The withdrawals of a snapshot; none where there is no snapshot, or its manifest cannot be read. */
async function withdrawalsOf(dataDirectory: string, id: SnapshotId | undefined): Promise<readonly PriceRuling[]> {
  if (id === undefined) return [];
  const manifest = await orUnavailable(readManifestOf(dataDirectory, id));
  if (manifest instanceof SnapshotUnavailableError) return [];
  return (await readManifestRulings(snapshotPath(dataDirectory, id), manifest)).withdrawals;
}

/** Publishes the files of a snapshot under other rulings. The caller holds the lock. */
async function publishWithdrawn(
  dataDirectory: string,
  { now, onStep }: Change,
  from: SnapshotId,
  target: SnapshotId,
  rulings: PriceRulings,
): Promise<RollbackReport> {
  const snapshot = await ParentSnapshot.read(dataDirectory, target);
  const { withdrawals } = rulings;
  const { records, withheld } = await readManifestRecords(snapshot.directory, snapshot.manifest, { withdrawals });
  await onStep("verified");
  const { files: all } = snapshot.manifest;
  const kept = all.filter(({ kind }) => !isRulingKind(kind));
  const files = [...kept, ...rulingEntries(rulings, withheld)];
  const content = { ...snapshot.manifest, files };
  const rows = tableRows(files);
  const own = all.find(({ kind }) => kind === "withdrawals")?.rows ?? 0;
  const keptWithdrawals = withdrawals.length - own;
  const current = await readManifestOf(dataDirectory, from);
  if (contentHash(content) === contentHash(current)) {
    const same = { id: from, target, from, rows, keptWithdrawals, compilation: undefined, logFault: undefined };
    return { ...same, outcome: "only-withdrawals" };
  }
  const manifest = await nextManifest(dataDirectory, now, content);
  const store = await buildStoreOnThreads({ snapshot: snapshotIdentity(manifest), ...records });
  return await withStagingFolder(dataDirectory, onStep, async (staging) => {
    await shareCurrent(snapshot, kept, staging);
    await stageRulings(staging, rulings);
    await finishStaging(staging, manifest);
    const compilation = await activateStaged(dataDirectory, staging, manifest, store);
    const done = { id: manifest.id, target, from, rows, keptWithdrawals, compilation, logFault: undefined };
    return { ...done, outcome: "rolled-back" };
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
