/**
 * The way of every publication: lock, orphaned files, plan with its staging folder, activation. What is published,
 * its plan says.
 */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SnapshotChanges, WarningKind, WarningList } from "../../contract/publication-report.ts";
import type { Compilation } from "../../engine/compiled/compiled-folder.ts";
import type { Instant } from "../../engine/model/calendar.ts";
import { ifAvailable, readCurrentIfAny, readManifestOf } from "../../engine/snapshots/current-snapshot.ts";
import { type Manifest, type TableRows, tableRows } from "../../engine/snapshots/manifest.ts";
import { draftsPath, idHashDigits, type SnapshotId, snapshotsPath } from "../../engine/snapshots/snapshot-layout.ts";
import type { BytesObserver } from "../../engine/snapshots/stored-file.ts";
import type { Store } from "../../engine/store/store.ts";
import { requireOwnDirectory } from "../transfer/followed-origin.ts";
import { removeOrphans } from "./collect-garbage.ts";
import { snapshotIds } from "./list-snapshots.ts";
import type { ChangeToLog } from "./publication-log.ts";
import { type ChangeRequest, withPublishLock } from "./publish-lock.ts";
import { ignoreSteps, type StepObserver } from "./publish-steps.ts";
import { changesBetween } from "./snapshot-changes.ts";
import { activateStaged, finishStaging, makeStaging, Staging, stagingPrefix } from "./stage-snapshot.ts";
import { noWarnings } from "./warnings/warning.ts";

/** The request that all ways of publishing share. */
export interface PublicationRequest extends ChangeRequest {
  readonly now: Instant;
  /** Publish although the clock does not fit the ids and prices there are. */
  readonly allowClock?: boolean | undefined;
  /** Describes the snapshot. */
  readonly note?: string | undefined;
  /** Kinds of warnings that refuse the publication; none when absent. */
  readonly strict?: ReadonlySet<WarningKind> | undefined;
  /** Do everything short of writing to the dataset directory, and report what changes for readers. */
  readonly dryRun: boolean;
  /** Keep the snapshot as a draft, which nothing serves until it is approved. */
  readonly isDraft?: boolean | undefined;
  /** Called while record files are read. */
  readonly onBytes?: BytesObserver | undefined;
}

/** `conflicts`: the request does not say which of two rows to publish. */
export type PublicationOutcome = "published" | "drafted" | "would-publish" | "already-current" | "conflicts";

/** The report that all ways of publishing share. */
export interface PublicationReport {
  readonly outcome: PublicationOutcome;
  /** The snapshot published, current, or to be published if it were now. */
  readonly id: SnapshotId;
  readonly parent: SnapshotId | null;
  /** Number of records of each table. */
  readonly rows: TableRows;
  /** Non-blocking. */
  readonly warnings: WarningList;
  /** What changes for readers; undefined where the plan names no store to compare with. */
  readonly changes: SnapshotChanges | undefined;
  /**
   * The outcome of compiling its store; only if it was published or drafted. It is served without a compiled store too.
   */
  readonly compilation: Compilation | undefined;
}

/** Why the current snapshot stays. */
export interface Unchanged<Details> {
  readonly outcome: "already-current" | "conflicts";
  /** The manifest of the current snapshot. */
  readonly manifest: Manifest;
  readonly details: Details;
  /** None when absent. */
  readonly warnings?: WarningList;
}

function isUnchanged<Details>(value: object): value is Unchanged<Details> {
  return "outcome" in value;
}

/** The snapshot to publish. */
export interface NextSnapshot<Details> {
  /** The folder of its files. */
  readonly staging: Staging;
  readonly manifest: Manifest;
  /** The store of what the manifest's files hold. */
  readonly store: Store;
  /** The store to compare with; undefined where there is none, or its comparison costs too much. */
  readonly before: Store | undefined;
  readonly warnings: WarningList;
  readonly details: Details;
}

/** Makes the empty folders that a plan needs. */
export interface WorkFolders {
  /**
   * Makes the folder that is to become the snapshot; in a dry run, one for those files that its manifest is made from.
   */
  readonly makeStaging: () => Promise<Staging>;
  /** Makes a folder that lasts until the plan is made. */
  readonly makeScratch: () => Promise<Staging>;
}

/**
 * The steps that one way of publishing has of its own; `Details` are the fields that its report has beside the common
 * ones.
 */
export interface PublicationWork<Details> {
  /**
   * Reads and checks the files given and the snapshot that they follow, under the lock unless it is a dry run; then
   * puts the files of the next snapshot into its folder, and says what they are.
   *
   * @throws {DatasetError} with every reason why nothing can be published.
   */
  readonly plan: (folders: WorkFolders) => Promise<NextSnapshot<Details> | Unchanged<Details>>;
  /** Returns what the log says of it beside the common fields. */
  readonly logged: (details: Details) => Pick<ChangeToLog, "counts" | "prices">;
}

/**
 * Publishes what `plan` says. When any step fails, the current snapshot stays current, and nothing of the publication
 * is left but for a compiled store, which is a cache.
 *
 * @returns The common fields, and the details of the plan.
 * @throws {FollowsOriginError} when the dataset directory follows an origin.
 * @throws {LockHeldError} when another publisher holds the lock for more than ten seconds.
 * @throws What `plan` throws.
 */
export async function runPublication<Details extends object>(
  request: PublicationRequest,
  { plan, logged }: PublicationWork<Details>,
): Promise<PublicationReport & Details> {
  const { dataDirectory, isDraft = false } = request;
  if (request.dryRun) {
    await using folders = new AsyncDisposableStack();
    const make = () => makeScratch(folders, join(tmpdir(), "publish-"), request.onStep ?? ignoreSteps);
    return reportOf(await plan({ makeStaging: make, makeScratch: make }));
  }
  return await withPublishLock(request, async ({ onStep, log }) => {
    await requireOwnDirectory(dataDirectory);
    await removeOrphans(dataDirectory, onStep);
    await using folders = new AsyncDisposableStack();
    await using scratches = new AsyncDisposableStack();
    const planned = await plan({
      async makeStaging() {
        const staging = folders.use(await makeStaging(dataDirectory, onStep));
        await onStep("folder-made");
        return staging;
      },
      makeScratch: () => makeScratch(scratches, join(snapshotsPath(dataDirectory), stagingPrefix), onStep),
    });
    await scratches.disposeAsync();
    if (isUnchanged<Details>(planned)) return reportOf(planned);
    const { staging, manifest, store, warnings, details } = planned;
    const waiting = isDraft ? await findDraft(dataDirectory, manifest) : undefined;
    if (waiting !== undefined) return reportOf({ ...planned, manifest: waiting }, "drafted");
    const from = await readCurrentIfAny(dataDirectory);
    await finishStaging(staging, manifest);
    const compilation = await activateStaged(dataDirectory, staging, manifest, store, isDraft);
    const subject = isDraft ? { subject: manifest.id } : {};
    const change = { note: manifest.note, from, ...subject, warnings: Object.fromEntries(warnings.counts) };
    await log({ ...change, ...logged(details) });
    return reportOf(planned, isDraft ? "drafted" : "published", compilation);
  });
}

/** Makes an empty folder that lasts as long as the others. */
async function makeScratch(scratches: AsyncDisposableStack, prefix: string, onStep: StepObserver): Promise<Staging> {
  return scratches.use(new Staging(await mkdtemp(prefix), onStep));
}

/** The draft of the same files on top of the same snapshot, where there is one. */
async function findDraft(dataDirectory: string, { id, parent }: Manifest): Promise<Manifest | undefined> {
  const drafts = draftsPath(dataDirectory);
  for (const other of await snapshotIds(drafts)) {
    if (other.slice(-idHashDigits) !== id.slice(-idHashDigits)) continue;
    const manifest = await ifAvailable(readManifestOf(drafts, other));
    if (manifest?.parent === parent) return manifest;
  }
  return undefined;
}

/** @param outcome What was done with the snapshot; ignored where the current one stays. */
function reportOf<Details extends object>(
  planned: NextSnapshot<Details> | Unchanged<Details>,
  outcome: PublicationOutcome = "would-publish",
  compilation?: Compilation,
): PublicationReport & Details {
  const { manifest, warnings = noWarnings(), details } = planned;
  const { id, parent, files } = manifest;
  const common = { ...details, id, parent, rows: tableRows(files), warnings, compilation };
  if (isUnchanged<Details>(planned)) return { ...common, outcome: planned.outcome, changes: undefined };
  const { store, before } = planned;
  return { ...common, outcome, changes: before && changesBetween(before, store) };
}
