/** From a snapshot's folder to its checked records. */

import { join } from "node:path";
import { dayMilliseconds, type Instant } from "../model/calendar.ts";
import { counted } from "../model/counted.ts";
import type { Dataset, SnapshotIdentity } from "../model/dataset.ts";
import { checkLinks } from "./check-links.ts";
import type { Manifest, ManifestFile } from "./manifest.ts";
import { noDecisions, type PriceDecisions, readDecisions, withholdPrices } from "./price-decisions.ts";
import { readPrices, startPriceReaders } from "./prices/read-prices.ts";
import { DatasetError, ProblemList, problemsReadMax, type RowsRead } from "./problem.ts";
import { type PlacedRecords, readTables, recordsOfTables, type Tables } from "./read-tables.ts";
import { type RecordFile, readRecordFile, type SnapshotFile } from "./record-file.ts";
import { type DecisionKind, isDecisionKind } from "./snapshot-layout.ts";
import { type BytesObserver, type FileReading, ReadingCounter, storedBytes } from "./stored-file.ts";

/**
 * Reads a published snapshot into a `Dataset`. Every file that the manifest names is read once, verified
 * by size, number of rows and SHA-256, and its records are checked one by one and together.
 *
 * @param snapshotDirectory The folder of the manifest and the files it names.
 * @returns The records in the order of their files.
 * @throws {DatasetError} with every problem found.
 */
export async function loadManifestDataset(
  snapshotDirectory: string,
  manifest: Manifest,
  options?: Pick<ReadingOptions, "onBytes" | "readsOrigins">,
): Promise<Dataset> {
  const { records } = await readManifestRecords(snapshotDirectory, manifest, options);
  return { snapshot: snapshotIdentity(manifest), ...records };
}

/**
 * Reads the records of a snapshot with the files and lines they come from.
 *
 * @throws {DatasetError} with every problem found.
 */
export async function readManifestRecords(
  directory: string,
  manifest: Manifest,
  options?: ReadingOptions,
): Promise<RecordsReading> {
  const files = options?.readsOrigins ? manifest.files : manifest.files.filter(({ kind }) => kind !== "origins");
  return await readRecords(directory, files.map(toListedFile), recordedAtMax(manifest.createdAt), options);
}

/** The last instant at which a price may be recorded in a snapshot of this time: a day later (inclusive). */
export function recordedAtMax(publishedAt: Instant): Instant {
  return (publishedAt + dayMilliseconds) as Instant;
}

/** Returns the identity of a snapshot, as the store made from it has it. */
export function snapshotIdentity({ files: _, ...identity }: Manifest): SnapshotIdentity {
  return identity;
}

/** A file of a manifest: what the manifest says of it is checked. */
export function toListedFile(file: ManifestFile): SnapshotFile {
  const { bytes, rows, sha256, ...others } = file;
  return { ...others, entry: { bytes, rows, sha256 } };
}

export interface ReadingOptions {
  /** Problems of the directory found before; reading adds to it. */
  readonly problems?: ProblemList | undefined;
  readonly onBytes?: BytesObserver | undefined;
  /**
   * True if rows that others replace, and prices that are withdrawn, are kept: then a uuid may stand more than once,
   * its newest version first. `false` when absent.
   */
  readonly keepsReplaced?: boolean | undefined;
  /** True if the origins of prices are read and checked too. `false` when absent. */
  readonly readsOrigins?: boolean | undefined;
  /** Tables that prices refer to, in place of the tables of the files. */
  readonly tables?: Tables | undefined;
  /** Withdrawals in force, in place of what the files say. */
  readonly withdrawals?: PriceDecisions["withdrawals"] | undefined;
}

/** The records of a directory. */
export interface RecordsReading extends PlacedRecords {
  /** The state of each file when it was read, in the order in which `readRecords` was passed them. */
  readonly files: readonly (FileReading & { readonly name: string })[];
  /** As its files have them. */
  readonly decisions: PriceDecisions;
  /** Number of prices of the files that are left out because they are withdrawn. */
  readonly withheld: number;
}

/** Only prices have problems, and reading came to its end. */
export class InvalidPricesError extends DatasetError {
  declare readonly list: ProblemList;
  /** The records without the prices that have problems. */
  readonly valid: PlacedRecords;

  constructor(subject: string, list: ProblemList, rows: RowsRead, valid: PlacedRecords) {
    super(subject, list, rows);
    this.valid = valid;
  }
}

/**
 * Reads record files: each of them once, and all of them, so that one report names everything that is wrong.
 *
 * @param files One of each table kind (optional ones may be missing, all of them where `options` has the tables), at
 *   most one of each kind of decisions, and any number of prices files.
 * @param recordedAtMax Last instant at which a price may be recorded (inclusive).
 * @throws {DatasetError} when there is any problem; after `problemsReadMax` of them the rest is not read. It is an
 *   `InvalidPricesError` if all of them are of prices.
 * @throws {WorkerEndedError} when a thread that reads prices ends before its time.
 */
export async function readRecords(
  directory: string,
  files: readonly SnapshotFile[],
  recordedAtMax: Instant,
  options: ReadingOptions = {},
): Promise<RecordsReading> {
  const { problems = new ProblemList(problemsReadMax), onBytes, keepsReplaced = false, withdrawals } = options;
  const counter = new ReadingCounter(onBytes);
  const reading = { directory, problems, counter };
  counter.expect(await storedBytes(directory, files));
  const priceFiles = files.filter((file) => file.kind === "prices");
  const decisionFiles = files.filter((file): file is RecordFile<DecisionKind> => isDecisionKind(file.kind));
  const originsFiles = files.filter((file) => file.kind === "origins");
  // First, so that threads start while the small tables are read.
  const readers = await startPriceReaders(directory, priceFiles);
  try {
    const tables = options.tables ?? (await readTables(reading, files));
    checkLinks(tables, problems);
    const decisions = await readDecisions(reading, decisionFiles);
    for (const file of originsFiles) await readRecordFile(reading, file, () => {});
    const isValidSoFar = problems.total === 0;
    const prices = await readPrices({ ...reading, files: priceFiles, tables, recordedAtMax, readers, keepsReplaced });
    if (prices.table === undefined) return problems.throwIfAny(directory, counter.rows) as never;
    const all: PlacedRecords = {
      records: {
        ...recordsOfTables(tables),
        prices: prices.table,
        accepted: decisions.accepted,
      },
      tables,
      locationOfPrice: prices.locationOf,
      originsPaths: originsFiles.map(({ name, path = name }) => join(directory, path)),
    };
    const withdrawn = keepsReplaced ? noDecisions.withdrawals : (withdrawals ?? decisions.withdrawals);
    const { placed, withheld } = withholdPrices(all, withdrawn);
    if (isValidSoFar && problems.total > 0) throw new InvalidPricesError(directory, problems, counter.rows, placed);
    if (!keepsReplaced && withdrawals === undefined) checkWithheld(decisionFiles, withheld, problems);
    problems.throwIfAny(directory, counter.rows);
    // Every file has a reading, or there would have been a problem.
    const readings = files.map(({ name }) => ({ name, ...(counter.readings.get(name) as FileReading) }));
    return { ...placed, files: readings, decisions, withheld };
  } catch (error) {
    if (error instanceof DatasetError && problems.isCut) problems.throwIfAny(directory, counter.rows);
    throw error;
  } finally {
    await readers.end();
  }
}

/** Adds a problem where the file of withdrawals says another number of prices that it leaves out. */
export function checkWithheld(files: readonly RecordFile<DecisionKind>[], found: number, problems: ProblemList): void {
  for (const { name, entry, kind, withheld = 0 } of files) {
    if (kind !== "withdrawals" || entry === undefined || withheld === found) continue;
    const wanted = `${withheld}, as the manifest says`;
    problems.add({
      file: name,
      kind: "checksum",
      found: counted(found, "price that is withheld", "prices that are withheld"),
      wanted,
    });
  }
}
