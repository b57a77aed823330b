import type { Test } from "tap";
import { DatasetError, problemText } from "../../src/engine/snapshots/problem.ts";

/** The problems that some work is refused with, a line each; none when it succeeds. Other errors are thrown. */
export async function problemsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (!(error instanceof DatasetError)) throw error;
    return error.list.problems.map(problemText);
  }
}

/** Asserts that the problems are these and no others: each line matches its pattern, in order. */
export function reportsExactly(
  t: Test,
  problems: readonly string[],
  patterns: readonly (string | RegExp)[],
  claim = "reports exactly the problems there are",
): void {
  const isReportedAsWanted =
    problems.length === patterns.length &&
    patterns.every((pattern, index) =>
      typeof pattern === "string" ? problems[index] === pattern : pattern.test(problems[index] ?? ""),
    );
  t.ok(isReportedAsWanted, claim, { found: problems, wanted: patterns.map(String) });
}
