import { lstat, mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { readUuid } from "../../../src/engine/model/ids.ts";
import { type Keywords, lengthMax } from "../../../src/engine/model/json-schema.ts";
import { recordFormats } from "../../../src/engine/model/records.ts";
import { isLonger, lengthsMax, shortened } from "../../../src/engine/model/text-lengths.ts";
import { inputFaults } from "../../../src/engine/snapshots/input-values.ts";
import { DatasetError } from "../../../src/engine/snapshots/problem.ts";
import { readCandidate } from "../../../src/engine/snapshots/read-candidate.ts";
import { recordKindOf } from "../../../src/engine/snapshots/snapshot-layout.ts";
import type { BytesObserver } from "../../../src/engine/snapshots/stored-file.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { loadDataset } from "../../support/open-snapshots.ts";
import {
  ndjson,
  priceRow,
  priceRows,
  productRow,
  type TestFiles,
  type TestSnapshot,
  type TestTables,
  testUuid,
  unitCategoryRow,
  writeRecords,
  writeSnapshot,
} from "../../support/snapshot-files.ts";

const now = Date.UTC(2026, 1, 1) as Instant;

/** The problems of a folder with these tables and files. */
async function problemsWith(t: Test, tables: TestTables, files: TestFiles = {}): Promise<readonly string[]> {
  const directory = t.testdir({});
  await writeRecords(directory, tables, files);
  return await problemsOf(() => readCandidate(directory, now));
}

t.test("record files alone are enough, and come in the order of a manifest", async (t) => {
  const directory = t.testdir({});
  await writeRecords(directory, {}, { "prices/b.ndjson": "", "prices/a.ndjson": ndjson(priceRows(2, 200)) });
  const { header, files } = await readCandidate(directory, now);
  t.same(header, { timeZone: null, note: null, attribution: null, sources: null, periods: null });
  t.same(
    files.map(({ name, kind, rows, sequence, replaces }) => [name, kind, rows, sequence, replaces]),
    [
      ["counties.json", "counties", 1, 0, 0],
      ["crops.json", "crops", 1, 0, 0],
      ["units.json", "units", 1, 0, 0],
      ["market-types.json", "market-types", 1, 0, 0],
      ["products.ndjson", "products", 1, 0, 0],
      ["markets.ndjson", "markets", 1, 0, 0],
      ["prices.ndjson", "prices", 1, 0, 0],
      ["prices/a.ndjson", "prices", 2, 0, 0],
      ["prices/b.ndjson", "prices", 0, 0, 0],
    ],
  );
  t.ok(files.every((file) => /^[0-9a-f]{64}$/.test(file.sha256)));
});

t.test("manifest.json may carry time_zone, note, attribution, sources and periods, and nothing else", async (t) => {
  const directory = t.testdir({});
  const stated = { sources: { WFP: { url: "http://a.example" } }, periods: { WFP: "week" } };
  const manifest = { time_zone: "UTC", note: "N", attribution: ["A"], ...stated };
  await writeRecords(directory, {}, { "manifest.json": JSON.stringify(manifest) });
  const { header } = await readCandidate(directory, now);
  const sources = { WFP: { title: null, url: "http://a.example", licence: null, generated: null } };
  t.same(header, { timeZone: "UTC", note: "N", attribution: ["A"], sources, periods: { WFP: "week" } });
  reportsExactly(t, await problemsWith(t, {}, { "manifest.json": '{"parent":null,"note":""}' }), [
    /^manifest\.json: "(parent|note)" is/,
    /^manifest\.json: "(parent|note)" is/,
  ]);
  reportsExactly(t, await problemsWith(t, {}, { "manifest.json": '{"time_zone":"Europe/Berlin"}' }), [
    /^manifest\.json: "time_zone" is "Europe\/Berlin", expected an IANA time zone whose clocks never change/,
  ]);
  reportsExactly(t, await problemsWith(t, {}, { "manifest.json": '{"periods":{"WFP":"year"}}' }), [
    /^manifest\.json: "periods\.WFP" is "year", expected one of month, week, day/,
  ]);
  reportsExactly(t, await problemsWith(t, {}, { "manifest.json": '{"periods":{"Wfp":"month","constructor":"day"}}' }), [
    /^manifest\.json: "periods" is "Wfp", expected a source that has prices: "WFP"/,
    /^manifest\.json: "periods" is "constructor", expected a source that has prices: "WFP"/,
  ]);
  reportsExactly(t, await problemsWith(t, {}, { "manifest.json": "{" }), [
    /^manifest\.json: found text that is not JSON/,
  ]);
});

t.test("every table has its file", async (t) => {
  reportsExactly(t, await problemsWith(t, {}, { "crops.json": null, "market-types.json": null }), [
    "crops.json: found no such file, expected a file",
    "market-types.json: found no such file, expected a file",
  ]);
});

t.test("a file outside the layout is reported, for a misspelt name must not be left out in silence", async (t) => {
  reportsExactly(
    t,
    await problemsWith(t, {}, { "price.ndjson": "", "prices/notes.txt": "", "prices/a/b.ndjson": "" }),
    [
      /^price\.ndjson: found a name outside the layout/,
      /^prices\/a: found a name outside the layout/,
      /^prices\/notes\.txt: found a name outside the layout/,
    ],
  );
  t.same(await problemsWith(t, {}, { ".DS_Store": "", "prices/.hidden": "" }), []);
});

t.test("links are refused, of a file and of the folder of prices", async (t) => {
  const directory = t.testdir({});
  await writeRecords(directory, {}, { ".elsewhere/a.ndjson": ndjson(priceRows(1, 200)) });
  await symlink(".elsewhere/a.ndjson", join(directory, "prices.ndjson.gz"));
  reportsExactly(t, await problemsOf(() => readCandidate(directory, now)), [/^prices\.ndjson\.gz: found a link/]);
  await rm(join(directory, "prices.ndjson.gz"));
  await symlink(".elsewhere", join(directory, "prices"));
  reportsExactly(t, await problemsOf(() => readCandidate(directory, now)), [
    /^prices: found a name outside the layout/,
  ]);
});

t.test("a directory that is not there is reported", async (t) => {
  const problems = await problemsOf(() => readCandidate(join(t.testdir({}), "absent"), now));
  t.match(problems[0], /absent: found no such file/);
});

t.test("a copy of a snapshot is held to its manifest and keeps its appended files", async (t) => {
  const directory = t.testdir({});
  await writeSnapshot(directory, {
    files: { "prices/a.ndjson": ndjson([priceRow({ price: 61 }), priceRow({ uuid: testUuid(101) })]) },
    entries: { "prices/a.ndjson": { sequence: 1, replaces: 1 } },
    manifest: { note: "N" },
  });
  const { header, files, reading } = await readCandidate(directory, now);
  t.same(header, { timeZone: "Africa/Nairobi", note: "N", attribution: [], sources: {}, periods: {} });
  t.match(files[7], { name: "prices/a.ndjson", sequence: 1, replaces: 1 });
  t.equal(reading.records.prices.rowCount, 2);

  await writeFile(join(directory, "prices/b.ndjson"), "");
  await rename(join(directory, "crops.json"), join(directory, "prices/c.ndjson"));
  reportsExactly(t, await problemsOf(() => readCandidate(directory, now)), [
    "prices/b.ndjson: found a file that the manifest does not list, expected its entry there",
    "prices/c.ndjson: found a file that the manifest does not list, expected its entry there",
    "crops.json: found no such file, expected a file",
  ]);
});

t.test("a copy of a snapshot with a broken manifest is refused", async (t) => {
  const directory = t.testdir({});
  await mkdir(join(directory, "s"));
  await writeSnapshot(join(directory, "s"), { manifest: { time_zone: "Europe/Berlin" } });
  reportsExactly(t, await problemsOf(() => readCandidate(join(directory, "s"), now)), [/^manifest\.json: "time_zone"/]);
});

function problemsWithPrices(t: Test, prices: readonly object[], files?: TestFiles): Promise<readonly string[]> {
  return problemsWith(t, { prices }, files);
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
  t.same(await problemsWithPrices(t, [], { "prices.ndjson": null }), []);
  t.same(await problemsWithPrices(t, []), []);
});

t.test("a price refers to a product, a market and a unit of the directory", async (t) => {
  reportsExactly(
    t,
    await problemsWithPrices(t, [priceRow({ product_uuid: testUuid(9), market_uuid: testUuid(8), unit: "crate" })]),
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
  t.same(await problemsWithPrices(t, [priceRow({ recorded_at: "2026-02-02T00:00:00.000Z" })]), []);
  reportsExactly(t, await problemsWithPrices(t, [priceRow({ recorded_at: "2026-02-02T00:00:00.001Z" })]), [
    /"recorded_at" is "2026-02-02T00:00:00.001Z", expected a time up to a day after publication, 2026-02-02T00:00:00.000Z/,
  ]);
});

t.test("a uuid stands once, in one file and in all of them", async (t) => {
  const prices = [priceRow(), priceRow({ price: 61 })];
  reportsExactly(t, await problemsWithPrices(t, prices), [
    /^prices\.ndjson:2: "uuid" is ".*100", as in prices\.ndjson:1, expected/,
  ]);
  reportsExactly(t, await problemsWithPrices(t, [priceRow()], { "prices/a.ndjson": ndjson([priceRow()]) }), [
    /^prices\/a\.ndjson:1: "uuid" is ".*", as in prices\.ndjson:1/,
  ]);
  const uuid = "abcdef00-0000-4000-8000-000000000000";
  t.equal((await problemsWithPrices(t, [priceRow({ uuid }), priceRow({ uuid: uuid.toUpperCase() })])).length, 1);
});

t.test("every broken line of every file is reported, also after the columns were given up", async (t) => {
  const files = { "prices/a.ndjson": `nonsense\n${ndjson([priceRow({ uuid: testUuid(101), unit: "x" })])}` };
  reportsExactly(t, await problemsWithPrices(t, [priceRow({ price: 0 }), priceRow()], files), [
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
  reportsExactly(t, await problemsWithPrices(t, [], { "prices.ndjson": JSON.stringify(priceRow()) }), [
    "prices.ndjson:1: found a file that ends in the middle of a line, expected a line end after the last line too",
  ]);
});

t.test("more different texts than a column can distinguish are an error, not a crash", async (t) => {
  const prices = Array.from({ length: 65_536 }, (_, index) => priceRow({ uuid: testUuid(index), source: `s${index}` }));
  reportsExactly(t, await problemsWithPrices(t, prices), [
    /^prices\.ndjson:65536: found sources of prices: more than 65535 different/,
  ]);
});

/**
 * What the reading of a directory reports besides its records: how far it is, and how many rows it met before it was
 * refused.
 */
interface Reported {
  readonly steps: readonly (readonly [done: number, total: number])[];
  readonly error: unknown;
}

async function reportedOf(directory: string): Promise<Reported> {
  const steps: [number, number][] = [];
  const onBytes: BytesObserver = (done, total) => steps.push([done, total]);
  const error = await readCandidate(directory, now, { onBytes }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { steps, error };
}

/** Bytes of the tables and of the prices files. */
async function sizesOf(directory: string): Promise<{ tables: number; prices: number }> {
  const sizes = { tables: 0, prices: 0 };
  for (const entry of await readdir(directory, { recursive: true })) {
    const kind = recordKindOf(entry);
    if (kind !== undefined)
      sizes[kind === "prices" ? "prices" : "tables"] += (await lstat(join(directory, entry))).size;
  }
  return sizes;
}

const manyPrices = ndjson(priceRows(3000));
const gzipped: TestFiles = { "prices.ndjson": null, "prices/a.ndjson.gz": gzipSync(manyPrices) };

for (const [name, files] of Object.entries({ plain: { "prices.ndjson": manyPrices }, gzipped })) {
  t.test(`every byte is reported once (${name})`, async (t) => {
    const directory = t.testdir({});
    await writeRecords(directory, {}, files);
    const { steps, error } = await reportedOf(directory);
    const { tables, prices } = await sizesOf(directory);
    const total = tables + prices;
    t.equal(error, undefined);
    t.same(steps.at(-1), [total, total]);
    t.equal(steps.filter(([done]) => done === total).length, 1, "the end is reported once");
    t.ok(steps.every(([done, all], at) => all === total && done > (steps[at - 1]?.[0] ?? 0)));
    t.ok(steps.length < 40, "never a line at a time");
  });
}

t.test("prices that a manifest counts, and prices with a fault, are read once as well", async (t) => {
  const directory = t.testdir({});
  await writeSnapshot(directory, { tables: { prices: priceRows(30) } });
  const claimed = await sizesOf(directory);
  t.same((await reportedOf(directory)).steps.at(-1), Array(2).fill(claimed.tables + claimed.prices));
  const faulty = t.testdir({});
  await writeRecords(faulty, { prices: [...priceRows(5), priceRow({ price: 0 })] });
  const { tables, prices } = await sizesOf(faulty);
  const { steps, error } = await reportedOf(faulty);
  t.type(error, DatasetError);
  t.same(steps.at(-1), [tables + prices, tables + prices]);
});

t.test("a refused directory reports the rows of each table, of unfinished files those that were met", async (t) => {
  const directory = t.testdir({});
  const cut = gzipSync(manyPrices.repeat(3)).subarray(0, -8);
  await writeRecords(
    directory,
    { prices: [...priceRows(5), priceRow({ price: 0 })] },
    { "crops.json": null, "markets.ndjson": "[]\n{}\n", "prices/cut.ndjson.gz": cut },
  );
  const { error } = await reportedOf(directory);
  t.type(error, DatasetError);
  const rows = Object.fromEntries((error as DatasetError).rows ?? []);
  const { prices, ...tables } = rows;
  t.same(tables, { counties: 1, units: 1, "market-types": 1, products: 1, markets: 2 });
  t.ok(Number(prices) > 6 && Number(prices) <= 6 + 9000, `${prices} rows`);
});

t.test("where no records were read no rows are reported", async (t) => {
  const directory = t.testdir({ "manifest.json": '{"files":[]}' });
  const { error } = await reportedOf(directory);
  t.type(error, DatasetError);
  t.equal((error as DatasetError).rows, undefined);
});

/** The fields of texts and lists in a schema, however deep, with their greatest lengths. */
function* limits(schema: Keywords, field: string): Generator<[field: string, max: number | undefined]> {
  const { properties = {}, items, enum: texts, format = "", [lengthMax]: max } = schema;
  const isText =
    [schema.type].flat().includes("string") && texts === undefined && !["uuid", "instant"].includes(format);
  if (isText || items !== undefined) yield [field, max];
  if (items !== undefined) yield* limits(items, `${field}[]`);
  for (const [name, member] of Object.entries(properties)) yield* limits(member, `${field}.${name}`);
}

t.test("every text and list of a record has a greatest length, but for names of units", async (t) => {
  const without = Object.entries(recordFormats).flatMap(([kind, format]) =>
    [...limits(format, kind)].filter(([, max]) => max === undefined).map(([field]) => field),
  );
  t.same(without, ["units.units[].base_unit", "products.common_units[]", "prices.unit"]);
});

t.test("lengths are counted in code points", async (t) => {
  t.notOk(isLonger("👩".repeat(200), lengthsMax.name));
  t.ok(isLonger("👩".repeat(201), lengthsMax.name));
  t.equal(shortened("👩".repeat(3), 3), "👩👩👩");
  t.equal(shortened("👩".repeat(4), 3), "👩👩…");
  t.equal(shortened("é".repeat(1e6), 200).length, 200);
});

t.test("records handed in have at most the greatest lengths; beyond them record and field are named", async (t) => {
  const product = { name: "N".repeat(200), description: "D".repeat(2000), metadata: { a: "x".repeat(16_384 - 8) } };
  const others = { alternative_names: Array.from({ length: 1000 }, (_, at) => `name ${at}`) };
  const price = { source: "👩".repeat(200), quality_grade: "g".repeat(200), notes: "👩".repeat(2000) };
  const manifest = JSON.stringify({ note: "n".repeat(2000), attribution: ["a".repeat(2000)] });
  const tables = (by: string, more: string[]): TestTables => ({
    products: [
      productRow({
        ...{ name: product.name + by, description: product.description + by },
        ...{ metadata: { a: product.metadata.a + by }, alternative_names: [...others.alternative_names, ...more] },
      }),
    ],
    prices: [priceRow({ ...price, source: price.source + by, notes: price.notes + by })],
  });
  t.same(await problemsWith(t, tables("", []), { "manifest.json": manifest }), []);
  const longer = JSON.stringify({ note: "n".repeat(2001), attribution: ["a", "a".repeat(2001)] });
  reportsExactly(t, await problemsWith(t, tables("👩", ["more"]), { "manifest.json": longer }), [
    /^manifest\.json: "note" is "n{79}…, 2001 characters, expected at most 2000 characters$/,
    /^manifest\.json: "attribution\[1\]" is "a{79}…, 2001 characters, expected at most 2000 characters$/,
    /^products\.ndjson:1: "name" is "N{79}…, 201 characters, expected at most 200 characters$/,
    /^products\.ndjson:1: "description" is "D{79}…, 2001 characters, expected at most 2000 characters$/,
    /^products\.ndjson:1: "metadata" is .*…, 16388 bytes as JSON, expected at most 16384 bytes as JSON$/,
    /^products\.ndjson:1: "alternative_names" is \["name 0".*…, 1001 entries, expected at most 1000 entries$/,
    /^prices\.ndjson:1: "source" is .*…, 201 characters, expected at most 200 characters$/,
    /^prices\.ndjson:1: "notes" is .*…, 2001 characters, expected at most 2000 characters$/,
  ]);
});

t.test("a name of an object is a name too, and free-form JSON has none of its own", async (t) => {
  const map: Keywords = { type: "object", additionalProperties: { type: "string", [lengthMax]: 3 } };
  const faults = [...inputFaults(map, { ["n".repeat(201)]: "abcd" }, "sources")];
  t.same(valuesOf(faults, "wanted"), ["at most 200 characters", "at most 3 characters"]);
  t.same([...inputFaults({ type: "object" }, { ["n".repeat(201)]: "a".repeat(9000) })], []);
});

t.test("a found name is cut in the message of a price line as well", async (t) => {
  const long = "x".repeat(300_000);
  const problems = await problemsWith(t, {}, { "prices.ndjson": ndjson([priceRow({ unit: long, [long]: 1 })]) });
  t.ok(problems.length > 0);
  t.ok(problems.every((text) => text.length < 500));
});
