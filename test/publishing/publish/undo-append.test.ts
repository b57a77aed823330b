/** Undo: the snapshot without one append, whatever was published on top of it. */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { approveDraft } from "../../../src/publishing/publish/approve-draft.ts";
import { type DecisionRequest, decidePrices } from "../../../src/publishing/publish/decide-prices.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { type UndoReport, type UndoRequest, undoAppend } from "../../../src/publishing/publish/undo-append.ts";
import { verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { currentOf, daysLater, namesOf } from "../../support/published-data.ts";
import { marketRow, originRows, priceRow, priceRows, testUuid, unitCategoryRow } from "../../support/snapshot-files.ts";
import { type SourcesFixture, sourcesFixture } from "../../support/sources-fixture.ts";

const team = { source: "Field team" };

interface UndoFixture extends SourcesFixture {
  undo(named: string, request?: Partial<UndoRequest>): Promise<UndoReport>;
  decide(kind: DecisionRequest["kind"], numbers: readonly number[], isUndone?: boolean): Promise<{ id: SnapshotId }>;
  pricesFiles(): Promise<unknown[]>;
}

async function fixture(t: Test): Promise<UndoFixture> {
  const sources = await sourcesFixture(t);
  const common = { dataDirectory: sources.data, now: daysLater(3), dryRun: false };
  return {
    ...sources,
    undo: (named, request) => {
      const append = named.includes("ndjson") ? { file: named } : { id: named as SnapshotId };
      return undoAppend({ ...common, append, ...request });
    },
    decide(kind, numbers, isUndone = false) {
      const decision = isUndone ? undefined : { reason: "wrong", by: null };
      return decidePrices({ ...common, kind, uuids: numbers.map((number) => testUuid(number) as Uuid), decision });
    },
    async pricesFiles() {
      const { files } = await readManifest(join(sources.data, "snapshots", await currentOf(sources.data)));
      return files
        .filter(({ kind }) => kind === "prices" || kind === "origins")
        .map(({ name, sequence, replaces }) => [name, sequence, replaces]);
    },
  };
}

t.test("added prices go, corrected ones are as before, later files stay, and replaces is counted again", async (t) => {
  const { data, append, undo, price, pricesFiles, current } = await fixture(t);
  const first = await append({
    "a.ndjson": [priceRow({ price: 70 }), priceRow({ uuid: testUuid(101), price: 71 }), ...priceRows(2, 900, team)],
    "a.origins.ndjson": originRows(2, 900),
  });
  await append({ "b.ndjson": [priceRow({ price: 80 }), priceRow({ ...team, uuid: testUuid(900), price: 81 })] });
  t.same((await pricesFiles()).at(-2), ["prices/b.ndjson", 2, 2]);
  t.match(await undo(first.id, { dryRun: true }), {
    outcome: "would-publish",
    changes: { rows: { prices: { gone: 1 } } },
  });
  const report = await undo(first.id);
  t.match(report, {
    outcome: "published",
    undone: ["prices/a.ndjson"],
    ...{ gone: 1, restored: 1, stays: [testUuid(100), testUuid(900)] },
    ...{ withdrawals: 0, acceptances: 0, tables: [] },
    rows: { prices: 21 },
    changes: { rows: { prices: { gone: 1, changed: 1, added: 0 } } },
  });
  t.same(await pricesFiles(), [
    ["prices.ndjson", 0, 0],
    ["prices/b.ndjson", 2, 1],
  ]);
  const prices = await Promise.all([100, 101, 900, 901].map(async (number) => (await price(testUuid(number)))?.price));
  t.same(prices, [80, 60, 81, undefined]);
  t.equal((await current()).snapshot.parent, report.parent);
  await verifySnapshot(data);
  t.match(await undo(first.id), { outcome: "already-current", undone: [] });
  t.match(await undo("prices/a.ndjson"), { outcome: "already-current" });
  const again = { "a.ndjson": [priceRow({ uuid: testUuid(101), price: 72 }), ...priceRows(2, 900, team)] };
  t.match(await append(again), { outcome: "published" }, "a right table can be appended");
  t.match(await undo(first.id), { outcome: "already-current" }, "which is another append");
  t.match(await undo("prices/a.ndjson"), { outcome: "published" });
  await verifySnapshot(data);
});

t.test("small tables stay and are listed, and so do decisions on its prices", async (t) => {
  const { data, append, undo, decide, price, current } = await fixture(t);
  const units = [
    ...unitCategoryRow().units,
    { name: "g", abbreviation: "g", base_unit: "kg", conversion_factor: 0.001 },
  ];
  const { id } = await append({
    "day.ndjson": [priceRow({ price: 70 }), ...priceRows(1, 900, { ...team, market_uuid: testUuid(3) })],
    "markets.ndjson": [marketRow({ name: "Wakulima Market" }), marketRow({ uuid: testUuid(3), name: "Gikomba" })],
    "units.json": JSON.stringify([unitCategoryRow({ units })]),
  });
  await decide("withdrawals", [900, 100]);
  const report = await undo(id);
  t.match(report, { gone: 0, restored: 0, stays: [], withdrawals: 2, acceptances: 0 });
  t.match(report.tables, [
    { kind: "units", change: "added", name: "g", fields: { conversion_factor: [null, 0.001] } },
    { kind: "markets", change: "changed", name: "Wakulima Market", fields: { name: ["Wakulima", "Wakulima Market"] } },
    { kind: "markets", change: "added", name: "Gikomba", fields: { name: [null, "Gikomba"] } },
  ]);
  t.equal((await current()).catalogue.markets.length, 2);
  await verifySnapshot(data);
  await decide("withdrawals", [100], true);
  t.match(await price(testUuid(100)), { price: 60 });
  const tables = await append({ "markets.ndjson": [marketRow({ uuid: testUuid(4), name: "Kongowea" })] });
  await t.rejects(undo(tables.id), { name: "UndoRefusedError", message: /append the record as it should be$/ });
});

t.test("what is no append is refused with the command to use, and nothing changes", async (t) => {
  const { data, append, undo, decide, replace, publish, folder } = await fixture(t);
  const base = await currentOf(data);
  const day = await append({ "day.ndjson": priceRows(2, 900, team) });
  const feed = await replace({ "prices.ndjson": priceRows(21) });
  const withdrawn = await decide("withdrawals", [900]);
  const reinstated = await decide("withdrawals", [900], true);
  const other = await append({ "other.ndjson": priceRows(1, 950, team) });
  const wrong = await decide("withdrawals", [101]);
  await append({ "last.ndjson": priceRows(1, 960, team) });
  const { id: rolledBack } = await rollbackSnapshot({ dataDirectory: data, id: other.id, now: daysLater(3) });
  t.not(rolledBack, other.id);
  const undone = await undo("prices/day.ndjson");
  const names = await namesOf(data);
  const refusals: [string, RegExp][] = [
    [base, /a whole folder, a feed or a rollback, expected an append: publish --replace-source .*, rollback ID/],
    [feed.id, /a feed, expected an append: publish --replace-source SOURCE with the feed before/],
    [withdrawn.id, /a decision, expected an append: reinstate UUID or withdraw UUID/],
    [reinstated.id, /a decision, expected an append: reinstate UUID or withdraw UUID/],
    [rolledBack, /a rollback, expected an append: rollback ID/],
    [
      undone.id,
      new RegExp(`an undo, expected an append: append the table again, ${data}/snapshots/${rolledBack}/prices/day`),
    ],
    ["20200101T000000Z-000000000000", /cannot be read, .* undo FILE takes back one of the files that show 2/],
    ["prices.ndjson", /was not appended, expected an append: publish --replace-source/],
    ["prices/none.ndjson", /no prices file of what is served, expected the name of one, as show 2/],
    [wrong.id, /a decision, expected an append: reinstate/],
  ];
  for (const [named, message] of refusals) await t.rejects(undo(named), { name: "UndoRefusedError", message }, named);
  t.same(await namesOf(data), names);
  t.match(await undo(day.id), { outcome: "already-current" });
  const whole = await folder("whole", {});
  await append({ "day.ndjson": priceRows(2, 910, team) });
  t.ok(whole && publish);
  await rollbackSnapshot({ dataDirectory: data, id: base as SnapshotId, now: daysLater(4), withoutWithdrawals: true });
  await t.rejects(undo(day.id), { message: /found none of its files in what is served, .* undo FILE/ });
});

t.test("a file is named where the snapshot of its append is removed, and the last price stays", async (t) => {
  const { data, append, undo, publish, folder } = await fixture(t);
  const { id, parent } = await append({ "a.ndjson": priceRows(2, 900, team) });
  await append({ "b.ndjson": priceRows(2, 910, team) });
  await rm(join(data, "snapshots", String(parent)), { recursive: true });
  await t.rejects(undo(id), { message: /its parent .* is removed.*: undo FILE takes back/ });
  await rm(join(data, "snapshots", id), { recursive: true });
  await t.rejects(undo(id), { message: /cannot be read.*, undo FILE takes back/ });
  t.match(await undo("prices/a.ndjson"), { outcome: "published", gone: 2, tables: undefined });
  await verifySnapshot(data);
  // A snapshot whose only prices were appended.
  const whole = await folder("whole", {});
  for (const name of await readdir(join(data, "..", "candidate"))) {
    if (name !== "prices") await writeFile(join(whole, name), await readFile(join(data, "..", "candidate", name)));
  }
  await writeFile(join(whole, "prices.ndjson"), `${JSON.stringify(priceRow())}\n`);
  const second = await publish(whole, { allowShrink: true, allowLoss: true });
  await rm(join(data, "snapshots", String(second.parent)), { recursive: true });
  await t.rejects(undo(second.id), { message: /has no appended prices, expected an append: .* rollback ID goes/ });
  await append({ "c.ndjson": priceRows(1, 900, team) });
  await decidePrices({
    ...{ dataDirectory: data, now: daysLater(3), dryRun: false, kind: "withdrawals" as const },
    ...{ uuids: [testUuid(100) as Uuid], decision: { reason: "wrong", by: null } },
  });
  await t.rejects(undo("prices/c.ndjson"), { message: /no price would be left/ });
});

t.test("acceptances are refused by name, also of a price that is accepted once more", async (t) => {
  const { append, undo, decide } = await fixture(t);
  const rows = [50, 52, 51, 49, 50, 500, 52, 51].map((price, month) => {
    const recorded_at = `2025-0${month + 1}-15T06:00:00Z`;
    return priceRow({ ...team, uuid: testUuid(200 + month), price, recorded_at });
  });
  await append({ "own.ndjson": rows });
  const first = await decide("accepted", [205]);
  const slip = await append({ "slip.ndjson": [{ ...rows[5], price: 5000 }] });
  const second = await decide("accepted", [205]);
  for (const { id } of [first, second])
    await t.rejects(undo(id), {
      message: /a decision, expected an append: accept-price UUID --undo or .* --reason takes it back/,
    });
  t.match(await undo(slip.id), {
    outcome: "published",
    restored: 1,
    acceptances: 1,
    lapsed: [{ uuid: testUuid(205) }],
  });
});

t.test("an undo may wait as a draft, and makes drafts on top of what was current outdated", async (t) => {
  const { data, append, undo, price } = await fixture(t);
  const { id } = await append({ "a.ndjson": [priceRow({ price: 70 })] });
  const draft = await append({ "b.ndjson": priceRows(1, 900, team) }, { isDraft: true });
  const waiting = await undo(id, { isDraft: true });
  t.match(waiting, { outcome: "drafted" });
  t.match(await price(testUuid(100)), { price: 70 });
  t.match(await approveDraft({ dataDirectory: data, id: waiting.id, now: daysLater(4) }), { outcome: "approved" });
  t.match(await price(testUuid(100)), { price: 60 });
  t.match(await approveDraft({ dataDirectory: data, id: draft.id, now: daysLater(4) }), { outcome: "outdated" });
});

t.test("a feed has adopted rows of an append: the rest of its file is taken back", async (t) => {
  const { data, append, undo, replace, price } = await fixture(t);
  const { id } = await append({ "a.ndjson": [priceRow({ price: 70 }), ...priceRows(1, 900, team)] });
  await replace({ "prices.ndjson": [priceRow({ price: 70 }), ...priceRows(19, 101)] });
  t.match(await undo(id), { outcome: "published", gone: 1, restored: 0 });
  t.match(await price(testUuid(100)), { price: 70 });
  await verifySnapshot(data);
});
