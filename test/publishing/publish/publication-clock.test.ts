/** The clock of every command that makes an id: refused where ids, or ids and prices, show that it is wrong. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import { dayMilliseconds, type Instant } from "../../../src/engine/model/calendar.ts";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { appendPrices } from "../../../src/publishing/publish/append-prices.ts";
import { approveDraft, rejectDraft } from "../../../src/publishing/publish/approve-draft.ts";
import { collectGarbage } from "../../../src/publishing/publish/collect-garbage.ts";
import { decidePrices } from "../../../src/publishing/publish/decide-prices.ts";
import type { PublicationRequest } from "../../../src/publishing/publish/publication.ts";
import { publishSnapshot } from "../../../src/publishing/publish/publish-snapshot.ts";
import { replaceSource } from "../../../src/publishing/publish/replace-source.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { ClockError, timeOfId } from "../../../src/publishing/publish/snapshot-id.ts";
import { runCommand } from "../../cli/run-command.ts";
import { currentOf, daysLater, namesOf, publishedData } from "../../support/published-data.ts";
import { ndjson, priceRows, testUuid, writeRecords } from "../../support/snapshot-files.ts";

/** Several years after all snapshots and prices, as under a clock that is ahead. */
const ahead = daysLater(1800);

/** Publishes into a dataset directory in every way; the new prices are recorded on 1 November 2026. */
type Publisher = (request: PublicationRequest) => Promise<{ readonly id: SnapshotId }>;

/** Every way to publish, by its name; the rollback keeps a withdrawal, and so makes an id. */
async function publishers(root: string, recorded_at = "2026-11-01T06:00:00Z"): Promise<Record<string, Publisher>> {
  const candidateDirectory = join(root, "candidate");
  await writeRecords(candidateDirectory, { prices: priceRows(30, 100, { recorded_at }) });
  const feed = join(root, "feed");
  await writeRecords(feed, { prices: priceRows(29, 100, { recorded_at }) });
  const day = join(root, "day.ndjson");
  await writeFile(day, ndjson(priceRows(2, 900, { recorded_at })));
  const uuids = [testUuid(100) as Uuid];
  const decision = { reason: "wrong", by: null };
  return {
    publish: (request) => publishSnapshot({ ...request, candidateDirectory, allowShrink: true }),
    append: (request) => appendPrices({ ...request, files: [day] }),
    "replace a source": (request) =>
      replaceSource({ ...request, candidateDirectory: feed, source: "WFP", allowShrink: true, prefer: "feed" }),
    withdraw: (request) => decidePrices({ ...request, kind: "withdrawals", uuids, decision }),
  };
}

/** A directory with two snapshots, the second under a clock that is ahead. */
async function publishedAhead(t: Test): Promise<{ root: string; data: string; first: SnapshotId; future: SnapshotId }> {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  const { publish } = await publishers(root);
  const { id: future } = await (publish as Publisher)({ dataDirectory: data, now: ahead, dryRun: false });
  return { root, data, first: ids[0] as SnapshotId, future };
}

t.test("an id more than a day ahead of the clock is refused in every way of publishing, by its name", async (t) => {
  const { root, data, future } = await publishedAhead(t);
  const before = await namesOf(data);
  for (const [name, publish] of Object.entries(await publishers(root, "2026-10-30T06:00:00Z"))) {
    for (const how of [{ dryRun: true }, { dryRun: false }, { dryRun: false, isDraft: true }]) {
      await t.rejects(
        publish({ dataDirectory: data, now: daysLater(3), ...how }),
        {
          name: "ClockError",
          message: new RegExp(`above ${future}: .*2026-11-23T08:30:00Z; set the clock, or go back`),
        },
        name,
      );
    }
  }
  t.equal(await currentOf(data), future);
  t.same(await namesOf(data), before, "nothing is left behind");
  const { append } = await publishers(root);
  const request = { dataDirectory: data, now: daysLater(3), dryRun: false };
  const { id } = await (append as Publisher)({ ...request, allowClock: true });
  t.equal(timeOfId(id), timeOfId(future) + 1000, "with the flag it follows");
});

t.test("a day ahead is allowed, to the second", async (t) => {
  const { root, data, future } = await publishedAhead(t);
  const { append } = await publishers(root);
  const next = timeOfId(future) + 1000;
  const at = (now: number) => ({ dataDirectory: data, now: now as Instant, dryRun: true });
  await t.rejects((append as Publisher)(at(next - dayMilliseconds - 1000)), ClockError);
  t.ok(await (append as Publisher)(at(next - dayMilliseconds)));
});

t.test("a clock more than 400 days after all ids and prices is refused, in every way of publishing", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  const newest = ids[1] as SnapshotId;
  const limit = timeOfId(newest) + 400 * dayMilliseconds;
  for (const [name, publish] of Object.entries(await publishers(root))) {
    const at = (now: number) => ({ dataDirectory: data, now: now as Instant, dryRun: true });
    const message = new RegExp(`found 2031-.*expected at most 400 days after the newest snapshot, ${newest}`);
    await t.rejects(publish({ ...at(ahead), dryRun: false }), { name: "ClockError", message }, name);
    await t.rejects(publish(at(limit + 1000)), ClockError, name);
    t.ok(await publish(at(limit)), name);
    t.ok(await publish({ ...at(ahead), allowClock: true }), name);
  }
  t.equal(await currentOf(data), newest);
});

t.test("prices that are as new as the clock say that it is right, however long nothing was published", async (t) => {
  const root = t.testdir({});
  const { data } = await publishedData(root, 2);
  const { withdraw, ...others } = await publishers(root, "2031-10-01T06:00:00Z");
  for (const [name, publish] of Object.entries(others)) {
    t.ok(await publish({ dataDirectory: data, now: ahead, dryRun: true }), name);
  }
  await t.rejects((withdraw as Publisher)({ dataDirectory: data, now: ahead, dryRun: true }), ClockError);
});

t.test("a first publication, and the one after it, need no flag at any clock", async (t) => {
  const root = t.testdir({});
  const { publish, append } = await publishers(root);
  const request = { dataDirectory: join(root, "data"), now: ahead, dryRun: false };
  await (publish as Publisher)(request);
  const later = (ahead + 2000 * dayMilliseconds) as Instant;
  const { id } = await (append as Publisher)({ ...request, now: later });
  t.equal(timeOfId(id), later);
  const { withdraw } = await publishers(root);
  await t.rejects((withdraw as Publisher)({ ...request, now: ahead }), { message: new RegExp(id) });
});

t.test("the way back: rollback, gc, and publishing goes on with ids of today", async (t) => {
  const { root, data, first, future } = await publishedAhead(t);
  const now = daysLater(3);
  const gc = { dataDirectory: data, now, keep: 5, ageMillisecondsMin: 7 * dayMilliseconds, dryRun: false };
  t.same((await collectGarbage(gc)).removed, [], "what is current stays, and its parent");
  await rollbackSnapshot({ dataDirectory: data, now });
  t.equal(await currentOf(data), first);
  const { append } = await publishers(root);
  const request = { dataDirectory: data, now, dryRun: false };
  await t.rejects((append as Publisher)(request), {
    message: new RegExp(`above ${future}: .* or remove it with gc, or`),
  });
  t.same((await collectGarbage(gc)).removed, [future], "younger than no age, and neither current nor a parent");
  const { id } = await (append as Publisher)(request);
  t.equal(timeOfId(id), now);
});

t.test("gc keeps all for their age where every id is in the future, for then the clock is behind", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 3);
  await rollbackSnapshot({ dataDirectory: data });
  const gc = { dataDirectory: data, now: daysLater(-30), keep: 1, dryRun: true };
  t.same((await collectGarbage({ ...gc, ageMillisecondsMin: 1000 })).kept, ids.toReversed());
  t.same((await collectGarbage({ ...gc, ageMillisecondsMin: 0 })).kept, [ids[1]], "unless no age is asked for");
});

t.test("a rollback that makes an id is refused as the others are, and one that makes none is not", async (t) => {
  const { root, data, first: older } = await publishedAhead(t);
  const { withdraw } = await publishers(root);
  await (withdraw as Publisher)({ dataDirectory: data, now: ahead, dryRun: false });
  const back = { dataDirectory: data, now: daysLater(3) };
  const withdrawn = await currentOf(data);
  await t.rejects(rollbackSnapshot({ ...back, id: older }), ClockError);
  t.equal(await currentOf(data), withdrawn);
  t.match(await rollbackSnapshot({ ...back, id: older, withoutWithdrawals: true }), { id: older });
  t.match(await rollbackSnapshot({ ...back, id: withdrawn as SnapshotId }), { id: withdrawn });
  t.match(await rollbackSnapshot({ ...back, id: older, allowClock: true }), { keptWithdrawals: 1 });
});

t.test("a draft from the future is approved with the flag alone, and stands in the way until rejected", async (t) => {
  const root = t.testdir({});
  const { data } = await publishedData(root, 1);
  const { publish, append, withdraw } = await publishers(root);
  const { id } = await (publish as Publisher)({ dataDirectory: data, now: ahead, dryRun: false, isDraft: true });
  const now = daysLater(3);
  await t.rejects(approveDraft({ dataDirectory: data, now, id }), {
    name: "ClockError",
    message: new RegExp(`draft ${id}`),
  });
  const request = { dataDirectory: data, now, dryRun: false };
  await t.rejects((append as Publisher)(request), { message: new RegExp(`reject ${id}`) });
  t.same(
    (await collectGarbage({ dataDirectory: data, now, keep: 1, ageMillisecondsMin: 0, dryRun: true })).expired,
    undefined,
  );
  await rejectDraft({ dataDirectory: data, id });
  t.ok(await (append as Publisher)(request));
  const again = await (withdraw as Publisher)({ ...request, now: ahead, isDraft: true, allowClock: true });
  t.match(await approveDraft({ dataDirectory: data, now, id: again.id, allowClock: true }), { outcome: "approved" });
});

t.test("commands say it in one line, exit with 1, and have the flag", async (t) => {
  const root = t.testdir({});
  // Ahead of any clock that this test will run under.
  const data = join(root, "data");
  const { publish } = await publishers(root);
  await (publish as Publisher)({ dataDirectory: data, now: Date.UTC(9000, 0) as Instant, dryRun: false });
  const run = (...args: string[]) => runCommand("snapshot", args, root, { DATA_DIR: data });
  const refused = await run("append", "day.ndjson");
  t.match(refused, {
    code: 1,
    stdout: "",
    stderr: /^the next id, which is above 90000101T000000Z-\w+: found 9000.*\n$/,
  });
  t.match(await run("withdraw", testUuid(100), "--reason", "wrong"), { code: 1, stderr: /--allow-clock\n$/ });
  t.match(await run("append", "day.ndjson", "--allow-clock", "--no-downloads"), {
    code: 0,
    stdout: /^published 90000101/,
  });
});
