import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import { DatasetError, problemText } from "../../../src/engine/snapshots/problem.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { type AppendReport, appendPrices } from "../../../src/publishing/publish/append-prices.ts";
import { openSnapshotStore } from "../../../src/publishing/publish/open-published.ts";
import type { AppendRequest } from "../../../src/publishing/publish/read-addition.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { storedPrice } from "../../engine/store/stored-prices.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { loadCurrentDataset } from "../../support/open-snapshots.ts";
import { currentOf, daysLater, namesOf, publishedData } from "../../support/published-data.ts";
import {
  marketRow,
  ndjson,
  priceRow,
  priceRows,
  productRow,
  testUuid,
  unitCategoryRow,
  writeCurrentSnapshot,
} from "../../support/snapshot-files.ts";

interface Fixture {
  readonly root: string;
  readonly data: string;
  readonly first: SnapshotId;
  /** Writes a file of prices. @returns Its path. */
  day(name: string, rows: readonly object[] | string | Buffer): Promise<string>;
  append(files: readonly string[], request?: Partial<AppendRequest>): Promise<AppendReport>;
}

async function fixture(t: Test): Promise<Fixture> {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  return {
    root,
    data,
    first: ids[0] as SnapshotId,
    async day(name, rows) {
      const path = join(root, name);
      await writeFile(path, Array.isArray(rows) ? ndjson(rows) : (rows as string | Buffer));
      return path;
    },
    append: (files, request) =>
      appendPrices({ dataDirectory: data, files, now: daysLater(1), dryRun: false, ...request }),
  };
}

function fallBack(): never {
  throw new Error("fell back");
}

/** The current snapshot, read from its files from the beginning. */
async function storeFromFiles(data: string) {
  return buildStore(await loadCurrentDataset(data, { onFallback: fallBack }));
}

t.test("days follow days: a price may be replaced over and over, and each file keeps its count", async (t) => {
  const { data, append, day } = await fixture(t);
  await append([await day("a.ndjson", [priceRow({ price: 70 }), ...priceRows(2, 900)])]);
  await append([await day("b.ndjson", [priceRow({ price: 71 }), priceRow({ uuid: testUuid(900), price: 72 })])]);
  const { id } = await append([
    await day("c.ndjson", [priceRow({ price: 73 })]),
    await day("d.ndjson", priceRows(1, 950)),
  ]);
  const { files } = await readManifest(join(data, "snapshots", id));
  t.same(
    files.filter(({ kind }) => kind === "prices").map(({ name, sequence, replaces }) => [name, sequence, replaces]),
    [
      ["prices.ndjson", 0, 0],
      ["prices/a.ndjson", 1, 1],
      ["prices/b.ndjson", 2, 2],
      ["prices/c.ndjson", 3, 1],
      ["prices/d.ndjson", 3, 0],
    ],
  );
  const store = await storeFromFiles(data);
  t.equal(store.prices.rowCount, 23);
  t.equal(storedPrice(store, testUuid(100) as Uuid)?.price, 73);
  t.equal(storedPrice(store, testUuid(900) as Uuid)?.price, 72);
  t.ok(isDeepStrictEqual(await openSnapshotStore(data, id), store), "the store of the snapshot is that of its files");
});

t.test("a day is checked as in publishing, and nothing is published when it has a problem", async (t) => {
  const { data, first, append, day } = await fixture(t);
  const before = await namesOf(data);
  const path = await day("a.ndjson", [
    priceRow({ uuid: testUuid(900), price: 0 }),
    priceRow({ uuid: testUuid(901), product_uuid: testUuid(77) }),
    priceRow({ uuid: testUuid(902), market_uuid: testUuid(77) }),
    priceRow({ uuid: testUuid(903), unit: "bucket" }),
    priceRow({ uuid: testUuid(904), recorded_at: "2026-11-22T08:30:00.001Z" }),
    priceRow({ uuid: testUuid(905) }),
    priceRow({ uuid: testUuid(905) }),
    priceRow({ uuid: testUuid(906), recorded_at: "2026-11-22T08:30:00.000Z" }),
  ]);
  const other = await day("b.ndjson", [priceRow({ uuid: testUuid(905) })]);
  reportsExactly(t, await problemsOf(() => append([path, other])), [
    /\/a\.ndjson:1: "price" is 0/,
    /\/a\.ndjson:2: "product_uuid" is .*names no product/,
    /\/a\.ndjson:3: "market_uuid" is .*names no market/,
    /\/a\.ndjson:4: "unit" is "bucket"/,
    /\/a\.ndjson:5: "recorded_at" is/,
    /\/a\.ndjson:7: "uuid" is .*as in .+\/a\.ndjson:6/,
    /\/b\.ndjson:1: "uuid" is .*as in .+\/a\.ndjson:6/,
  ]);
  t.equal(await currentOf(data), first);
  t.same(await namesOf(data), before);
});

t.test("names must be fit, small tables come once, and there must be a price", async (t) => {
  const { root, append, day } = await fixture(t);
  const table = await day("products.ndjson", [productRow()]);
  await mkdir(join(root, "other"));
  const other = await day("other/products.ndjson", [productRow()]);
  reportsExactly(t, await problemsOf(async () => append([table, other, table, await day("day 1.ndjson", "")])), [
    /other\/products\.ndjson: found a second products\.ndjson, expected one$/,
    /\/products\.ndjson: found this file a second time, expected it once$/,
    /day 1\.ndjson: found a name that no record file can have, expected the name of a small table, or letters/,
  ]);
  const b = await day("b.ndjson", "");
  reportsExactly(t, await problemsOf(() => append([b])), [/b\.ndjson: found no price, expected at least one$/]);
});

t.test("a refused append names what is wrong with files, manifests, tables and rows in one list", async (t) => {
  const { root, data, append, day } = await fixture(t);
  const before = await namesOf(data);
  const rows = await day("a.ndjson", [priceRow({ uuid: testUuid(900), price: 0 })]);
  const name = await day("day 1.ndjson", priceRows(1, 901));
  const folder = join(root, "folder");
  await mkdir(folder);
  await writeFile(join(folder, "manifest.json"), JSON.stringify({ time_zone: "UTC" }));
  await writeFile(join(folder, "markets.ndjson"), ndjson([marketRow({ uuid: testUuid(3), county_id: 7 })]));
  reportsExactly(t, await problemsOf(() => append([rows, name, folder])), [
    /day 1\.ndjson: found a name that no record file can have/,
    /manifest\.json: "time_zone" is "UTC"/,
    /markets\.ndjson:1: "county_id" is 7/,
    /a\.ndjson:1: "price" is 0/,
  ]);
  t.same(await namesOf(data), before, "nothing is left behind");
});

t.test("a name used before gets a number, whether in the snapshot or among the files", async (t) => {
  const { root, data, append, day } = await fixture(t);
  await append([
    await day("a.ndjson", priceRows(1, 900)),
    await day("b.ndjson.gz", gzipSync(ndjson(priceRows(1, 910)))),
  ]);
  await mkdir(join(root, "other"));
  const files = [
    await day("a.ndjson", priceRows(1, 901)),
    await day("other/a.ndjson", priceRows(1, 902)),
    await day("b.ndjson.gz", gzipSync(ndjson(priceRows(1, 911)))),
  ];
  const { id } = await append(files);
  const { files: entries } = await readManifest(join(data, "snapshots", id));
  t.same(
    entries.filter(({ sequence }) => sequence > 0).map(({ name, sequence }) => [name, sequence]),
    [
      ["prices/a-2-2.ndjson", 2],
      ["prices/a-2.ndjson", 2],
      ["prices/a.ndjson", 1],
      ["prices/b-2.ndjson.gz", 2],
      ["prices/b.ndjson.gz", 1],
    ].sort(),
  );
  t.equal((await storeFromFiles(data)).prices.rowCount, 25);
});

t.test("a file twice is the file once, whatever its times of entry; what is new of it is added", async (t) => {
  const { root, data, append, day } = await fixture(t);
  const rows = [priceRow({ price: 70, notes: "dry" }), ...priceRows(3, 900)];
  const first = await append([await day("a.ndjson", rows)]);
  const before = await namesOf(data);
  const again = rows.map((row) => ({ ...row, updated_at: "2026-05-01T00:00:00Z" }));
  for (const dryRun of [false, true]) {
    const report = await append([await day("a.ndjson", again)], { now: daysLater(2), dryRun });
    t.match(report, { outcome: "already-current", id: first.id, knownCount: 4, files: [], rows: { prices: 23 } });
  }
  t.same(await namesOf(data), before);
  t.equal(await currentOf(data), first.id);

  const changed = [
    ...again.slice(0, 3),
    priceRow({ uuid: testUuid(902), price: 71, source: "KAMIS" }),
    ...priceRows(1, 950),
  ];
  const report = await append([await day("a.ndjson", changed)], { now: daysLater(2) });
  t.match(report, {
    outcome: "published",
    knownCount: 3,
    files: [{ name: "prices/a-2.ndjson", rows: 2, replaces: 1 }],
  });
  t.match(
    report.warnings.problems.filter(({ kind }) => kind === "new-source"),
    [{ file: join(root, "a.ndjson"), line: 4, field: "source" }],
    "by its lines as they came",
  );
  const store = await storeFromFiles(data);
  t.equal(storedPrice(store, testUuid(902) as Uuid)?.price, 71);
  t.equal(storedPrice(store, testUuid(100) as Uuid)?.updatedAt, Date.parse("2026-01-01T00:00:00Z"), "as it first came");
  t.ok(
    isDeepStrictEqual(await openSnapshotStore(data, report.id), store),
    "the store of the snapshot is that of its files",
  );
});

t.test("new and changed records of small tables are merged into whole tables", async (t) => {
  const { data, first, append, day } = await fixture(t);
  const added = marketRow({ uuid: testUuid(3), name: "Gikomba", sub_county: "Westlands" });
  const bale = { name: "bale", abbreviation: "bale", base_unit: "kg", conversion_factor: 24 };
  const report = await append([
    await day("markets.ndjson", [added, marketRow({ name: "A market that sorts first" })]),
    await day("units.json", JSON.stringify([unitCategoryRow({ units: [bale] })])),
    await day("products.ndjson", [productRow({ uuid: testUuid(4), name: "Beans", common_units: ["bale"] })]),
    await day("a.ndjson", [
      priceRow({ uuid: testUuid(900), product_uuid: testUuid(4), market_uuid: testUuid(3), unit: "bale" }),
      priceRow({ price: 70 }),
    ]),
  ]);
  t.match(report, { rows: { markets: 2, units: 1, products: 2, prices: 21 } });
  t.same(
    report.tableChanges.map(({ kind, change, name, fields }) => [kind, change, name, ...fields]),
    [
      ["units", "added", "bale"],
      ["products", "added", "Beans"],
      ["markets", "changed", "A market that sorts first", "name", "alternative_names"],
      ["markets", "added", "Gikomba"],
    ],
  );
  const store = await storeFromFiles(data);
  t.ok(
    isDeepStrictEqual(await openSnapshotStore(data, report.id), store),
    "the store of the snapshot is that of its files",
  );
  t.match(storedPrice(store, testUuid(900) as Uuid), { marketUuid: testUuid(3), unit: "bale" });
  const [counties, markets] = await Promise.all(
    ["counties.json", "markets.ndjson"].map((name) => stat(join(data, "snapshots", report.id, name))),
  );
  t.equal(counties?.ino, (await stat(join(data, "snapshots", first, "counties.json"))).ino, "others are shared");
  t.equal((markets?.mode ?? 0) & 0o777, 0o444);

  const alone = await append([await day("products.ndjson", [productRow({ name: "White maize" })])], {
    now: daysLater(2),
  });
  t.match(alone, { outcome: "published", files: [], tableChanges: [{ change: "changed", fields: ["name"] }] });
  const same = productRow({ name: "White maize", updated_at: "2026-05-01T00:00:00Z" });
  t.equal((await append([await day("products.ndjson", [same])])).outcome, "already-current");
});

t.test("periods are added to those of the snapshot, for sources that have prices, and go back with it", async (t) => {
  const { root, data, first, append, day } = await fixture(t);
  await mkdir(join(root, "given"));
  const periodsOf = async (id: SnapshotId): Promise<object> =>
    (await readManifest(join(data, "snapshots", id))).periods;
  const appendPeriods = async (periods: object, rows: readonly object[] = []): ReturnType<typeof append> => {
    await day("given/manifest.json", JSON.stringify({ periods }));
    if (rows.length > 0) await day("given/prices.ndjson", rows);
    return await append([join(root, "given")]);
  };
  const second = await appendPeriods({ KAMIS: "week" }, [priceRow({ uuid: testUuid(900), source: "KAMIS" })]);
  t.same(await periodsOf(second.id), { KAMIS: "week" });
  const third = await appendPeriods({ WFP: "month", KAMIS: "day" });
  t.same(await periodsOf(third.id), { KAMIS: "day", WFP: "month" }, "without a new price");
  t.equal((await appendPeriods({ WFP: "month" })).outcome, "already-current");
  const file = await day("more.ndjson", [priceRow({ uuid: testUuid(901) })]);
  const fourth = await append([file]);
  t.same(await periodsOf(fourth.id), { KAMIS: "day", WFP: "month" }, "carried on");
  t.same((await loadCurrentDataset(data, { onFallback: fallBack })).snapshot.periods, { KAMIS: "day", WFP: "month" });
  await verifySnapshot(data);
  reportsExactly(t, await problemsOf(() => appendPeriods({ Wfp: "month" })), [
    /^manifest\.json: "periods" is "Wfp", expected a source that has prices: "(WFP|KAMIS)", "(WFP|KAMIS)"/,
  ]);
  await rollbackSnapshot({ dataDirectory: data, id: first });
  t.same((await loadCurrentDataset(data, { onFallback: fallBack })).snapshot.periods, {});
});

t.test("a folder is its record files; its manifest adds to the attribution and the details of sources", async (t) => {
  const { root, data, append, day } = await fixture(t);
  await mkdir(join(root, "given", "prices"), { recursive: true });
  await day("given/manifest.json", JSON.stringify({ attribution: ["Field team"], note: "May" }));
  await day("given/prices.ndjson", priceRows(2, 900));
  await day("given/prices/more.ndjson", priceRows(2, 910));
  const { id, rows } = await append([join(root, "given")]);
  t.equal(rows.prices, 24);
  t.match(await readManifest(join(data, "snapshots", id)), { note: "May", attribution: ["Field team"] });
  t.equal((await append([join(root, "given")])).outcome, "already-current");
  const sources = { Field: { title: null, url: "https://field.example/", licence: null } };
  await day("given/manifest.json", JSON.stringify({ sources }));
  const described = await append([join(root, "given")], { now: daysLater(2) });
  t.match(await readManifest(join(data, "snapshots", described.id)), { attribution: ["Field team"], sources });
  t.equal((await append([join(root, "given")])).outcome, "already-current");
  await day("given/notes.txt", "");
  reportsExactly(t, await problemsOf(() => append([join(root, "given")])), [
    /^notes\.txt: found a name outside the layout/,
  ]);
});

t.test("files of one name are distinguished by the folders that they were handed in from", async (t) => {
  const { root, data, append, day } = await fixture(t);
  for (const name of ["kitui", "busia"]) await mkdir(join(root, name));
  await day("kitui/prices.ndjson", priceRows(2, 900));
  await day("kitui/markets.ndjson", [marketRow({ uuid: testUuid(3), name: "Gikomba" })]);
  await day("busia/prices.ndjson", [priceRow({ uuid: testUuid(901) }), priceRow({ uuid: testUuid(910), price: -1 })]);
  const folders = ["kitui", "busia"].map((name) => join(root, name));
  const error = await append(folders).catch((thrown: unknown) => thrown);
  if (!(error instanceof DatasetError)) throw new Error(`expected a DatasetError, found ${error}`);
  reportsExactly(t, error.list.problems.map(problemText), [
    /\/busia\/prices\.ndjson:1: "uuid" is .*, as in .+\/kitui\/prices\.ndjson:2, expected/,
    /\/busia\/prices\.ndjson:2: "price" is -1/,
  ]);
  await day("busia/prices.ndjson", [priceRow({ uuid: testUuid(901) })]);
  t.equal((await problemsOf(() => append(folders))).length, 1);
  await day("busia/prices.ndjson", [priceRow({ uuid: testUuid(902), price: 6000 })]);
  const { id, warnings } = await append(folders);
  t.match(
    warnings.problems.filter(({ kind }) => kind === "suspicious" || kind === "no-prices"),
    [{ file: join(root, "busia", "prices.ndjson"), line: 1 }],
  );
  const { files } = await readManifest(join(data, "snapshots", id));
  t.same(
    files.filter(({ sequence }) => sequence > 0).map(({ name, rows }) => [name, rows]),
    [
      ["prices/prices-2.ndjson", 1],
      ["prices/prices.ndjson", 2],
    ],
  );
  await verifySnapshot(data);
});

t.test("texts that are too long are refused in what is appended, and stay where they are published", async (t) => {
  const root = t.testdir({});
  const data = join(root, "data");
  const long = "M".repeat(30_000);
  await writeCurrentSnapshot(data, {
    tables: {
      products: [productRow({ name: long })],
      prices: [priceRow({ notes: long, source: long.slice(0, 201) })],
    },
  });
  const append = async (tables: Readonly<Record<string, readonly object[]>>): Promise<AppendReport> => {
    const files = Object.keys(tables).map((name) => join(root, name));
    for (const [name, rows] of Object.entries(tables)) await writeFile(join(root, name), ndjson(rows));
    return await appendPrices({ dataDirectory: data, files, now: daysLater(1), dryRun: false });
  };
  const tooLong = {
    "products.ndjson": [productRow({ uuid: testUuid(7), name: long })],
    "a.ndjson": [
      priceRow({ uuid: testUuid(900), notes: long.slice(0, 2001) }),
      priceRow({ uuid: testUuid(901), source: long }),
    ],
  };
  reportsExactly(t, await problemsOf(() => append(tooLong)), [
    /\/products\.ndjson:1: "name" is "M{79}…, 30000 characters, expected at most 200 characters$/,
    /\/a\.ndjson:1: "notes" is "M{79}…, 2001 characters, expected at most 2000 characters$/,
    /\/a\.ndjson:2: "source" is "M{79}…, 30000 characters, expected at most 200 characters$/,
  ]);
  const { carriedTexts } = await append({
    "a.ndjson": [priceRow({ uuid: testUuid(900), notes: "👩".repeat(2000) })],
  });
  t.match(carriedTexts, /^products\.ndjson \(.*\): "name" is .*, 30000 characters, .*, and 2 more$/);
  const { catalogue, prices } = await storeFromFiles(data);
  t.equal(catalogue.products[0]?.record.name, long);
  t.equal(prices.rowCount, 2);
});

t.test("problems of merged tables name the file and line that they come from", async (t) => {
  const { data, append, day } = await fixture(t);
  const files = [
    await day("products.ndjson", [productRow({ uuid: testUuid(4), common_units: ["sack"] }), []]),
    await day("markets.ndjson", [marketRow({ uuid: testUuid(3), sub_county: "Kibra" })]),
    await day("a.ndjson", [priceRow({ uuid: testUuid(900), market_uuid: testUuid(5) })]),
  ];
  reportsExactly(t, await problemsOf(() => append(files)), [
    /\/products\.ndjson:2: found \[\], expected one JSON object$/,
    /\/products\.ndjson:1: "common_units" is "sack"/,
    /\/markets\.ndjson:1: "sub_county" is "Kibra", which is no sub-county of Nairobi/,
    /\/a\.ndjson:1: "market_uuid" is .*, which names no market/,
  ]);
  const bag = { name: "90 kg bag", abbreviation: "bag", base_unit: "kg", conversion_factor: 90 };
  const twice = [unitCategoryRow({ units: [bag, { ...bag, conversion_factor: 91 }] })];
  reportsExactly(t, await problemsOf(async () => append([await day("units.json", JSON.stringify(twice))])), [
    /\/units\.json:1: "units\.name" is "90 kg bag", as in category "Weight"/,
  ]);
  t.same((await readdir(join(data, "snapshots"))).length, 1);
});

t.test("a dry run reports what readers would see change, and writes nothing", async (t) => {
  const { data, first, append, day } = await fixture(t);
  const before = await namesOf(data);
  const path = await day("a.ndjson", [
    priceRow({ price: 90 }),
    ...priceRows(1, 900, { recorded_at: "2026-11-20T06:00:00Z" }),
  ]);
  t.match(await append([path], { dryRun: true }), {
    outcome: "would-publish",
    parent: first,
    changes: { rows: { prices: { added: 1, gone: 0, changed: 1 } }, runs: { appearing: [] } },
  });
  t.same(await namesOf(data), before);
  t.equal(await currentOf(data), first);
});
