import t from "tap";
import type { ManifestFile } from "../../src/dataset/manifest.ts";
import { ProblemList, problemText } from "../../src/dataset/problem.ts";
import type { RecordKind } from "../../src/dataset/snapshot-layout.ts";
import { refuseLostRows } from "../../src/publish/compare-tables.ts";
import { tellsExactly } from "../support/dataset-problems.ts";

function file(kind: RecordKind, rows: number, replaces = 0): ManifestFile {
  return { name: kind, kind, bytes: 0, rows, sha256: "", sequence: 0, replaces };
}

function problemsOfRows(rows: readonly ManifestFile[], currentRows: readonly ManifestFile[]): readonly string[] {
  const problems = new ProblemList();
  refuseLostRows(rows, currentRows, problems);
  return problems.problems.map(problemText);
}

t.test("a table may keep 95 % of its rows or more, and not less", async (t) => {
  t.same(problemsOfRows([file("prices", 95)], [file("prices", 100)]), []);
  tellsExactly(t, problemsOfRows([file("prices", 94)], [file("prices", 100)]), [
    "prices: found 94 rows, expected at least 95 % of the current 100",
  ]);
  tellsExactly(t, problemsOfRows([file("crops", 18)], [file("crops", 19)]), [/^crops\.json: found 18 rows/]);
  t.same(problemsOfRows([file("crops", 19)], [file("crops", 20)]), []);
});

t.test("every table is compared, and one that was empty may stay empty", async (t) => {
  tellsExactly(t, problemsOfRows([], [file("counties", 1), file("markets", 1), file("units", 0)]), [
    /^counties\.json/,
    /^markets\.ndjson/,
  ]);
});

t.test("prices of all files count, replaced ones once", async (t) => {
  t.same(problemsOfRows([file("prices", 50), file("prices", 45)], [file("prices", 100)]), []);
  t.same(problemsOfRows([file("prices", 95)], [file("prices", 100), file("prices", 10, 10)]), []);
});
