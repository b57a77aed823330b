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
import { findRejectedRows, type RejectedRow } from "./rejected-rows.ts";
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
  let problems = new RowProblems(problemsReadMax);
  const candidate = await tryToRead();
  if (candidate !== undefined) return { candidate, rejected: [] };
  const names = await listRecordFiles(directory, problems);
  const priceNames = names.filter((name) => recordKindOf(name) === "prices");
  if (problems.isCut) {
    // In very many rows, more bad ones than were counted may still be few.
    let lineCount = 0;
    for (const name of priceNames) lineCount += await countLines(readStoredFile(join(directory, name)).content);
    const rowsMax = Math.floor(lineCount / rowsPerRejectedMin);
    const refuseTooMany = (): void => {
      if (problems.rowCount > rowsMax) refuseRows(`at least ${problems.rowCount}`, lineCount);
    };
    refuseTooMany();
    problems = new RowProblems(problemsKeptMax, rowsMax);
    await tryToRead();
    refuseTooMany();
  }
  const { rows, lineCount, unfinishedFile } = await findRejectedRows(directory, priceNames, problems.byLine);
  const isCopy = names.includes(manifestFileName) && "files" in ((await readManifestJson(directory, problems)) ?? {});
  if (isCopy) refuse(manifestFileName, "a copy of a snapshot", "record files, which a manifest does not fix");
  if (unfinishedFile !== undefined) {
    refuse(unfinishedFile, "a file that ends in the middle of a line", "a whole file, for more may be missing");
  }
  if (rows.length * rowsPerRejectedMin > lineCount) refuseRows(String(rows.length), lineCount);
  for (const name of names) {
    const rejected = new Set(rows.filter(({ file }) => file === name).map(({ line }) => line));
    const source = join(directory, name);
    if (rejected.size === 0) await folder.share(source, name, "given-copied");
    else await folder.writeLines(source, name, (line) => !rejected.has(line), "given-copied");
  }
  return { candidate: await readCandidate(folder.path, now, { onBytes }), rejected: rows };

  /** @returns Undefined when only rows are bad, which `problems` then holds. */
  async function tryToRead(): Promise<Candidate | undefined> {
    try {
      return await readCandidate(directory, now, { problems, onBytes });
    } catch (error) {
      if (!(error instanceof DatasetError) || !problems.isOfRowsOnly) throw error;
      return undefined;
    }
  }

  function refuseRows(count: string, lineCount: number): never {
    refuse("prices", `${count} bad rows of ${lineCount}`, `at most ${100 / rowsPerRejectedMin} %`);
  }

  function refuse(file: string, found: string, wanted: string): never {
    const all = new PublishProblems();
    all.add({ file, kind: "not-set-aside", found, wanted });
    for (const problem of problems.problems) all.add(problem);
    throw new DatasetError(directory, all);
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
