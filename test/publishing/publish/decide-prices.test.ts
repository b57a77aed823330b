import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { readUuid, type Uuid } from "../../../src/engine/model/ids.ts";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import { readManifestDecisions } from "../../../src/engine/snapshots/price-decisions.ts";
import type { DecisionKind, SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import {
  type DecisionReport,
  type DecisionRequest,
  decidePrices,
} from "../../../src/publishing/publish/decide-prices.ts";
import { exportRecords } from "../../../src/publishing/publish/export-snapshot.ts";
import { openSnapshotStore } from "../../../src/publishing/publish/open-published.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { edit } from "../../support/damage.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { currentOf, daysLater, namesOf } from "../../support/published-data.ts";
import { priceRow, priceRows, testUuid, writeRecords } from "../../support/snapshot-files.ts";
import { type SourcesFixture, sourcesFixture } from "../../support/sources-fixture.ts";

const team = { source: "Field team" };

interface DecisionFixture extends SourcesFixture {
  withdraw(numbers: readonly number[], request?: Partial<DecisionRequest>): Promise<DecisionReport>;
  reinstate(numbers: readonly number[], request?: Partial<DecisionRequest>): Promise<DecisionReport>;
  accept(numbers: readonly number[], request?: Partial<DecisionRequest>): Promise<DecisionReport>;
  listed(kind: DecisionKind): Promise<readonly object[]>;
}

async function fixture(t: Test): Promise<DecisionFixture> {
  const sources = await sourcesFixture(t);
  const { data } = sources;
  const decision = { reason: "wrong", by: null };
  const decide = (kind: DecisionKind, numbers: readonly number[], request: Partial<DecisionRequest>) => {
    const common = { dataDirectory: data, now: daysLater(3), dryRun: false, decision };
    return decidePrices({ ...common, kind, uuids: numbers.map((number) => testUuid(number) as Uuid), ...request });
  };
  return {
    ...sources,
    withdraw: (numbers, request = {}) => decide("withdrawals", numbers, request),
    reinstate: (numbers, request = {}) => decide("withdrawals", numbers, { ...request, decision: undefined }),
    accept: (numbers, request = {}) => decide("accepted", numbers, request),
    async listed(kind) {
      const folder = join(data, "snapshots", await currentOf(data));
      return (await readManifestDecisions(folder, await readManifest(folder)))[kind];
    },
  };
}

/** Prices of months, one of them ten times too high under the number 205. */
function monthlyRows(): object[] {
  return [50, 52, 51, 49, 50, 500, 52, 51, 50, 49].map((price, month) =>
    priceRow({ ...team, uuid: testUuid(200 + month), price, recorded_at: `2025-${digits(month + 1)}-15T06:00:00Z` }),
  );
}

function digits(month: number): string {
  return String(month).padStart(2, "0");
}

async function marks({ current }: SourcesFixture): Promise<string[]> {
  const { prices, suspicious } = await current();
  return Array.from(suspicious.rows, (row) => readUuid(prices.uuids, row));
}

t.test("a withdrawn price is in no answer, its files stay, and it comes back as it was", async (t) => {
  const { data, withdraw, reinstate, price, listed } = await fixture(t);
  const before = await currentOf(data);
  const report = await withdraw([100, 101, 100], { decision: { reason: "twice", by: "Akinyi" }, note: "Note" });
  t.match(report, {
    outcome: "published",
    parent: before,
    decided: [testUuid(100), testUuid(101)],
    rows: { prices: 18 },
  });
  t.equal(await price(testUuid(100)), undefined);
  t.same(await listed("withdrawals"), [
    { uuid: testUuid(100), reason: "twice", when: daysLater(3), by: "Akinyi" },
    { uuid: testUuid(101), reason: "twice", when: daysLater(3), by: "Akinyi" },
  ]);
  const folder = join(data, "snapshots", report.id);
  t.equal(
    (await readFile(join(folder, "withdrawals.ndjson"), "utf8")).split("\n")[0],
    `{"uuid":"${testUuid(100)}","reason":"twice","when":"2026-11-23T08:30:00.000Z","by":"Akinyi"}`,
  );
  t.match(await readManifest(folder), { note: "Note", files: [{}, {}, {}, {}, {}, {}, {}, { withheld: 2, rows: 2 }] });
  const [old, shared] = await Promise.all(
    [before, report.id].map((id) => stat(join(data, "snapshots", id, "prices.ndjson"))),
  );
  t.equal(shared?.ino, old?.ino);
  await verifySnapshot(data);

  t.match(await withdraw([100]), { outcome: "already-current", knownCount: 1 });
  t.match(await withdraw([100, 102]), { outcome: "published", knownCount: 1, rows: { prices: 17 } });
  t.match(await reinstate([100, 102]), { outcome: "published", missingCount: 0, rows: { prices: 19 } });
  t.equal((await price(testUuid(100)))?.price, 60);
  await reinstate([101]);
  t.same(await readdir(join(data, "snapshots", await currentOf(data))), await readdir(join(data, "snapshots", before)));
});

t.test("what cannot be decided on is refused, with nothing written", async (t) => {
  const { data, withdraw, reinstate, accept } = await fixture(t);
  const names = await namesOf(data);
  reportsExactly(t, await problemsOf(() => withdraw([100, 998, 999])), [
    /998, expected the uuid of a price of the current snapshot$/,
    /999, expected the uuid of a price of the current snapshot$/,
  ]);
  reportsExactly(t, await problemsOf(() => reinstate([100])), [/100, expected a price that is withdrawn$/]);
  reportsExactly(t, await problemsOf(() => accept([100])), [/100, expected a price that is marked as suspicious$/]);
  reportsExactly(t, await problemsOf(() => accept([100], { decision: undefined })), [
    /expected a price that was accepted$/,
  ]);
  t.same(await namesOf(data), names);
});

t.test("a dry run says what would change for readers, and writes nothing", async (t) => {
  const { data, withdraw, append, accept } = await fixture(t);
  await append({ "own.ndjson": monthlyRows() });
  const names = await namesOf(data);
  t.match(await withdraw([100], { dryRun: true }), {
    outcome: "would-publish",
    changes: { rows: { prices: { gone: 1, added: 0 } } },
  });
  t.match(await accept([205], { dryRun: true }), {
    outcome: "would-publish",
    changes: { rows: { prices: { gone: 0 } } },
  });
  t.same(await namesOf(data), names);
});

const decision = { reason: "seen", by: null, when: "2026-11-20T08:30:00Z" };

t.test("an acceptance of an older program is of the uuid, until a publication writes the values in", async (t) => {
  const ways: [string, (fixture: DecisionFixture, rows: object[]) => Promise<unknown>][] = [
    ["append", ({ append }, rows) => append({ "slip.ndjson": [{ ...rows[5], price: 5000 }] })],
    ["withdraw", ({ withdraw }) => withdraw([100])],
    ["replace", ({ replace }) => replace({ "prices.ndjson": priceRows(21) })],
    [
      "publish",
      async ({ folder, publish }, rows) => {
        const whole = await folder("next", {});
        await writeRecords(whole, { prices: [...priceRows(21), ...rows] });
        await publish(whole);
      },
    ],
  ];
  for (const [name, change] of ways) {
    const decisions = await fixture(t);
    const { data, folder, publish, listed } = decisions;
    const rows = monthlyRows();
    const whole = await folder("whole", { "accepted.ndjson": [{ uuid: testUuid(205), ...decision }] });
    await writeRecords(whole, { prices: [...priceRows(20), ...rows] });
    await publish(whole);
    t.match(await listed("accepted"), [{ price: null, unit: null }], name);
    t.same(await marks(decisions), [], name);
    t.match(await publish(whole), { outcome: "already-current" }, name);
    await change(decisions, rows);
    t.match(await listed("accepted"), [{ price: 500, unit: "kg", marketUuid: testUuid(2) }], name);
    t.same(await marks(decisions), name === "append" ? [testUuid(205)] : [], name);
    await verifySnapshot(data);
    await publish(whole, { allowShrink: true, allowLoss: true });
    t.match(await listed("accepted"), [{ price: 500 }], name);
  }
});

t.test("what was given for a withdrawn price is judged when it is reinstated", async (t) => {
  const { data, withdraw, reinstate, append, price } = await fixture(t);
  await append({ "own.ndjson": monthlyRows() });
  const uuids = [201, 202].map(testUuid);
  await withdraw([201, 202, 203, 205]);
  const slips = [1, 2].map((at) => ({ ...monthlyRows()[at], price: 520 }));
  t.match(await append({ "slips.ndjson": slips }, { strict: new Set(["suspicious"]) }), { keptWithdrawn: uuids });
  const names = await namesOf(data);
  const refused = reinstate([201, 202, 203], { strict: new Set(["suspicious"]) });
  await t.rejects(refused, { subject: "the prices to reinstate", message: /2 problems/ });
  t.same(await namesOf(data), names);
  t.match(await reinstate([203], { strict: new Set(["suspicious"]) }), { warnings: { total: 0 } });
  const { warnings } = await reinstate([201, 202]);
  t.equal(warnings.counts.get("suspicious"), 2);
  t.match(
    warnings.problems.map((warning) => warning.price?.uuid),
    uuids,
  );
  t.match(await price(testUuid(201)), { price: 520 });
});

t.test("a withdrawal keeps the bases: corrections still conflict with a feed, own prices are not lost", async (t) => {
  const { withdraw, append, replace, publish, folder } = await fixture(t);
  await append({ "own.ndjson": [...priceRows(3, 900, team), priceRow({ price: 105 })] });
  await withdraw([902, 119]);
  const feed = [priceRow({ price: 112 }), ...priceRows(19, 101)];
  t.match(await replace({ "prices.ndjson": feed }), {
    outcome: "conflicts",
    conflicts: [{ uuid: testUuid(100), base: { price: 60 }, own: { price: 105 }, feed: { price: 112 } }],
  });
  const whole = await folder("whole", {});
  await writeRecords(whole, { prices: priceRows(20) });
  reportsExactly(t, await problemsOf(() => publish(whole, { allowShrink: true })), [
    /no price of source "Field team"/,
    /an appended price that would be undone: .*100,/,
    /an appended price that would be gone: .*900,/,
    /an appended price that would be gone: .*901,/,
  ]);
});

t.test("a price that a feed drops, or a folder lacks, stays withdrawn; nothing is there to reinstate", async (t) => {
  const { data, withdraw, reinstate, append, replace, listed } = await fixture(t);
  await withdraw([100]);
  await replace({ "prices.ndjson": priceRows(19, 101) });
  t.equal((await listed("withdrawals")).length, 1);
  await verifySnapshot(data);
  t.match(await append({ "day.ndjson": [priceRow({ price: 70 })] }), { outcome: "already-current", withheld: 1 });
  t.match(await replace({ "prices.ndjson": priceRows(20) }), {
    counts: { added: 1, withheld: 1 },
    rows: { prices: 19 },
  });
  await replace({ "prices.ndjson": priceRows(19, 101) });
  t.match(await reinstate([100]), { outcome: "published", missingCount: 1, rows: { prices: 19 } });
  t.match(await append({ "day.ndjson": [priceRow({ price: 70 })] }), { outcome: "published", rows: { prices: 20 } });
});

t.test("an exported folder has its decisions with it, into another dataset directory too", async (t) => {
  const decisions = await fixture(t);
  const { data, withdraw, accept, append, folder, publish } = decisions;
  await append({ "own.ndjson": monthlyRows() });
  await withdraw([100, 101]);
  await accept([205]);
  const exported = join(await folder("exported", {}), "records");
  await exportRecords({ dataDirectory: data, id: undefined, outputPath: exported });
  t.notMatch(await readFile(join(exported, "prices.ndjson"), "utf8"), testUuid(100));
  t.match(await publish(exported), { outcome: "published", rows: { prices: 28 }, withheld: 0 });
  t.same(await marks(decisions), []);
  t.match(await append({ "day.ndjson": priceRows(2) }), { outcome: "already-current", withheld: 2 });
  const other = await folder("other", {});
  t.match(await publish(exported, { dataDirectory: other }), { outcome: "published", rows: { prices: 28 } });
  t.match(await publish(join(data, "snapshots", await currentOf(data)), { dataDirectory: other }), { withheld: 0 });
});

t.test("decisions are not appended, nor part of a feed", async (t) => {
  const { withdraw, append, replace, data } = await fixture(t);
  await withdraw([100]);
  const lines = await readFile(join(data, "snapshots", await currentOf(data), "withdrawals.ndjson"), "utf8");
  const wanted = /withdrawals\.ndjson: found decisions on prices, expected record files/;
  reportsExactly(t, await problemsOf(() => append({ "withdrawals.ndjson": lines })), [wanted]);
  reportsExactly(t, await problemsOf(() => replace({ "withdrawals.ndjson": lines, "prices.ndjson": priceRows(20) })), [
    wanted,
  ]);
});

t.test("decisions that cannot be read stop what would lose them", async (t) => {
  const { data, withdraw, append, publish, folder } = await fixture(t);
  const first = (await currentOf(data)) as SnapshotId;
  const { id } = await withdraw([100]);
  await edit(join(data, "snapshots", id, "withdrawals.ndjson"), (text) => text.replace("wrong", "right"));
  const damaged = /withdrawals\.ndjson: found sha256/;
  reportsExactly(t, await problemsOf(() => append({ "day.ndjson": priceRows(1, 900) })), [damaged]);
  reportsExactly(t, await problemsOf(() => rollbackSnapshot({ dataDirectory: data, id: first })), [damaged]);
  reportsExactly(t, await problemsOf(() => verifySnapshot(data)), [damaged]);
  const whole = await folder("whole", {});
  await writeRecords(whole, { prices: priceRows(21) });
  reportsExactly(t, await problemsOf(() => publish(whole)), [/found decisions on prices that cannot be read/]);
  t.equal(await currentOf(data), id);
  // The compiled store was made from the file as it was, and is served.
  t.equal((await openSnapshotStore(data, id)).prices.rowCount, 19);
  t.match(await rollbackSnapshot({ dataDirectory: data, id: first, withoutWithdrawals: true }), { id: first });
});
