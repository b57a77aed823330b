import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import {
  type PublishReport,
  type PublishRequest,
  publishSnapshot,
} from "../../../src/publishing/publish/publish-snapshot.ts";
import { verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { pricesOfDataset } from "../../engine/store/stored-prices.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { loadCurrentDataset } from "../../support/open-snapshots.ts";
import { namesOf } from "../../support/published-data.ts";
import {
  ndjson,
  priceRow,
  priceRows,
  productRow,
  type TestFiles,
  type TestTables,
  testUuid,
  writeRecords,
} from "../../support/snapshot-files.ts";

interface Fixture {
  readonly data: string;
  readonly candidate: string;
  publish(request?: Partial<PublishRequest>): Promise<PublishReport>;
}

async function fixture(t: Test, tables: TestTables, files: TestFiles = {}): Promise<Fixture> {
  const root = t.testdir({});
  const [data, candidate] = [join(root, "data"), join(root, "candidate")];
  await writeRecords(candidate, tables, files);
  const request = { dataDirectory: data, candidateDirectory: candidate, allowShrink: false, dryRun: false };
  const now = Date.UTC(2026, 10, 20) as Instant;
  return { data, candidate, publish: (more) => publishSnapshot({ ...request, now, quarantine: true, ...more }) };
}

async function rejectedOf(data: string, id: string): Promise<unknown[]> {
  const text = await readFile(join(data, "snapshots", id, "rejected.ndjson"), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

t.test("bad price rows are set aside with reasons, and the others are published", async (t) => {
  const bad = priceRow({ uuid: testUuid(99_000), price: -1, colour: "red" });
  const lost = priceRow({ uuid: testUuid(99_001), product_uuid: testUuid(77) });
  const good = priceRows(3000, 1000);
  const prices = [...good.slice(0, 10), bad, ...good.slice(10), lost];
  const { data, publish } = await fixture(t, { prices });
  const { id, rejected, rows, outcome } = await publish();
  t.equal(outcome, "published");
  t.equal(rows.prices, 3000);
  t.same(rejected, await rejectedOf(data, id), "the report is the file");
  t.match(rejected, [
    {
      file: "prices.ndjson",
      line: 11,
      problems: [
        { kind: "unknown-field", field: "colour" },
        { kind: "value", field: "price", found: "-1" },
      ],
      text: JSON.stringify(bad),
    },
    { file: "prices.ndjson", line: 3002, problems: [{ kind: "reference", field: "product_uuid" }] },
  ]);
  const published = await readFile(join(data, "snapshots", id, "prices.ndjson"), "utf8");
  t.equal(published, ndjson(good), "the other rows stand as they stood");
  const dataset = await loadCurrentDataset(data, { onFallback: () => t.fail("fell back") });
  t.equal(pricesOfDataset(dataset).length, 3000);
  t.match(await verifySnapshot(data), { id, isCompiled: true });
  t.equal((await publish()).outcome, "already-current", "running it twice does no harm");
  t.notOk((await namesOf(data)).some((name) => name.includes(".staging-")));
});

t.test(
  "of a repeated uuid every row is set aside, over all files, also when one of them is bad otherwise",
  async (t) => {
    const twice = testUuid(99_000);
    const more = gzipSync(ndjson([priceRow({ uuid: twice.toUpperCase() }), ...priceRows(3000, 5000)]));
    const prices = [
      priceRow({ uuid: twice, price: 61 }),
      ...priceRows(2000, 1000),
      priceRow({ uuid: twice, price: 0 }),
    ];
    const { data, publish } = await fixture(t, { prices }, { "prices/more.ndjson.gz": more });
    const { id, rejected, rows } = await publish();
    t.same(
      rejected.map(({ file, line, problems }) => [file, line, problems.map(({ kind }) => kind)]),
      [
        ["prices.ndjson", 1, ["duplicate"]],
        ["prices.ndjson", 2002, ["value"]],
        ["prices/more.ndjson.gz", 1, ["duplicate"]],
      ],
    );
    t.equal(rows.prices, 5000);
    t.match(await verifySnapshot(data), { id });
  },
);

t.test("the raw line is given where it is text, and not otherwise", async (t) => {
  const lines = [Buffer.from(ndjson(priceRows(3000, 1000))), Buffer.from("{\r\n"), Buffer.from([0xff, 0x0a])];
  const long = Buffer.from(`${" ".repeat(70_000)}\n`);
  const { publish } = await fixture(t, {}, { "prices.ndjson": Buffer.concat([...lines, long]) });
  const { rejected } = await publish();
  t.match(rejected, [
    { line: 3001, text: "{" },
    { line: 3002, text: null },
    { line: 3003, text: null },
  ]);
});

t.test("one row of a thousand may be bad, and no more", async (t) => {
  const bad = (uuid: number): object => priceRow({ uuid: testUuid(uuid), price: 0 });
  const few = await fixture(t, { prices: [bad(1), ...priceRows(999, 1000)] });
  t.equal((await few.publish()).rejected.length, 1);
  await writeRecords(few.candidate, { prices: [bad(1), ...priceRows(998, 1000)] });
  reportsExactly(t, await problemsOf(() => few.publish()), [
    "prices: found 1 bad rows of 999, expected at most 0.1 %",
    /^prices\.ndjson:1: "price" is 0/,
  ]);
});

t.test("whatever is wrong beside price rows refuses everything", async (t) => {
  const prices = [priceRow({ uuid: testUuid(1), price: 0 }), ...priceRows(2000, 1000)];
  const products = [productRow(), productRow({ uuid: testUuid(7), name: "" })];
  const { candidate, publish } = await fixture(t, { prices, products });
  reportsExactly(t, await problemsOf(() => publish()), [/^products\.ndjson:2: "name"/, /^prices\.ndjson:1: "price"/]);
  await writeRecords(candidate, {}, { "prices.ndjson": `${ndjson(priceRows(2000, 1000))}{"uuid":` });
  reportsExactly(t, await problemsOf(() => publish()), [
    /^prices\.ndjson: found a file that ends in the middle of a line, expected a whole file/,
    /^prices\.ndjson:2001: found a file that ends in the middle of a line/,
  ]);
});

t.test("a copy of a snapshot is held to its manifest, and its rejected rows are not published again", async (t) => {
  const { data, publish } = await fixture(t, { prices: [priceRow({ price: 0 }), ...priceRows(1000, 1000)] });
  const { id } = await publish();
  const copy = join(data, "snapshots", id);
  t.equal((await publish({ candidateDirectory: copy })).outcome, "already-current");
  const other = join(data, "..", "other");
  await publish({ candidateDirectory: copy, dataDirectory: other });
  t.notOk((await namesOf(other)).some((name) => name.includes("rejected")));
});

t.test("a dry run reports what would be set aside and writes nothing", async (t) => {
  const { data, candidate, publish } = await fixture(t, { prices: priceRows(1000, 1000) });
  await publish();
  const before = await namesOf(data);
  await writeFile(join(candidate, "prices.ndjson"), ndjson([priceRow({ price: 0 }), ...priceRows(1001, 1000)]));
  const report = await publish({ dryRun: true });
  t.match(report, { outcome: "would-publish", rows: { prices: 1001 }, changes: { rows: { prices: { added: 1 } } } });
  t.equal(report.rejected.length, 1);
  t.same(await namesOf(data), before);
});

t.test("without bad rows nothing is set aside", async (t) => {
  const { publish } = await fixture(t, {});
  t.same((await publish()).rejected, []);
});
