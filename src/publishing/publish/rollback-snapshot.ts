/** Makes an existing snapshot the current one again. */
import { type Compilation, compileManifest, readCompiledSnapshot } from "../../engine/compiled/compiled-folder.ts";
import { CompiledStoreError } from "../../engine/compiled/compiled-store-error.ts";
import {
  ifAvailable,
  readCurrent,
  readManifestOf,
  SnapshotUnavailableError,
} from "../../engine/snapshots/current-snapshot.ts";
import { type RecordsReading, readManifestRecords, snapshotIdentity } from "../../engine/snapshots/load-dataset.ts";
import {
  contentHash,
  type Manifest,
  type ManifestFile,
  type TableRows,
  tableRows,
} from "../../engine/snapshots/manifest.ts";
import { joinDecisions } from "../../engine/snapshots/price-decisions.ts";
import { isDecisionKind, type SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { buildStoreOnThreads } from "../../engine/store/build-store.ts";
import { openComparedStore, PublishedSnapshot } from "./open-published.ts";
import { type Change, type ChangeRequest, changeOwnDirectory, type Finished } from "./publish-lock.ts";
import type { StepObserver } from "./publish-steps.ts";
import { decisionFiles, type MadeFile, stageMade } from "./record-files.ts";
import { stageChanges } from "./stage-changes.ts";
import { shareCurrent } from "./stage-merged.ts";
import { finishStaging, makeStaging, nameStaged, nextManifest, type PublicationTime } from "./stage-snapshot.ts";

export interface RollbackRequest extends ChangeRequest {
  /** The snapshot to go to, older or newer than the current one; the parent of the current one when absent. */
  readonly id?: SnapshotId | undefined;
  /** Go back exactly: prices that were withdrawn since come back. */
  readonly withoutWithdrawals?: boolean | undefined;
  /** Publish although the clock does not fit the ids there are, where withdrawals are to be kept. */
  readonly allowClock?: boolean | undefined;
}

export interface RollbackReport extends Finished {
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
 * A new snapshot takes the place of one that lacks withdrawals in force: the files of that one, and these withdrawals.
 * Its parent is that of the snapshot it stands for, so that going back once more goes further back. Withdrawals of a
 * current snapshot whose manifest cannot be read are not known, and are not kept.
 *
 * @throws {SnapshotUnavailableError} when there is no such snapshot, or no parent to go to.
 * @throws {DatasetError} when the snapshot is damaged, or the withdrawals of the current one; `CURRENT` stays.
 * @throws {FollowsOriginError} when the dataset directory follows an origin.
 * @throws {LockHeldError} when a publisher holds the lock for more than ten seconds.
 */
export async function rollbackSnapshot(request: RollbackRequest): Promise<RollbackReport> {
  const { dataDirectory } = request;
  return await changeOwnDirectory(request, async (change) => {
    const plan = await planRollback({ ...request, now: change.now }, change.from, change.onStep);
    const { report } = plan;
    if (report.outcome !== "rolled-back") return { ...report, compilation: undefined };
    const compilation = await provideTarget(dataDirectory, plan, change);
    await change.makeCurrent(report.id);
    change.log({ counts: { kept_withdrawals: report.keptWithdrawals } });
    return { ...report, compilation };
  });
}

/** A snapshot to publish in the place of another: its files, and the withdrawals in force. */
interface Replacement {
  readonly manifest: Manifest;
  readonly shared: readonly ManifestFile[];
  readonly made: readonly MadeFile[];
}

/** The way back to a snapshot. */
interface RollbackPlan {
  readonly report: Omit<RollbackReport, "compilation" | "unfinished">;
  readonly target: PublishedSnapshot;
  /** The records of the target, under the withdrawals in force; undefined where nothing changes. */
  readonly records?: RecordsReading["records"];
  /** The snapshot in the place of the target; undefined where the target itself becomes current. */
  readonly instead?: Replacement;
}

/**
 * Checks the snapshot to go back to, and finds out what its return takes.
 *
 * @param from The current snapshot.
 */
async function planRollback(
  request: RollbackRequest & PublicationTime,
  from: SnapshotId | null,
  onStep: StepObserver,
): Promise<RollbackPlan> {
  const { dataDirectory } = request;
  const target = await PublishedSnapshot.read(dataDirectory, request.id ?? (await parentOfCurrent(dataDirectory)));
  const { manifest: wanted } = target;
  const report = { id: wanted.id, target: wanted.id, from, rows: tableRows(wanted.files), keptWithdrawals: 0 };
  if (wanted.id === from) return { report: { ...report, outcome: "already-current" }, target };
  const before =
    from === null || request.withoutWithdrawals
      ? undefined
      : await ifAvailable(PublishedSnapshot.read(dataDirectory, from));
  const inForce = (await before?.readDecisions())?.withdrawals ?? [];
  const own = await target.readDecisions();
  const decisions = { ...own, withdrawals: joinDecisions(own.withdrawals, inForce) };
  const keptWithdrawals = decisions.withdrawals.length - own.withdrawals.length;
  // Only withdrawals of a snapshot whose manifest can be read are kept.
  const isExact = before === undefined || keptWithdrawals === 0;
  const options = isExact ? {} : { withdrawals: decisions.withdrawals };
  const { records, withheld } = await readManifestRecords(target.directory, wanted, options);
  await onStep("verified");
  if (isExact) return { report: { ...report, outcome: "rolled-back" }, target, records };
  const shared = wanted.files.filter(({ kind }) => !isDecisionKind(kind));
  const made = decisionFiles(decisions, withheld);
  const content = { ...wanted, files: [...shared, ...made.map(({ entry }) => entry)] };
  const changed = { ...report, keptWithdrawals, rows: tableRows(content.files) };
  if (contentHash(content) === contentHash(before.manifest)) {
    const further = await findFurther(dataDirectory, wanted);
    const { id } = before.manifest;
    return { report: { ...changed, outcome: "only-withdrawals", id, further }, target };
  }
  const manifest = await nextManifest(request, content, null);
  const published = { ...changed, outcome: "rolled-back", id: manifest.id } as const;
  return { report: published, target, records, instead: { manifest, shared, made } };
}

/**
 * Sees to it that the target is compiled, or that the snapshot in its place is there.
 *
 * @returns The outcome of compiling; undefined when nothing was compiled.
 */
async function provideTarget(
  dataDirectory: string,
  { target, records, instead }: RollbackPlan,
  change: Change,
): Promise<Compilation | undefined> {
  if (records === undefined) return undefined;
  if (instead !== undefined) return await stageInstead(dataDirectory, target, instead, records, change);
  return await provideCompiled(dataDirectory, target.manifest, records, change.onStep);
}

async function stageInstead(
  dataDirectory: string,
  target: PublishedSnapshot,
  { manifest, shared, made }: Replacement,
  records: RecordsReading["records"],
  change: Change,
): Promise<Compilation> {
  const store = await buildStoreOnThreads({ snapshot: snapshotIdentity(manifest), ...records });
  const staging = await makeStaging(dataDirectory, change);
  await change.onStep("folder-made");
  await shareCurrent(target, shared, staging);
  await stageMade(staging, made);
  const before = await openComparedStore(dataDirectory, manifest.parent);
  await stageChanges(staging, { manifest, store, before });
  await finishStaging(staging, manifest);
  return await nameStaged(dataDirectory, staging, manifest, store);
}

/** Compiles a snapshot that is not: services load the current one at once. */
async function provideCompiled(
  dataDirectory: string,
  manifest: Manifest,
  records: RecordsReading["records"],
  onStep: StepObserver,
): Promise<Compilation | undefined> {
  if (!((await readCompiledSnapshot(dataDirectory, manifest)) instanceof CompiledStoreError)) return undefined;
  const store = await buildStoreOnThreads({ snapshot: snapshotIdentity(manifest), ...records });
  const compilation = await compileManifest(dataDirectory, manifest, store);
  await onStep("compiled");
  return compilation;
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
