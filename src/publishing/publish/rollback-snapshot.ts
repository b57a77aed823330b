/** Makes an existing snapshot the current one again. */
import type { Compilation } from "../../engine/compiled/compiled-folder.ts";
import type { Instant } from "../../engine/model/calendar.ts";
import {
  orUnavailable,
  readCurrent,
  readManifestOf,
  SnapshotUnavailableError,
} from "../../engine/snapshots/current-snapshot.ts";
import { type RecordsReading, readManifestRecords, snapshotIdentity } from "../../engine/snapshots/load-dataset.ts";
import { contentHash, type Manifest, type TableRows, tableRows } from "../../engine/snapshots/manifest.ts";
import { joinDecisions, type PriceDecisions } from "../../engine/snapshots/price-decisions.ts";
import { isDecisionKind, type SnapshotId } from "../../engine/snapshots/snapshot-layout.ts";
import { buildStoreOnThreads, withAcceptedPrices } from "../../engine/store/build-store.ts";
import { completeAcceptances, type LapsedAcceptance } from "./acceptances.ts";
import { openComparedStore, PublishedSnapshot, readLine } from "./open-published.ts";
import { beginPublication, type NextSnapshot } from "./publication.ts";
import type { ChangeRequest, Finished } from "./publish-lock.ts";
import { decisionFiles } from "./record-files.ts";
import { stageTables, type TablesPlan, tableEntries } from "./stage-merged.ts";
import { nextManifest, type PublicationTime, type Staging } from "./stage-snapshot.ts";
import { noWarnings } from "./warnings/warning.ts";

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
  /** The acceptances that do not hold in what is current now. */
  readonly lapsed: readonly LapsedAcceptance[];
}

/**
 * Makes an existing snapshot the current one, after checking all its files and records as publishing does. No file of
 * any snapshot changes; the next snapshot is published on top of it, with an id above all others. With an id, and
 * without withdrawals, it also repairs a `CURRENT` that holds no id.
 *
 * A new snapshot takes the place of one that lacks withdrawals in force: the files of that one, and these withdrawals.
 * Its parent is that of the snapshot it stands for, so that going back once more goes further back.
 *
 * Cost: the records are read once, and once more where there is no compiled store.
 *
 * @throws {SnapshotUnavailableError} when there is no such snapshot, no parent to go to, or no current snapshot whose
 *   manifest can be read, so that the withdrawals in force are not known.
 * @throws {DatasetError} when the snapshot is damaged, or the withdrawals of the current one; `CURRENT` stays.
 * @throws {FollowsOriginError} when the dataset directory follows an origin.
 * @throws {LockHeldError} when a publisher holds the lock for more than ten seconds.
 */
export async function rollbackSnapshot(request: RollbackRequest): Promise<RollbackReport> {
  const { now = Date.now() as Instant } = request;
  return await beginPublication({ ...request, now, dryRun: false }, async (publication) => {
    const { report, instead } = await planRollback({ ...request, now }, publication.from);
    const counts = { kept_withdrawals: report.keptWithdrawals };
    if (instead !== undefined) {
      const { compilation, lapsed } = await publication.carryOut({ ...instead, logged: { counts } });
      return { ...report, compilation, lapsed };
    }
    if (report.outcome !== "rolled-back") return { ...report, compilation: undefined, lapsed: [] };
    return { ...report, ...(await publication.adopt(report.id, { counts })) };
  });
}

/** The way back to a snapshot. */
interface RollbackPlan {
  readonly report: Omit<RollbackReport, "compilation" | "lapsed" | "unfinished">;
  /** The snapshot in the place of the target: its files, and the withdrawals in force. */
  readonly instead?: Omit<NextSnapshot<object>, "logged">;
}

/**
 * Checks the snapshot to go back to, and finds out what its return takes.
 *
 * @param from The current snapshot.
 */
async function planRollback(
  request: RollbackRequest & PublicationTime,
  from: SnapshotId | null,
): Promise<RollbackPlan> {
  const { dataDirectory } = request;
  const target = await PublishedSnapshot.read(dataDirectory, request.id ?? (await parentOfCurrent(dataDirectory)));
  const { manifest: wanted } = target;
  const report = { id: wanted.id, target: wanted.id, from, rows: tableRows(wanted.files), keptWithdrawals: 0 };
  if (wanted.id === from) return { report: { ...report, outcome: "already-current" } };
  const before = request.withoutWithdrawals ? undefined : await readInForce(dataDirectory);
  const inForce = (await before?.readDecisions())?.withdrawals ?? [];
  const own = await target.readDecisions();
  const decisions = { ...own, withdrawals: joinDecisions(own.withdrawals, inForce) };
  const keptWithdrawals = decisions.withdrawals.length - own.withdrawals.length;
  const isExact = before === undefined || keptWithdrawals === 0;
  const options = isExact ? {} : { withdrawals: decisions.withdrawals };
  const { records, withheld } = await readManifestRecords(target.directory, wanted, options);
  if (isExact) return { report: { ...report, outcome: "rolled-back" } };
  const content = { ...wanted, files: tableEntries(filesUnder(wanted, decisions, withheld)) };
  const changed = { ...report, keptWithdrawals, rows: tableRows(content.files) };
  if (contentHash(content) === contentHash(before.manifest)) {
    const further = await findFurther(dataDirectory, wanted);
    const { id } = before.manifest;
    return { report: { ...changed, outcome: "only-withdrawals", id, further } };
  }
  const instead = await planInstead(request, target, { records, decisions, withheld });
  const { id, files } = instead.manifest;
  return { report: { ...changed, outcome: "rolled-back", id, rows: tableRows(files) }, instead };
}

/** The current snapshot, whose withdrawals are in force. @throws {SnapshotUnavailableError} when they are not known. */
async function readInForce(dataDirectory: string): Promise<PublishedSnapshot> {
  const current = await orUnavailable(PublishedSnapshot.readWanted(dataDirectory));
  if (!(current instanceof SnapshotUnavailableError)) return current;
  const remedy = "the withdrawals in force are not known: --without-withdrawals goes back exactly, without them";
  throw new SnapshotUnavailableError(`${current.message}; ${remedy}`, { cause: current });
}

/** The files of a snapshot under other decisions, and its store. */
async function planInstead(
  request: PublicationTime,
  target: PublishedSnapshot,
  { records, decisions, withheld }: Pick<RecordsReading, "records" | "decisions" | "withheld">,
): Promise<Omit<NextSnapshot<object>, "logged">> {
  const { manifest: wanted } = target;
  const exact = await buildStoreOnThreads({ snapshot: snapshotIdentity(wanted), ...records });
  const { accepted } = completeAcceptances(decisions.accepted, exact);
  const files = filesUnder(wanted, { ...decisions, accepted }, withheld);
  const manifest = await nextManifest(request, { ...wanted, files: tableEntries(files) }, null);
  const store = withAcceptedPrices(exact, snapshotIdentity(manifest), accepted);
  const before = await openComparedStore(request.dataDirectory, manifest.parent);
  const stage = (staging: Staging): Promise<void> => stageTables(target, files, staging);
  return { manifest, store, before, accepted, warnings: noWarnings(), stage, details: {} };
}

/** The files of a snapshot under other decisions. */
function filesUnder({ files }: Manifest, decisions: PriceDecisions, withheld: number): TablesPlan {
  return { shared: files.filter(({ kind }) => !isDecisionKind(kind)), made: decisionFiles(decisions, withheld) };
}

/** The newest ancestor that differs by more than withdrawals; undefined where none is there. */
async function findFurther(dataDirectory: string, from: Manifest): Promise<SnapshotId | undefined> {
  const others = (manifest: Manifest): string =>
    contentHash({ ...manifest, files: manifest.files.filter(({ kind }) => kind !== "withdrawals") });
  return (await readLine(dataDirectory, from)).find((manifest) => others(manifest) !== others(from))?.id;
}

async function parentOfCurrent(dataDirectory: string): Promise<SnapshotId> {
  const { id, parent } = await readManifestOf(dataDirectory, await readCurrent(dataDirectory));
  if (parent !== null) return parent;
  throw new SnapshotUnavailableError(`snapshot ${id} has no parent, expected the id of a snapshot to roll back to`);
}
