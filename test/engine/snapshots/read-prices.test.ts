import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { readUuid } from "../../../src/engine/model/ids.ts";
import { readCandidate } from "../../../src/engine/snapshots/read-candidate.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { loadDataset } from "../../support/open-snapshots.ts";
import {
  ndjson,
  priceRow,
  priceRows,
  productRow,
  type TestFiles,
  type TestSnapshot,
  testUuid,
  unitCategoryRow,
  writeRecords,
  writeSnapshot,
} from "../../support/snapshot-files.ts";

const now = Date.UTC(2026, 1, 1) as Instant;

async function problemsWith(t: Test, prices: readonly object[], files: TestFiles = {}): Promise<readonly string[]> {
  const directory = t.testdir({});
  await writeRecords(directory, { prices }, files);
  return await problemsOf(() => readCandidate(directory, now));
}

/** Uuid number and price of every row of a snapshot, in order. */
async function loaded(t: Test, snapshot: TestSnapshot): Promise<[number, number][]> {
  const directory = t.testdir({});
  await writeSnapshot(directory, snapshot);
  const { prices } = await loadDataset(directory);
  return Array.from(prices.prices, (price, row) => [Number(readUuid(prices.uuids, row).slice(-12)), price]);
}

t.test("prices of all files, plain and gzipped, come in order of file and line", async (t) => {
  const directory = t.testdir({});
  await writeRecords(
    directory,
    { prices: priceRows(2, 100) },
    { "prices/b.ndjson": ndjson(priceRows(1, 300)), "prices/a.ndjson.gz": gzipSync(ndjson(priceRows(2, 200))) },
  );
  const { reading } = await readCandidate(directory, now);
  const { prices } = reading.records;
  const uuids = Array.from(prices.prices, (_, row) => readUuid(prices.uuids, row));
  t.same(uuids, [100, 101, 200, 201, 300].map(testUuid));
  t.same(reading.locationOfPrice(0), { file: "prices.ndjson", line: 1 });
  t.same(reading.locationOfPrice(3), { file: "prices/a.ndjson.gz", line: 2 });
});

t.test("a directory may have no prices at all, or an empty file of them", async (t) => {
  t.same(await problemsWith(t, [], { "prices.ndjson": null }), []);
  t.same(await problemsWith(t, []), []);
});

t.test("a price refers to a product, a market and a unit of the directory", async (t) => {
  reportsExactly(
    t,
    await problemsWith(t, [priceRow({ product_uuid: testUuid(9), market_uuid: testUuid(8), unit: "crate" })]),
    [
      /^prices\.ndjson:1: "product_uuid" is ".*9", which names no product, expected a product of this directory/,
      /^prices\.ndjson:1: "market_uuid" is ".*8", which names no market/,
      'prices.ndjson:1: "unit" is "crate", which names no unit, expected a unit of this directory',
    ],
  );
});

t.test("references take a uuid in either case", async (t) => {
  const uuid = "abcdef00-0000-4000-8000-000000000000";
  const directory = t.testdir({});
  const prices = [priceRow({ product_uuid: uuid.toUpperCase() })];
  await writeRecords(directory, { products: [productRow(), productRow({ uuid })], prices });
  const { reading } = await readCandidate(directory, now);
  t.equal(reading.records.prices.products[0], 1);
});

t.test("references into tables with refused records are not judged", async (t) => {
  const directory = t.testdir({});
  const prices = [priceRow({ product_uuid: testUuid(9), unit: "crate" })];
  const broken = { products: [productRow({ name: "" })], units: [unitCategoryRow({ category: "" })] };
  await writeRecords(directory, { ...broken, prices });
  reportsExactly(t, await problemsOf(() => readCandidate(directory, now)), [
    /^units\.json:2:/,
    /^products\.ndjson:1: "name"/,
  ]);
});

t.test("a price may be recorded exactly a day after publication, and not a millisecond later", async (t) => {
  t.same(await problemsWith(t, [priceRow({ recorded_at: "2026-02-02T00:00:00.000Z" })]), []);
  reportsExactly(t, await problemsWith(t, [priceRow({ recorded_at: "2026-02-02T00:00:00.001Z" })]), [
    /"recorded_at" is "2026-02-02T00:00:00.001Z", expected a time up to a day after publication, 2026-02-02T00:00:00.000Z/,
  ]);
});

t.test("a uuid stands once, in one file and in all of them", async (t) => {
  const prices = [priceRow(), priceRow({ price: 61 })];
  reportsExactly(t, await problemsWith(t, prices), [
    /^prices\.ndjson:2: "uuid" is ".*100", as in prices\.ndjson:1, expected/,
  ]);
  reportsExactly(t, await problemsWith(t, [priceRow()], { "prices/a.ndjson": ndjson([priceRow()]) }), [
    /^prices\/a\.ndjson:1: "uuid" is ".*", as in prices\.ndjson:1/,
  ]);
  const uuid = "abcdef00-0000-4000-8000-000000000000";
  t.equal((await problemsWith(t, [priceRow({ uuid }), priceRow({ uuid: uuid.toUpperCase() })])).length, 1);
});

t.test("every broken line of every file is reported, also after the columns were given up", async (t) => {
  const files = { "prices/a.ndjson": `nonsense\n${ndjson([priceRow({ uuid: testUuid(101), unit: "x" })])}` };
  reportsExactly(t, await problemsWith(t, [priceRow({ price: 0 }), priceRow()], files), [
    /^prices\.ndjson:1: "price"/,
    /^prices\/a\.ndjson:1: found text that is not JSON/,
    /^prices\/a\.ndjson:2: "unit"/,
  ]);
});

t.test("rows of an appended file replace rows of the same uuid, or are new", async (t) => {
  const appended = [priceRow({ uuid: testUuid(101), price: 71 }), priceRow({ uuid: testUuid(900), price: 72 })];
  const rows = await loaded(t, {
    tables: { prices: priceRows(3) },
    files: { "prices/append-1.ndjson": ndjson(appended) },
    entries: { "prices/append-1.ndjson": { sequence: 1, replaces: 1 } },
  });
  const sorted = rows.toSorted(([a], [b]) => a - b);
  t.same(sorted, [
    [100, 60],
    [101, 71],
    [102, 60],
    [900, 72],
  ]);
});

t.test("the highest sequence wins, wherever it is listed; each append replaces the one before", async (t) => {
  const files = {
    "prices/c.ndjson": ndjson([priceRow({ price: 73 })]),
    "prices/a.ndjson": ndjson([priceRow({ price: 71 })]),
    "prices/b.ndjson.gz": gzipSync(ndjson([priceRow({ price: 72 }), priceRow({ uuid: testUuid(101), price: 80 })])),
  };
  const entries = {
    "prices/c.ndjson": { sequence: 3, replaces: 1 },
    "prices/a.ndjson": { sequence: 1, replaces: 1 },
    "prices/b.ndjson.gz": { sequence: 2, replaces: 1 },
  };
  const rows = await loaded(t, { files, entries });
  t.same(
    rows.toSorted(([a], [b]) => a - b),
    [
      [100, 73],
      [101, 80],
    ],
  );
});

t.test("an appended file replaces exactly as many rows as its manifest says", async (t) => {
  for (const replaces of [0, 2]) {
    const directory = t.testdir({});
    await writeSnapshot(directory, {
      tables: { prices: priceRows(3) },
      files: { "prices/a.ndjson": ndjson([priceRow({ price: 71 }), priceRow({ uuid: testUuid(900) })]) },
      entries: { "prices/a.ndjson": { sequence: 1, replaces } },
    });
    t.same(await problemsOf(() => loadDataset(directory)), [
      `prices/a.ndjson: found 1 row that replaces another, expected ${replaces}, as the manifest says`,
    ]);
  }
});

t.test("a uuid twice in one appended file, or twice below it, is an error", async (t) => {
  const directory = t.testdir({});
  await writeSnapshot(directory, {
    files: { "prices/a.ndjson": ndjson([priceRow({ price: 71 }), priceRow({ price: 72 })]) },
    entries: { "prices/a.ndjson": { sequence: 1, replaces: 1 } },
  });
  reportsExactly(t, await problemsOf(() => loadDataset(directory)), [
    /^prices\/a\.ndjson:2: "uuid" is .*as in prices\/a\.ndjson:1/,
  ]);
  const below = t.testdir({});
  await writeSnapshot(below, {
    tables: { prices: [priceRow(), priceRow()] },
    files: { "prices/a.ndjson": ndjson([priceRow({ price: 71 })]) },
    entries: { "prices/a.ndjson": { sequence: 1, replaces: 1 } },
  });
  reportsExactly(t, await problemsOf(() => loadDataset(below)), [
    /^prices\.ndjson:2: "uuid" is .*as in prices\.ndjson, expected/,
  ]);
});

t.test("prices files that are missing, cut short or damaged are reported", async (t) => {
  const directory = t.testdir({});
  await writeSnapshot(directory, {
    files: { "prices/a.ndjson": ndjson(priceRows(2, 200)), "prices/b.ndjson": ndjson(priceRows(1, 300)) },
  });
  await rm(join(directory, "prices/b.ndjson"));
  await writeFile(join(directory, "prices/a.ndjson"), ndjson(priceRows(1, 200)));
  reportsExactly(t, await problemsOf(() => loadDataset(directory)), [
    /^prices\/a\.ndjson: found \d+ bytes, expected \d+, as the manifest says/,
    "prices/b.ndjson: found no such file, expected a file",
  ]);
  const damaged = t.testdir({});
  await writeRecords(damaged, {}, { "prices/a.ndjson.gz": gzipSync(ndjson(priceRows(9, 200))).subarray(0, 50) });
  reportsExactly(t, await problemsOf(() => readCandidate(damaged, now)), [
    /^prices\/a\.ndjson\.gz: found damaged or incomplete/,
  ]);
});

t.test("a file that ends in the middle of a line is an error", async (t) => {
  reportsExactly(t, await problemsWith(t, [], { "prices.ndjson": JSON.stringify(priceRow()) }), [
    "prices.ndjson:1: found a file that ends in the middle of a line, expected a line end after the last line too",
  ]);
});

t.test("more different texts than a column can distinguish are an error, not a crash", async (t) => {
  const prices = Array.from({ length: 65_536 }, (_, index) => priceRow({ uuid: testUuid(index), source: `s${index}` }));
  reportsExactly(t, await problemsWith(t, prices), [
    /^prices\.ndjson:65536: found sources of prices: more than 65535 different/,
  ]);
});
