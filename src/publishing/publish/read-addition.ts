/** Reads what is to be appended to the current snapshot. */
import { join } from "node:path";
import type { Instant } from "../../engine/model/calendar.ts";
import { readUuid, type Uuid } from "../../engine/model/ids.ts";
import { findLines } from "../../engine/snapshots/find-lines.ts";
import {
  type RecordsReading,
  readRecords,
  recordedAtMax,
  snapshotIdentity,
} from "../../engine/snapshots/load-dataset.ts";
import { checkPeriods, type ManifestFile } from "../../engine/snapshots/manifest.ts";
import type { PriceDecisions } from "../../engine/snapshots/price-decisions.ts";
import { ProblemList, problemsReadMax } from "../../engine/snapshots/problem.ts";
import { toUnlistedFile } from "../../engine/snapshots/read-candidate.ts";
import { originsNameOf, recordKindOf } from "../../engine/snapshots/snapshot-layout.ts";
import type { Store } from "../../engine/store/store.ts";
import { readWarned } from "./check-candidate.ts";
import { arrangeInput, type InputFile, type MergedHeader, mergeHeader, takeStoredName } from "./input-files.ts";
import { type MergedTables, mergeTables } from "./merge-tables.ts";
import { type NewPrices, reportTooManyTexts, storeAfterAppend, withoutKnownPrices } from "./new-prices.ts";
import type { PublishedSnapshot } from "./open-published.ts";
import type { PublicationRequest } from "./publication.ts";
import { wholeSecond } from "./snapshot-id.ts";
import { originsEntry } from "./stage-merged.ts";
import { newestRecordedAt, type Staging } from "./stage-snapshot.ts";
import { findWarnings } from "./warnings/find-warnings.ts";
import { withOrigins } from "./warnings/warning.ts";
import { keepCorrections } from "./withheld-prices.ts";

export interface AppendRequest extends PublicationRequest {
  /**
   * Paths of NDJSON files of prices, which may be gzipped (`.ndjson.gz`), of small tables by their names
   * (`products.ndjson`, `markets.ndjson`, `units.json` …), and of folders of such files. They are copied and stay as
   * they are.
   */
  readonly files: readonly string[];
}

/** In messages, what is published. */
export const appendSubject = "the files to append";

/** A file that an append adds: its entry of the manifest, and the file to share, in the folder of the copies. */
interface AddedFile {
  readonly entry: ManifestFile;
  readonly source: string;
}

/** The input files, copied, read and checked, beside what they are added to. */
export interface Addition {
  readonly header: MergedHeader;
  readonly merged: MergedTables;
  readonly prices: NewPrices;
  readonly added: readonly AddedFile[];
  /** The time at which the newest of the input prices was recorded. */
  readonly newestPrice: Instant | null;
  readonly before: Store;
  readonly decisions: PriceDecisions;
}

/**
 * Copies the input files and reads them, with the small tables and the store of the current snapshot; then writes those
 * of the copies again of which rows are left out.
 *
 * @param scratch The folder for the copies: what is checked there is what is published.
 * @throws {DatasetError} with every problem of the files.
 */
export async function readAddition(
  request: AppendRequest,
  parent: PublishedSnapshot,
  scratch: Staging,
): Promise<Addition> {
  const { files, now, note, onBytes } = request;
  const decisions = await parent.readDecisions();
  const problems = new ProblemList(problemsReadMax);
  const input = await arrangeInput(files, problems);
  const header = mergeHeader(parent.manifest, input.drafts, note, problems);
  for (const { path, name } of input.files) await scratch.copy(path, name);
  // Messages name the files by the input paths: two folders may have files of one name.
  const copied = input.files.map(({ path, name }) => ({ ...toUnlistedFile(name), name: path, path: name }));
  const pricesFiles = copied.filter((file) => file.kind === "prices" || file.kind === "origins");
  const merged = await mergeTables(parent, scratch.path, copied, problems);
  const latest = recordedAtMax(wholeSecond(now));
  const read = () => readRecords(scratch.path, pricesFiles, latest, { tables: merged.tables, problems });
  const reading = await readWarned(appendSubject, read, async (valid) => {
    const before = await parent.openStore(onBytes);
    const { reading: added } = withoutKnownPrices(valid, before, decisions.withdrawals);
    const snapshot = { ...snapshotIdentity(parent.manifest), createdAt: now };
    const after = await storeAfterAppend(before, added.records, snapshot, true);
    const warnings = findWarnings({ after, before, reading: added, isPartial: true });
    return await withOrigins(warnings, added.originsPaths);
  });
  const before = await parent.openStore(onBytes);
  const { rowCount, sourceNames } = reading.records.prices;
  if (rowCount === 0 && pricesFiles.length === copied.length) {
    problems.add({ file: files.join(", "), kind: "file", found: "no price", wanted: "at least one" });
  }
  const sources = [...new Set([...before.prices.sourceNames, ...sourceNames])];
  for (const { periods } of input.drafts) checkPeriods(periods, sources, problems);
  const newestPrice = newestRecordedAt(reading.records.prices);
  const newPrices = withoutKnownPrices(reading, before, decisions.withdrawals);
  const prices = await keepCorrections(newPrices, input.files, scratch.path, parent);
  const added = await writeAdded(parent, input.files, { ...prices, files: reading.files }, scratch);
  const addedNames = added.flatMap(({ entry }) => (entry.kind === "prices" ? entry.name : []));
  reportTooManyTexts(before, prices.reading, addedNames, problems);
  problems.throwIfAny(appendSubject);
  return { header, merged, prices, added, newestPrice, before, decisions };
}

/** New prices, and the files that they are read from. */
type ReadPrices = NewPrices & Pick<RecordsReading, "files">;

/**
 * The files of the new prices and, beside them, of their origins; those of which rows are left out are written again. A
 * file whose name is taken gets one with a number.
 *
 * @returns One sequence above all others, and how many rows each file replaces.
 */
async function writeAdded(
  { manifest: current }: PublishedSnapshot,
  input: readonly InputFile[],
  prices: ReadPrices,
  scratch: Staging,
): Promise<AddedFile[]> {
  const sequence = Math.max(...current.files.map((file) => file.sequence)) + 1;
  const taken = new Set(current.files.map(({ name }) => name));
  const added: AddedFile[] = [];
  for (const { path, name: copy } of input) {
    const read = prices.files.find((file) => file.name === path);
    if (read === undefined || recordKindOf(copy) !== "prices") continue;
    const leftOut = prices.leftOutLines.get(path);
    const kept = leftOut && { rows: read.rows - leftOut.size, has: (line: number) => !leftOut.has(line) };
    const file = await writeKept(scratch, copy, read, kept);
    if (file === undefined) continue;
    const name = takeStoredName(copy, taken);
    const { bytes, rows, sha256 } = file;
    const replaces = prices.replaced.get(path) ?? 0;
    added.push({ ...file, entry: { name, kind: "prices", bytes, sha256, rows, sequence, replaces } });
    const origins = input.find((other) => other.name === originsNameOf(copy));
    const originsRead = prices.files.find((other) => other.name === origins?.path);
    if (origins === undefined || originsRead === undefined) continue;
    // The snapshot has the origins of the prices that are left out.
    const lines = leftOut && (await findOriginLines(join(scratch.path, origins.name), path, prices));
    const originsFile = await writeKept(scratch, origins.name, originsRead, lines);
    if (originsFile !== undefined) added.push({ ...originsFile, entry: originsEntry(name, originsFile) });
  }
  return added;
}

type FileSize = Pick<ManifestFile, "bytes" | "rows" | "sha256">;

/** The lines of a file that stay. */
interface KeptLines {
  readonly rows: number;
  readonly has: (line: number) => boolean;
}

/** The lines of a file of origins that are of the new prices of an input file. */
async function findOriginLines(source: string, path: string, { reading, kept: ofWithdrawn }: NewPrices) {
  const { uuids, rowCount } = reading.records.prices;
  const kept: Uuid[] = [...ofWithdrawn.keys()].filter((uuid) => ofWithdrawn.get(uuid) === path);
  for (let row = 0; row < rowCount; row++) {
    if (reading.locationOfPrice(row).file === path) kept.push(readUuid(uuids, row));
  }
  const lines = new Set([...(await findLines(source, kept)).values()].map(({ line }) => line));
  return { rows: lines.size, has: (line: number) => lines.has(line) };
}

/**
 * A copy, or what stays of it, written again.
 *
 * @param kept All lines when undefined.
 * @returns Path, size and hash; undefined where no line stays.
 */
async function writeKept(
  scratch: Staging,
  copy: string,
  read: FileSize,
  kept: KeptLines | undefined,
): Promise<(FileSize & { readonly source: string }) | undefined> {
  const source = join(scratch.path, copy);
  if (kept === undefined) return { ...read, source };
  if (kept.rows === 0) return undefined;
  const name = `kept/${copy}`;
  const digest = await scratch.writeLines(source, name, kept.has);
  return { ...digest, rows: kept.rows, source: join(scratch.path, name) };
}
