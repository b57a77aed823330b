import { type Problem, type ProblemList, problemKindNames, problemText } from "../dataset/problem.ts";

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
export function problemLines(list: ProblemList): readonly string[] {
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
