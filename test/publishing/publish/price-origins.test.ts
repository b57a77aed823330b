/** Where prices come from: kept beside their files by every way of publishing, read by reports alone. */
import { chmod, cp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import { findLines } from "../../../src/engine/snapshots/find-lines.ts";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { approveDraft } from "../../../src/publishing/publish/approve-draft.ts";
import { decidePrices } from "../../../src/publishing/publish/decide-prices.ts";
import { openSnapshotStore } from "../../../src/publishing/publish/open-published.ts";
import { readPriceLife } from "../../../src/publishing/publish/price-life.ts";
import type { PublicationRefusedError } from "../../../src/publishing/publish/publish-problem.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { runCommand } from "../../cli/run-command.ts";
import { problemsOf } from "../../support/dataset-problems.ts";
import { currentOf, daysLater } from "../../support/published-data.ts";
import { ndjson, originRows, priceRow, priceRows, testUuid, writeRecords } from "../../support/snapshot-files.ts";
import { type SourcesFixture, sourcesFixture } from "../../support/sources-fixture.ts";

const team = { source: "Field team" };

/** By the name of each file of origins in the current snapshot, the rows that it gives of these uuids. */
async function originsIn({ data }: SourcesFixture, numbers: readonly number[]): Promise<Record<string, unknown>> {
  const directory = join(data, "snapshots", await currentOf(data));
  const { files } = await readManifest(directory);
  const uuids = numbers.map((number) => testUuid(number) as Uuid);
  const named: Record<string, unknown> = {};
  for (const { name } of files.filter(({ kind }) => kind === "origins")) {
    const found = await findLines(join(directory, name), uuids);
    named[name] = uuids.map((uuid) => found.get(uuid)?.record["row"]);
  }
  return named;
}

async function lastOrigin({ data }: SourcesFixture, number: number): Promise<unknown> {
  const { events } = await readPriceLife(data, testUuid(number) as Uuid);
  const { file, row } = events.at(-1)?.line.origin ?? {};
  return file === undefined ? undefined : `${file}:${row}`;
}

t.test("appends, corrections, withdrawals, feeds and rollbacks carry origins", async (t) => {
  const fixture = await sourcesFixture(t);
  const { data, append, replace } = fixture;
  const files = {
    "a.ndjson": [...priceRows(3, 900, team), priceRow()],
    "a.origins.ndjson": originRows(3, 900),
  };
  const first = await append(files);
  t.match(first, { outcome: "published", rows: { prices: 23 } });
  t.same(await originsIn(fixture, [900, 902, 100]), { "prices/a.origins.ndjson": [2, 4, undefined] });
  t.equal((await append(files, { now: daysLater(3) })).outcome, "already-current", "origins alone are nothing new");

  // A second file of the same name, one of whose prices the snapshot has already, and a file without origins.
  await append(
    {
      "a.ndjson": [priceRow({ ...team, uuid: testUuid(900), price: 77 }), ...priceRows(1, 901, team)],
      "a.origins.ndjson": originRows(2, 900, "june.xlsx"),
    },
    { now: daysLater(3) },
  );
  t.equal(await lastOrigin(fixture, 900), "june.xlsx:2");
  t.equal(await lastOrigin(fixture, 901), "may.xlsx:3", "it still comes from the first import");
  t.strictSame(
    await originsIn(fixture, [900, 901]),
    { "prices/a-2.origins.ndjson": [2, undefined], "prices/a.origins.ndjson": [2, 3] },
    "what is left out brings no origin",
  );
  await append({ "b.ndjson": [priceRow({ ...team, uuid: testUuid(902), price: 78 })] }, { now: daysLater(3) });
  t.equal(await lastOrigin(fixture, 902), undefined, "a correction without origins has none");
  await verifySnapshot(data);

  const decision = { reason: "a typing error", by: null };
  const request = { dataDirectory: data, kind: "withdrawals" as const, now: daysLater(3) as Instant, dryRun: false };
  await decidePrices({ ...request, uuids: [testUuid(901) as Uuid], decision });
  t.equal(await lastOrigin(fixture, 901), "may.xlsx:3");

  const fed = [...priceRows(20, 100), ...priceRows(1, 300)];
  const feed = { "prices.ndjson": fed, "prices.origins.ndjson": originRows(1, 300, "feed.csv") };
  t.match(await replace(feed, { now: daysLater(4), prefer: "feed" }), { outcome: "published" });
  t.strictSame(await originsIn(fixture, [300, 900, 902]), {
    "prices.origins.ndjson": [2, undefined, undefined],
    "prices/a-2.origins.ndjson": [undefined, 2, undefined],
    "prices/a.origins.ndjson": [undefined, 2, 4],
  });
  const renamed = { ...feed, "prices.origins.ndjson": originRows(1, 300, "feed-2.csv") };
  t.match(await replace(renamed, { now: daysLater(5) }), { outcome: "already-current" }, "the same prices");
  const changed = [...fed.slice(0, -1), priceRow({ uuid: testUuid(300), price: 99 })];
  t.match(await replace({ "prices.ndjson": changed }, { now: daysLater(5) }), { outcome: "published" });
  t.strictSame(Object.keys(await originsIn(fixture, [])), ["prices/a-2.origins.ndjson", "prices/a.origins.ndjson"]);
  await verifySnapshot(data);
  await rollbackSnapshot({ dataDirectory: data, id: first.id, now: daysLater(6) as Instant });
  t.same(await originsIn(fixture, [900]), { "prices/a.origins.ndjson": [2] }, "with the withdrawal of today");
  await verifySnapshot(data);
});

t.test("a whole folder brings its origins, and a copy of a snapshot too", async (t) => {
  const fixture = await sourcesFixture(t);
  const { data, folder, publish } = fixture;
  const candidate = await folder("candidate", {});
  await writeRecords(candidate, { prices: priceRows(30) });
  await writeFile(join(candidate, "prices.origins.ndjson"), ndjson(originRows(30, 100)));
  await publish(candidate);
  t.same(await originsIn(fixture, [129]), { "prices.origins.ndjson": [31] });
  t.match(await publish(candidate), { outcome: "already-current" });
  const copy = join(candidate, "..", "copy");
  await cp(join(data, "snapshots", await currentOf(data)), copy, { recursive: true });
  t.match(await publish(copy), { outcome: "already-current" });
  const origins = join(copy, "prices.origins.ndjson");
  await chmod(origins, 0o644);
  await writeFile(origins, (await readFile(origins, "utf8")).replace("may.xlsx", "jan.xlsx"));
  t.match(await problemsOf(() => publish(copy)), [/prices.origins.ndjson: found sha256/]);
  await rm(join(candidate, "prices.origins.ndjson"));
  t.match(await publish(candidate), { outcome: "published", rows: { prices: 30 } });
  t.same(await originsIn(fixture, []), {}, "a whole folder replaces all");
});

t.test("a draft has origins", async (t) => {
  const fixture = await sourcesFixture(t);
  const { data, folder, publish } = fixture;
  const candidate = await folder("candidate", {});
  await writeRecords(candidate, { prices: priceRows(1999, 100) });
  await writeFile(join(candidate, "prices.origins.ndjson"), ndjson(originRows(1999, 100)));
  t.match(await publish(candidate), { outcome: "published", rows: { prices: 1999 } });
  t.same(await originsIn(fixture, [100, 2098]), { "prices.origins.ndjson": [2, 2000] });
  await verifySnapshot(data);
  const added = await folder("more", {
    "prices/a.ndjson": priceRows(2, 9000, team),
    "prices/a.origins.ndjson": originRows(2, 9000),
  });
  const draft = await fixture.append({}, { files: [added], now: daysLater(5), isDraft: true });
  t.equal(draft.outcome, "drafted");
  await approveDraft({ dataDirectory: data, id: draft.id, now: daysLater(6) as Instant });
  t.same(await originsIn(fixture, [9001]), { "prices.origins.ndjson": [undefined], "prices/a.origins.ndjson": [3] });
  await verifySnapshot(data);
});

t.test("origins of a compressed file are compressed", async (t) => {
  const fixture = await sourcesFixture(t);
  const added = await fixture.folder("compressed", {});
  await writeFile(join(added, "prices.ndjson.gz"), gzipSync(ndjson(priceRows(2, 900, team))));
  await writeFile(join(added, "prices.origins.ndjson.gz"), gzipSync(ndjson(originRows(2, 900))));
  await fixture.append({}, { files: [added] });
  t.same(await originsIn(fixture, [901]), { "prices/prices.origins.ndjson.gz": [3] });
});

t.test("what is wrong with origins is named", async (t) => {
  const { append, replace, folder, publish } = await sourcesFixture(t);
  const prices = priceRows(2, 900, team);
  const good = originRows(1, 900)[0];
  t.match(
    await problemsOf(() =>
      append({
        "a.ndjson": prices,
        "a.origins.ndjson": [
          { ...good, file: "/home/akinyi/may.xlsx" },
          { ...good, row: 0 },
          { ...good, enumerator: "Akinyi" },
          { ...good, sheet: "May\u202e" },
        ],
      }),
    ),
    [
      /a.origins.ndjson:1: "file" is "\/home\/akinyi\/may.xlsx", expected the name of a file without folders$/,
      /a.origins.ndjson:2: "row" is 0/,
      /a.origins.ndjson:3: "enumerator" is unknown/,
      /a.origins.ndjson:4: "sheet"/,
    ],
  );
  const unpaired = [
    /a.origins.ndjson: found origins of no prices file, expected the prices file "a.ndjson" beside it$/,
  ];
  const rows = { "b.ndjson": prices, "a.origins.ndjson": originRows(1, 900) };
  t.match(await problemsOf(() => append(rows)), unpaired);
  const inFolder = { "prices.ndjson": priceRows(20), "prices/a.origins.ndjson": originRows(1, 900) };
  t.match(await problemsOf(() => replace(inFolder)), unpaired);
  const candidate = await folder("candidate", {});
  await writeRecords(candidate, {}, { "prices/a.origins.ndjson": ndjson(originRows(1, 900)) });
  t.match(await problemsOf(() => publish(candidate)), unpaired);
});

t.test("no service reads origins; verify does", async (t) => {
  const fixture = await sourcesFixture(t);
  const { data, append } = fixture;
  await append({ "a.ndjson": priceRows(3, 900, team), "a.origins.ndjson": originRows(3, 900) });
  const id = (await currentOf(data)) as SnapshotId;
  const path = join(data, "snapshots", id, "prices/a.origins.ndjson");
  await rm(join(data, "compiled"), { recursive: true });
  await rename(path, `${path}.away`);
  t.equal((await openSnapshotStore(data, id)).prices.rowCount, 23, "built from the records");
  t.match(await problemsOf(() => verifySnapshot(data)), [/a.origins.ndjson: found no such file/]);
  await rename(`${path}.away`, path);
  await chmod(path, 0o644);
  await writeFile(path, (await readFile(path, "utf8")).replace('"row":3', '"row":4'));
  t.match(await problemsOf(() => verifySnapshot(data)), [/a.origins.ndjson: found sha256/]);
});

t.test("every way of publishing names the origins of what it warns of, also where it refuses", async (t) => {
  const { append, replace, folder, publish } = await sourcesFixture(t);
  const isSlip = ({ kind }: { readonly kind: string }): boolean => kind === "suspicious";
  const origin = { file: "may.xlsx", sheet: "Nakuru", row: 2 };
  const slip = { uuid: testUuid(900), price: 6000, recorded_at: "2026-11-19T09:00:00Z" };
  const files = {
    "prices.ndjson": [priceRow({ ...team, ...slip })],
    "prices.origins.ndjson": [...originRows(1, 900), ...originRows(1, 900, "june.xlsx")],
  };
  const { warnings } = await append(files, { dryRun: true });
  t.match(warnings.problems.find(isSlip), { origin }, "the first origin of a price counts");
  const strict = new Set(["suspicious"] as const);
  const refusal = await append(files, { strict }).catch((error: unknown) => error);
  t.match((refusal as PublicationRefusedError).list.problems, [{ kind: "suspicious", origin }]);
  const broken = { ...files, "prices.ndjson": [...files["prices.ndjson"], { ...priceRow(team), price: -1 }] };
  const faulty = await append(broken).catch((error: unknown) => error);
  t.match((faulty as PublicationRefusedError).warnings.problems.find(isSlip), { origin }, "beside a bad price");
  const feed = {
    "prices.ndjson": [...priceRows(20, 100), priceRow(slip)],
    "prices.origins.ndjson": originRows(1, 900),
  };
  t.match((await replace(feed, { dryRun: true })).warnings.problems.find(isSlip), { origin });
  const candidate = await folder("candidate", {});
  await writeRecords(candidate, { prices: [...priceRows(20, 100), priceRow(slip)] });
  await writeFile(join(candidate, "prices.origins.ndjson"), ndjson(originRows(1, 900)));
  t.match((await publish(candidate, { dryRun: true })).warnings.problems.find(isSlip), { origin });
});

t.test("warnings, the report and show name sheet and row", async (t) => {
  const fixture = await sourcesFixture(t);
  const { data, folder } = fixture;
  const added = await folder("given", {
    "prices.ndjson": [priceRow({ ...team, uuid: testUuid(900), price: 6000, recorded_at: "2026-11-19T09:00:00Z" })],
    "prices.origins.ndjson": originRows(1, 900),
  });
  const run = (...args: string[]) => runCommand("snapshot", args, join(data, ".."), { DATA_DIR: data });
  const origin = { file: "may.xlsx", sheet: "Nakuru", row: 2, imported_at: "2026-11-20T09:00:00.000Z" };
  const dry = await run("append", added, "--dry-run", "--json");
  const { warnings } = JSON.parse(dry.stdout) as { warnings: { problems: { kind: string }[] } };
  t.match(
    warnings.problems.find(({ kind }) => kind === "suspicious"),
    { file: join(added, "prices.ndjson"), line: 1, origin },
  );
  const strict = await run("append", added, "--strict", "suspicious");
  t.match(strict, { code: 1, stderr: /^may.xlsx, sheet Nakuru, row 2: "price" is 6000/m });
  const appended = await run("append", added, "--no-downloads");
  t.match(appended, { code: 0, stderr: /may.xlsx, sheet Nakuru, row 2: "price" is 6000.*\(Maize at Wakulima, / });
  t.notMatch(appended.stderr, /prices.ndjson:1/);
  t.match(await run("show", "--price", testUuid(900)), { stdout: /may.xlsx, sheet Nakuru, row 2/ });
  const shown = JSON.parse((await run("show", "--price", testUuid(900), "--json")).stdout);
  t.match(shown, { events: [{ kind: "published", file: "prices/prices.ndjson", line: 1, origin }] });
  const out = join(added, "report.html");
  t.match(await run("report", "--out", out), { code: 0 });
  t.match(await readFile(out, "utf8"), /may.xlsx, sheet Nakuru, row 2/);
  t.notOk((await readdir(join(data, "downloads")).catch(() => [])).some((name) => name.includes("origins")));
});
