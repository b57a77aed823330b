/** Rejects a few bad price rows, so that they do not keep back all others. */
import { join } from "node:path";
import type { Instant } from "../../engine/model/calendar.ts";
import type { ReadingOptions } from "../../engine/snapshots/load-dataset.ts";
import { readManifestJson } from "../../engine/snapshots/manifest.ts";
import { DatasetError, type Problem, ProblemList, problemsReadMax } from "../../engine/snapshots/problem.ts";
import { type Candidate, listRecordFiles, readCandidate } from "../../engine/snapshots/read-candidate.ts";
import { countLines } from "../../engine/snapshots/record-texts.ts";
import { manifestFileName, recordKindOf } from "../../engine/snapshots/snapshot-layout.ts";
import { readStoredFile } from "../../engine/snapshots/stored-file.ts";
import { PublishProblems } from "./publish-problem.ts";
import { findRejectedRows, type RejectedRow, type RowRejection } from "./rejected-rows.ts";
import type { Staging } from "./stage-snapshot.ts";

/** At most one price row of this many may be rejected. */
const rowsPerRejectedMin = 1000;

/** At most so many problems are kept: of 0.1 % of the rows, more would be too many for any directory. */
const problemsKeptMax = 1_000_000;

export interface SiftedCandidate {
  readonly candidate: Candidate;
  /** The rejected rows; `candidate` is without them. */
  readonly rejected: readonly RejectedRow[];
}

/**
 * Checks a directory and rejects bad price rows, if they are few and nothing else is wrong. The accepted rows are
 * written to a folder of their own, which is checked from the beginning.
 *
 * @param folder An empty folder, which must stay until the candidate has been copied.
 * @throws {DatasetError} when anything but price rows is wrong, a file ends in the middle of a line, or too many rows
 *   are bad.
 */
export async function siftCandidate(
  directory: string,
  now: Instant,
  folder: Staging,
  onBytes?: ReadingOptions["onBytes"],
): Promise<SiftedCandidate> {
  const given: GivenCandidate = { directory, now, onBytes };
  const found = new RowProblems(problemsReadMax);
  const candidate = await readFit(given, found);
  if (candidate !== undefined) return { candidate, rejected: [] };
  const names = await listRecordFiles(directory, found);
  const pricesNames = names.filter((name) => recordKindOf(name) === "prices");
  const problems = found.isCut ? await readAllProblems(given, pricesNames, found) : found;
  const rejection = await findRejectedRows(directory, pricesNames, problems.byLine);
  await refuseRejection(directory, names, rejection, problems);
  await writeAccepted(directory, names, rejection.rows, folder);
  return { candidate: await readCandidate(folder.path, now, { onBytes }), rejected: rejection.rows };
}

/** A directory to check. */
interface GivenCandidate extends Pick<ReadingOptions, "onBytes"> {
  readonly directory: string;
  readonly now: Instant;
}

/**
 * Reads a candidate.
 *
 * @param problems Receives the problems of its rows.
 * @returns Undefined when only rows are bad.
 * @throws {DatasetError} when anything else is wrong.
 */
async function readFit(
  { directory, now, onBytes }: GivenCandidate,
  problems: RowProblems,
): Promise<Candidate | undefined> {
  try {
    return await readCandidate(directory, now, { problems, onBytes });
  } catch (error) {
    if (!(error instanceof DatasetError) || !problems.isOfRowsOnly) throw error;
    return undefined;
  }
}

/**
 * Reads a candidate again of which reading was stopped: in very many rows, more bad ones than were found may be few.
 *
 * @param found The problems until it was stopped.
 * @returns The problems of all rows.
 * @throws {DatasetError} when too many rows are bad.
 */
async function readAllProblems(
  given: GivenCandidate,
  pricesNames: readonly string[],
  found: RowProblems,
): Promise<RowProblems> {
  const { directory } = given;
  let lineCount = 0;
  for (const name of pricesNames) lineCount += await countLines(readStoredFile(join(directory, name)).content);
  const rowsMax = Math.floor(lineCount / rowsPerRejectedMin);
  if (found.rowCount > rowsMax) refuseRows(directory, `at least ${found.rowCount}`, lineCount, found);
  const all = new RowProblems(problemsKeptMax, rowsMax);
  await readFit(given, all);
  if (all.rowCount > rowsMax) refuseRows(directory, `at least ${all.rowCount}`, lineCount, all);
  return all;
}

/** @throws {DatasetError} when rows may not be rejected: in a copy of a snapshot, in an unfinished file, too many. */
async function refuseRejection(
  directory: string,
  names: readonly string[],
  { rows, lineCount, unfinishedFile }: RowRejection,
  problems: RowProblems,
): Promise<void> {
  const isCopy = names.includes(manifestFileName) && "files" in ((await readManifestJson(directory, problems)) ?? {});
  if (isCopy) {
    const wanted = "record files, which a manifest does not fix";
    refuse(directory, { file: manifestFileName, found: "a copy of a snapshot", wanted }, problems);
  }
  if (unfinishedFile !== undefined) {
    const found = "a file that ends in the middle of a line";
    refuse(directory, { file: unfinishedFile, found, wanted: "a whole file, for more may be missing" }, problems);
  }
  if (rows.length * rowsPerRejectedMin > lineCount) refuseRows(directory, String(rows.length), lineCount, problems);
}

function refuseRows(directory: string, count: string, lineCount: number, problems: RowProblems): never {
  const found = `${count} bad rows of ${lineCount}`;
  refuse(directory, { file: "prices", found, wanted: `at most ${100 / rowsPerRejectedMin} %` }, problems);
}

/** @throws {DatasetError} with the reason why rows are not rejected, and their problems. */
function refuse(
  directory: string,
  reason: Pick<Problem, "file" | "found" | "wanted">,
  { problems }: RowProblems,
): never {
  const all = new PublishProblems();
  all.add({ ...reason, kind: "not-set-aside" });
  for (const problem of problems) all.add(problem);
  throw new DatasetError(directory, all);
}

/** Puts the files into a folder, without the rejected rows. */
async function writeAccepted(
  directory: string,
  names: readonly string[],
  rows: readonly RejectedRow[],
  folder: Staging,
): Promise<void> {
  for (const name of names) {
    const rejected = new Set(rows.filter(({ file }) => file === name).map(({ line }) => line));
    const source = join(directory, name);
    if (rejected.size === 0) await folder.share(source, name, "given-copied");
    else await folder.writeLines(source, name, (line) => !rejected.has(line), "given-copied");
  }
}

/** Every problem of every price row, and whether anything else has a problem. */
class RowProblems extends ProblemList {
  readonly byLine: Map<string, Map<number, Problem[]>> = new Map();
  /** Number of rows that have a problem. */
  rowCount = 0;
  /** False when anything but a price row has a problem. */
  isOfRowsOnly = true;
  readonly #rowsMax: number;

  /**
   * @param max The most problems that it takes, as of any list.
   * @param rowsMax The most rows with problems that it takes; one more ends the reading.
   */
  constructor(max: number, rowsMax: number = Number.POSITIVE_INFINITY) {
    super(max, Number.POSITIVE_INFINITY);
    this.#rowsMax = rowsMax;
  }

  override emptyRest(): RowProblems {
    return new RowProblems(this.room, this.#rowsMax - this.rowCount);
  }

  override add(problem: Problem): void {
    super.add(problem);
    const { file, line } = problem;
    if (line === undefined || recordKindOf(file) !== "prices") {
      this.isOfRowsOnly = false;
      return;
    }
    const lines = this.byLine.getOrInsertComputed(file, () => new Map<number, Problem[]>());
    const problems = lines.getOrInsertComputed(line, () => []);
    problems.push(problem);
    if (problems.length > 1) return;
    this.rowCount++;
    if (this.rowCount > this.#rowsMax) this.cut();
  }
}
