import { createHash } from "node:crypto";
import t from "tap";
import { ProblemList, problemText } from "../../../src/engine/snapshots/problem.ts";
import { type ManifestEntry, readRecordFile } from "../../../src/engine/snapshots/record-file.ts";
import type { FileReading } from "../../../src/engine/snapshots/stored-file.ts";
import { ReadingCounter } from "../../../src/engine/snapshots/stored-file.ts";
import { reportsExactly } from "../../support/dataset-problems.ts";
import { cropRow, ndjson, priceRow } from "../../support/snapshot-files.ts";

interface Outcome {
  readonly reading: FileReading | undefined;
  readonly visited: readonly number[];
  readonly problems: readonly string[];
}

async function read(
  directory: string,
  name: string,
  kind: "prices" | "crops",
  entry?: ManifestEntry,
): Promise<Outcome> {
  const problems = new ProblemList();
  const visited: number[] = [];
  const counter = new ReadingCounter();
  const reading = await readRecordFile({ directory, problems, counter }, { name, kind, entry }, (_, line) =>
    visited.push(line),
  );
  return { reading, visited, problems: problems.problems.map(problemText) };
}

function entryOf(content: string, rows: number): ManifestEntry {
  return { bytes: Buffer.byteLength(content), rows, sha256: createHash("sha256").update(content).digest("hex") };
}

const twoPrices = ndjson([priceRow(), priceRow()]);

t.test("each fit record is visited with its line", async (t) => {
  const directory = t.testdir({ "prices.ndjson": twoPrices, "crops.json": JSON.stringify([cropRow()], null, 1) });
  const entry = entryOf(twoPrices, 2);
  t.same(await read(directory, "prices.ndjson", "prices", entry), {
    reading: { ...entry, isWhole: true },
    visited: [1, 2],
    problems: [],
  });
  t.match(await read(directory, "crops.json", "crops"), { reading: { rows: 1, isWhole: true }, visited: [2] });
});

t.test("every broken line is reported, and the fit ones around it are visited", async (t) => {
  const price = JSON.stringify(priceRow());
  const content = `${price}\nnonsense\n\n${price.replace("60", '"60"')}\n${price}\n`;
  const outcome = await read(t.testdir({ "prices.ndjson": content }), "prices.ndjson", "prices");
  reportsExactly(t, outcome.problems, [
    /^prices\.ndjson:2: found text that is not JSON/,
    "prices.ndjson:3: found a blank line, expected one JSON object a line",
    'prices.ndjson:4: "price" is "60", expected a number above 0 and at most 1e12',
  ]);
  t.same(outcome.visited, [1, 5]);
  t.match(outcome.reading, { rows: 5, isWhole: false });
});

t.test("a file that differs from its manifest is reported", async (t) => {
  const directory = t.testdir({ "prices.ndjson": twoPrices });
  const entry = entryOf(twoPrices, 2);
  const otherHash = "0".repeat(64);
  const checksum = await read(directory, "prices.ndjson", "prices", { ...entry, sha256: otherHash });
  t.same(checksum.problems, [
    `prices.ndjson: found sha256 ${entry.sha256}, expected ${otherHash}, as the manifest says`,
  ]);
  const rows = await read(directory, "prices.ndjson", "prices", { ...entry, rows: 3 });
  t.same(rows.problems, ["prices.ndjson: found rows 2, expected 3, as the manifest says"]);
});
