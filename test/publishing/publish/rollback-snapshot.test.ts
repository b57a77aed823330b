import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { approveDraft } from "../../../src/publishing/publish/approve-draft.ts";
import { decidePrices } from "../../../src/publishing/publish/decide-prices.ts";
import { readLog } from "../../../src/publishing/publish/publication-log.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { problemsOf } from "../../support/dataset-problems.ts";
import { currentOf, daysLater, publishedData, publishTables } from "../../support/published-data.ts";
import { priceRow, priceRows, testUuid } from "../../support/snapshot-files.ts";
import { sourcesFixture } from "../../support/sources-fixture.ts";

t.test("without an id the parent becomes current, and then its parent, as far as there is one", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 3);
  const [first, second, third] = ids;
  t.match(await rollbackSnapshot({ dataDirectory: data }), {
    outcome: "rolled-back",
    id: second,
    from: third,
    rows: { prices: 21 },
  });
  t.equal(await currentOf(data), second);
  await rollbackSnapshot({ dataDirectory: data });
  t.equal(await currentOf(data), first);
  await t.rejects(rollbackSnapshot({ dataDirectory: data }), {
    name: "SnapshotUnavailableError",
    message: `snapshot ${first} has no parent, expected the id of a snapshot to roll back to`,
  });
  t.equal(await currentOf(data), first);
});

t.test("with an id any snapshot becomes current, also a newer one, and the current one stays it", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 3);
  const [first, , third] = ids as [SnapshotId, SnapshotId, SnapshotId];
  t.match(await rollbackSnapshot({ dataDirectory: data, id: first }), { outcome: "rolled-back", from: third });
  t.match(await rollbackSnapshot({ dataDirectory: data, id: first }), { outcome: "already-current" });
  t.match(await rollbackSnapshot({ dataDirectory: data, id: third }), { outcome: "rolled-back", from: first });
  t.equal(await currentOf(data), third);
});

t.test("what is published after a rollback follows what is current, under an id above all others", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 3);
  const [first, , third] = ids as [SnapshotId, SnapshotId, SnapshotId];
  await rollbackSnapshot({ dataDirectory: data, id: first });
  const next = await publishTables(root, { prices: priceRows(30) }, daysLater(2));
  t.ok(next > third);
  await rollbackSnapshot({ dataDirectory: data });
  t.equal(await currentOf(data), first);
});

t.test("a damaged or unknown snapshot does not become current", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 2);
  const [first, second] = ids as [SnapshotId, SnapshotId];
  await t.rejects(rollbackSnapshot({ dataDirectory: data, id: "20200101T000000Z-000000000000" as SnapshotId }), {
    name: "SnapshotUnavailableError",
    message: /^snapshot 20200101T000000Z-000000000000: found no folder .+00000, expected one that list shows$/,
  });
  const prices = join(data, "snapshots", first, "prices.ndjson");
  await chmod(prices, 0o644);
  await writeFile(prices, "");
  t.match(await problemsOf(() => rollbackSnapshot({ dataDirectory: data })), [/^prices\.ndjson: found 0 bytes/]);
  t.equal(await currentOf(data), second);
});

t.test("a withdrawn price does not come back where the withdrawals in force cannot be read", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const id = ids[0] as SnapshotId;
  const decision = { reason: "twice", by: null };
  const { id: withdrawn } = await decidePrices({
    ...{ dataDirectory: data, now: daysLater(3), dryRun: false, kind: "withdrawals", decision },
    uuids: [testUuid(101) as Uuid],
  });
  const manifest = join(data, "snapshots", withdrawn, "manifest.json");
  await chmod(manifest, 0o644);
  await writeFile(manifest, "{");
  await t.rejects(rollbackSnapshot({ dataDirectory: data, id }), {
    name: "SnapshotUnavailableError",
    message: /^the manifest of snapshot \S+ cannot be used: .*; the withdrawals in force are not known: --without-/,
  });
  t.equal(await currentOf(data), withdrawn);
  const exact = await rollbackSnapshot({ dataDirectory: data, id, withoutWithdrawals: true });
  t.match(exact, { outcome: "rolled-back", id, from: withdrawn, keptWithdrawals: 0 });
});

t.test("without a dataset directory there is nothing to roll back", async (t) => {
  await t.rejects(rollbackSnapshot({ dataDirectory: join(t.testdir({}), "none") }), { name: "LockUnusableError" });
});

t.test("rollback and approve say which acceptances do not hold in what they make current", async (t) => {
  const { data, append } = await sourcesFixture(t);
  const rows = [50, 52, 51, 49, 50, 500, 52, 51].map((price, month) =>
    priceRow({
      source: "Field team",
      uuid: testUuid(200 + month),
      price,
      recorded_at: `2025-0${month + 1}-15T06:00:00Z`,
    }),
  );
  await append({ "own.ndjson": rows });
  const decision = { reason: "seen", by: null };
  await decidePrices({
    ...{ dataDirectory: data, now: daysLater(3), dryRun: false, kind: "accepted", decision },
    uuids: [testUuid(205) as Uuid],
  });
  const invocation = { command: "rollback", arguments: [], user: null, host: null, by: null };
  const slip = await append({ "slip.ndjson": [{ ...rows[5], price: 5000 }] });
  await append({ "right.ndjson": [{ ...rows[5], price: 500 }] });
  const lapsed = [{ uuid: testUuid(205), changed: { price: [500, 5000] } }];
  t.match(await rollbackSnapshot({ dataDirectory: data, id: slip.id, invocation }), { id: slip.id, lapsed });
  const right = await append({ "again.ndjson": [{ ...rows[5], price: 500 }] }, { isDraft: true });
  const approval = { dataDirectory: data, now: daysLater(9), invocation };
  t.match(await approveDraft({ ...approval, id: right.id }), { outcome: "approved", lapsed: [] });
  const wrong = await append({ "wrong.ndjson": [{ ...rows[5], price: 5000 }] }, { isDraft: true });
  t.match(await approveDraft({ ...approval, id: wrong.id }), { outcome: "approved", lapsed });
  t.same(
    (await readLog(data)).entries.map(({ counts }) => counts["lapsed"]),
    [1, 0, 1],
  );
});
