/** Reading that ends because there are too many problems. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { PriceReaders } from "../../../../src/engine/snapshots/prices/price-readers.ts";
import { readPrices } from "../../../../src/engine/snapshots/prices/read-prices.ts";
import { DatasetError, ProblemList, problemsPerKindMax } from "../../../../src/engine/snapshots/problem.ts";
import type { RecordFile } from "../../../../src/engine/snapshots/record-file.ts";
import { ReadingCounter } from "../../../../src/engine/snapshots/stored-file.ts";
import { variedLines } from "../../../support/price-files.ts";
import { recordedAtMax, smallTables } from "../../../support/read-prices-twice.ts";
import { ordinaryLine, toFile } from "../../../support/unusual-lines.ts";

interface Reading {
  readonly list: ProblemList;
  readonly error: unknown;
  readonly rows: number;
  readonly bytes: number;
}

async function readAll(t: Test, contents: readonly string[], max: number, threads = 0): Promise<Reading> {
  const directory = t.testdir({ prices: {} });
  const files = contents.map((content, index): RecordFile<"prices"> => {
    const name = `prices/${index}.ndjson`;
    writeFileSync(join(directory, name), content);
    return { name, kind: "prices", sequence: 0, replaces: 0 };
  });
  let bytes = 0;
  const counter = new ReadingCounter((done) => {
    bytes = done;
  });
  const list = new ProblemList(max);
  const readers = new PriceReaders(threads);
  const error = await readPrices({
    directory,
    files,
    tables: smallTables(),
    recordedAtMax,
    problems: list,
    readers,
    counter,
    pieceBytes: 4000,
  })
    .then(
      () => undefined,
      (reason: unknown) => reason,
    )
    .finally(() => readers.end());
  return { list, error, rows: counter.rows.get("prices") ?? 0, bytes };
}

const brokenLines = (count: number): string => "x\n".repeat(count);

t.test("as many problems as the list takes are all counted, and one more ends the reading", async (t) => {
  const most = await readAll(t, [brokenLines(100)], 100);
  t.equal(most.error, undefined);
  t.match(most.list, { total: 100, isCut: false });
  const one = await readAll(t, [brokenLines(101)], 100);
  t.type(one.error, DatasetError);
  t.match(one.list, { total: 100, isCut: true });
  t.strictSame([...one.list.counts], [["line", 100]]);
  t.equal(one.list.problems.length, problemsPerKindMax);
  t.match(one.list.problems[19], { file: "prices/0.ndjson", line: 20 });
});

t.test("the rest of a file is not read, by one reader or several", async (t) => {
  const content = `${toFile(variedLines(20))}${brokenLines(1_000_000)}`;
  for (const threads of [0, 2]) {
    const { list, error, rows, bytes } = await readAll(t, [content], 3000, threads);
    t.type(error, DatasetError);
    t.match(list, { total: 3000, isCut: true });
    t.match(list.problems[0], { line: 21 });
    t.ok(rows > 3000 && rows < 100_000, `${rows} rows`);
    t.ok(bytes < content.length / 4, `${bytes} bytes of ${content.length}`);
  }
});

t.test("problems of all files count, also those of lines that are long enough for a price", async (t) => {
  const line = ordinaryLine(1).replace('"price":', '"price":-');
  const contents = Array.from({ length: 10 }, () => toFile(Array.from({ length: 40 }, () => line)).toString());
  const { list, error } = await readAll(t, contents, 100);
  t.type(error, DatasetError);
  t.match(list, { total: 100, isCut: true });
  t.match(list.problems[0], { file: "prices/0.ndjson", line: 1, field: "price" });
});

t.test("repeated uuids count, though they are found last", async (t) => {
  const lines = variedLines(200);
  const { list, error } = await readAll(t, [toFile([...lines, ...lines]).toString()], 150);
  t.type(error, DatasetError);
  t.strictSame([...list.counts], [["duplicate", 150]]);
});

t.test("the counts at the end of reading cover what was read", async (t) => {
  const line = ordinaryLine(1).replace('"price":', '"price":-').replace('"source":', '"sources":');
  const { list } = await readAll(t, [toFile(Array.from({ length: 3000 }, () => line)).toString()], 1000);
  t.match(list, { total: 1000, isCut: true });
  // Each line has one of each kind; only the last block is counted less exactly.
  for (const kind of ["value", "missing-field", "unknown-field"] as const) {
    const count = list.counts.get(kind) ?? 0;
    t.ok(count > 300 && count < 370, `${count} of ${kind}`);
  }
});
