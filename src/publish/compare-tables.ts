import { type ManifestFile, tableRows } from "../dataset/manifest.ts";
import type { ProblemList } from "../dataset/problem.ts";
import { recordKinds, tableFileNames } from "../dataset/snapshot-layout.ts";

/** A table may hold this many percent of the current snapshot's rows or more. */
export const rowsKeptPercentMin = 95;

/** Reports every table that holds too few of the rows it has in the current snapshot. */
export function refuseLostRows(
  files: readonly ManifestFile[],
  currentFiles: readonly ManifestFile[],
  problems: ProblemList,
): void {
  const rows = tableRows(files);
  const currentRows = tableRows(currentFiles);
  for (const kind of recordKinds) {
    if (rows[kind] * 100 >= currentRows[kind] * rowsKeptPercentMin) continue;
    const file = kind === "prices" ? "prices" : tableFileNames[kind];
    const wanted = `at least ${rowsKeptPercentMin} % of the current ${currentRows[kind]}`;
    problems.add({ file, kind: "shrunk", found: `${rows[kind]} rows`, wanted });
  }
}
