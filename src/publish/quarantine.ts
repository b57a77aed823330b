import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { ReadingOptions } from "../dataset/load-dataset.ts";
import { readManifestJson } from "../dataset/manifest.ts";
import { DatasetError, ProblemList } from "../dataset/problem.ts";
import { listRecordFiles } from "../dataset/read-candidate.ts";
import { isGzipName, manifestFileName, pricesDirectoryName, recordKindOf } from "../dataset/snapshot-layout.ts";
import type { Instant } from "../domain/instant.ts";
import { shareFile } from "../files/share-file.ts";
import { type CheckedCandidate, checkCandidate } from "./check-candidate.ts";
import { findRejectedRows, type RejectedRow } from "./rejected-rows.ts";
import { RowProblems } from "./row-problems.ts";
import { storedLines } from "./stored-lines.ts";

/** At most one price row of this many may be set aside. */
export const rowsPerRejectedMin = 1000;

export interface SiftedCandidate extends CheckedCandidate {
  /** What was set aside; `candidate` is without it. */
  readonly rejected: readonly RejectedRow[];
}

/**
 * Checks a directory and sets bad price rows aside, if they are few and nothing else is wrong. What remains is written
 * to a folder of its own and checked again from the beginning.
 *
 * @param makeFolder Makes an empty folder; asked for only when a row is set aside. It must stay until the candidate has
 *   been copied.
 * @throws {DatasetError} when anything is wrong beside price rows, a file ends in the middle of a line, or too many rows
 *   are bad.
 */
export async function siftCandidate(
  directory: string,
  now: Instant,
  makeFolder: () => Promise<string>,
  onBytes?: ReadingOptions["onBytes"],
): Promise<SiftedCandidate> {
  const problems = new RowProblems();
  try {
    return { ...(await checkCandidate(directory, now, { problems, onBytes })), rejected: [] };
  } catch (error) {
    if (!(error instanceof DatasetError) || !problems.isOfRowsOnly) throw error;
  }
  const names = await listRecordFiles(directory, problems);
  const priceNames = names.filter((name) => recordKindOf(name) === "prices");
  const { rows, lineCount, unfinishedFile } = await findRejectedRows(directory, priceNames, problems.byPlace);
  await refuseUnlessFew();
  const folder = await makeFolder();
  await writeWithout(rows, directory, names, folder);
  return { ...(await checkCandidate(folder, now, { onBytes })), rejected: rows };

  async function refuseUnlessFew(): Promise<void> {
    const isCopy = names.includes(manifestFileName) && "files" in ((await readManifestJson(directory, problems)) ?? {});
    if (isCopy) refuse(manifestFileName, "a copy of a snapshot", "record files, which a manifest does not fix");
    if (unfinishedFile !== undefined) {
      refuse(unfinishedFile, "a file that ends in the middle of a line", "a whole file, for more may be missing");
    }
    if (rows.length * rowsPerRejectedMin > lineCount) {
      refuse("prices", `${rows.length} bad rows of ${lineCount}`, `at most ${100 / rowsPerRejectedMin} %`);
    }
  }

  function refuse(file: string, found: string, wanted: string): never {
    const all = new ProblemList();
    all.add({ file, kind: "not-set-aside", found, wanted });
    for (const problem of problems.problems) all.add(problem);
    throw new DatasetError(directory, all);
  }
}

/** Writes record files without some of their rows; files that keep all are shared with the directory. */
async function writeWithout(
  rows: readonly RejectedRow[],
  directory: string,
  names: readonly string[],
  folder: string,
): Promise<void> {
  if (names.some((name) => name.startsWith(`${pricesDirectoryName}/`))) await mkdir(join(folder, pricesDirectoryName));
  for (const name of names) {
    const lines = new Set(rows.filter(({ file }) => file === name).map(({ line }) => line));
    if (lines.size === 0) await shareFile(join(directory, name), join(folder, name));
    else await writeLinesWithout(join(directory, name), lines, join(folder, name));
  }
}

async function writeLinesWithout(source: string, rejected: ReadonlySet<number>, target: string): Promise<void> {
  async function* kept(): AsyncGenerator<Buffer> {
    for await (const lines of storedLines(source)) {
      yield Buffer.concat(lines.filter(({ line }) => !rejected.has(line)).map(({ bytes }) => bytes));
    }
  }
  if (isGzipName(target)) await pipeline(kept, createGzip(), createWriteStream(target, { flags: "wx" }));
  else await pipeline(kept, createWriteStream(target, { flags: "wx" }));
}
