import {
  type DatasetError,
  type Problem,
  type ProblemList,
  problemKindNames,
  problemText,
} from "../dataset/problem.ts";
import { type RecordKind, recordKinds } from "../dataset/snapshot-layout.ts";

/** Problems in a form for programs. */
export interface ProblemReport {
  readonly total: number;
  /** Whether reading stopped after this many; the counts cover what was read until then. */
  readonly stopped: boolean;
  /** How many of each kind, those not listed included. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first of each kind. */
  readonly problems: readonly Problem[];
}

/**
 * Problems as lines a data editor can act on, one each, and below them how many more there are of each kind.
 *
 * @returns Lines without line ends; none when the list is empty.
 */
export function problemLines(list: ProblemList): string[] {
  const lines = list.problems.map(problemText);
  for (const [kind, count] of list.counts) {
    const shown = list.problems.filter((problem) => problem.kind === kind).length;
    if (count > shown) lines.push(`… and ${count - shown} more: ${problemKindNames[kind]}`);
  }
  return lines;
}

/** The same for programs. */
export function problemReport(list: ProblemList): ProblemReport {
  return { total: list.total, stopped: list.isCut, counts: Object.fromEntries(list.counts), problems: list.problems };
}

/** Warnings as lines for stderr. */
export function warningLines(warnings: ProblemList): string[] {
  return problemLines(warnings).map((line) => `warning: ${line}`);
}

/** Why a command refused. */
export interface Refusal {
  readonly json: Readonly<Record<string, unknown>>;
  /** Lines for stderr; the message alone with JSON. */
  readonly problems: readonly string[];
  readonly message: string;
}

/** The refusal of record files: every problem, then `3 problems, refused: 2 unfit values, 1 repeated identifiers; …`. */
export function datasetRefusal({ list, rows }: DatasetError, seconds: number): Refusal {
  const read = rows === undefined ? undefined : Object.fromEntries(rows);
  const kinds = [...list.counts].map(([kind, count]) => `${count} ${problemKindNames[kind]}`).join(", ");
  const among = read === undefined ? "" : ` among ${rowsText(read)}`;
  const total = list.total === 1 ? "1 problem" : `${list.total} problems`;
  const cut = list.isCut ? "\nreading stopped there; the counts cover what was read until then" : "";
  return {
    json: { rows: read, ...problemReport(list), seconds },
    problems: problemLines(list),
    message: `${total}, refused: ${kinds}; found${among} in ${seconds} s${cut}`,
  };
}

/** `47 counties, 85 crops, …`; 0 of a table that was not read. */
export function rowsText(rows: Readonly<Partial<Record<RecordKind, number>>>): string {
  return recordKinds.map((kind) => `${rows[kind] ?? 0} ${kind}`).join(", ");
}
