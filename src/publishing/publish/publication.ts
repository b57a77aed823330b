/** The frame of every publication: what a plan says is staged, committed and reported. */
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RowChanges, SnapshotChanges, WarningKind, WarningList } from "../../contract/publication-report.ts";
import type { Compilation } from "../../engine/compiled/compiled-folder.ts";
import { compileSnapshot } from "../../engine/compiled/open-snapshot.ts";
import type { Instant } from "../../engine/model/calendar.ts";
import type { PriceAcceptance } from "../../engine/model/records.ts";
import { ifAvailable, readManifestOf } from "../../engine/snapshots/current-snapshot.ts";
import { type Manifest, type TableRows, tableRows } from "../../engine/snapshots/manifest.ts";
import { describeRefusedTexts } from "../../engine/snapshots/refused-texts.ts";
import { draftsPath, idHashDigits, type SnapshotId, snapshotsPath } from "../../engine/snapshots/snapshot-layout.ts";
import type { BytesObserver } from "../../engine/snapshots/stored-file.ts";
import type { Store } from "../../engine/store/store.ts";
import { findLapsed, type LapsedAcceptance } from "./acceptances.ts";
import { Cleaning } from "./cleaning.ts";
import { snapshotIds } from "./list-snapshots.ts";
import { PublishedSnapshot } from "./open-published.ts";
import type { UuidWords } from "./price-changes.ts";
import type { ChangeToLog } from "./publication-log.ts";
import { type Change, type ChangeRequest, changeOwnDirectory, type Finished } from "./publish-lock.ts";
import { changesBetween } from "./snapshot-changes.ts";
import { stageChanges } from "./stage-changes.ts";
import { finishStaging, makeStaging, nameStaged, Staging, stagingPrefix } from "./stage-snapshot.ts";
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
export interface PublicationReport extends Finished {
  readonly outcome: PublicationOutcome;
  /** The snapshot published, current, or to be published if it were now. */
  readonly id: SnapshotId;
  readonly parent: SnapshotId | null;
  /** Number of records of each table. */
  readonly rows: TableRows;
  /** Non-blocking. */
  readonly warnings: WarningList;
  /** The acceptances that do not hold, because their prices have other values. */
  readonly lapsed: readonly LapsedAcceptance[];
  /** The changes for readers; undefined where the plan names no store to compare with. */
  readonly changes: SnapshotChanges | undefined;
  /**
   * The outcome of compiling its store; only if it was published or drafted. It is served without a compiled store too.
   */
  readonly compilation: Compilation | undefined;
  /** What it carries over although records that are handed in may not have it, see `describeRefusedTexts`. */
  readonly carriedTexts: string | undefined;
}

/** The plan to leave the current snapshot as it is. */
export interface Unchanged<Details> {
  readonly outcome: "already-current" | "conflicts";
  /** The manifest of the current snapshot. */
  readonly manifest: Manifest;
  /** The fields that a report has beside the common ones. */
  readonly details: Details;
  /** None when absent. */
  readonly warnings?: WarningList;
}

/** The plan of the next snapshot, or to leave the current one. */
export type Plan<Details> = NextSnapshot<Details> | Unchanged<Details>;

/** The plan of the next snapshot. */
export interface NextSnapshot<Details> {
  readonly manifest: Manifest;
  /** The store of what the manifest's files hold. */
  readonly store: Store;
  /** The store to compare with; undefined where there is none. */
  readonly before: Store | undefined;
  /**
   * The uuids of all prices that may differ, where the plan knows them. Then comparing the stores costs as much as the
   * rest of the work, so only a dry run, which is for looking, does.
   */
  readonly changed?: UuidWords | undefined;
  /** The acceptances of the snapshot. */
  readonly accepted: readonly PriceAcceptance[];
  readonly warnings: WarningList;
  /** Puts its files into the staging folder, but for its manifest and its changes; absent where they are there. */
  readonly stage?: (staging: Staging) => Promise<void>;
  /** What the log says of it. */
  readonly logged: Pick<ChangeToLog, "counts" | "prices">;
  /** The fields that a report has beside the common ones. */
  readonly details: Details;
}

/** What came of a plan: its snapshot, or a draft that was there, and what the report says of it. */
interface CarriedOut extends Pick<PublicationReport, "lapsed" | "changes" | "compilation"> {
  readonly manifest: Manifest;
}

/** A publication under way. A dry run has no lock, and its folders lie elsewhere. */
export class Publication {
  readonly #request: PublicationRequest;
  /** Undefined in a dry run. */
  readonly #change: Change | undefined;
  readonly #cleaning: Cleaning;
  #staging: Staging | undefined;

  constructor(request: PublicationRequest, cleaning: Cleaning, change?: Change) {
    this.#request = request;
    this.#cleaning = cleaning;
    this.#change = change;
  }

  /** The snapshot that was current before; null where there was none, and in a dry run. */
  get from(): SnapshotId | null {
    return this.#change?.from ?? null;
  }

  /** Makes an empty folder for files that a plan needs and the snapshot does not. */
  async makeScratch(): Promise<Staging> {
    const { dataDirectory, dryRun } = this.#request;
    const prefix = dryRun ? join(tmpdir(), "publish-") : join(snapshotsPath(dataDirectory), stagingPrefix);
    return new Staging(await mkdtemp(prefix), this.#cleaning);
  }

  /** The folder that is to become the snapshot; in a dry run, one that only its manifest is made from. */
  async openStaging(): Promise<Staging> {
    const { dataDirectory, dryRun } = this.#request;
    this.#staging ??= dryRun ? await this.makeScratch() : await makeStaging(dataDirectory, this.#cleaning);
    return this.#staging;
  }

  /**
   * Makes what is planned the current snapshot, or a draft: its manifest and its compiled store come first. A dry run
   * does nothing, and a draft of the same files on top of the same snapshot that waits already is not made again.
   */
  async carryOut(plan: NextSnapshot<unknown>): Promise<CarriedOut> {
    const { dataDirectory, dryRun, isDraft = false } = this.#request;
    const { manifest, store, before, changed, accepted, warnings, logged } = plan;
    const lapsed = findLapsed(accepted, store);
    const compare = (prices?: RowChanges): SnapshotChanges | undefined =>
      before && (dryRun || changed === undefined) ? changesBetween(before, store, prices) : undefined;
    const waiting = isDraft && !dryRun ? await findDraft(dataDirectory, manifest) : undefined;
    if (dryRun || waiting !== undefined) {
      return { manifest: waiting ?? manifest, lapsed, changes: compare(), compilation: undefined };
    }
    const staging = await this.openStaging();
    await plan.stage?.(staging);
    const { id, note } = manifest;
    const changes = compare(await stageChanges(staging, plan));
    await finishStaging(staging, manifest);
    const compilation = await nameStaged(dataDirectory, staging, manifest, store, isDraft);
    if (!isDraft) await this.#change?.makeCurrent(id);
    const subject = isDraft ? { subject: id } : {};
    this.#log({ note, warnings: Object.fromEntries(warnings.counts), ...logged, ...subject }, lapsed);
    return { manifest, lapsed, changes, compilation };
  }

  /**
   * Makes an existing snapshot the current one. Compiles it first where it has no usable compiled store, so that
   * services can load it at once.
   *
   * @param change What the log says of it.
   */
  async adopt(id: SnapshotId, change: ChangeToLog): Promise<Pick<PublicationReport, "lapsed" | "compilation">> {
    const { dataDirectory } = this.#request;
    const snapshot = await PublishedSnapshot.read(dataDirectory, id);
    const { accepted } = await snapshot.readDecisions();
    const opened = await compileSnapshot(dataDirectory, snapshot.manifest);
    const lapsed = findLapsed(accepted, opened.store);
    await this.#change?.makeCurrent(id);
    this.#log(change, lapsed);
    return { lapsed, compilation: opened.origin === "records" ? opened.compilation : undefined };
  }

  #log(change: ChangeToLog, { length: lapsed }: readonly LapsedAcceptance[]): void {
    this.#change?.log({ ...change, counts: { ...change.counts, lapsed } });
  }

  /** Carries a plan out. @returns The common fields of the report, and the details of the plan. */
  async report<Details extends object>(
    plan: Plan<Details>,
  ): Promise<Omit<PublicationReport, keyof Finished> & Details> {
    const { warnings = noWarnings(), details, manifest: planned } = plan;
    const { dryRun, isDraft = false } = this.#request;
    const nothing = { manifest: planned, lapsed: [], changes: undefined, compilation: undefined };
    const { manifest, ...done } = isUnchanged(plan) ? nothing : await this.carryOut(plan);
    const { id, parent, files } = manifest;
    const published = dryRun ? "would-publish" : isDraft ? "drafted" : "published";
    const outcome = isUnchanged(plan) ? plan.outcome : published;
    const carriedTexts = isUnchanged(plan) ? undefined : describeRefusedTexts(plan.store);
    return { ...details, outcome, id, parent, rows: tableRows(files), warnings, carriedTexts, ...done };
  }
}

/**
 * Publishes, as `changeOwnDirectory` changes a directory; a dry run changes nothing. When the work throws, the current
 * snapshot stays current, and nothing of the publication is left but for a compiled store, which is a cache.
 *
 * @param makePlan Returns the plan, which is carried out then.
 */
export async function publish<Details extends object>(
  request: PublicationRequest,
  makePlan: (publication: Publication) => Promise<Plan<Details>>,
): Promise<PublicationReport & Details> {
  return await beginPublication(request, async (publication) => await publication.report(await makePlan(publication)));
}

/** As `publish`, of work that makes its own report. */
export async function beginPublication<Report extends object>(
  request: PublicationRequest,
  work: (publication: Publication) => Promise<Report>,
): Promise<Report & Finished> {
  if (!request.dryRun) {
    return await changeOwnDirectory(
      request,
      async (change) => await work(new Publication(request, change.cleaning, change)),
    );
  }
  const cleaning = new Cleaning();
  const report = await work(new Publication(request, cleaning)).finally(() => cleaning.finish().catch(() => {}));
  return { ...report, unfinished: [] };
}

function isUnchanged<Details>(plan: Plan<Details>): plan is Unchanged<Details> {
  return "outcome" in plan;
}

/** Returns the draft of the same files on top of the same snapshot, where there is one. */
async function findDraft(dataDirectory: string, { id, parent }: Manifest): Promise<Manifest | undefined> {
  const drafts = draftsPath(dataDirectory);
  for (const other of await snapshotIds(drafts)) {
    if (other.slice(-idHashDigits) !== id.slice(-idHashDigits)) continue;
    const manifest = await ifAvailable(readManifestOf(drafts, other));
    if (manifest?.parent === parent) return manifest;
  }
  return undefined;
}
