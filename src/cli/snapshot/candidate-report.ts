/** What the commands that check a directory have in common: how they refuse it and how they tell of its tables. */

import { stat } from "node:fs/promises";
import type { Compilation } from "../../compiled/compile-snapshot.ts";
import { SnapshotUnavailableError } from "../../dataset/load-current-dataset.ts";
import { DatasetError, type ProblemList, problemKindNames } from "../../dataset/problem.ts";
import { type RecordKind, recordKinds } from "../../dataset/snapshot-layout.ts";
import { LockHeldError, LockUnusableError } from "../../files/exclusive-lock.ts";
import { NotRegularFileError } from "../../files/read-regular-file.ts";
import { RefusedError, WrongUseError } from "../command.ts";
import { printProblem, printReport } from "../output.ts";
import { problemLines, problemReport } from "../problem-report.ts";
import { secondsSince } from "./figure-text.ts";

/** @throws {WrongUseError} when the argument is not a directory. */
export async function requireDirectory(path: string): Promise<void> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory() !== true) throw new WrongUseError(`${path}: no such directory`);
}

/**
 * Does the work of a command; what it refuses becomes a report.
 *
 * @param json Whether the report is JSON on stdout; otherwise every problem is a line on stderr.
 * @throws {RefusedError} in place of every error that refuses data.
 */
export async function reportRefusal<T>(json: boolean, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  try {
    return await work();
  } catch (error) {
    if (error instanceof DatasetError) {
      const seconds = secondsSince(started);
      const { list, rows } = error;
      const read = rows === undefined ? {} : { rows: Object.fromEntries(rows) };
      if (json) writeJson({ ok: false, ...read, ...problemReport(list), seconds });
      const lines = json ? [] : problemLines(list);
      const among = rows === undefined ? "" : ` among ${rowsText(Object.fromEntries(rows))}`;
      const summary = `${countsText(list)}; found${among} in ${seconds} s`;
      const cut = list.isCut ? ["reading stopped there; the counts cover what was read until then"] : [];
      throw new RefusedError([...lines, summary, ...cut].join("\n"), { cause: error });
    }
    if (
      error instanceof SnapshotUnavailableError ||
      error instanceof LockHeldError ||
      error instanceof LockUnusableError ||
      error instanceof NotRegularFileError
    ) {
      if (json) writeJson({ ok: false, message: error.message });
      throw new RefusedError(error.message, { cause: error });
    }
    if (isRefusedWriting(error)) {
      const message = `a file cannot be read or written: ${error.message}`;
      if (json) writeJson({ ok: false, message });
      throw new RefusedError(message, { cause: error });
    }
    throw error;
  }
}

/** What the system says of a disk that is full, or that this user may not write to. Source: man 2 write, man 2 open. */
const writeRefusals: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG", "EROFS", "EACCES", "EPERM"]);

function isRefusedWriting(error: unknown): error is Error {
  return error instanceof Error && "syscall" in error && "code" in error && writeRefusals.has(String(error.code));
}

/** `3 problems, refused: 2 unfit values, 1 repeated identifiers` */
function countsText(list: ProblemList): string {
  const kinds = [...list.counts].map(([kind, count]) => `${count} ${problemKindNames[kind]}`).join(", ");
  return `${list.total === 1 ? "1 problem" : `${list.total} problems`}, refused: ${kinds}`;
}

/** Writes warnings to stderr, one a line. */
export function writeWarnings(warnings: ProblemList): void {
  for (const line of problemLines(warnings)) printProblem(`warning: ${line}\n`);
}

/** Tells on stderr that a snapshot was published without its compiled store. */
export function writeCompilation(compilation: Compilation | undefined): void {
  if (compilation === undefined || compilation.written) return;
  const consequence = "the snapshot is published, and services build its store from the records";
  printProblem(`warning: the compiled store could not be written (${compilation.code}); ${consequence}\n`);
}

/** `47 counties, 85 crops, …`; a table that nobody looked into has none. */
export function rowsText(rows: Readonly<Partial<Record<RecordKind, number>>>): string {
  return recordKinds.map((kind) => `${rows[kind] ?? 0} ${kind}`).join(", ");
}

/** Writes one JSON object to stdout. */
export function writeJson(report: Readonly<Record<string, unknown>>): void {
  printReport(`${JSON.stringify(report, null, 2)}\n`);
}
