/** Makes an existing snapshot the current one again. */
import { type Compilation, compileManifest, readCompiledSnapshot } from "../../engine/compiled/compiled-folder.ts";
import { CompiledStoreError } from "../../engine/compiled/compiled-store-error.ts";
import {
  ifAvailable,
  readCurrent,
  readCurrentIfAny,
  readManifestOf,
  SnapshotUnavailableError,
} from "../../engine/snapshots/current-snapshot.ts";
import { readManifestRecords, snapshotIdentity } from "../../engine/snapshots/load-dataset.ts";
import { contentHash, type Manifest, type TableRows, tableRows } from "../../engine/snapshots/manifest.ts";
import { joinDecisions } from "../../engine/snapshots/price-decisions.ts";
import { isDecisionKind, type SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { buildStoreOnThreads } from "../../engine/store/build-store.ts";
import type { Store } from "../../engine/store/store.ts";
import { requireOwnDirectory } from "../transfer/followed-origin.ts";
import { PublishedSnapshot } from "./open-published.ts";
import { type Change, type ChangeRequest, withPublishLock } from "./publish-lock.ts";
import { decisionEntries, stageDecisions } from "./record-files.ts";
import { shareCurrent } from "./stage-merged.ts";
import { activateStaged, finishStaging, makeStaging, nextManifest, pointCurrentAt } from "./stage-snapshot.ts";

export interface RollbackRequest extends ChangeRequest {
  /** The snapshot to go to, older or newer than the current one; the parent of the current one when absent. */
  readonly id?: SnapshotId | undefined;
  /** Go back exactly: prices that were withdrawn since come back. */
  readonly withoutWithdrawals?: boolean | undefined;
  /** Publish although the clock does not fit the ids there are, where withdrawals are to be kept. */
  readonly allowClock?: boolean | undefined;
}

export interface RollbackReport {
  /** `only-withdrawals`: nothing changes, for the two snapshots differ in withdrawals alone, which stay in force. */
  readonly outcome: "rolled-back" | "already-current" | "only-withdrawals";
  /** The snapshot that is current now. */
  readonly id: SnapshotId;
  /** The snapshot that was gone back to; another than `id` where withdrawals were kept. */
  readonly target: SnapshotId;
  /** The newest snapshot before the target that differs by more than withdrawals, where nothing changes for these. */
  readonly further?: SnapshotId | undefined;
  /** Number of withdrawals that were kept that the target does not have. */
  readonly keptWithdrawals: number;
  /** The snapshot that was current before; null when `CURRENT` held no id. */
  readonly from: SnapshotId | null;
  readonly rows: TableRows;
  /** The outcome of compiling its store; undefined when it was compiled already. */
  readonly compilation: Compilation | undefined;
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
    const { outcome, from, keptWithdrawals: kept_withdrawals } = report;
    if (outcome === "rolled-back") await change.log({ from, counts: { kept_withdrawals } });
    return report;
  });
}

/** The caller holds the lock. */
async function goBack(request: RollbackRequest, { now, onStep }: Change): Promise<RollbackReport> {
  const { dataDirectory } = request;
  const current = await readCurrentIfAny(dataDirectory);
  const target = await PublishedSnapshot.read(dataDirectory, request.id ?? (await parentOfCurrent(dataDirectory)));
  const { manifest: wanted } = target;
  const report = {
    id: wanted.id,
    target: wanted.id,
    from: current,
    rows: tableRows(wanted.files),
    keptWithdrawals: 0,
    compilation: undefined,
  };
  if (wanted.id === current) return { ...report, outcome: "already-current" };
  const before =
    current === null || request.withoutWithdrawals
      ? undefined
      : await ifAvailable(PublishedSnapshot.read(dataDirectory, current));
  const inForce = (await before?.readDecisions())?.withdrawals ?? [];
  const own = await target.readDecisions();
  const decisions = { ...own, withdrawals: joinDecisions(own.withdrawals, inForce) };
  const keptWithdrawals = decisions.withdrawals.length - own.withdrawals.length;
  // Only withdrawals of a snapshot whose manifest can be read are kept.
  const isExact = before === undefined || keptWithdrawals === 0;
  const options = isExact ? {} : { withdrawals: decisions.withdrawals };
  const { records, withheld } = await readManifestRecords(target.directory, wanted, options);
  await onStep("verified");
  const storeOf = async (manifest: Manifest): Promise<Store> =>
    await buildStoreOnThreads({ snapshot: snapshotIdentity(manifest), ...records });
  if (isExact) {
    // Services load the current snapshot at once, so its store is compiled now if it is not.
    let compilation: Compilation | undefined;
    if ((await readCompiledSnapshot(dataDirectory, wanted)) instanceof CompiledStoreError) {
      compilation = await compileManifest(dataDirectory, wanted, await storeOf(wanted));
      await onStep("compiled");
    }
    await pointCurrentAt(dataDirectory, wanted.id, onStep);
    return { ...report, outcome: "rolled-back", compilation };
  }
  const kept = wanted.files.filter(({ kind }) => !isDecisionKind(kind));
  const content = { ...wanted, files: [...kept, ...decisionEntries(decisions, withheld)] };
  const changed = { ...report, keptWithdrawals, rows: tableRows(content.files) };
  if (contentHash(content) === contentHash(before.manifest)) {
    const further = await findFurther(dataDirectory, wanted);
    return { ...changed, outcome: "only-withdrawals", id: before.manifest.id, further };
  }
  const manifest = await nextManifest({ ...request, now }, content, null);
  const store = await storeOf(manifest);
  await using staging = await makeStaging(dataDirectory, onStep);
  await onStep("folder-made");
  await shareCurrent(target, kept, staging);
  await stageDecisions(staging, decisions);
  await finishStaging(staging, manifest);
  const compilation = await activateStaged(dataDirectory, staging, manifest, store);
  return { ...changed, outcome: "rolled-back", id: manifest.id, compilation };
}

/** The newest ancestor that differs by more than withdrawals; undefined where none is there. */
async function findFurther(dataDirectory: string, from: Manifest): Promise<SnapshotId | undefined> {
  const others = (manifest: Manifest): string =>
    contentHash({ ...manifest, files: manifest.files.filter(({ kind }) => kind !== "withdrawals") });
  let { parent } = from;
  while (parent !== null) {
    const manifest: Manifest | undefined = await ifAvailable(readManifestOf(dataDirectory, parent));
    if (manifest === undefined) return undefined;
    if (others(manifest) !== others(from)) return manifest.id;
    ({ parent } = manifest);
  }
  return undefined;
}

async function parentOfCurrent(dataDirectory: string): Promise<SnapshotId> {
  const { id, parent } = await readManifestOf(dataDirectory, await readCurrent(dataDirectory));
  if (parent !== null) return parent;
  throw new SnapshotUnavailableError(`snapshot ${id} has no parent, expected the id of a snapshot to roll back to`);
}
