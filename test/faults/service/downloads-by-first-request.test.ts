/**
 * Downloads that no publisher has made: the first request begins, one thread of the service makes them, all serve them.
 */

import { cp, mkdir, readdir, readFile, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { pino } from "pino";
import t, { type Test } from "tap";
import { openSnapshot } from "../../../src/engine/compiled/open-snapshot.ts";
import { readManifestOf } from "../../../src/engine/snapshots/current-snapshot.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { makeDownloads } from "../../../src/publishing/publish/make-downloads.ts";
import {
  DownloadsMaker,
  type DownloadsProgress,
  failurePauseMilliseconds,
} from "../../../src/service/serve/downloads-maker.ts";
import { serviceParts } from "../../../src/service-parts.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { publishedData } from "../../support/published-data.ts";
import { signedHeaders } from "../../support/signed-request.ts";
import { holdsWithin, type LogLine } from "../../support/start-process.ts";
import { type PreparedService, prepareService, startPrepared } from "../../support/start-threads.ts";

interface Entry {
  readonly snapshot: string;
  readonly state: string;
  readonly problem: string | null;
  readonly files: readonly { readonly name: string; readonly sha256: string }[];
}

/** Longer than making the downloads of a small snapshot takes on a busy machine. */
const madeMilliseconds = 30_000;

async function twoSnapshots(t: Test): Promise<{ root: string; data: string; first: SnapshotId; second: SnapshotId }> {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  const [first, second] = ids as [SnapshotId, SnapshotId];
  return { root, data, first, second };
}

/** A signed GET, for which concurrent ones get connections of their own, and so both threads. */
async function ask(baseUrl: string, { shown }: PreparedService, target: string): Promise<Response> {
  const path = `/api/v1/downloads${target}`;
  const key = shown[0]?.keys.secret.key ?? "";
  return await fetch(baseUrl + path, { headers: signedHeaders({ method: "GET", path, key }) });
}

async function listOf(baseUrl: string, prepared: PreparedService): Promise<Entry[]> {
  return ((await (await ask(baseUrl, prepared, "")).json()) as { readonly data: Entry[] }).data;
}

t.jobs = 2;

t.test("many first requests to two threads begin one making, whose files are those of a publisher", async (t) => {
  const { root, data, first, second } = await twoSnapshots(t);
  const byPublisher = join(root, "by-publisher");
  await cp(data, byPublisher, { recursive: true });
  await mkdir(join(data, "downloads", `${second}.partial-killed`, "complete"), { recursive: true });
  const prepared = prepareService(root, { threadCount: 2 });
  const { baseUrl } = await startPrepared(t, prepared);
  const missing = `/${second}/none.csv`;
  t.equal((await ask(baseUrl, prepared, missing)).status, 404, "no file of that name will ever be there");
  t.strictSame(await readdir(join(data, "downloads")), [`${second}.partial-killed`], "nor does asking for it begin");

  const targets = Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? "" : `/${second}/prices.parquet`));
  const answers = await Promise.all(targets.map((target) => ask(baseUrl, prepared, target)));
  for (const [at, answer] of answers.entries()) {
    const text = await answer.text();
    if (targets[at] === "") {
      const listed = (JSON.parse(text) as { readonly data: Entry[] }).data.map(({ snapshot, state }) => [
        snapshot,
        state,
      ]);
      t.strictSame(listed[1], [first, "not_made"], "the list begins those of the served snapshot, and no others");
      t.match(listed[0], [second, /^(?:being_)?made$/]);
    } else if (answer.status !== 200) {
      t.match(JSON.parse(text), { code: "SERVICE_UNAVAILABLE", message: /being made; try again/ });
      t.ok(Number(answer.headers.get("Retry-After")) >= 2);
    }
  }
  t.ok(await holdsWithin(madeMilliseconds, async () => (await listOf(baseUrl, prepared))[0]?.state === "made"));
  const made = () => prepared.log.filter(({ msg }) => msg === "downloads made");
  // They are served a moment before their thread has reported.
  t.ok(await holdsWithin(madeMilliseconds, () => made().length > 0));
  t.match(made(), [{ snapshot: second }]);
  t.strictSame(await readdir(join(data, "downloads")), [second], "what a killed maker has left is gone");
  const { path } = await makeDownloads(byPublisher, second);
  const [entry] = await listOf(baseUrl, prepared);
  t.equal(entry?.files.length, 16);
  for (const { name } of entry?.files ?? []) {
    const answer = await ask(baseUrl, prepared, `/${second}/${name}`);
    // Publishing makes this one.
    const folder = name === "changes.csv.gz" ? join(data, "snapshots", second) : path;
    t.ok((await readFile(join(folder, name))).equals(Buffer.from(await answer.arrayBuffer())), name);
  }

  await t.test("those of an older snapshot are made when a file of it is asked for", async (t) => {
    t.equal((await ask(baseUrl, prepared, `/${first}/series.csv`)).status, 503);
    const isServed = async () => (await ask(baseUrl, prepared, `/${first}/series.csv`)).status === 200;
    t.ok(await holdsWithin(madeMilliseconds, isServed));
    t.ok(await holdsWithin(madeMilliseconds, () => made().length > 1));
    t.match(made(), [{ snapshot: second }, { snapshot: first }]);
    t.strictSame(valuesOf(await listOf(baseUrl, prepared), "state"), ["made", "made"]);
    await rm(join(data, "downloads", first, "series.csv"));
    t.equal(
      (await ask(baseUrl, prepared, `/${first}/series.csv`)).status,
      503,
      "a file that was removed is made again",
    );
    t.ok(await holdsWithin(madeMilliseconds, isServed));
  });
});

t.test("where they cannot be written the answers say so, and it is tried again after a while", async (t) => {
  const { root, data, second } = await twoSnapshots(t);
  // What the lock finds of a dataset directory that may not be written; root may write any.
  await mkdir(join(data, ".downloads.lock"));
  const prepared = prepareService(root, { threadCount: 2 });
  const { baseUrl } = await startPrepared(t, prepared);
  const isRefused = async () => (await listOf(baseUrl, prepared))[0]?.problem !== null;
  t.ok(await holdsWithin(madeMilliseconds, isRefused));
  const problem = new RegExp(`may not write its dataset directory.*npm run snapshot -- downloads ${second}$`);
  t.match(await listOf(baseUrl, prepared), [
    { snapshot: second, state: "not_made", problem, files: [] },
    { state: "not_made", problem: null },
  ]);
  const answer = await ask(baseUrl, prepared, `/${second}/metadata.json`);
  t.equal(answer.status, 503);
  t.match(await answer.json(), { message: problem });
  const seconds = Number(answer.headers.get("Retry-After"));
  t.ok(seconds > 200 && seconds <= failurePauseMilliseconds / 1000, `${seconds} s`);
  t.match(
    prepared.log.filter(({ msg }) => String(msg).startsWith("downloads not made")),
    [{ level: 50, snapshot: second, msg: /\.downloads\.lock: found a directory/ }],
    "one attempt",
  );
});

t.test("the maker tries again after a pause, reads broken snapshots as failures, and stops at once", async (t) => {
  const { data, first, second } = await twoSnapshots(t);
  const log: LogLine[] = [];
  let now = 0;
  const { store } = await openSnapshot(data, await readManifestOf(data, second));
  const maker = new DownloadsMaker({
    script: serviceParts.downloadsThread,
    dataDirectory: data,
    log: pino({}, { write: (line: string) => log.push(JSON.parse(line)) }),
    servedStore: () => store,
    now: () => now,
  });
  t.teardown(() => maker.stop());
  const progressOf = (id: SnapshotId): DownloadsProgress | undefined =>
    maker.request(undefined).find((one) => one.id === id);

  await mkdir(join(data, ".downloads.lock"));
  t.match(maker.request(second), [{ id: second, state: "being_made", problem: null, retryAfterSeconds: 2 }]);
  now = 7500;
  t.equal(progressOf(second)?.retryAfterSeconds, 8, "as long again as it has taken");
  now = 500_000;
  t.equal(progressOf(second)?.retryAfterSeconds, 60, "but not longer than a minute");
  t.ok(await holdsWithin(madeMilliseconds, () => progressOf(second)?.state === "not_made"));
  await rmdir(join(data, ".downloads.lock"));
  now += failurePauseMilliseconds - 1000;
  t.match(maker.request(second), [{ state: "not_made", retryAfterSeconds: 1 }]);
  now += 1000;
  t.match(maker.request(second), [{ state: "being_made", retryAfterSeconds: 2 }]);
  t.ok(await holdsWithin(madeMilliseconds, () => progressOf(second) === undefined));
  t.ok((await readdir(join(data, "downloads", second))).includes("metadata.json"));

  await rm(join(data, "compiled"), { recursive: true });
  await rm(join(data, "snapshots", first, "prices.ndjson"));
  maker.request(first);
  t.ok(await holdsWithin(madeMilliseconds, () => progressOf(first)?.state === "not_made"));
  t.equal(progressOf(first)?.problem, "Making them has failed; the log of the service says why.");
  t.match(log.at(-1), { snapshot: first, msg: /^downloads not made: .*prices\.ndjson/ });

  await rm(join(data, "downloads"), { recursive: true });
  const lines = log.length;
  now += failurePauseMilliseconds;
  maker.request(second);
  await maker.stop();
  t.match(maker.request(second), [{ id: second, state: "being_made" }], "clients try again, at another instance");
  t.equal(log.length, lines, "a stop is no failure");
  t.match(await makeDownloads(data, second), { outcome: "made" }, "its lock is free");
});
