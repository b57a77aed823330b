import { createReadStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { Compilation } from "../compiled/compile-snapshot.ts";
import { readCurrent, readManifestOf } from "../dataset/load-current-dataset.ts";
import { type RecordsReading, readRecords, recordedAtMax, snapshotIdentity } from "../dataset/load-dataset.ts";
import { contentHash, type Manifest, type ManifestFile, tableRows } from "../dataset/manifest.ts";
import { ProblemList } from "../dataset/problem.ts";
import type { PriceFile, TableFile } from "../dataset/read-tables.ts";
import {
  pricesDirectoryName,
  type RecordKind,
  recordKindOf,
  recordKinds,
  type SnapshotId,
  snapshotPath,
} from "../dataset/snapshot-layout.ts";
import type { BytesObserver } from "../dataset/stored-file.ts";
import { inspectStoredFile } from "../dataset/stored-file.ts";
import { shortDictionarySizeMax } from "../domain/dataset.ts";
import { compareTexts } from "../domain/folded-text.ts";
import type { Instant } from "../domain/instant.ts";
import { withScratchFolder } from "../files/scratch-folder.ts";
import { shareFile } from "../files/share-file.ts";
import type { Store } from "../store/store.ts";
import { findRowOf } from "../store/uuid-index.ts";
import { activateSnapshot } from "./activate-snapshot.ts";
import { type AppendSeconds, StageClock } from "./append-stages.ts";
import { warnOfOddAppended } from "./appended-warnings.ts";
import { compileStaged } from "./compile-staged.ts";
import { snapshotIds } from "./list-snapshots.ts";
import { warnOfNewValues } from "./price-warnings.ts";
import { withPublishLock } from "./publish-lock.ts";
import { ignoreSteps, type StepObserver } from "./publish-step.ts";
import { removeStrays } from "./remove-strays.ts";
import { changesBetween, type SnapshotChanges } from "./snapshot-changes.ts";
import { greatestId, nextPublication, wholeSecond } from "./snapshot-id.ts";
import { openSnapshotStore } from "./snapshot-store.ts";
import { finishStaging, inStagingFolder, writePublished } from "./stage-snapshot.ts";
import { storeAfterAppend } from "./store-after-append.ts";

export interface AppendRequest {
  readonly dataDirectory: string;
  /** Paths of NDJSON files of prices, which may be gzipped (`.ndjson.gz`). They are copied and stay as they are. */
  readonly files: readonly string[];
  readonly now: Instant;
  readonly note?: string | undefined;
  /** Do everything short of writing to the dataset directory, and tell what readers would see change. */
  readonly dryRun: boolean;
  readonly onStep?: StepObserver | undefined;
  /** Told while record files are read. */
  readonly onBytes?: BytesObserver | undefined;
}

export interface AppendReport {
  readonly outcome: "appended" | "would-append";
  /** The snapshot published, or to be published if it were now. */
  readonly id: SnapshotId;
  readonly parent: SnapshotId;
  /** Number of records of each table, old and new. */
  readonly rows: Readonly<Record<RecordKind, number>>;
  /** The manifest's entries of the new files. */
  readonly files: readonly ManifestFile[];
  readonly warnings: ProblemList;
  /** What readers would see change; only of a dry run. */
  readonly changes: SnapshotChanges | undefined;
  /** How compiling its store ended; only if it was published. Without a compiled store it is served all the same. */
  readonly compilation: Compilation | undefined;
  /** What each stage took. */
  readonly seconds: AppendSeconds;
}

/** What is added to, and what is added. */
interface Addition {
  readonly current: Manifest;
  /** Stored name → path of the file handed in. */
  readonly paths: ReadonlyMap<string, string>;
}

interface CheckedAddition {
  readonly manifest: Manifest;
  /** The stores of the current snapshot and of the one with the prices added. */
  readonly before: Store;
  readonly after: Store;
  readonly report: AppendReport;
}

/**
 * Publishes new and corrected prices on top of the current snapshot. A price whose uuid the current snapshot has replaces
 * it. The new snapshot shares all files of the current one, and none of their records is read again.
 *
 * @throws {DatasetError} with every reason why the prices cannot be added.
 * @throws {SnapshotUnavailableError} when there is no current snapshot to add to.
 * @throws {LockHeldError} when another publisher is at work for longer than ten seconds.
 */
export async function appendPrices(request: AppendRequest): Promise<AppendReport> {
  const { dataDirectory, dryRun, onStep = ignoreSteps } = request;
  const now = wholeSecond(request.now);
  let clock = new StageClock();
  if (dryRun) {
    const addition = await additionTo(request);
    return await withScratchFolder(join(tmpdir(), "append-"), async (makeFolder) => {
      const tables = addition.current.files.filter(({ kind }) => kind !== "prices");
      const { report, before, after } = await check(addition, await makeFolder(), tables);
      return { ...report, changes: changesBetween(before, after) };
    });
  }
  return await withPublishLock(dataDirectory, async () => {
    await onStep("locked");
    // Waiting for another publisher is none of the stages.
    clock = new StageClock();
    await removeStrays(dataDirectory, onStep);
    const addition = await additionTo(request);
    const { staging, filled } = await inStagingFolder(dataDirectory, onStep, async (folder) => {
      const checked = await check(addition, folder, addition.current.files);
      await finishStaging(folder, checked.manifest, onStep);
      clock.end("staging");
      return checked;
    });
    const { manifest, after, report } = filled;
    const compilation = await compileStaged(dataDirectory, staging, manifest, after, onStep);
    clock.end("compiling");
    await activateSnapshot(dataDirectory, staging, manifest.id, onStep);
    clock.end("activating");
    return { ...report, outcome: "appended", compilation };
  });

  async function check(addition: Addition, folder: string, shared: readonly ManifestFile[]): Promise<CheckedAddition> {
    const { current } = addition;
    const reading = await readAddition(dataDirectory, addition, folder, shared, now, onStep);
    clock.end("reading");
    const before = await openSnapshotStore(dataDirectory, current.id, { onBytes: request.onBytes });
    clock.end("opening");
    const files = addedFiles(current, reading, before);
    const manifest = await manifestAfter(request, now, current, files);
    const after = await storeAfterAppend(before, reading.records, snapshotIdentity(manifest));
    refuseTooManyTexts(after, files);
    clock.end("extending");
    const warnings = new ProblemList();
    warnOfOddAppended(reading, after, warnings);
    warnOfNewValues(reading, before.prices, warnings);
    clock.end("checking");
    const report: AppendReport = {
      outcome: "would-append",
      id: manifest.id,
      parent: current.id,
      rows: tableRows(manifest.files),
      files,
      warnings,
      changes: undefined,
      compilation: undefined,
      seconds: clock.seconds,
    };
    return { manifest, before, after, report };
  }
}

async function additionTo({ dataDirectory, files }: AppendRequest): Promise<Addition> {
  const current = await readManifestOf(dataDirectory, await readCurrent(dataDirectory));
  const taken = new Set(current.files.map(({ name }) => name));
  const problems = new ProblemList();
  const paths = new Map<string, string>();
  for (const path of files) {
    const name = `${pricesDirectoryName}/${basename(path)}`;
    if (recordKindOf(name) !== "prices") {
      const wanted = "letters, digits, '.', '_' or '-', then .ndjson or .ndjson.gz";
      problems.add({ file: path, kind: "file", found: "a name that no prices file can have", wanted });
    } else if (taken.has(name)) {
      const wanted = "a name that no file of the current snapshot has";
      problems.add({ file: path, kind: "file", found: `${name} there already`, wanted });
    } else if (paths.has(name)) {
      problems.add({ file: path, kind: "file", found: `the name of ${paths.get(name)}`, wanted: "another name" });
    }
    paths.set(name, path);
  }
  problems.throwIfAny("the files to append");
  return { current, paths };
}

/**
 * Puts the new files and those of the current snapshot into a folder, and reads the small tables and the new prices there:
 * what is checked is what will be published. Of the old prices only the size is looked at; hashing them is left to `verify`,
 * for they are the bulk.
 */
async function readAddition(
  dataDirectory: string,
  { current, paths }: Addition,
  folder: string,
  shared: readonly ManifestFile[],
  now: Instant,
  onStep: StepObserver,
): Promise<RecordsReading> {
  await mkdir(join(folder, pricesDirectoryName));
  for (const [name, path] of paths) {
    await writePublished(join(folder, name), createReadStream(path));
    await onStep("file-copied");
  }
  const problems = new ProblemList();
  const from = snapshotPath(dataDirectory, current.id);
  for (const { name, bytes } of shared) {
    const size = await inspectStoredFile(from, name);
    if (size === bytes) {
      await shareFile(join(from, name), join(folder, name));
      await onStep("file-shared");
      continue;
    }
    const fault =
      typeof size === "number" ? { found: `${size} bytes`, wanted: `${bytes}, as the manifest says` } : size;
    problems.add({ file: `snapshots/${current.id}/${name}`, ...fault, kind: "checksum" });
  }
  problems.throwIfAny("the current snapshot");
  const tables = current.files.filter(({ kind }) => kind !== "prices").map(toTableFile);
  const added = [...paths.keys()].sort(compareTexts).map(toPriceFile);
  const reading = await readRecords(folder, [...tables, ...added], recordedAtMax(now), { problems });
  if (reading.records.prices.rowCount > 0) return reading;
  problems.add({ file: [...paths.values()].join(", "), kind: "file", found: "no price", wanted: "at least one" });
  return problems.throwIfAny("the files to append") as never;
}

function toTableFile({ name, kind, bytes, rows, sha256 }: ManifestFile): TableFile {
  return { name, kind: kind as TableFile["kind"], claim: { bytes, rows, sha256 } };
}

function toPriceFile(name: string): PriceFile {
  return { name, kind: "prices", sequence: 0, replaces: 0 };
}

/**
 * Holds the prices of both to what reading them all from their files would refuse.
 *
 * @throws {DatasetError} when there are more different texts in a field than a snapshot may have.
 */
function refuseTooManyTexts({ prices }: Store, added: readonly ManifestFile[]): void {
  const problems = new ProblemList();
  const file = added.map(({ name }) => name).join(", ");
  const { unitNames, currencyCodes, sourceNames, gradeNames } = prices;
  const texts = { unit: unitNames, currency: currencyCodes, source: sourceNames, quality_grade: gradeNames };
  for (const [field, { length }] of Object.entries(texts)) {
    if (length <= shortDictionarySizeMax) continue;
    const found = `${length} different ones, with those of the current snapshot`;
    problems.add({ file, kind: "value", field, found, wanted: `at most ${shortDictionarySizeMax}` });
  }
  problems.throwIfAny("the files to append");
}

/** The manifest's entries of the new files: one sequence above all others, and how many rows each replaces. */
function addedFiles(current: Manifest, reading: RecordsReading, before: Store): ManifestFile[] {
  const sequence = Math.max(...current.files.map((file) => file.sequence)) + 1;
  const replaces = new Map<string, number>();
  const { prices } = reading.records;
  for (let row = 0; row < prices.rowCount; row++) {
    if (findRowOf(before.rowByUuid, before.prices.uuids, prices.uuids, row) === undefined) continue;
    const { file } = reading.placeOfPrice(row);
    replaces.set(file, (replaces.get(file) ?? 0) + 1);
  }
  return reading.files
    .filter(({ name }) => recordKindOf(name) === "prices")
    .map(({ name, bytes, rows, sha256 }) => {
      return { name, kind: "prices", bytes, rows, sha256, sequence, replaces: replaces.get(name) ?? 0 };
    });
}

async function manifestAfter(
  { dataDirectory, note }: AppendRequest,
  now: Instant,
  current: Manifest,
  added: readonly ManifestFile[],
): Promise<Manifest> {
  const { timeZone, utcOffset, attribution } = current;
  const files = [...current.files, ...added].sort(
    (a, b) => recordKinds.indexOf(a.kind) - recordKinds.indexOf(b.kind) || compareTexts(a.name, b.name),
  );
  const greatest = greatestId([...(await snapshotIds(dataDirectory)), current.id]);
  return {
    ...nextPublication(now, greatest, contentHash(files)),
    timeZone,
    utcOffset,
    parent: current.id,
    note: note ?? null,
    attribution,
    files,
  };
}
