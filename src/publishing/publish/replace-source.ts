/** Publishes a feed in place of the prices of its source. */

import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { counted } from "../../engine/model/counted.ts";
import {
  type RecordsReading,
  readManifestRecords,
  readRecords,
  recordedAtMax,
  snapshotIdentity,
} from "../../engine/snapshots/load-dataset.ts";
import { checkPeriods, contentHash, type ManifestFile } from "../../engine/snapshots/manifest.ts";
import { reportUnpairedOrigins } from "../../engine/snapshots/price-origins.ts";
import { foundText, ProblemList, problemsReadMax } from "../../engine/snapshots/problem.ts";
import { compareFiles, toUnlistedFile } from "../../engine/snapshots/read-candidate.ts";
import { originsNameOf, recordKindOf } from "../../engine/snapshots/snapshot-layout.ts";
import { buildStoreOnThreads } from "../../engine/store/build-store.ts";
import { findRecordWarnings, readWarned } from "./check-candidate.ts";
import { listGivenFolder, mergeHeader, takeStoredName } from "./given-files.ts";
import { type FeedConflict, type FeedCounts, type FeedPreference, mergeFeed } from "./merge-feed.ts";
import { type KeptRecord, mergeTables, type TableChange } from "./merge-tables.ts";
import { PublishedSnapshot } from "./open-published.ts";
import { readPriceVersions } from "./price-versions.ts";
import { PublishProblems } from "./publish-problem.ts";
import { refuseLostRows, rowsKeptPercentMin } from "./refuse-losses.ts";
import { type PublicationReport, type PublicationRequest, runPublication } from "./run-publication.ts";
import { wholeSecond } from "./snapshot-id.ts";
import { originsEntry, shareCurrent, shareOrigins, stageTables } from "./stage-merged.ts";
import { newestRecordedAt, nextManifest, type Staging } from "./stage-snapshot.ts";
import { findWarnings, refuseStrict } from "./warnings/find-warnings.ts";

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
  const { candidateDirectory, prefer, allowShrink, strict, onBytes } = request;
  return await runPublication<ReplaceDetails>(request, {
    async plan({ makeStaging }) {
      const merged = await readMerged(request);
      const { parent, header, before, tableChanges, keptRecords, merge } = merged;
      const current = parent.manifest;
      const { counts, conflicts } = merge;
      const details = { counts, conflicts, tableChanges, keptRecords };
      const staging = await makeStaging();
      const tables = await stageTables(parent, merged.tables, tableChanges, staging);
      const { prices, givenNames } = await stagePrices(request, merged, staging);
      const { withheld } = merge;
      const others = tables.map((file) => (file.kind === "withdrawals" ? { ...file, withheld } : file));
      const files = [...others, ...prices].sort(compareFiles);
      // The same prices from a table of another name are nothing new.
      const isSame = contentHash(withoutOrigins({ ...header, files })) === contentHash(withoutOrigins(current));
      if (isSame && isDeepStrictEqual(header.attribution, current.attribution)) {
        return { outcome: "already-current", manifest: current, details };
      }
      const problems = new PublishProblems();
      if (!allowShrink) refuseLostRows(files, current.files, problems);
      problems.throwIfAny(candidateDirectory);
      const manifest = await nextManifest(request, { ...header, parent: current.id, files }, merged.newestPrice);
      // What is published has been read from its files, from the first line to the last.
      const reading = await readManifestRecords(staging.path, manifest, { onBytes });
      const after = await buildStoreOnThreads({ snapshot: snapshotIdentity(manifest), ...reading.records });
      const locationOfPrice: typeof reading.locationOfPrice = (row) => {
        const { file, line } = reading.locationOfPrice(row);
        // Files must stay apart: a file of the feed may be called like one of the current snapshot.
        return { file: givenNames.get(file) ?? `${parent.folderName}/${file}`, line };
      };
      const placed = { ...reading, tables: merged.tables, locationOfPrice, origins: merged.origins };
      const warnings = findWarnings({ after, before, reading: placed });
      // Made as if what was appended stayed, so that the warnings are known.
      if (counts.conflicts > 0 && prefer === undefined) {
        return { outcome: "conflicts", manifest: current, details, warnings };
      }
      refuseStrict(warnings, strict, candidateDirectory);
      return { staging, manifest, store: after, before, warnings, details };
    },
    logged: ({ counts }) => ({ counts: { ...counts } }),
  });
}

/** A feed that is merged into the current snapshot, before anything is written. */
type MergedFeed = Awaited<ReturnType<typeof readMerged>>;

/** Reads the feed and all of the current snapshot, and merges them. The rows of both are large, and not kept. */
async function readMerged(request: ReplaceRequest) {
  const { dataDirectory, candidateDirectory, source, prefer, now, note, allowShrink, onBytes } = request;
  const parent = await PublishedSnapshot.readWanted(dataDirectory);
  const problems = new ProblemList(problemsReadMax);
  const { names, draft } = await listGivenFolder(candidateDirectory, problems);
  const header = mergeHeader(parent.manifest, [draft], note, problems);
  const files = names.map(toUnlistedFile);
  const merged = await mergeTables(parent, candidateDirectory, files, problems);
  reportUnpairedOrigins(names, problems);
  const pricesAndOrigins = files.filter((file) => file.kind === "prices" || file.kind === "origins");
  const latest = recordedAtMax(wholeSecond(now));
  const options = { tables: merged.tables, problems, onBytes };
  const read = () => readRecords(candidateDirectory, pricesAndOrigins, latest, options);
  const feed = await readWarned(candidateDirectory, read, async (fit) => {
    const before = await parent.openStore();
    return await findRecordWarnings(fit, now, parent.manifest.timeZone, { before, isPartial: true });
  });
  refuseOtherSources(feed, source, problems);
  problems.throwIfAny(candidateDirectory);
  const before = await parent.openStore();
  const refused = new PublishProblems(problemsReadMax);
  checkPeriods(draft.periods, [...new Set([...before.prices.sourceNames, source])], refused);
  const versions = await readPriceVersions(parent, before, onBytes);
  const merge = mergeFeed(versions, feed, source, prefer, refused);
  if (!allowShrink) refuseShrunkFeed(merge.counts, source, refused);
  refused.throwIfAny(candidateDirectory);
  const { tables, changes: tableChanges, kept: keptRecords } = merged;
  const given = { feedFiles: feed.files, newestPrice: newestRecordedAt(feed.records.prices) };
  return { parent, header, before, ...given, tables, tableChanges, keptRecords, merge, origins: feed.origins };
}

/** Reports rows of other sources, and a feed without rows. */
function refuseOtherSources(feed: RecordsReading, source: string, problems: ProblemList): void {
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

function refuseShrunkFeed({ rows, rowsBefore }: FeedCounts, source: string, problems: PublishProblems): void {
  if (rows * 100 >= rowsBefore * rowsKeptPercentMin) return;
  const found = `${counted(rows, "row")} of source ${foundText(source)}`;
  const wanted = `at least ${rowsKeptPercentMin} % of its ${rowsBefore} in the current snapshot`;
  problems.add({ file: "prices", kind: "shrunk", found, wanted });
}

function withoutOrigins<Content extends { readonly files: readonly ManifestFile[] }>(content: Content): Content {
  return { ...content, files: content.files.filter(({ kind }) => kind !== "origins") };
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
  { parent, feedFiles, merge }: MergedFeed,
  staging: Staging,
): Promise<{ readonly prices: ManifestFile[]; readonly givenNames: ReadonlyMap<string, string> }> {
  const whole = merge.files.filter(({ isWhole }) => isWhole).map(({ file }) => file);
  await shareCurrent(parent, whole, staging);
  // The names that prices files of the current snapshot get in the next one.
  const stored = new Map<string, string>();
  for (const { file, isWhole } of merge.files) if (isWhole || file.sequence > 0) stored.set(file.name, file.name);
  const taken = new Set(stored.keys());
  const givenNames = new Map<string, string>();
  const entries: ManifestFile[] = [...whole];
  for (const { name: given, bytes, rows, sha256 } of feedFiles) {
    if (recordKindOf(given) !== "prices") continue;
    const name = takeStoredName(given, taken);
    givenNames.set(name, given);
    await staging.copyChecked(candidateDirectory, { name: given, sha256 }, name);
    entries.push({ name, kind: "prices", bytes, rows, sha256, sequence: 0, replaces: 0 });
    const origins = feedFiles.find((file) => file.name === originsNameOf(given));
    if (origins === undefined) continue;
    await staging.copyChecked(candidateDirectory, origins, originsNameOf(name));
    entries.push(originsEntry(name, origins));
  }
  for (const { file, rowFirst, isWhole } of merge.files) {
    if (isWhole) continue;
    const name = stored.getOrInsertComputed(file.name, () => takeStoredName(file.name, taken));
    const isKept = (line: number): boolean => merge.isGone[rowFirst + line - 1] === 0;
    const digest = await staging.writeLines(join(parent.directory, file.name), name, isKept);
    entries.push({ ...file, ...digest, name });
  }
  return { prices: [...entries, ...(await shareOrigins(parent, stored, staging))], givenNames };
}
