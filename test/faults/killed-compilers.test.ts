/**
 * A publisher and a service, killed while they write a compiled store: what they leave is never opened, no one stumbles
 * over it, and gc clears it away once it is certain that no one writes it any more.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, readdir, rm, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import t, { type Test } from "tap";
import { readCompiledSnapshot } from "../../src/engine/compiled/compiled-folder.ts";
import { CompiledStoreError } from "../../src/engine/compiled/compiled-store-error.ts";
import type { Instant } from "../../src/engine/model/calendar.ts";
import { readManifestOf } from "../../src/engine/snapshots/current-snapshot.ts";
import { compiledPath, type SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import {
  collectGarbage,
  deadWriterMilliseconds,
  type GarbageReport,
} from "../../src/publishing/publish/collect-garbage.ts";
import { verifySnapshot } from "../../src/publishing/publish/verify-snapshot.ts";
import { currentOf, namesOf, publishedData } from "../support/published-data.ts";
import { priceRows, writeRecords } from "../support/snapshot-files.ts";
import { spawnService, startProcess } from "../support/start-process.ts";

const script = resolve(import.meta.dirname, "../../scripts/snapshot.ts");
const hook = new URL("../support/kill-at-write.ts", import.meta.url).href;

/** A small store is written in three pieces: columns, description and, last of all, the header. */
const pieces = { columns: 1, description: 2, header: 3 };

function killAtWrite(number: number): Record<string, string> {
  return { NODE_OPTIONS: `--import=${hook}`, KILL_AT_WRITE: String(number) };
}

for (const [piece, number] of Object.entries(pieces)) {
  t.test(`a publisher killed in the middle of the ${piece}`, async (t) => {
    const root = t.testdir({});
    const { data, ids } = await publishedData(root, 1);
    const candidate = join(root, "candidate");
    await writeRecords(candidate, { prices: priceRows(40) });
    const args = [script, "publish", candidate, "--data-dir", data];
    const env = { ...process.env, ...killAtWrite(number) };
    const child = spawn(process.execPath, args, { env, stdio: "ignore" });
    t.same(await once(child, "close"), [null, "SIGKILL"]);

    t.equal(await currentOf(data), ids[0], "the old snapshot is current");
    await neverOpened(t, data, ids[0] as SnapshotId);
    const again = spawn(process.execPath, args, { stdio: "ignore" });
    t.same(await once(again, "close"), [0, null], "published again, it succeeds");
    const current = (await currentOf(data)) as SnapshotId;
    t.not(current, ids[0]);
    t.match(await verifySnapshot(data), { id: current, isCompiled: true });
    await clearedInTime(t, data);
  });

  t.test(`a service killed in the middle of the ${piece}`, async (t) => {
    const root = t.testdir({});
    const { data, ids } = await publishedData(root, 1);
    const id = ids[0] as SnapshotId;
    await rm(compiledPath(data, id));
    t.same(await spawnService(t, root, killAtWrite(number)).ended, { code: null, signal: "SIGKILL" });

    const refused = await readCompiledSnapshot(data, await readManifestOf(data, id));
    t.match(refused, { code: "missing" }, "there is no compiled store");
    await neverOpened(t, data, id);
    const { process: service, adminUrl } = await startProcess(t, root);
    t.match(
      await (await fetch(`${adminUrl}/snapshot`)).json(),
      { id, origin: "records" },
      "the next start reads records",
    );
    t.notMatch(service.stderr, /reading the records/, "and has not tried to open what was left");
    t.match(await verifySnapshot(data), { id, isCompiled: true }, "and compiles them");
    await clearedInTime(t, data);
  });
}

/** What was left bears no name under which it would be opened, and under such a name it would be refused. */
async function neverOpened(t: Test, data: string, id: SnapshotId): Promise<void> {
  const [partial, ...others] = (await readdir(join(data, "compiled"))).filter((name) => name.endsWith(".partial"));
  t.same(others, []);
  const own = compiledPath(data, id);
  const kept = `${own}.kept`;
  const isThere = await stat(own).then(
    () => true,
    () => false,
  );
  if (isThere) await copyFile(own, kept);
  await copyFile(join(data, "compiled", String(partial)), own);
  t.type(await readCompiledSnapshot(data, await readManifestOf(data, id)), CompiledStoreError);
  await rm(own);
  if (isThere) await copyFile(kept, own);
  await rm(kept, { force: true });
}

/** gc keeps a file that somebody may still be writing, and removes it later. */
async function clearedInTime(t: Test, data: string): Promise<void> {
  const collect = (now: number): Promise<GarbageReport> =>
    collectGarbage({ dataDirectory: data, now: now as Instant, keep: 9, ageMillisecondsMin: 0, dryRun: false });
  t.same((await collect(Date.now())).orphans, []);
  const { orphans } = await collect(Date.now() + deadWriterMilliseconds);
  t.equal(orphans.length, 1);
  t.notOk((await namesOf(data)).some((name) => name.endsWith(".partial")));
}
