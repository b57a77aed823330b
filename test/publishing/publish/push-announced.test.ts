/** The mark of what waits to be pushed, and pushes that come one after another. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { takeExclusiveLock } from "../../../src/engine/files/exclusive-lock.ts";
import { PendingPushError, readPendingPush } from "../../../src/engine/snapshots/push-pending.ts";
import { announceSnapshot } from "../../../src/publishing/publish/announce-snapshot.ts";
import { pinSnapshot } from "../../../src/publishing/publish/pin-snapshot.ts";
import { PushFailedError, pushAnnounced } from "../../../src/publishing/publish/push-announced.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { readAnnouncement } from "../../../src/publishing/transfer/announcement.ts";
import { FollowsOriginError, writeFollowedOrigin } from "../../../src/publishing/transfer/followed-origin.ts";
import { folderTarget, type PushTarget } from "../../../src/publishing/transfer/push-target.ts";
import { TransferError } from "../../../src/publishing/transfer/transfer-error.ts";
import { daysLater, publishedData } from "../../support/published-data.ts";

/** A dataset directory whose last announcement waits for a folder. */
async function waiting(root: string) {
  const { data, ids } = await publishedData(root, 2);
  const destination = join(root, "origin");
  const first = (await readAnnouncement(data))?.sequence ?? 0;
  await announceSnapshot({ dataDirectory: data, above: first, pushTo: destination, now: daysLater(3) });
  const push = (overrides: Partial<Parameters<typeof pushAnnounced>[0]> = {}) =>
    pushAnnounced({
      ...{ dataDirectory: data, target: folderTarget(destination), destination, pushTo: destination },
      now: daysLater(4),
      ...overrides,
    });
  return { data, ids, destination, push, sequence: first + 1 };
}

const broken = (message: string): PushTarget => ({
  ...folderTarget("nowhere"),
  readText: () => Promise.reject(new TransferError("unreachable", message)),
});

t.test("what is announced waits until it is pushed, and failures do not change since when", async (t) => {
  const { data, destination, push, sequence } = await waiting(t.testdir());
  const since = daysLater(3);
  t.same(await readPendingPush(data), { destination, sequence, since, cause: null });
  await t.rejects(push({ target: broken("no answer") }), new PushFailedError("nowhere", "no answer", {}));
  t.same(await readPendingPush(data), { destination, sequence, since, cause: "no answer" });
  await announceSnapshot({ dataDirectory: data, above: 70, pushTo: destination, now: daysLater(5) });
  t.same(await readPendingPush(data), { destination, sequence: 71, since, cause: null });
  await t.rejects(push({ target: broken("x".repeat(100_000)) }), PushFailedError);
  t.equal((await readPendingPush(data))?.cause?.length, 1000, "a cause is cut");
  t.match(await push(), { outcome: "pushed", sequence: 71 });
  t.equal(await readPendingPush(data), undefined);
});

t.test("what is announced during a push is pushed too, and nothing waits any more", async (t) => {
  const { data, destination, push, sequence } = await waiting(t.testdir());
  const target = folderTarget(destination);
  let count = 0;
  const meanwhile: PushTarget = {
    ...target,
    async put(path, file) {
      if (count++ === 0) await rollbackSnapshot({ dataDirectory: data, pushTo: destination, now: daysLater(5) });
      await target.put(path, file);
    },
  };
  t.match(await push({ target: meanwhile }), { outcome: "pushed", sequence: sequence + 1 });
  t.equal((await readAnnouncement(destination))?.sequence, sequence + 1);
  t.equal(await readPendingPush(data), undefined);
});

t.test("a newer announcement is not replaced, which is the cause then", async (t) => {
  const { data, destination, push, sequence } = await waiting(t.testdir());
  await push();
  const newer = { ...JSON.parse(readFileSync(join(destination, "announcement.json"), "utf8")), sequence: 90 };
  writeFileSync(join(destination, "announcement.json"), JSON.stringify(newer));
  await rollbackSnapshot({ dataDirectory: data, pushTo: destination });
  await t.rejects(push(), PushFailedError);
  t.match(await readPendingPush(data), { sequence: sequence + 1, cause: /found announcement 90 .*--above 90$/ });
  t.equal((await readAnnouncement(destination))?.sequence, 90);
});

t.test("a push to another place settles nothing, and that to the place that is named now settles all", async (t) => {
  const root = t.testdir();
  const { data, destination, push } = await waiting(root);
  const other = join(root, "other");
  await push({ target: folderTarget(other), destination: other });
  t.match(await readPendingPush(data), { destination });
  await t.rejects(push({ target: broken("away"), destination: other }), PushFailedError);
  t.match(await readPendingPush(data), { destination, cause: null });
  await push({ target: folderTarget(other), destination: other, pushTo: other });
  t.equal(await readPendingPush(data), undefined);
  await t.rejects(push({ target: broken("away"), destination: other, pushTo: other }), PushFailedError);
  t.match(await readPendingPush(data), { destination: other, since: daysLater(4), cause: "away" });
});

t.test("what is pushed is so, also where older snapshots there cannot be removed", async (t) => {
  const { data, ids, destination, push } = await waiting(t.testdir());
  await push();
  await rollbackSnapshot({ dataDirectory: data, pushTo: destination, now: daysLater(5) });
  await push({ keep: 1, now: daysLater(5) });
  await announceSnapshot({ dataDirectory: data, above: 90, pushTo: destination, now: daysLater(6) });
  const error = new TransferError("status", "DELETE: found status 403 (AccessDenied), expected success");
  const target = { ...folderTarget(destination), removeSnapshot: () => Promise.reject(error) };
  const pushed = await push({ target, keep: 1, now: daysLater(6) });
  t.match(pushed, { outcome: "pushed", removed: [] });
  t.match(pushed.unfinished, [{ step: "cleaning", error, fault: error.message, isOfPush: true }]);
  t.equal(await readPendingPush(data), undefined);
  t.match(await push({ keep: 1, now: daysLater(6) }), { outcome: "already-there", removed: [ids[1]], unfinished: [] });
});

t.test("a pin pushes nothing, and leaves what waits", async (t) => {
  const { data, ids, destination } = await waiting(t.testdir());
  const before = await readPendingPush(data);
  await pinSnapshot({ dataDirectory: data, id: ids[0] as never, publicKey: null, pushTo: destination });
  t.same(await readPendingPush(data), before);
  t.notOk(existsSync(destination));
});

t.test("one push at a time: another fails by name, and what waits stays", async (t) => {
  const { data, push, sequence } = await waiting(t.testdir());
  {
    using _lock = await takeExclusiveLock(join(data, ".push.lock"), 0);
    await t.rejects(push({ lockWaitMilliseconds: 50 }), { message: /: another push is under way \(/ });
    t.match(await readPendingPush(data), { sequence, cause: /^another push/ });
  }
  t.match(await push(), { outcome: "pushed" });
});

t.test("a mark that cannot be read is named, and replaced by the next announcement", async (t) => {
  const { data, destination, push } = await waiting(t.testdir());
  const path = join(data, "push-pending.json");
  for (const text of ["", "null", '{"destination":1}', '{"destination":"a","sequence":1,"since":"yesterday"}']) {
    writeFileSync(path, text);
    await t.rejects(readPendingPush(data), PendingPushError, text);
  }
  await rollbackSnapshot({ dataDirectory: data, pushTo: destination });
  t.match(await readPendingPush(data), { destination });
  writeFileSync(path, "half a li");
  await push();
  t.equal(await readPendingPush(data), undefined);
});

t.test("a directory that follows an origin is not pushed from", async (t) => {
  const { data, push, destination } = await waiting(t.testdir());
  await writeFollowedOrigin(data, "https://origin.example");
  await t.rejects(push(), FollowsOriginError);
  t.notOk(existsSync(destination));
  mkdirSync(destination);
});
