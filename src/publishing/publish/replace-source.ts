/** Publishes a feed in place of the prices of its source. */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Instant } from "../../engine/model/calendar.ts";
import { counted } from "../../engine/model/counted.ts";
import { getOrInsert } from "../../engine/model/get-or-insert.ts";
import {
  type RecordsReading,
  readManifestRecords,
  readRecords,
  recordedAtMax,
  snapshotIdentity,
} from "../../engine/snapshots/load-dataset.ts";
import { checkPeriods, contentHash, type ManifestDraft, type ManifestFile } from "../../engine/snapshots/manifest.ts";
import { reportUnpairedOrigins } from "../../engine/snapshots/price-origins.ts";
import { foundText, ProblemList, problemsReadMax } from "../../engine/snapshots/problem.ts";
import { compareFiles, toUnlistedFile } from "../../engine/snapshots/read-candidate.ts";
import { originsNameOf, recordKindOf } from "../../engine/snapshots/snapshot-layout.ts";
import { buildStoreOnThreads } from "../../engine/store/build-store.ts";
import type { Store } from "../../engine/store/store.ts";
import { completeAcceptances } from "./acceptances.ts";
import { findRecordWarnings, readWarned } from "./check-candidate.ts";
import { listInputFolder, type MergedHeader, mergeHeader, takeStoredName } from "./input-files.ts";
import { type FeedConflict, type FeedCounts, type FeedMerge, type FeedPreference, mergeFeed } from "./merge-feed.ts";
import { type KeptRecord, type MergedTables, mergeTables, type TableChange } from "./merge-tables.ts";
import { PublishedSnapshot } from "./open-published.ts";
import { readPriceVersions } from "./price-versions.ts";
import { type Plan, type PublicationReport, type PublicationRequest, publish } from "./publication.ts";
import { PublishProblems } from "./publish-problem.ts";
import { refuseLostRows, rowsKeptPercentMin } from "./refuse-losses.ts";
import { wholeSecond } from "./snapshot-id.ts";
import {
  originsEntry,
  planTables,
  shareCurrent,
  shareOrigins,
  stageTables,
  type TablesPlan,
  tableEntries,
} from "./stage-merged.ts";
import { newestRecordedAt, nextManifest, type Staging } from "./stage-snapshot.ts";
import { findWarnings, refusePlan } from "./warnings/find-warnings.ts";
import { withOrigins } from "./warnings/warning.ts";

export interface ReplaceRequest extends PublicationRequest {
  /** Record files of the feed: prices, and perhaps small tables. They are copied and stay as they are. */
  readonly candidateDirectory: string;
  /** The source whose prices are exchanged. */
  readonly source: string;
  /** The row that stays where an appended row and the feed conflict; when undefined, a conflict is refused. */
  readonly prefer?: FeedPreference | undefined;
  /** Publish although the feed or a table lost rows. */
  readonly allowShrink: boolean;
}

export interface ReplaceReport extends PublicationReport, ReplaceDetails {}

interface ReplaceDetails {
  readonly counts: FeedCounts;
  /** The first of them. */
  readonly conflicts: readonly FeedConflict[];
  readonly tableChanges: readonly TableChange[];
  readonly keptRecords: readonly KeptRecord[];
}

/**
 * Publishes a feed in place of the prices of its source: all other prices are carried over, and so is what was appended
 * to the feed, as merge-feed.ts decides. The rows of the feed have sequence 0, what was appended keeps its files and
 * sequences.
 *
 * @throws {DatasetError} with every reason why the feed cannot be published.
 * @throws {SnapshotUnavailableError} when there is no current snapshot.
 * @throws {LockHeldError} when another publisher holds the lock for more than ten seconds.
 */
export async function replaceSource(request: ReplaceRequest): Promise<ReplaceReport> {
  return await publish(request, async (publication) => {
    const parent = await PublishedSnapshot.readWanted(request.dataDirectory);
    const plan = await planFeed(request, parent);
    const staging = await publication.openStaging();
    await stageTables(parent, plan.tables, staging);
    const { prices, inputNames } = await stagePrices(request, parent, plan, staging);
    const files = [...plan.entries, ...prices].sort(compareFiles);
    return await checkStaged(request, parent, plan, { directory: staging.path, files, inputNames });
  });
}

/** A feed, read and checked by itself. */
interface Feed {
  readonly reading: RecordsReading;
  readonly header: MergedHeader;
  readonly draft: ManifestDraft;
  readonly merged: MergedTables;
}

/** @throws {DatasetError} with every problem of the input files. */
async function readFeed(request: ReplaceRequest, parent: PublishedSnapshot): Promise<Feed> {
  const { candidateDirectory, source, now, note, onBytes } = request;
  const problems = new ProblemList(problemsReadMax);
  const { names, draft } = await listInputFolder(candidateDirectory, problems);
  const header = mergeHeader(parent.manifest, [draft], note, problems);
  const files = names.map(toUnlistedFile);
  const merged = await mergeTables(parent, candidateDirectory, files, problems);
  reportUnpairedOrigins(names, problems);
  const pricesAndOrigins = files.filter((file) => file.kind === "prices" || file.kind === "origins");
  const latest = recordedAtMax(wholeSecond(now));
  const options = { tables: merged.tables, problems, onBytes };
  const read = () => readRecords(candidateDirectory, pricesAndOrigins, latest, options);
  const reading = await readWarned(candidateDirectory, read, async (valid) => {
    const before = await parent.openStore();
    return await findRecordWarnings(valid, now, parent.manifest.timeZone, { before, isPartial: true });
  });
  reportOtherSources(reading, source, problems);
  problems.throwIfAny(candidateDirectory);
  return { reading, header, draft, merged };
}

/** A feed that is merged into the current snapshot, before anything is written. */
interface FeedPlan extends Pick<Feed, "header" | "merged"> {
  readonly merge: FeedMerge;
  readonly tables: TablesPlan;
  /** The manifest's entries of small tables and decisions. */
  readonly entries: readonly ManifestFile[];
  /** The state of each file of the feed when it was read. */
  readonly feedFiles: RecordsReading["files"];
  /** Of the feed's files of origins. */
  readonly originsPaths: readonly string[];
  /** The time at which the newest price of the feed was recorded. */
  readonly newestPrice: Instant | null;
  /** The store of the current snapshot. */
  readonly before: Store;
}

/** @throws {DatasetError} with every reason why the feed may not take the place of what its source has. */
async function planFeed(request: ReplaceRequest, parent: PublishedSnapshot): Promise<FeedPlan> {
  const { candidateDirectory, source, prefer, allowShrink, onBytes } = request;
  // The rows of the feed are large: nothing but this function refers to them, so they go when it ends.
  const { reading, header, draft, merged } = await readFeed(request, parent);
  const problems = new PublishProblems(problemsReadMax);
  const before = await parent.openStore();
  checkPeriods(draft.periods, [...new Set([...before.prices.sourceNames, source])], problems);
  const versions = await readPriceVersions(parent, before, onBytes);
  const merge = mergeFeed(versions, reading, source, prefer, problems);
  const pinned = completeAcceptances((await parent.readDecisions()).accepted, before);
  const tables = planTables(parent, merged.tables, merged.changes, pinned.made);
  const entries = tableEntries(tables).map((file) => {
    return file.kind === "withdrawals" ? { ...file, withheld: merge.withheld } : file;
  });
  const { files: feedFiles, originsPaths } = reading;
  if (!allowShrink && !reportShrunkFeed(merge.counts, source, problems)) {
    const prices = [...merge.files.map(({ file }) => file), ...pricesFilesOf(feedFiles)];
    refuseLostRows([...entries, ...prices], parent.manifest.files, problems);
  }
  problems.throwIfAny(candidateDirectory);
  const newestPrice = newestRecordedAt(reading.records.prices);
  return { header, merged, merge, tables, entries, feedFiles, originsPaths, newestPrice, before };
}

/** The manifest's entries of the prices files of a feed, under the names given. */
function pricesFilesOf(files: RecordsReading["files"]): ManifestFile[] {
  const pricesFiles = files.filter(({ name }) => recordKindOf(name) === "prices");
  return pricesFiles.map(({ name, bytes, rows, sha256 }) => {
    return { name, kind: "prices", bytes, rows, sha256, sequence: 0, replaces: 0 };
  });
}

/** The files of the next snapshot in its folder. */
interface StagedFeed {
  readonly directory: string;
  readonly files: readonly ManifestFile[];
  /** By the name of a file of the feed, the one that it was given under. */
  readonly inputNames: ReadonlyMap<string, string>;
}

/**
 * Reads what is to be published from its files, from the first line to the last.
 *
 * @throws {PublicationRefusedError} for warnings that the request does not allow.
 */
async function checkStaged(
  request: ReplaceRequest,
  parent: PublishedSnapshot,
  { header, merged, merge, originsPaths, newestPrice, before }: FeedPlan,
  { directory, files, inputNames }: StagedFeed,
): Promise<Plan<ReplaceDetails>> {
  const { manifest: current } = parent;
  const { counts, conflicts } = merge;
  const details = { counts, conflicts, tableChanges: merged.changes, keptRecords: merged.kept };
  const isSame = contentHash(comparable({ ...header, files })) === contentHash(comparable(current));
  if (isSame && isDeepStrictEqual(header.attribution, current.attribution)) {
    return { outcome: "already-current", manifest: current, details };
  }
  const manifest = await nextManifest(request, { ...header, parent: current.id, files }, newestPrice);
  const reading = await readManifestRecords(directory, manifest, { onBytes: request.onBytes });
  const store = await buildStoreOnThreads({ snapshot: snapshotIdentity(manifest), ...reading.records });
  const locationOfPrice: typeof reading.locationOfPrice = (row) => {
    const { file, line } = reading.locationOfPrice(row);
    // Files must stay apart: a file of the feed may be called like one of the current snapshot.
    return { file: inputNames.get(file) ?? `${parent.folderName}/${file}`, line };
  };
  const placed = { ...reading, tables: merged.tables, locationOfPrice };
  const warnings = await withOrigins(findWarnings({ after: store, before, reading: placed }), originsPaths);
  // Made as if what was appended stayed, so that the warnings are known.
  if (counts.conflicts > 0 && request.prefer === undefined) {
    return { outcome: "conflicts", manifest: current, details, warnings };
  }
  refusePlan(request.candidateDirectory, new ProblemList(), warnings, request.strict);
  return { manifest, store, before, accepted: reading.decisions.accepted, warnings, logged: { counts }, details };
}

/** Reports rows of other sources, and a feed without rows. */
function reportOtherSources(feed: RecordsReading, source: string, problems: ProblemList): void {
  const { rowCount, sources, sourceNames } = feed.records.prices;
  if (rowCount === 0) problems.add({ file: "prices", kind: "file", found: "no price", wanted: "at least one" });
  if (sourceNames.every((name) => name === source)) return;
  for (let row = 0; row < rowCount; row++) {
    const found = sourceNames[sources[row] as number];
    if (found === source) continue;
    const wanted = `${foundText(source)}, the source to replace`;
    problems.add({ ...feed.locationOfPrice(row), kind: "value", field: "source", found: foundText(found), wanted });
  }
}

/** Reports a feed that has lost rows. @returns True if it has; then the table of prices has lost them too. */
function reportShrunkFeed({ rows, rowsBefore }: FeedCounts, source: string, problems: PublishProblems): boolean {
  if (rows * 100 >= rowsBefore * rowsKeptPercentMin) return false;
  const found = `${counted(rows, "row")} of source ${foundText(source)}`;
  const wanted = `at least ${rowsKeptPercentMin} % of its ${rowsBefore} in the current snapshot`;
  problems.add({ file: "prices", kind: "shrunk", found, wanted });
  return true;
}

/** The same prices from a table of another name are nothing new, nor are the values of acceptances. */
function comparable<Content extends { readonly files: readonly ManifestFile[] }>(content: Content): Content {
  return { ...content, files: content.files.filter(({ kind }) => kind !== "origins" && kind !== "accepted") };
}

/**
 * Puts the prices of the next snapshot into the staging folder: files of the current one as they are, or without the
 * rows that go, and the files of the feed. A file whose name is taken gets one with a number: first those of the feed,
 * then those of sequence 0 that lose rows.
 *
 * @returns The manifest's entries, and by the name of a file of the feed the one it was given under.
 */
async function stagePrices(
  { candidateDirectory }: ReplaceRequest,
  parent: PublishedSnapshot,
  { feedFiles, merge }: FeedPlan,
  staging: Staging,
): Promise<{ readonly prices: ManifestFile[]; readonly inputNames: ReadonlyMap<string, string> }> {
  const whole = merge.files.filter(({ isWhole }) => isWhole).map(({ file }) => file);
  await shareCurrent(parent, whole, staging);
  // The names that prices files of the current snapshot get in the next one.
  const stored = new Map<string, string>();
  for (const { file, isWhole } of merge.files) if (isWhole || file.sequence > 0) stored.set(file.name, file.name);
  const taken = new Set(stored.keys());
  const inputNames = new Map<string, string>();
  const entries: ManifestFile[] = [...whole];
  for (const file of pricesFilesOf(feedFiles)) {
    const name = takeStoredName(file.name, taken);
    inputNames.set(name, file.name);
    await staging.copyChecked(candidateDirectory, file, name);
    entries.push({ ...file, name });
    const origins = feedFiles.find((other) => other.name === originsNameOf(file.name));
    if (origins === undefined) continue;
    await staging.copyChecked(candidateDirectory, origins, originsNameOf(name));
    entries.push(originsEntry(name, origins));
  }
  for (const { file, rowFirst, isWhole } of merge.files) {
    if (isWhole) continue;
    const name = getOrInsert(stored, file.name, () => takeStoredName(file.name, taken));
    const isKept = (line: number): boolean => merge.isGone[rowFirst + line - 1] === 0;
    const digest = await staging.writeLines(join(parent.directory, file.name), name, isKept);
    entries.push({ ...file, ...digest, name });
  }
  return { prices: [...entries, ...(await shareOrigins(parent, stored, staging))], inputNames };
}
