/** A command reports with these what it did, or why it refused. */

import { isSystemError } from "../engine/files/read-regular-file.ts";
import { counted } from "../engine/model/counted.ts";
import { ForeseenError } from "../engine/model/foreseen-error.ts";
import { DatasetError } from "../engine/snapshots/problem.ts";
import type { BytesObserver } from "../engine/snapshots/stored-file.ts";
import { PublicationRefusedError } from "../publishing/publish/publish-problem.ts";
import { NotPushedError, RefusedError } from "./command.ts";
import { printProblem, printReport } from "./output.ts";
import { countsText, problemLines, problemReport, rowsText, warningLines } from "./problem-report.ts";
import { withReadingProgress } from "./progress.ts";

/** The report of a command, for programs and for people. */
export interface Report {
  /** The fields of a JSON object, after `ok`. */
  readonly json: Readonly<Record<string, unknown>>;
  /** Lines for stdout. */
  readonly lines: readonly string[];
  /** Lines for stderr, which come first; not with JSON. */
  readonly problems?: readonly string[] | undefined;
  /** The reason why the command exits with 1 all the same. */
  readonly refusal?: string | undefined;
  /** The reason why the command exits with 3: it is done, but for the push of what it announced. */
  readonly unpushed?: string | undefined;
  /** Work that is left once the report is printed; not after a refusal. */
  readonly afterwards?: (() => Promise<void>) | undefined;
}

/** Options of every command that reports. */
export interface ReportOptions {
  readonly json?: boolean;
  /** Shows the progress of reading on stderr; undefined with JSON. */
  readonly onBytes: BytesObserver | undefined;
  /** Takes a line for stderr, which comes after those of the report; not with JSON, and not after an error. */
  readonly warn: (line: string) => void;
  /** The time that the command has worked until now. */
  readonly seconds: () => number;
}

/**
 * The action of a command that reports: does its work and prints the report, as JSON on stdout or as lines.
 *
 * @param work Is given the arguments of the command, and then its options with those of `ReportOptions`.
 * @returns A function that commander calls. It throws a RefusedError in place of every error that refuses data.
 */
export function reported(work: (...given: never[]) => Promise<Report>): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    // After the arguments commander gives the options, and then the command.
    const options = given.at(-2) as Pick<ReportOptions, "json">;
    const started = performance.now();
    const seconds = (): number => Math.round(performance.now() - started) / 1000;
    const warnings: string[] = [];
    const warn = (line: string): void => void warnings.push(line);
    const report = await withReadingProgress(options.json !== true, async (onBytes): Promise<Report> => {
      const running: ReportOptions = { ...options, onBytes, warn, seconds };
      const { problems = [], ...done } = await work(...([...given.slice(0, -2), running] as never[]));
      return { ...done, problems: [...problems, ...warnings] };
    }).catch((error: unknown) => refusalOf(error, seconds()));
    if (options.json) {
      const ok = report.refusal === undefined && report.unpushed === undefined;
      printReport(`${JSON.stringify({ ok, ...report.json }, null, 2)}\n`);
    } else {
      for (const line of report.problems ?? []) printProblem(`${line}\n`);
      for (const line of report.lines) printReport(`${line}\n`);
    }
    if (report.refusal !== undefined) throw new RefusedError(report.refusal);
    await report.afterwards?.();
    if (report.unpushed !== undefined) throw new NotPushedError(report.unpushed);
  };
}

/**
 * Errors that the system reports of a disk that is full, of what this user may not use, of a path that leads nowhere,
 * and of the limit of open files. Source: man 2 write, man 2 open.
 */
const systemRefusals = [
  "ENOSPC",
  "EDQUOT",
  "EFBIG",
  "EROFS",
  "EACCES",
  "EPERM",
  "EIO",
  "ENOENT",
  "EEXIST",
  "ENOTDIR",
  "EISDIR",
  "ELOOP",
  "ENAMETOOLONG",
  "EMFILE",
  "ENFILE",
];

/** The refusal that an error stands for. @throws the error itself where it is an unforeseen one. */
function refusalOf(error: unknown, seconds: number): Report {
  if (error instanceof DatasetError) return datasetRefusal(error, seconds);
  if (!(error instanceof Error)) throw error;
  const isForeseen = error instanceof ForeseenError;
  if (!isForeseen && !(isSystemError(error) && systemRefusals.includes(error.code))) throw error;
  const message = isForeseen ? error.message : `a file cannot be read or written: ${error.message}`;
  return { json: { message }, lines: [], refusal: message };
}

/**
 * The refusal of record files: every problem, the warnings beside, then
 * `3 problems, refused: 2 invalid values, 1 repeated identifier; …`.
 */
function datasetRefusal(error: DatasetError, seconds: number): Report {
  const { list, rows } = error;
  const warnings = error instanceof PublicationRefusedError ? error.warnings : undefined;
  const read = rows === undefined ? undefined : Object.fromEntries(rows);
  const among = read === undefined ? "" : ` among ${rowsText(read)}`;
  const total = counted(list.total, "problem");
  const cut = list.isCut ? "\nreading stopped there; the counts cover what was read until then" : "";
  return {
    json: {
      rows: read,
      ...problemReport(list),
      ...(warnings === undefined ? {} : { warnings: problemReport(warnings) }),
      seconds,
    },
    lines: [],
    problems: [...problemLines(list), ...(warnings === undefined ? [] : warningLines(warnings))],
    refusal: `${total}, refused: ${countsText(list.counts)}; found${among} in ${seconds} s${cut}`,
  };
}
