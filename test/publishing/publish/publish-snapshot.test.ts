import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { type ManifestFile, readManifest } from "../../../src/engine/snapshots/manifest.ts";
import { ProblemList, problemText } from "../../../src/engine/snapshots/problem.ts";
import type { RecordKind } from "../../../src/engine/snapshots/snapshot-layout.ts";
import {
  type PublishReport,
  type PublishRequest,
  publishSnapshot,
} from "../../../src/publishing/publish/publish-snapshot.ts";
import { refuseLostRows } from "../../../src/publishing/publish/refuse-losses.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { loadCurrentDataset } from "../../support/open-snapshots.ts";
import {
  ndjson,
  priceRow,
  priceRows,
  type TestFiles,
  type TestTables,
  testUuid,
  writeRecords,
} from "../../support/snapshot-files.ts";

const now = Date.UTC(2026, 10, 20, 8, 30) as Instant;

interface Fixture {
  readonly data: string;
  readonly candidate: string;
  /** Publishes what the candidate holds now. */
  publish(request?: Partial<PublishRequest>): Promise<PublishReport>;
  /** Replaces the candidate's files. */
  prepare(tables: TestTables, files?: TestFiles): Promise<void>;
  current(): Promise<string>;
}

async function fixture(t: Test): Promise<Fixture> {
  const root = t.testdir({});
  const data = join(root, "data");
  const candidate = join(root, "candidate");
  const publication = {
    dataDirectory: data,
    candidateDirectory: candidate,
    now,
    allowShrink: false,
    dryRun: false,
  };
  const made: Fixture = {
    data,
    candidate,
    publish: (request) => publishSnapshot({ ...publication, ...request }),
    async prepare(tables, files) {
      await rm(candidate, { recursive: true, force: true });
      await writeRecords(candidate, tables, files);
    },
    current: async () => (await readFile(join(data, "CURRENT"), "utf8")).trimEnd(),
  };
  await made.prepare({});
  return made;
}

function fallBack(): never {
  throw new Error("fell back");
}

t.test("the first publication makes the dataset directory, and what it publishes loads", async (t) => {
  const { data, publish, current } = await fixture(t);
  const report = await publish({ note: "First" });
  t.match(report, { outcome: "published", id: /^20261120T083000Z-[0-9a-f]{12}$/, parent: null, rows: { prices: 1 } });
  t.equal(await current(), report.id);
  t.same((await readdir(data)).filter((name) => !name.startsWith(".publish.lock")).sort(), [
    "CURRENT",
    "announcement.json",
    "compiled",
    "snapshots",
  ]);
  const dataset = await loadCurrentDataset(data, { onFallback: fallBack });
  t.match(dataset.snapshot, { id: report.id, createdAt: now, timeZone: "Africa/Nairobi", note: "First", parent: null });
  t.equal((await stat(join(data, "snapshots", report.id, "prices.ndjson"))).mode & 0o777, 0o444);
});

t.test("the same files with another time zone or attribution are published", async (t) => {
  const { publish, prepare } = await fixture(t);
  await publish();
  await prepare({}, { "manifest.json": JSON.stringify({ attribution: ["WFP"] }) });
  t.equal((await publish()).outcome, "published");
  await prepare({}, { "manifest.json": JSON.stringify({ time_zone: "UTC" }) });
  t.equal((await publish()).outcome, "published");
});

t.test("periods are published, inherited for sources that are left, and replaced by others", async (t) => {
  const { data, publish, prepare } = await fixture(t);
  const published = async (prices: readonly object[], manifest?: object): Promise<object> => {
    await prepare({ prices }, { "manifest.json": manifest === undefined ? null : JSON.stringify(manifest) });
    const { id, outcome } = await publish({ allowShrink: true, allowLoss: true });
    t.equal(outcome, "published");
    return (await readManifest(join(data, "snapshots", id))).periods;
  };
  const both = [...priceRows(2), ...priceRows(2, 500, { source: "KAMIS" })];
  const periods = { WFP: "month", KAMIS: "day" };
  t.same(await published(both, { periods }), periods);
  t.same(await published(priceRows(2)), { WFP: "month" });
  t.same(await published(priceRows(2), { periods: {} }), {}, "the same files with other periods");
  t.same(await published(priceRows(2), { periods: { WFP: "week" } }), { WFP: "week" });
});

t.test("details of sources are inherited, and other ones are another snapshot", async (t) => {
  const { data, publish, prepare } = await fixture(t);
  const sources = {
    WFP: { title: "World Food Programme", url: "https://wfp.example/", licence: null, generated: null },
  };
  const plain = await publish();
  await prepare({}, { "manifest.json": JSON.stringify({ sources }) });
  const described = await publish();
  t.equal(described.outcome, "published");
  t.not(described.id.slice(-12), plain.id.slice(-12), "the id says so");
  await prepare({}, {});
  t.equal((await publish()).outcome, "already-current");
  await prepare({ prices: priceRows(2) });
  const { id } = await publish();
  t.same((await readManifest(join(data, "snapshots", id))).sources, sources);
  t.same((await loadCurrentDataset(data, { onFallback: fallBack })).snapshot.sources, sources);
});

t.test("the same files are published again over a damaged snapshot", async (t) => {
  const { data, publish } = await fixture(t);
  const first = await publish();
  await rm(join(data, "snapshots", first.id, "crops.json"));
  const second = await publish();
  t.equal(second.outcome, "published");
  reportsExactly(t, second.warnings.problems.map(problemText), [
    new RegExp(`^snapshots/${first.id}: found the current snapshot broken .*, expected one to compare with$`),
  ]);
});

t.test("time zone and attribution stay where a directory does not name them; the note does not", async (t) => {
  const { data, publish, prepare } = await fixture(t);
  const header = { time_zone: "UTC", attribution: ["WFP"], note: "From the file" };
  await prepare({}, { "manifest.json": JSON.stringify(header) });
  const first = await publish();
  t.match(await readManifest(join(data, "snapshots", first.id)), { timeZone: "UTC", note: "From the file" });
  await prepare({ prices: priceRows(2) });
  const second = await publish();
  const manifest = await readManifest(join(data, "snapshots", second.id));
  t.match(manifest, { timeZone: "UTC", attribution: ["WFP"], note: null });
  await prepare({ prices: priceRows(3) }, { "manifest.json": JSON.stringify(header) });
  const third = await publish({ note: "From the command" });
  t.equal((await readManifest(join(data, "snapshots", third.id))).note, "From the command");
});

t.test("a price may be recorded up to a day after publication in whole seconds, and then it loads", async (t) => {
  const { data, publish, prepare } = await fixture(t);
  await prepare({ prices: [priceRow({ recorded_at: "2026-11-21T08:30:00.001Z" })] });
  reportsExactly(t, await problemsOf(() => publish({ now: (now + 999) as Instant })), [/"recorded_at"/]);
  await prepare({ prices: [priceRow({ recorded_at: "2026-11-21T08:30:00.000Z" })] });
  t.equal((await publish({ now: (now + 999) as Instant })).outcome, "published");
  t.equal((await loadCurrentDataset(data, { onFallback: fallBack })).prices.rowCount, 1);
});

t.test("a dry run says what would happen and writes nothing", async (t) => {
  const { data, publish, prepare } = await fixture(t);
  t.match(await publish({ dryRun: true }), { outcome: "would-publish", parent: null });
  await t.rejects(readdir(data), { code: "ENOENT" });
  const first = await publish();
  t.match(await publish({ dryRun: true }), { outcome: "already-current", id: first.id });
  await prepare({ prices: [] });
  reportsExactly(t, await problemsOf(() => publish({ dryRun: true })), [
    /^prices: found 0 rows/,
    /^prices: found no price of source "WFP"/,
  ]);
});

t.test("a dry run reports what readers would see change", async (t) => {
  const { publish, prepare } = await fixture(t);
  t.equal((await publish({ dryRun: true })).changes, undefined, "nothing to compare with");
  await publish();
  t.equal((await publish({ dryRun: true })).changes, undefined, "nothing to publish");
  await prepare({ prices: [priceRow({ price: 90 }), priceRow({ uuid: testUuid(900), price: 61 })] });
  t.match(await publish({ dryRun: true }), {
    changes: {
      rows: { prices: { added: 1, gone: 0, changed: 1 }, markets: { added: 0, gone: 0, changed: 0 } },
      latestPriceMoves: [{ uuid: testUuid(1), before: { price: 60 }, after: { price: 90 } }],
      runs: { appearing: [], vanishing: [] },
    },
  });
});

t.test("a copy of a published snapshot can be published again", async (t) => {
  const { data, publish, prepare } = await fixture(t);
  const first = await publish({ note: "First" });
  await prepare({ prices: priceRows(2) }, { "prices/more.ndjson": ndjson(priceRows(1, 900)) });
  await publish();
  const candidateDirectory = join(data, "snapshots", first.id);
  const third = await publish({ candidateDirectory, allowShrink: true });
  t.match(third, { outcome: "published", rows: { prices: 1 } });
  t.equal(third.id.slice(-12), first.id.slice(-12), "the same content");
  t.equal((await readManifest(join(data, "snapshots", third.id))).note, "First");
});

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
  reportsExactly(t, problemsOfRows([file("prices", 94)], [file("prices", 100)]), [
    "prices: found 94 rows, expected at least 95 % of the current 100",
  ]);
  reportsExactly(t, problemsOfRows([file("crops", 18)], [file("crops", 19)]), [/^crops\.json: found 18 rows/]);
  t.same(problemsOfRows([file("crops", 19)], [file("crops", 20)]), []);
});

t.test("every table is compared, and one that was empty may stay empty", async (t) => {
  reportsExactly(t, problemsOfRows([], [file("counties", 1), file("markets", 1), file("units", 0)]), [
    /^counties\.json/,
    /^markets\.ndjson/,
  ]);
});

t.test("prices of all files count, replaced ones once", async (t) => {
  t.same(problemsOfRows([file("prices", 50), file("prices", 45)], [file("prices", 100)]), []);
  t.same(problemsOfRows([file("prices", 95)], [file("prices", 100), file("prices", 10, 10)]), []);
});
