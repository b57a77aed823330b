/** A command reports with these what it did, or why it refused. */

import { isSystemError } from "../engine/files/read-regular-file.ts";
import { counted } from "../engine/model/counted.ts";
import { ForeseenError } from "../engine/model/foreseen-error.ts";
import { DatasetError } from "../engine/snapshots/problem.ts";
import type { BytesObserver } from "../engine/snapshots/stored-file.ts";
import { PublicationRefusedError } from "../publishing/publish/publish-problem.ts";
import { RefusedError, UnfinishedError } from "./command.ts";
import { type CommandEnd, leftSteps, leftText } from "./command-end.ts";
import { printProblem, printReport } from "./output.ts";
import { countsText, problemLines, problemReport, rowsText, warningLines } from "./problem-report.ts";
import { withProgress } from "./progress.ts";

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
  /** Of a command that changes a dataset directory. Where something is left, it exits with 3, or with 1. */
  readonly end?: CommandEnd | undefined;
  /** Work that is left once the report is printed; not after a refusal. */
  readonly afterwards?: (() => Promise<void>) | undefined;
}

/** Options of every command that reports. */
export interface ReportOptions {
  readonly json?: boolean;
  /** Shows the progress of reading on stderr; undefined with JSON. */
  readonly onBytes: BytesObserver | undefined;
  /** The time that the command has worked until now. */
  readonly seconds: () => number;
}

/**
 * The action of a command that reports: does its work and prints the report, as JSON on stdout or as lines.
 *
 * @param work Is given the arguments of the command, and then its options with those of `ReportOptions`.
 * @returns A function that commander calls. It throws a RefusedError in place of every error that refuses data.
 */
export function reported(work: (...args: never[]) => Promise<Report>): (...args: unknown[]) => Promise<void> {
  return async (...args) => {
    // After the arguments commander gives the options, and then the command.
    const options = args.at(-2) as Pick<ReportOptions, "json">;
    const started = performance.now();
    const seconds = (): number => Math.round(performance.now() - started) / 1000;
    const report = await withProgress("reading", options.json !== true, async (onBytes): Promise<Report> => {
      const running: ReportOptions = { ...options, onBytes, seconds };
      return await work(...([...args.slice(0, -2), running] as never[]));
    }).catch((error: unknown) => refusalOf(error, seconds()));
    const { refusal, end } = report;
    const isLeft = end !== undefined && end.left.length > 0;
    if (options.json) {
      const left = isLeft ? { unfinished: leftSteps(end) } : {};
      printReport(`${JSON.stringify({ ok: refusal === undefined && !isLeft, ...report.json, ...left }, null, 2)}\n`);
    } else {
      for (const line of report.problems ?? []) printProblem(`${line}\n`);
      for (const line of report.lines) printReport(`${line}\n`);
    }
    if (refusal === undefined) await report.afterwards?.();
    const messages = [...(refusal === undefined ? [] : [refusal]), ...(isLeft ? [leftText(end)] : [])];
    if (messages.length === 0) return;
    const kind = refusal === undefined && end?.isPublished ? UnfinishedError : RefusedError;
    throw new kind(messages.join("\n"));
  };
}

/**
 * The refusal that an error stands for. What the system reports is of a file: ports and other machines have errors of
 * their own.
 *
 * @throws the error itself where it is an unforeseen one.
 */
function refusalOf(error: unknown, seconds: number): Report {
  if (error instanceof DatasetError) return datasetRefusal(error, seconds);
  if (!(error instanceof Error)) throw error;
  if (error instanceof ForeseenError) return { json: { message: error.message }, lines: [], refusal: error.message };
  if (!isSystemError(error)) throw error;
  const { code, path } = error;
  const message = `a file cannot be read or written: ${error.message}`;
  return { json: { message, code, path }, lines: [], refusal: message };
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
