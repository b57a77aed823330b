import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import { problemText } from "../../../src/engine/snapshots/problem.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { edit } from "../../support/damage.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { currentOf, daysLater, namesOf } from "../../support/published-data.ts";
import { marketRow, priceRow, priceRows, productRow, testUuid, unitCategoryRow } from "../../support/snapshot-files.ts";
import { sourcesFixture } from "../../support/sources-fixture.ts";

const team = { source: "Field team" };

t.test("a month of a feed and own prices: nothing is lost, and the next months know the base", async (t) => {
  const { data, append, replace, price } = await sourcesFixture(t);
  await append({ "prices/day.ndjson": [...priceRows(2, 900, team), priceRow({ price: 70 })] });
  await append({
    "prices/day.ndjson": [priceRow({ uuid: testUuid(101), price: 71 }), priceRow({ uuid: testUuid(102), price: 72 })],
  });

  const next = [priceRow(), priceRow({ uuid: testUuid(101), price: 65 }), ...priceRows(18, 102), ...priceRows(3, 200)];
  const undecided = await replace({ "prices.ndjson": next });
  t.match(undecided, {
    outcome: "conflicts",
    id: await currentOf(data),
    conflicts: [
      {
        uuid: testUuid(101),
        base: { price: 60, file: "prices.ndjson", line: 2 },
        own: { price: 71, file: "prices/day-2.ndjson", line: 1, product: "Maize", market: "Wakulima" },
        feed: { price: 65, file: "prices.ndjson", line: 2 },
      },
    ],
  });
  const report = await replace({ "prices.ndjson": next }, { prefer: "own" });
  t.match(report, {
    outcome: "published",
    rows: { prices: 25 },
    counts: { rows: 23, rowsBefore: 20, added: 3, changed: 1, dropped: 0, carriedOver: 2, correctionsKept: 2 },
    changes: {
      rows: { prices: { added: 3, gone: 0, changed: 0 } },
      sources: [{ source: "WFP", before: 20, after: 23 }],
    },
  });
  t.same(
    await Promise.all([100, 101, 102, 103, 900].map(async (number) => (await price(testUuid(number)))?.price)),
    [70, 71, 72, 60, 60],
  );
  const { files } = await readManifest(join(data, "snapshots", report.id));
  t.same(
    files.filter(({ kind }) => kind === "prices").map(({ name, sequence, replaces }) => [name, sequence, replaces]),
    [
      ["prices.ndjson", 0, 0],
      ["prices/day-2.ndjson", 2, 2],
      ["prices/day.ndjson", 1, 1],
    ],
  );

  // The feed adopts one correction, withdraws the base of another, and keeps to what it said of the third.
  const third = [priceRow({ price: 70 }), priceRow({ uuid: testUuid(101), price: 65 }), ...priceRows(17, 103)];
  const adopted = await replace({ "prices.ndjson": third }, { prefer: "feed", allowShrink: true });
  t.match(adopted.counts, { adopted: 1, conflicts: 1, correctionsKept: 1, dropped: 4 });
  t.same(await Promise.all([100, 101, 102, 900].map(async (number) => (await price(testUuid(number)))?.price)), [
    70,
    71,
    undefined,
    60,
  ]);
  await verifySnapshot(data);
  await rollbackSnapshot({ dataDirectory: data });
  t.equal(await currentOf(data), report.id);
  t.equal((await price(testUuid(102)))?.price, 72);
});

t.test("files of other sources are shared, and lose rows only where they hold some of the feed", async (t) => {
  const { data, append, replace, publish, folder } = await sourcesFixture(t);
  const before = await append({ "own.ndjson": priceRows(2, 900, team) });
  const { id } = await replace({ "prices.ndjson": priceRows(20, 100, { price: 61 }) });
  const [old, shared] = await Promise.all(
    [before.id, id].map((one) => stat(join(data, "snapshots", one, "prices/own.ndjson"))),
  );
  t.equal(shared?.ino, old?.ino);

  // Two feeds side by side: each is exchanged in turn.
  await replace({ "prices.ndjson": priceRows(5, 300, { source: "KAMIS" }) }, { source: "KAMIS" });
  t.match(await replace({ "prices.ndjson": priceRows(20, 100) }), {
    rows: { prices: 27 },
    counts: { carriedOver: 7, changed: 20 },
  });
  // A file that holds both, from a folder that was published whole.
  const { id: mixed } = await publish(
    await folder("mixed", {
      ...(await tablesOf(data)),
      "prices.ndjson": [...priceRows(20), ...priceRows(5, 300, { source: "KAMIS" }), ...priceRows(2, 900, team)],
    }),
  );
  const report = await replace({ "prices.ndjson": priceRows(20, 100, { price: 62 }) });
  t.equal(report.parent, mixed);
  const { files } = await readManifest(join(data, "snapshots", report.id));
  t.same(
    files.filter(({ kind }) => kind === "prices").map(({ name, rows, sequence }) => [name, rows, sequence]),
    [
      ["prices.ndjson", 20, 0],
      ["prices/prices-2.ndjson", 7, 0],
    ],
  );
  t.equal((await replace({ "prices.ndjson": priceRows(20, 100, { price: 62 }) })).outcome, "already-current");
  await verifySnapshot(data);
});

t.test("tables of the feed win by identifier, each change is listed, and nothing is removed", async (t) => {
  const { data, append, replace, current } = await sourcesFixture(t);
  await append({
    "markets.ndjson": [marketRow({ uuid: testUuid(3), name: "Gikomba" })],
    "own.ndjson": [priceRow({ ...team, uuid: testUuid(900), market_uuid: testUuid(3) })],
  });
  const report = await replace({
    "prices.ndjson": priceRows(20),
    "markets.ndjson": [
      marketRow({ name: "Wakulima Market", updated_at: "2026-05-01T00:00:00Z" }),
      marketRow({ uuid: testUuid(4), name: "Kongowea" }),
    ],
    "products.ndjson": [productRow({ updated_at: "2026-05-01T00:00:00Z" })],
    "units.json": JSON.stringify([
      unitCategoryRow({ units: [{ name: "bale", abbreviation: "bale", base_unit: "kg", conversion_factor: 24 }] }),
    ]),
    "manifest.json": JSON.stringify({
      attribution: ["WFP"],
      sources: { WFP: { title: "World Food Programme" } },
      note: "June",
      time_zone: "Africa/Nairobi",
      periods: { WFP: "month" },
    }),
  });
  t.same(report.tableChanges, [
    { kind: "units", change: "added", id: "bale", name: "bale", fields: [] },
    {
      kind: "markets",
      change: "changed",
      id: testUuid(2),
      name: "Wakulima Market",
      fields: ["name", "alternative_names"],
    },
    { kind: "markets", change: "added", id: testUuid(4), name: "Kongowea", fields: [] },
  ]);
  const store = await current();
  t.same(store.catalogue.markets.map(({ record }) => record.name).sort(), ["Gikomba", "Kongowea", "Wakulima Market"]);
  t.same([...store.catalogue.units.keys()], ["kg", "90 kg bag", "bale"]);
  t.match(store.snapshot, {
    note: "June",
    attribution: ["WFP"],
    timeZone: "Africa/Nairobi",
    periods: { WFP: "month" },
  });
  t.equal(store.snapshot.sources["WFP"]?.title, "World Food Programme");
  await verifySnapshot(data);
});

t.test("what is no feed of the source is refused, and nothing is left behind", async (t) => {
  const { data, append, replace } = await sourcesFixture(t);
  await append({ "own.ndjson": priceRows(2, 900, team) });
  const before = await namesOf(data);
  const refusals: [Parameters<typeof replace>[0], RegExp[]][] = [
    [{ "prices.ndjson": [] }, [/^prices: found no price, expected at least one$/]],
    [
      { "prices.ndjson": [...priceRows(20), priceRow({ ...team, uuid: testUuid(300) })] },
      [/^prices\.ndjson:21: "source" is "Field team", expected "WFP", the source to replace$/],
    ],
    [
      { "prices.ndjson": [...priceRows(20), priceRow({ uuid: testUuid(901) })] },
      [/^prices\.ndjson:21: "uuid" is "[^"]+901", the uuid of a price of source "Field team", expected one of source/],
    ],
    [
      { "prices.ndjson": priceRows(18) },
      [/^prices: found 18 rows of source "WFP", expected at least 95 % of its 20 in the current snapshot$/],
    ],
    [
      { "prices.ndjson": priceRows(18), "manifest.json": JSON.stringify({ periods: { Nobody: "month" } }) },
      [/^manifest\.json: "periods" is .*Nobody/, /^prices: found 18 rows of source "WFP"/],
    ],
    [
      {
        "prices.ndjson": priceRows(20),
        "markets.ndjson": [marketRow({ uuid: testUuid(3), county_id: 7 }), marketRow(), marketRow({ name: "B" })],
      },
      [/^markets\.ndjson:3: "uuid" is .*, expected another one/, /^markets\.ndjson:1: "county_id" is 7, which is no/],
    ],
    [
      { "prices.ndjson": priceRows(20), "manifest.json": JSON.stringify({ time_zone: "UTC" }) },
      [/^manifest\.json: "time_zone" is "UTC", expected "Africa\/Nairobi", as in the current snapshot$/],
    ],
    [
      { "prices.ndjson": priceRows(20), "manifest.json": JSON.stringify({ files: [] }) },
      [/^manifest\.json: found a copy of a snapshot, expected record files/],
    ],
    [{ "prices.ndjson": [priceRow({ price: 0 }), ...priceRows(20, 101)] }, [/^prices\.ndjson:1: "price" is 0/]],
  ];
  for (const [files, patterns] of refusals) reportsExactly(t, await problemsOf(() => replace(files)), patterns);
  t.same(await namesOf(data), before);
  t.match(await replace({ "prices.ndjson": priceRows(18) }, { allowShrink: true }), { counts: { dropped: 2 } });
});

t.test("a price appended under the source of the feed stays until the feed has it", async (t) => {
  const { append, replace, price } = await sourcesFixture(t);
  await append({ "own.ndjson": [priceRow({ uuid: testUuid(300), price: 70 })] });
  const kept = await replace({ "prices.ndjson": priceRows(20, 100, { price: 61 }) });
  t.match(kept, { outcome: "published", counts: { additionsKept: 1, conflicts: 0 }, rows: { prices: 21 } });
  t.equal((await price(testUuid(300)))?.price, 70);
  const other = {
    "prices.ndjson": [...priceRows(20, 100, { price: 61 }), priceRow({ uuid: testUuid(300), price: 71 })],
  };
  t.match(await replace(other), { outcome: "conflicts", conflicts: [{ base: null, feed: { price: 71 } }] });
  const same = [...priceRows(20, 100, { price: 61 }), priceRow({ uuid: testUuid(300), price: 70 })];
  t.match(await replace({ "prices.ndjson": same }), { counts: { adopted: 1, conflicts: 0 }, rows: { prices: 21 } });
});

t.test("a correction under the name of the team is a correction of the feed all the same", async (t) => {
  const { append, replace, price } = await sourcesFixture(t);
  await append({ "own.ndjson": [priceRow({ ...team, price: 70 })] });
  t.match(await replace({ "prices.ndjson": priceRows(21) }), { counts: { correctionsKept: 1, carriedOver: 0 } });
  t.match(await price(testUuid(100)), { price: 70, source: "Field team" });

  // Without its base it is a price of the team; under the source of the feed it can be decided on again.
  await replace({ "prices.ndjson": priceRows(20, 101) }, { prefer: "own" });
  reportsExactly(t, await problemsOf(() => replace({ "prices.ndjson": priceRows(21) })), [
    /^prices\.ndjson:1: "uuid" is .*, the uuid of a price of source "Field team"/,
  ]);
  await append({ "own.ndjson": [priceRow({ price: 70 })] }, { now: daysLater(3) });
  t.match(await replace({ "prices.ndjson": priceRows(21) }), { outcome: "conflicts", conflicts: [{ base: null }] });
  await replace({ "prices.ndjson": priceRows(21) }, { prefer: "feed" });
  t.match(await price(testUuid(100)), { price: 60, source: "WFP" });
});

t.test("a dry run says what would happen, and writes nothing", async (t) => {
  const { data, append, replace } = await sourcesFixture(t);
  const { id } = await append({ "own.ndjson": [...priceRows(2, 900, team), priceRow({ price: 70 })] });
  const before = await namesOf(data);
  const feed = { "prices.ndjson": priceRows(20, 100, { price: 61 }) };
  t.equal((await replace(feed, { dryRun: true })).outcome, "conflicts");
  t.match(await replace(feed, { dryRun: true, prefer: "feed" }), {
    outcome: "would-publish",
    parent: id,
    changes: { rows: { prices: { added: 0, gone: 0, changed: 20 } } },
  });
  const far = { "prices.ndjson": [...feed["prices.ndjson"], priceRow({ uuid: testUuid(300), price: 999 })] };
  for (const dryRun of [true, false]) {
    const refused = await replace(far, { dryRun, strict: new Set(["suspicious"]) });
    t.match(refused, { outcome: "conflicts", conflicts: [{ own: { price: 70 } }] });
    t.ok(refused.warnings.counts.has("suspicious"), "conflicts and what --strict refuses are shown together");
  }
  t.same(await namesOf(data), before);
  t.equal(await currentOf(data), id);
});

t.test("warnings name the lines of the feed", async (t) => {
  const { data, replace } = await sourcesFixture(t);
  const { id, warnings } = await replace({
    "prices.ndjson": [
      ...priceRows(20),
      priceRow({ uuid: testUuid(300), price: 999 }),
      priceRow({ uuid: testUuid(301), market_uuid: testUuid(3), recorded_at: "2026-06-15T06:00:00Z" }),
    ],
    "markets.ndjson": [marketRow({ uuid: testUuid(3), name: "Gikomba" })],
    "products.ndjson": [productRow({ uuid: testUuid(4), name: "Beans" })],
  });
  reportsExactly(t, warnings.problems.map(problemText), [
    /^prices\.ndjson:21: "price" is 999, expected/,
    /^prices\.ndjson:21: "price" is 999, beside/,
    // Markets of the feed's file, and those that stand in the current snapshot alone.
    /^snapshots\/[^/]+\/markets\.ndjson:1: found "Wakulima" without a price since 2026-01-15/,
    /^products\.ndjson:1: found "Beans" without any price/,
  ]);
  t.notOk((await readdir(join(data, "snapshots", id))).includes("prices"), "no empty folder");
});

t.test("a damaged snapshot is not built on", async (t) => {
  const { data, replace } = await sourcesFixture(t);
  const id = await currentOf(data);
  await edit(join(data, "snapshots", id, "prices.ndjson"), (text) => text.replace('"price":60', '"price":61'));
  const problems = await problemsOf(() => replace({ "prices.ndjson": priceRows(21) }));
  reportsExactly(t, problems, [new RegExp(`^snapshots/${id}/prices\\.ndjson: found sha256 .*, as the manifest says$`)]);
  t.same(await readdir(join(data, "snapshots")), [id]);
});

/** The small tables of the current snapshot, as files. */
async function tablesOf(data: string): Promise<Record<string, string>> {
  const folder = join(data, "snapshots", await currentOf(data));
  const names = ["counties.json", "crops.json", "units.json", "market-types.json", "products.ndjson", "markets.ndjson"];
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")])),
  );
}
