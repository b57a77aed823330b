/** Publishes new and corrected prices on top of the current snapshot. */
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { FileDigest } from "../../engine/files/hash-file.ts";
import { readUuid, type Uuid } from "../../engine/model/ids.ts";
import { findLines } from "../../engine/snapshots/find-lines.ts";
import {
  type RecordsReading,
  readRecords,
  recordedAtMax,
  snapshotIdentity,
} from "../../engine/snapshots/load-dataset.ts";
import { checkPeriods, type ManifestFile, optionalParts } from "../../engine/snapshots/manifest.ts";
import { ProblemList, problemsReadMax } from "../../engine/snapshots/problem.ts";
import { compareFiles, toUnlistedFile } from "../../engine/snapshots/read-candidate.ts";
import { originsNameOf, recordKindOf } from "../../engine/snapshots/snapshot-layout.ts";
import { readWarned } from "./check-candidate.ts";
import { arrangeGiven, mergeHeader, takeStoredName } from "./given-files.ts";
import { type KeptRecord, mergeTables, type TableChange } from "./merge-tables.ts";
import { refuseTooManyTexts, storeAfterAppend, withoutKnownPrices } from "./new-prices.ts";
import { PublishedSnapshot } from "./open-published.ts";
import { countAppended } from "./publication-log.ts";
import type { PublishStep, StepObserver } from "./publish-steps.ts";
import { type PublicationReport, type PublicationRequest, runPublication } from "./run-publication.ts";
import { wholeSecond } from "./snapshot-id.ts";
import { originsEntry, shareCurrent, stageTables } from "./stage-merged.ts";
import { newestRecordedAt, nextManifest, type Staging } from "./stage-snapshot.ts";
import { findWarnings, refuseStrict } from "./warnings/find-warnings.ts";

export interface AppendRequest extends PublicationRequest {
  /**
   * Paths of NDJSON files of prices, which may be gzipped (`.ndjson.gz`), of small tables by their names
   * (`products.ndjson`, `markets.ndjson`, `units.json` …), and of folders of such files. They are copied and stay as
   * they are.
   */
  readonly files: readonly string[];
}

export interface AppendReport extends PublicationReport, AppendDetails {}

interface AppendDetails {
  /** The manifest's entries of the new files. */
  readonly files: readonly ManifestFile[];
  /** Number of prices that were left out because the current snapshot has them as they are but for times of entry. */
  readonly knownCount: number;
  /** Number of prices that were left out because they are withdrawn. */
  readonly withheld: number;
  readonly tableChanges: readonly TableChange[];
  readonly keptRecords: readonly KeptRecord[];
  /** Seconds by stage; of a dry run without the last three. */
  readonly seconds: Readonly<Partial<Record<AppendStage, number>>>;
}

/**
 * The stages of appending, in this order:
 *
 * - reading: copies and reads the new files and the small tables, shares the old prices
 * - opening: reads the store of the current snapshot
 * - extending: adds the new prices to it
 * - checking: looks for what deserves a warning
 * - staging: writes the manifest and flushes everything
 * - compiling: writes the store
 * - activating: renames the snapshot's folder and makes it current
 */
export type AppendStage = "reading" | "opening" | "extending" | "checking" | "staging" | "compiling" | "activating";

/**
 * Publishes new and corrected prices on top of the current snapshot, with new and changed records of the small tables.
 * A price whose uuid the current snapshot has replaces it, unless it is the same. The new snapshot shares the prices
 * files of the current one, and none of their rows is read again.
 *
 * @throws {DatasetError} with every reason why the files cannot be appended.
 * @throws {SnapshotUnavailableError} when there is no current snapshot to append to.
 * @throws {LockHeldError} when another publisher holds the lock for more than ten seconds.
 */
export async function appendPrices(request: AppendRequest): Promise<AppendReport> {
  const { dryRun, strict } = request;
  const clock = new StageClock();
  const onStep: StepObserver = async (step) => {
    clock.follow(step);
    await request.onStep?.(step);
  };
  return await runPublication<AppendDetails>(
    { ...request, onStep },
    {
      async plan({ makeStaging, makeScratch }) {
        const addition = await readAddition(request, makeScratch, clock);
        const { parent, header, tableChanges, keptRecords, before, decisions, prices } = addition;
        const { reading, knownCount, withheldCount: withheld } = prices;
        const details = { knownCount, withheld, tableChanges, keptRecords, seconds: clock.seconds };
        if (addsNothing(addition)) {
          return { outcome: "already-current", manifest: parent.manifest, details: { ...details, files: [] } };
        }
        const staging = await makeStaging();
        const tables = await stageTables(parent, reading.tables, tableChanges, staging);
        const kept = parent.manifest.files.filter(({ kind }) => kind === "prices" || kind === "origins");
        // A dry run needs no old prices: none of them is read.
        if (!dryRun) await shareCurrent(parent, kept, staging);
        const added = await stageAdded(addition, staging);
        clock.end("reading");
        const files = [...tables, ...kept, ...added].sort(compareFiles);
        const content = { ...header, parent: parent.manifest.id, files };
        const manifest = await nextManifest(request, content, addition.newestPrice);
        const records = { ...reading.records, accepted: decisions.accepted.map(({ uuid }) => uuid) };
        const after = await storeAfterAppend(before, records, snapshotIdentity(manifest), tableChanges.length > 0);
        refuseTooManyTexts(after, added);
        clock.end("extending");
        const warnings = findWarnings({ after, before, reading });
        refuseStrict(warnings, strict, "the files to append");
        clock.end("checking");
        // Comparing the stores costs as much as extending one, so only a dry run, which is for looking, does.
        const compared = dryRun ? before : undefined;
        return { staging, manifest, store: after, before: compared, warnings, details: { ...details, files: added } };
      },
      logged: ({ files, knownCount: known, withheld }) => ({ counts: { ...countAppended(files), known, withheld } }),
    },
  );
}

/** The stages that end with a step. */
const lastStages = { staged: "staging", compiled: "compiling", activated: "activating" } as const;

/** Measures the stages. */
class StageClock {
  readonly seconds: Partial<Record<AppendStage, number>> = {};
  #last: number = performance.now();

  /** Ends a stage, or another part of it; the next one begins. */
  end(stage: AppendStage): void {
    const now = performance.now();
    this.seconds[stage] = Math.round((this.seconds[stage] ?? 0) * 1000 + now - this.#last) / 1000;
    this.#last = now;
  }

  follow(step: PublishStep): void {
    // Waiting for the lock belongs to no stage.
    if (step === "locked") this.#last = performance.now();
    else if (step in lastStages) this.end(lastStages[step as keyof typeof lastStages]);
  }
}

/** An addition that is read and checked. */
type Addition = Awaited<ReturnType<typeof readAddition>>;

/**
 * Copies the files given, and reads them and the small tables of the current snapshot.
 *
 * @param makeScratch Makes the folder for the copies: what is checked there is what is published.
 */
async function readAddition(request: AppendRequest, makeScratch: () => Promise<Staging>, clock: StageClock) {
  const { dataDirectory, files, now, note, onBytes } = request;
  const parent = await PublishedSnapshot.readWanted(dataDirectory);
  const decisions = await parent.readDecisions();
  const scratch = await makeScratch();
  const folder = scratch.path;
  const problems = new ProblemList(problemsReadMax);
  const given = await arrangeGiven(files, problems);
  const header = mergeHeader(parent.manifest, given.drafts, note, problems);
  problems.throwIfAny("the files to append");
  for (const { path, name } of given.files) await scratch.copy(path, name, "given-copied");
  // Messages name the files by the paths given: two folders may have files of one name.
  const copied = given.files.map(({ path, name }) => ({ ...toUnlistedFile(name), name: path, path: name }));
  const prices = copied.filter((file) => file.kind === "prices" || file.kind === "origins");
  const merged = await mergeTables(parent, folder, copied, problems);
  const latest = recordedAtMax(wholeSecond(now));
  const read = () => readRecords(folder, prices, latest, { tables: merged.tables, problems });
  const reading = await readWarned("the files to append", read, async (fit) => {
    const before = await parent.openStore(onBytes);
    const { reading: added } = withoutKnownPrices(fit, before, decisions.withdrawals);
    const snapshot = { ...snapshotIdentity(parent.manifest), createdAt: now };
    const after = await storeAfterAppend(before, added.records, snapshot, true);
    return findWarnings({ after, before, reading: added, isPartial: true });
  });
  if (reading.records.prices.rowCount === 0 && prices.length === copied.length) {
    problems.add({ file: files.join(", "), kind: "file", found: "no price", wanted: "at least one" });
    problems.throwIfAny("the files to append");
  }
  clock.end("reading");
  const before = await parent.openStore(onBytes);
  clock.end("opening");
  const { changes: tableChanges, kept: keptRecords } = merged;
  // By the path of a file given, the name of its copy.
  const copies = new Map(given.files.map(({ path, name }) => [path, name]));
  const sources = [...new Set([...before.prices.sourceNames, ...reading.records.prices.sourceNames])];
  for (const { periods } of given.drafts) checkPeriods(periods, sources, problems);
  problems.throwIfAny("the files to append");
  const newPrices = withoutKnownPrices(reading, before, decisions.withdrawals);
  const tables = { tableChanges, keptRecords };
  const added = { files: reading.files, newestPrice: newestRecordedAt(reading.records.prices) };
  return { parent, header, ...added, folder, copies, ...tables, before, decisions, prices: newPrices };
}

function addsNothing({ parent, header, tableChanges, prices }: Addition): boolean {
  const current = parent.manifest;
  const isAttributed = header.attribution.length > current.attribution.length;
  const saysMore = isAttributed || !isDeepStrictEqual(optionalParts(header), optionalParts(current));
  return prices.reading.records.prices.rowCount === 0 && tableChanges.length === 0 && !saysMore;
}

/**
 * Puts the new prices into the staging folder, without those that are left out, and their origins beside them. A file
 * whose name is taken gets one with a number.
 *
 * @returns The manifest's entries: one sequence above all others, and how many rows each file replaces.
 */
async function stageAdded(addition: Addition, staging: Staging): Promise<ManifestFile[]> {
  const { parent, files, folder, copies, prices } = addition;
  const current = parent.manifest;
  const { leftOutLines, replaced } = prices;
  const sequence = Math.max(...current.files.map((file) => file.sequence)) + 1;
  const taken = new Set(current.files.map(({ name }) => name));
  const added: ManifestFile[] = [];
  for (const { name: given, bytes, sha256, rows: rowsGiven } of files) {
    const copy = copies.get(given) as string;
    if (recordKindOf(copy) !== "prices") continue;
    const leftOut = leftOutLines.get(given);
    const rows = rowsGiven - (leftOut?.size ?? 0);
    if (rows === 0) continue;
    const name = takeStoredName(copy, taken);
    const source = join(folder, copy);
    let digest: FileDigest = { bytes, sha256 };
    if (leftOut === undefined) await staging.share(source, name);
    else digest = await staging.writeLines(source, name, (line) => !leftOut.has(line));
    added.push({ name, kind: "prices", ...digest, rows, sequence, replaces: replaced.get(given) ?? 0 });
    const origins = files.find((file) => copies.get(file.name) === originsNameOf(copy));
    if (origins === undefined) continue;
    const entry = await stageAddedOrigins(addition, given, origins, staging, name);
    if (entry !== undefined) added.push(entry);
  }
  return added;
}

/**
 * Puts the origins of a new prices file beside it, without those of prices that are left out: these come from where the
 * snapshot has them.
 *
 * @param given The prices file as it was given.
 * @param stored The name of the prices file in the snapshot.
 * @returns The manifest's entry; undefined where nothing is left.
 */
async function stageAddedOrigins(
  { folder, copies, prices: { reading, leftOutLines } }: Addition,
  given: string,
  origins: RecordsReading["files"][number],
  staging: Staging,
  stored: string,
): Promise<ManifestFile | undefined> {
  const source = join(folder, copies.get(origins.name) as string);
  if (!leftOutLines.has(given)) {
    await staging.share(source, originsNameOf(stored));
    return originsEntry(stored, origins);
  }
  const { uuids, rowCount } = reading.records.prices;
  const kept: Uuid[] = [];
  for (let row = 0; row < rowCount; row++) {
    if (reading.locationOfPrice(row).file === given) kept.push(readUuid(uuids, row));
  }
  const lines = new Set([...(await findLines(source, kept)).values()].map(({ line }) => line));
  if (lines.size === 0) return undefined;
  const digest = await staging.writeLines(source, originsNameOf(stored), (line) => lines.has(line));
  return originsEntry(stored, { ...origins, ...digest, rows: lines.size });
}
