import { createReadStream } from "node:fs";
import { mkdir, mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { readCurrent, readManifestOf } from "../dataset/current-snapshot.ts";
import {
  type RecordsReading,
  readRecords,
  recordedAtMax,
  snapshotIdentity,
  UnfitRecordsError,
} from "../dataset/load-dataset.ts";
import { type Manifest, type ManifestFile, tableRows } from "../dataset/manifest.ts";
import { DatasetError, ProblemList, problemsReadMax } from "../dataset/problem.ts";
import { inspectRecordFile, type PriceFile, type TableFile } from "../dataset/record-file.ts";
import { pricesDirectoryName, recordKindOf, recordKinds, snapshotPath } from "../dataset/snapshot-layout.ts";
import type { BytesObserver } from "../dataset/stored-file.ts";
import { type Dataset, type SnapshotIdentity, shortDictionarySizeMax } from "../domain/dataset.ts";
import { compareTexts } from "../domain/folded-text.ts";
import type { Uuid } from "../domain/ids.ts";
import type { Instant } from "../domain/instant.ts";
import { sharedUint32 } from "../domain/shared-columns.ts";
import { shareFile } from "../files/share-file.ts";
import { extendStoreOnThreads } from "../store/extend-store.ts";
import type { Store } from "../store/store.ts";
import { findRowOf } from "../store/uuid-index.ts";
import { removeOrphans } from "./collect-garbage.ts";
import { openSnapshotStore } from "./open-published.ts";
import { type PublishStep, type StepObserver, withPublishLock } from "./publish-steps.ts";
import { changesBetween } from "./snapshot-changes.ts";
import { wholeSecond } from "./snapshot-id.ts";
import {
  activateStaged,
  finishStaging,
  nextManifest,
  type PublicationReport,
  withStagingFolder,
  writePublished,
} from "./stage-snapshot.ts";
import { findWarnings, refuseStrict } from "./warnings/find-warnings.ts";
import type { WarningKind } from "./warnings/warning.ts";

export interface AppendRequest {
  readonly dataDirectory: string;
  /** Paths of NDJSON files of prices, which may be gzipped (`.ndjson.gz`). They are copied and stay as they are. */
  readonly files: readonly string[];
  readonly now: Instant;
  readonly note?: string | undefined;
  /** Kinds of warnings that refuse the prices; none when absent. */
  readonly strict?: ReadonlySet<WarningKind> | undefined;
  /** Do everything short of writing to the dataset directory, and report what changes for readers. */
  readonly dryRun: boolean;
  readonly onStep?: StepObserver | undefined;
  /** Called while record files are read. */
  readonly onBytes?: BytesObserver | undefined;
}

export interface AppendReport extends PublicationReport {
  readonly outcome: "appended" | "would-append";
  /** The manifest's entries of the new files. */
  readonly files: readonly ManifestFile[];
  /** Seconds by stage; of a dry run without the last three. */
  readonly seconds: Readonly<Partial<Record<AppendStage, number>>>;
}

/**
 * The stages of appending, in this order:
 *
 * - reading: copies and reads the new files, shares the old ones
 * - opening: reads the store of the current snapshot
 * - extending: adds the new prices to it
 * - checking: looks for what deserves a warning
 * - staging: writes the manifest and flushes everything
 * - compiling: writes the store
 * - activating: renames the snapshot's folder and makes it current
 */
export const appendStages = [
  "reading",
  "opening",
  "extending",
  "checking",
  "staging",
  "compiling",
  "activating",
] as const;

type AppendStage = (typeof appendStages)[number];

/** An append before anything is published. */
interface Plan {
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
 * @throws {DatasetError} with every reason why the prices cannot be appended.
 * @throws {SnapshotUnavailableError} when there is no current snapshot to append to.
 * @throws {LockHeldError} when another publisher holds the lock for more than ten seconds.
 */
export async function appendPrices(request: AppendRequest): Promise<AppendReport> {
  const { dataDirectory } = request;
  const clock = new StageClock();
  const onStep: StepObserver = async (step) => {
    clock.follow(step);
    await request.onStep?.(step);
  };
  const readCurrentManifest = async (): Promise<Manifest> =>
    await readManifestOf(dataDirectory, await readCurrent(dataDirectory));
  if (request.dryRun) {
    const current = await readCurrentManifest();
    await using scratch = await mkdtempDisposable(join(tmpdir(), "append-"));
    const { report, before, after } = await planAppend(request, current, scratch.path, clock, onStep);
    return { ...report, changes: changesBetween(before, after) };
  }
  return await withPublishLock(dataDirectory, onStep, async () => {
    await removeOrphans(dataDirectory, onStep);
    const current = await readCurrentManifest();
    return await withStagingFolder(dataDirectory, onStep, async (staging) => {
      const { manifest, after, report } = await planAppend(request, current, staging, clock, onStep);
      await finishStaging(staging, manifest, onStep);
      const compilation = await activateStaged(dataDirectory, staging, manifest, after, onStep);
      return { ...report, outcome: "appended", compilation };
    });
  });
}

/** Measures the stages; the last three end with a step. */
class StageClock {
  readonly seconds: Partial<Record<AppendStage, number>> = {};
  #last: number = performance.now();

  /** Ends a stage; the next one begins. */
  end(stage: AppendStage): void {
    const now = performance.now();
    this.seconds[stage] = Math.round(now - this.#last) / 1000;
    this.#last = now;
  }

  follow(step: PublishStep): void {
    // Waiting for the lock belongs to no stage.
    if (step === "locked") this.#last = performance.now();
    else if (step === "staged") this.end("staging");
    else if (step === "compiled") this.end("compiling");
    else if (step === "activated") this.end("activating");
  }
}

/** Path of the file handed in by its name in the snapshot. */
function nameFiles(files: readonly string[], current: Manifest): ReadonlyMap<string, string> {
  const taken = new Set(current.files.map(({ name }) => name));
  const problems = new ProblemList();
  const paths = new Map<string, string>();
  for (const path of files) {
    const name = `${pricesDirectoryName}/${basename(path)}`;
    if (recordKindOf(name) !== "prices") {
      refuse(
        path,
        "a name that no prices file can have",
        "letters, digits, '.', '_' or '-', then .ndjson or .ndjson.gz",
      );
    } else if (taken.has(name)) {
      refuse(path, `${name} there already`, "a name that no file of the current snapshot has");
    } else if (paths.has(name)) refuse(path, `the name of ${paths.get(name)}`, "another name");
    paths.set(name, path);
  }
  problems.throwIfAny("the files to append");
  return paths;

  function refuse(file: string, found: string, wanted: string): void {
    problems.add({ file, kind: "file", found, wanted });
  }
}

/** Fills a folder with the files of the next snapshot, checks the new prices there, and makes the manifest and store. */
async function planAppend(
  request: AppendRequest,
  current: Manifest,
  folder: string,
  clock: StageClock,
  onStep: StepObserver,
): Promise<Plan> {
  const { dataDirectory, note = null, onBytes } = request;
  const { id: parent, timeZone, attribution } = current;
  const reading = await readAddition(request, current, folder, onStep).catch(async (error: unknown) => {
    throw error instanceof UnfitRecordsError ? await withWarnings(error, request, current) : error;
  });
  clock.end("reading");
  const before = await openSnapshotStore(dataDirectory, parent, onBytes);
  clock.end("opening");
  const added = addedFiles(current, reading, before);
  const files = [...current.files, ...added].sort(
    (a, b) => recordKinds.indexOf(a.kind) - recordKinds.indexOf(b.kind) || compareTexts(a.name, b.name),
  );
  const manifest = await nextManifest(dataDirectory, request.now, { timeZone, parent, note, attribution, files });
  const after = await storeAfterAppend(before, reading.records, snapshotIdentity(manifest));
  refuseTooManyTexts(after, added);
  clock.end("extending");
  const warnings = findWarnings({ after, before, reading });
  refuseStrict(warnings, request.strict, "the files to append");
  clock.end("checking");
  const report: AppendReport = {
    outcome: "would-append",
    id: manifest.id,
    parent,
    rows: tableRows(files),
    files: added,
    warnings,
    changes: undefined,
    compilation: undefined,
    seconds: clock.seconds,
  };
  return { manifest, before, after, report };
}

/** Adds the warnings of the prices that have no problems. */
async function withWarnings(
  { list, rows, fit }: UnfitRecordsError,
  { dataDirectory, now, onBytes }: AppendRequest,
  current: Manifest,
): Promise<DatasetError> {
  const before = await openSnapshotStore(dataDirectory, current.id, onBytes);
  const snapshot = { ...snapshotIdentity(current), createdAt: now };
  const after = await storeAfterAppend(before, fit.records, snapshot);
  const warnings = findWarnings({ after, before, reading: fit, isPartial: true });
  return new DatasetError("the files to append", list, rows, warnings);
}

/**
 * Puts the new files and those of the current snapshot into a folder, and reads the small tables and the new prices there,
 * so that what is checked is what is published. Of the old prices only the size is checked; `verify` hashes them, because
 * they are the bulk.
 */
async function readAddition(
  { dataDirectory, files, now, dryRun }: AppendRequest,
  current: Manifest,
  folder: string,
  onStep: StepObserver,
): Promise<RecordsReading> {
  const paths = nameFiles(files, current);
  const currentTables = current.files.filter(({ kind }) => kind !== "prices");
  await mkdir(join(folder, pricesDirectoryName));
  for (const [name, path] of paths) {
    await writePublished(join(folder, name), createReadStream(path));
    await onStep("file-copied");
  }
  const problems = new ProblemList(problemsReadMax);
  const from = snapshotPath(dataDirectory, current.id);
  for (const file of dryRun ? currentTables : current.files) {
    const fault = await inspectRecordFile(from, file.name, file);
    if (fault !== undefined) {
      problems.add({ file: `snapshots/${current.id}/${file.name}`, ...fault, kind: "checksum" });
      continue;
    }
    await shareFile(join(from, file.name), join(folder, file.name));
    await onStep("file-shared");
  }
  problems.throwIfAny("the current snapshot");
  const tables = currentTables.map(({ name, kind, ...entry }): TableFile => {
    return { name, kind: kind as TableFile["kind"], entry };
  });
  const added = [...paths.keys()]
    .sort(compareTexts)
    .map((name): PriceFile => ({ name, kind: "prices", sequence: 0, replaces: 0 }));
  const reading = await readRecords(folder, [...tables, ...added], recordedAtMax(wholeSecond(now)), { problems });
  if (reading.records.prices.rowCount > 0) return reading;
  problems.add({ file: [...paths.values()].join(", "), kind: "file", found: "no price", wanted: "at least one" });
  return problems.throwIfAny("the files to append") as never;
}

/**
 * The store of a snapshot that adds a day's prices to its parent. It equals a store built from all records, without reading
 * those of the parent again.
 *
 * @param day The small tables of the parent, and the prices to add; a uuid that the parent has replaces its row.
 */
async function storeAfterAppend(
  parent: Store,
  day: Omit<Dataset, "snapshot">,
  snapshot: SnapshotIdentity,
): Promise<Store> {
  const { catalogue } = parent;
  const prices = {
    ...day.prices,
    products: codesOf(day.prices.products, day.products, catalogue.productCodes),
    markets: codesOf(day.prices.markets, day.markets, catalogue.marketCodes),
  };
  return await extendStoreOnThreads(parent, { snapshot, prices });
}

/** Remaps positions in the file of the records to codes of the store. */
function codesOf(
  positions: Uint32Array,
  records: readonly { readonly uuid: Uuid }[],
  codes: ReadonlyMap<Uuid, number>,
): Uint32Array<SharedArrayBuffer> {
  // The store was built from these records, so each has a code.
  const codeOf = Uint32Array.from(records, ({ uuid }) => codes.get(uuid) as number);
  const column = sharedUint32(positions.length);
  positions.forEach((position, row) => {
    column[row] = codeOf[position] as number;
  });
  return column;
}

/**
 * Applies to old and new prices together what reading them all from their files would refuse.
 *
 * @throws {DatasetError} when a field has more different texts than a snapshot may have.
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
