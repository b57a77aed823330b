/** A service that follows an origin: it takes over what is announced, whole or not at all. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import t from "tap";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { announceSnapshot } from "../../../src/publishing/publish/announce-snapshot.ts";
import { readLog } from "../../../src/publishing/publish/publication-log.ts";
import { publishSnapshot } from "../../../src/publishing/publish/publish-snapshot.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { readAnnouncement } from "../../../src/publishing/transfer/announcement.ts";
import { fetchAnyOf } from "../../../src/publishing/transfer/fetch-snapshot.ts";
import { FollowsOriginError } from "../../../src/publishing/transfer/followed-origin.ts";
import { openOrigin, type RemoteFolder, remoteFolder } from "../../../src/publishing/transfer/origin.ts";
import { createPublisherKey } from "../../../src/publishing/transfer/publisher-key.ts";
import { runScript } from "../../cli/run-script.ts";
import { daysLater, publishCandidate, publishTables } from "../../support/published-data.ts";
import { metric, prepareReplica, publisher, readyOf, serves } from "../../support/replica.ts";
import { ndjson, originRows, priceRows, writeRecords } from "../../support/snapshot-files.ts";
import { holdsWithin } from "../../support/start-process.ts";
import { startPrepared } from "../../support/start-threads.ts";

t.test("a replica with an empty folder waits for the first snapshot, and follows from then on", async (t) => {
  const { root, data, ids, origin, folder } = await publisher(t);
  const service = await startPrepared(t, prepareReplica(folder, origin));
  t.ok(await serves(service, ids[1] as string));
  const third = await publishTables(root, { prices: priceRows(23) }, daysLater(3));
  t.ok(await serves(service, third));
  t.equal(readFileSync(join(folder, "data", "CURRENT"), "utf8"), `${third}\n`);
  t.same(await readAnnouncement(join(folder, "data")), await readAnnouncement(data));
  const own = (path: string): boolean => path.includes(`/${third}/`) && !path.endsWith(".zst");
  t.same(
    origin.requests.filter(own).sort(),
    [`/snapshots/${third}/manifest.json`, `/snapshots/${third}/prices.ndjson`],
    "files that a local snapshot has are not fetched again",
  );
  await rollbackSnapshot({ dataDirectory: data, id: ids[0] });
  t.ok(await serves(service, ids[0] as string), "a rollback is followed, also to what was never there");
  t.equal((await readyOf(service)).follows.taken_over?.sequence, (await readAnnouncement(data))?.sequence);
  t.equal(await metric(service, "origin_lag_seconds"), 0);
  const changesIn = (directory: string): string =>
    gunzipSync(readFileSync(join(directory, "snapshots", third, "changes.csv.gz"))).toString();
  const listed = join(folder, "data", "snapshots", ids[0] as string, "changes.csv.gz");
  t.ok(await holdsWithin(30_000, () => existsSync(listed)));
  t.equal(changesIn(join(folder, "data")), changesIn(data), "it lists itself what a snapshot changes");
  t.notOk(
    origin.requests.some((path) => path.includes("changes")),
    "and does not fetch that",
  );
  t.throws(
    () => readFileSync(join(folder, "data", "snapshots", ids[1] as string, "changes.csv.gz")),
    { code: "ENOENT" },
    "nor lists any of one whose parent it does not have",
  );
  const kept = readdirSync(join(folder, "data", "snapshots")).sort();
  t.same(kept, [ids[0], ids[1], third].sort(), "the newest two, and the served");
  const candidateDirectory = join(root, "candidate");
  const refused = publishSnapshot({
    ...{ dataDirectory: join(folder, "data"), candidateDirectory, now: daysLater(5), dryRun: false },
    ...{ allowShrink: true },
  });
  await t.rejects(refused, FollowsOriginError);
});

t.test("a local file of origins that is damaged is fetched again", async (t) => {
  const { root, data, origin, folder } = await publisher(t);
  const publishWithOrigins = async (count: number, day: number): Promise<SnapshotId> => {
    const origins = { "prices.origins.ndjson": ndjson(originRows(3, 100)) };
    await writeRecords(join(root, "candidate"), { prices: priceRows(count) }, origins);
    return (await publishCandidate(root, daysLater(day), true)).id;
  };
  const originsOf = (directory: string, id: string): string =>
    join(directory, "snapshots", id, "prices.origins.ndjson");
  const own = join(folder, "data");
  mkdirSync(own, { recursive: true });
  const first = await publishWithOrigins(20, 3);
  const fetchNext = async (id: SnapshotId): Promise<void> => {
    const from = openOrigin("origin", remoteFolder(origin.url, undefined) as RemoteFolder);
    t.equal((await fetchAnyOf(id, { dataDirectory: own, origin: from, publicKey: null, sharesFiles: true })).id, id);
  };
  await fetchNext(first);
  const wanted = readFileSync(originsOf(data, first), "utf8");
  chmodSync(originsOf(own, first), 0o644);
  writeFileSync(originsOf(own, first), wanted.replace(/\d/, "x"));
  const second = await publishWithOrigins(21, 4);
  await fetchNext(second);
  t.equal(readFileSync(originsOf(own, second), "utf8"), wanted);
});

t.test("without its origin a replica starts and serves what it has; what is removed there, it has again", async (t) => {
  const { ids, origin, folder } = await publisher(t);
  const first = await startPrepared(t, prepareReplica(folder, origin));
  t.ok(await serves(first, ids[1] as string));
  await first.stop();
  origin.isAway = true;
  const second = await startPrepared(t, prepareReplica(folder, origin));
  t.ok(await serves(second, ids[1] as string));
  t.ok(await holdsWithin(30_000, async () => /no answer/.test((await readyOf(second)).follows.error ?? "")));
  origin.isAway = false;
  t.ok(await holdsWithin(30_000, async () => (await readyOf(second)).follows.error === null));
  await second.stop();
  for (const name of ["CURRENT", "snapshots", "compiled"]) rmSync(join(folder, "data", name), { recursive: true });
  const third = await startPrepared(t, prepareReplica(folder, origin));
  t.ok(await serves(third, ids[1] as string));
});

t.test("an older announcement changes nothing, and the same number for another snapshot is refused", async (t) => {
  const { data, ids, origin, folder } = await publisher(t);
  const announcement = JSON.parse(readFileSync(join(data, "announcement.json"), "utf8"));
  const service = await startPrepared(t, prepareReplica(folder, origin));
  t.ok(await serves(service, ids[1] as string));
  const write = (fields: object): void => {
    writeFileSync(join(data, "announcement.json"), JSON.stringify({ ...announcement, ...fields }));
  };
  write({ sequence: announcement.sequence - 1, snapshot: ids[0] });
  t.ok(await holdsWithin(30_000, async () => (await readyOf(service)).follows.stale_announcements > 0));
  t.equal((await readyOf(service)).snapshot, ids[1]);
  write({ snapshot: ids[0], manifest_sha256: "0".repeat(64) });
  t.ok(await holdsWithin(30_000, async () => /which it was before/.test((await readyOf(service)).follows.error ?? "")));
  t.equal((await readyOf(service)).snapshot, ids[1]);
  write({});
  const above = await announceSnapshot({ dataDirectory: data, above: 40 });
  t.equal(above.sequence, 41, "a restored backup goes on above what others have seen");
  t.ok(await holdsWithin(30_000, async () => (await readyOf(service)).follows.taken_over?.sequence === 41));
});

t.test("with a public key, nothing but what is signed with its private half is taken over", async (t) => {
  const { root, data, ids, origin, folder } = await publisher(t);
  const signingKeyFile = join(root, "publisher.pem");
  const publicKey = await createPublisherKey(signingKeyFile);
  const starting = startPrepared(t, prepareReplica(folder, origin, {}, publicKey));
  t.ok(await holdsWithin(30_000, () => origin.requests.length > 2));
  t.notOk(
    origin.requests.some((path) => path.includes("manifest.json")),
    "nothing is fetched that is not signed",
  );
  await announceSnapshot({ dataDirectory: data, signingKeyFile });
  const service = await starting;
  t.ok(await serves(service, ids[1] as string), "the next command signs what is announced");
  const other = join(root, "other.pem");
  await createPublisherKey(other);
  await rollbackSnapshot({ dataDirectory: data, id: ids[0], signingKeyFile: other });
  t.ok(
    await holdsWithin(30_000, async () =>
      /a signature of another key/.test((await readyOf(service)).follows.error ?? ""),
    ),
  );
  t.equal((await readyOf(service)).snapshot, ids[1]);
});

t.test("a pin holds what is served while announcements go on, also at a snapshot that is not there", async (t) => {
  const { root, ids, origin, folder } = await publisher(t);
  const service = await startPrepared(t, prepareReplica(folder, origin));
  t.ok(await serves(service, ids[1] as string));
  const dataDirectory = join(folder, "data");
  // A process of its own, for it waits for the lock.
  const run = (...args: string[]) => runScript("snapshot", args, root, { DATA_DIR: dataDirectory });
  t.match(await run("pin", ids[0] as string, "--reason", "a check"), { code: 0, stdout: /which was fetched/ });
  t.ok(await serves(service, ids[0] as string));
  t.match(await readyOf(service), { pin: { id: ids[0], reason: "a check" } });
  t.equal(await metric(service, "snapshot_pinned"), 1);
  const next = await publishTables(root, { prices: priceRows(30) }, daysLater(4));
  t.ok(await holdsWithin(30_000, () => readFileSync(join(dataDirectory, "CURRENT"), "utf8") === `${next}\n`));
  t.equal((await readyOf(service)).snapshot, ids[0]);
  t.match(await run("unpin"), { code: 0, stdout: /no longer pinned/ });
  t.match(
    (await readLog(dataDirectory)).entries.map(({ command, note, to, subject }) => ({ command, note, to, subject })),
    [
      { command: "pin", note: "a check", to: ids[1], subject: ids[0] },
      { command: "unpin", note: null, to: next, subject: ids[0] },
    ],
  );
  t.ok(await serves(service, next));
  const gone = await run("pin", "20200101T000000Z-000000000000");
  t.match(gone, { code: 1, stderr: /found status 404, expected the manifest/ });
});

t.test("a store that needs more memory than there may be is refused before it is read", async (t) => {
  const { root, ids, origin, folder } = await publisher(t);
  const prepared = prepareReplica(folder, origin, { storeBytesMax: 200_000 });
  const service = await startPrepared(t, prepared);
  t.ok(await serves(service, ids[1] as string));
  const next = await publishTables(root, { prices: priceRows(3000) }, daysLater(4));
  const error = /needs about \d+ MiB of memory, MAX_STORE_MB allows/;
  t.ok(await holdsWithin(30_000, async () => error.test((await readyOf(service)).follows.error ?? "")), next);
  t.equal((await readyOf(service)).snapshot, ids[1]);
  t.ok((await metric(service, 'origin_refusals_total{reason="memory"}')) > 0);
});

t.test("two instances over one directory follow together, and neither counts the other as a fault", async (t) => {
  const { root, ids, origin, folder } = await publisher(t);
  // Each with keys of its own: in one process, waiting for the lock of one file would block who holds it.
  const starting = [1, 2].map(async (number) => {
    const keysFile = join(folder, `keys-${number}.json`);
    return await startPrepared(t, prepareReplica(folder, origin, { keysFile }));
  });
  const services = await Promise.all(starting);
  for (const service of services) t.ok(await serves(service, ids[1] as string));
  for (const day of [3, 4]) {
    const next = await publishTables(root, { prices: priceRows(20 + day) }, daysLater(day));
    for (const service of services) t.ok(await serves(service, next));
  }
  const sequence = (await readAnnouncement(join(root, "data")))?.sequence;
  for (const service of services) {
    const isDone = async (): Promise<boolean> => {
      const { follows } = await readyOf(service);
      return follows.error === null && follows.taken_over?.sequence === sequence;
    };
    t.ok(await holdsWithin(30_000, isDone));
    for (const reason of ["disk", "length", "hash", "status"]) {
      t.equal(await metric(service, `origin_refusals_total{reason="${reason}"}`), 0, reason);
    }
  }
});

t.test("a replica makes a dataset directory that is missing, with the folders above it", async (t) => {
  const { ids, origin, folder } = await publisher(t);
  const dataDirectory = join(folder, "volume", "prices");
  const service = await startPrepared(t, prepareReplica(folder, origin, { dataDirectory }));
  t.ok(await serves(service, ids[1] as string));
  t.equal((await readAnnouncement(dataDirectory))?.snapshot, ids[1]);
});
