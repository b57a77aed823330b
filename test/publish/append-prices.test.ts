import { appendFile, chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { gzipSync } from "node:zlib";
import t, { type Test } from "tap";
import { readManifest } from "../../src/dataset/manifest.ts";
import { problemText } from "../../src/dataset/problem.ts";
import type { SnapshotId } from "../../src/dataset/snapshot-layout.ts";
import { shortDictionarySizeMax } from "../../src/domain/dataset.ts";
import type { Uuid } from "../../src/domain/ids.ts";
import { type AppendReport, type AppendRequest, appendPrices } from "../../src/publish/append-prices.ts";
import { openSnapshotStore } from "../../src/publish/open-published.ts";
import { rollbackSnapshot } from "../../src/publish/rollback-snapshot.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { storedPrice } from "../store/stored-prices.ts";
import { problemsOf, tellsExactly } from "../support/dataset-problems.ts";
import { loadCurrentDataset } from "../support/open-snapshots.ts";
import { currentOf, daysLater, namesOf, publishedData, publishTables } from "../support/published-data.ts";
import { ndjson, priceRow, priceRows, testUuid } from "../support/snapshot-files.ts";

interface Fixture {
  readonly root: string;
  readonly data: string;
  readonly first: SnapshotId;
  /** Writes a file of prices and tells its path. */
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

t.test("new prices are added and known ones replaced, in a snapshot that follows", async (t) => {
  const { data, first, day, append } = await fixture(t);
  const path = await day("2026-11-21.ndjson", [priceRow({ price: 70 }), ...priceRows(2, 900)]);
  const report = await append([path], { note: "Day" });
  t.match(report, {
    outcome: "appended",
    parent: first,
    rows: { prices: 22, markets: 1 },
    files: [{ name: "prices/2026-11-21.ndjson", rows: 3, sequence: 1, replaces: 1 }],
    changes: undefined,
  });
  t.equal(await currentOf(data), report.id);
  const store = await storeFromFiles(data);
  t.match(store.snapshot, { id: report.id, parent: first, note: "Day", timeZone: "Africa/Nairobi" });
  t.equal(storedPrice(store, testUuid(100) as Uuid)?.price, 70);
  t.equal(storedPrice(store, testUuid(901) as Uuid)?.price, 60);
  t.equal(store.prices.rowCount, 22);
});

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

t.test("unchanged files are the same files on the disk, and read-only", async (t) => {
  const { data, first, append, day } = await fixture(t);
  const { id } = await append([await day("a.ndjson", priceRows(1, 900))]);
  for (const name of ["prices.ndjson", "counties.json", "markets.ndjson"]) {
    const [old, shared] = await Promise.all([first, id].map((one) => stat(join(data, "snapshots", one, name))));
    t.equal(shared?.ino, old?.ino, name);
  }
  t.equal((await stat(join(data, "snapshots", id, "prices", "a.ndjson"))).mode & 0o777, 0o444);
});

t.test("a file may be gzipped", async (t) => {
  const { data, append, day } = await fixture(t);
  await append([await day("a.ndjson.gz", gzipSync(ndjson(priceRows(2, 900))))]);
  t.equal((await storeFromFiles(data)).prices.rowCount, 22);
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
  tellsExactly(t, await problemsOf(() => append([path, other])), [
    /^prices\/a\.ndjson:1: "price" is 0/,
    /^prices\/a\.ndjson:2: "product_uuid" is .*names no product/,
    /^prices\/a\.ndjson:3: "market_uuid" is .*names no market/,
    /^prices\/a\.ndjson:4: "unit" is "bucket"/,
    /^prices\/a\.ndjson:5: "recorded_at" is/,
    /^prices\/a\.ndjson:7: "uuid" is .*as in prices\/a\.ndjson:6/,
    /^prices\/b\.ndjson:1: "uuid" is .*as in prices\/a\.ndjson:6/,
  ]);
  t.equal(await currentOf(data), first);
  t.same(await namesOf(data), before);
});

t.test("names must be fit and new, and there must be a price", async (t) => {
  const { append, day } = await fixture(t);
  const a = await day("a.ndjson", priceRows(1, 900));
  await append([a]);
  tellsExactly(t, await problemsOf(async () => append([a, await day("day 1.ndjson", "")])), [
    /a\.ndjson: found prices\/a\.ndjson there already, expected a name that no file of the current snapshot has$/,
    /day 1\.ndjson: found a name that no prices file can have, expected letters/,
  ]);
  const b = await day("b.ndjson", "");
  tellsExactly(t, await problemsOf(() => append([b, b])), [
    /b\.ndjson: found the name of .*b\.ndjson, expected another/,
  ]);
  tellsExactly(t, await problemsOf(() => append([b])), [/b\.ndjson: found no price, expected at least one$/]);
});

t.test("what looks wrong is told, by old and new prices together", async (t) => {
  const { append, day } = await fixture(t);
  const rows = [
    priceRow({ uuid: testUuid(900), price: 361 }),
    priceRow({ uuid: testUuid(901), recorded_at: "2026-01-16T06:00:00Z", source: "KAMIS" }),
  ];
  const { warnings } = await append([await day("a.ndjson", rows)]);
  tellsExactly(t, warnings.problems.map(problemText), [
    /^prices\/a\.ndjson:1: "price" is 361, expected 10 to 360, about 60, the median of 22 recent prices of Maize at Retail markets/,
    /^prices\/a\.ndjson:1: "price" is 361, beside 60 of WFP/,
    /^prices\/a\.ndjson:2: "source" is "KAMIS" for the first time/,
  ]);
});

t.test("a dry run tells what readers would see change, and writes nothing", async (t) => {
  const { data, first, append, day } = await fixture(t);
  const before = await namesOf(data);
  const path = await day("a.ndjson", [
    priceRow({ price: 90 }),
    ...priceRows(1, 900, { recorded_at: "2026-11-20T06:00:00Z" }),
  ]);
  t.match(await append([path], { dryRun: true }), {
    outcome: "would-append",
    parent: first,
    changes: { rows: { prices: { added: 1, gone: 0, changed: 1 } }, runs: { appearing: [] } },
  });
  t.same(await namesOf(data), before);
  t.equal(await currentOf(data), first);
});

t.test("after a rollback a day is appended to what is current then", async (t) => {
  const { data, first, append, day } = await fixture(t);
  const a = await day("a.ndjson", priceRows(1, 900));
  const second = await append([a]);
  await rollbackSnapshot({ dataDirectory: data });
  const third = await append([a], { now: daysLater(0) });
  t.equal(third.parent, first);
  t.ok(third.id > second.id);
});

t.test("a file of the current snapshot that lost its size is not shared", async (t) => {
  const { data, first, append, day } = await fixture(t);
  const prices = join(data, "snapshots", first, "prices.ndjson");
  await chmod(prices, 0o644);
  await appendFile(prices, "\n");
  const problems = await problemsOf(async () => append([await day("a.ndjson", priceRows(1, 900))]));
  t.match(problems, [/^snapshots\/[^/]+\/prices\.ndjson: found \d+ bytes, expected \d+, as the manifest says$/]);
  t.equal(await currentOf(data), first);
});

t.test("a file that the current snapshot has lost is told, and nothing is left behind", async (t) => {
  const { data, first, append, day } = await fixture(t);
  await rm(join(data, "snapshots", first, "crops.json"));
  const problems = await problemsOf(async () => append([await day("a.ndjson", priceRows(1, 900))]));
  t.match(problems, [/^snapshots\/[^/]+\/crops\.json: found no such file/]);
  t.same(await readdir(join(data, "snapshots")), [first]);
});

t.test("without a current snapshot there is nothing to append to", async (t) => {
  const { root, data, append, day } = await fixture(t);
  await rm(join(data, "CURRENT"));
  const path = await day("a.ndjson", priceRows(1, 900));
  await t.rejects(append([path]), { name: "SnapshotUnavailableError" });
  const empty = join(root, "empty");
  await mkdir(empty);
  await t.rejects(append([path], { dataDirectory: empty }), { name: "SnapshotUnavailableError" });
  t.equal(await readFile(path, "utf8"), ndjson(priceRows(1, 900)), "the file handed in stays as it is");
});

t.test("a day is refused that brings more different texts than a snapshot may have", async (t) => {
  const root = t.testdir({});
  const sources = (count: number, first: number): object[] =>
    Array.from({ length: count }, (_, index) =>
      priceRow({ uuid: testUuid(first + index), source: `Collector ${first + index}` }),
    );
  await publishTables(root, { prices: sources(shortDictionarySizeMax, 100) as never }, daysLater(0));
  const data = join(root, "data");
  const append = async (name: string, rows: readonly object[]): Promise<AppendReport> => {
    await writeFile(join(root, name), ndjson(rows));
    return await appendPrices({ dataDirectory: data, files: [join(root, name)], now: daysLater(1), dryRun: false });
  };
  const before = await currentOf(data);
  const problems = await problemsOf(() => append("new.ndjson", sources(1, 900_000)));
  tellsExactly(t, problems, [/^prices\/new\.ndjson: "source" is 65536 different ones/]);
  t.equal(await currentOf(data), before);
  t.match(await append("known.ndjson", [priceRow({ uuid: testUuid(1), source: "Collector 100" })]), {
    outcome: "appended",
  });
});
