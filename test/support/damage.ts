/** What must hold when a snapshot's folder is damaged: no one publishes it, and no service serves any of it. */
import { chmod, cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Test } from "tap";
import { SnapshotUnavailableError } from "../../src/engine/snapshots/current-snapshot.ts";
import { LoadFailedError } from "../../src/engine/snapshots/load-failure.ts";
import { DatasetError } from "../../src/engine/snapshots/problem.ts";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { appendPrices } from "../../src/publishing/publish/append-prices.ts";
import { collectGarbage } from "../../src/publishing/publish/collect-garbage.ts";
import { type PublishReport, publishSnapshot } from "../../src/publishing/publish/publish-snapshot.ts";
import { rollbackSnapshot } from "../../src/publishing/publish/rollback-snapshot.ts";
import { verifySnapshot } from "../../src/publishing/publish/verify-snapshot.ts";
import { runScript } from "../cli/run-script.ts";
import { checkLoadsWhole } from "./after-fault.ts";
import { thoroughGarbage } from "./fault-scenes.ts";
import { currentOf, daysLater, namesOf, publishedData } from "./published-data.ts";
import { serveFolder } from "./served-folder.ts";
import { ndjson, priceRows, writeRecords } from "./snapshot-files.ts";
import { pointTo } from "./watch-swaps.ts";

export interface Damage {
  /** Does it to a snapshot's folder. */
  readonly spoil: (folder: string) => Promise<void>;
  /** What everybody says who reads the folder. */
  readonly reported: RegExp;
  /** The manifest is spoilt, so is unknown the parent: a start does not fall back, and publishing has to be allowed. */
  readonly isOfManifest?: boolean;
  /** What is left could be meant so: a folder of records without a manifest. */
  readonly isCandidate?: boolean;
}

/** Changes a file of a snapshot, which is read-only. */
export async function edit(path: string, change: (text: string) => string): Promise<void> {
  const text = await readFile(path, "utf8");
  await chmod(path, 0o644);
  await writeFile(path, change(text));
}

/** Asserts that a copy of a snapshot that is damaged is not published, and that the whole one then is. */
export async function checkNotPublished(t: Test, { spoil, reported, isCandidate }: Damage): Promise<void> {
  const root = t.testdir({});
  const { data, ids } = await publishedData(join(root, "here"), 2);
  const source = await publishedData(join(root, "elsewhere"), 4);
  const whole = join(source.data, "snapshots", source.ids[3] as SnapshotId);
  const copy = join(root, "copy");
  await cp(whole, copy, { recursive: true });
  await spoil(copy);
  const before = await namesOf(data);
  const publishing = publish(data, copy);
  if (isCandidate) {
    t.equal((await publishing).outcome, "published");
    return;
  }
  await refuses(t, publishing, reported, "it is not published");
  t.equal(await currentOf(data), ids[1]);
  t.same(await namesOf(data), before, "no orphaned file is left");
  t.equal((await publish(data, whole)).outcome, "published", "copied again, it is published");
  await checkLoadsWhole(t, data, "copied again");
}

/** Asserts what services and publishers make of a `CURRENT` that names a damaged snapshot without a compiled store. */
export async function checkNotServed(t: Test, { spoil, reported, isOfManifest = false }: Damage): Promise<void> {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  const [parent, damaged] = ids as [SnapshotId, SnapshotId];
  await pointTo(data, parent);
  const running = await serveFolder(t, root);
  await spoil(join(data, "snapshots", damaged));
  await rm(join(data, "compiled", `${damaged}.store`));
  await pointTo(data, damaged);

  t.match(await running.reload(), { status: 500, body: { id: parent, error: { message: reported } } });
  t.same(await running.served(), { status: 200, id: parent, prices: 20 }, "a running service keeps what it has");
  const { hostname: ADMIN_HOST, port: ADMIN_PORT } = new URL(running.service.adminUrl);
  t.match(await runScript("reload", [], root, { ADMIN_HOST, ADMIN_PORT }), { code: 1, stdout: "", stderr: reported });
  if (isOfManifest) {
    await refuses(t, serveFolder(t, root), reported, "a service does not start");
  } else {
    const started = await serveFolder(t, root);
    t.match(await started.reported("/ready"), { snapshot: parent, broken_snapshots: [damaged] });
    const key = running.prepared.shown[0]?.keys.public.key ?? "";
    const response = await fetch(`${started.service.baseUrl}/api/v1/prices/latest`, { headers: { "X-API-Key": key } });
    t.equal(response.headers.get("X-Snapshot-Id"), parent, "a service that starts serves the parent");
    await started.service.stop();
  }

  const names = await namesOf(data);
  await refuses(t, verifySnapshot(data), reported, "verify reports");
  const day = join(root, "day.ndjson");
  await writeFile(day, ndjson(priceRows(2, 900)));
  const append = { dataDirectory: data, files: [day], now: daysLater(3), dryRun: false };
  await refuses(t, appendPrices(append), reported, "nothing is appended to it");
  t.same(await namesOf(data), names, "no orphaned file is left");

  const candidate = join(root, "candidate");
  await writeRecords(candidate, { prices: priceRows(30) });
  if (isOfManifest) await refuses(t, publish(data, candidate), reported, "lost rows could not be reported");
  const { id, warnings, outcome } = await publish(data, candidate, isOfManifest);
  t.equal(outcome, "published");
  t.equal(warnings.counts.get("not-compared"), 1);
  t.match(await running.reload(), { status: 200, body: { id } });
  t.same(await running.served(), { status: 200, id, prices: 30 }, "the next one is served");

  await refuses(t, rollbackSnapshot({ dataDirectory: data }), reported, "no one goes back to it");
  t.equal(await currentOf(data), id);
  await collectGarbage({ ...thoroughGarbage(data), keep: 1 });
  await checkLoadsWhole(t, data, "afterwards");
  const left = ["CURRENT", "announcement.json", "compiled", `compiled/${id}.store`, "snapshots", `snapshots/${id}`];
  t.same(await namesOf(data), left, "gc leaves no orphaned file");
}

/** Asserts both, for every damage. */
export async function checkDamages(t: Test, damages: Readonly<Record<string, Damage>>): Promise<void> {
  for (const [name, damage] of Object.entries(damages)) {
    await t.test(`${name}: published from a copy`, (t) => checkNotPublished(t, damage));
    await t.test(`${name}: named by CURRENT`, (t) => checkNotServed(t, damage));
  }
}

/** Asserts that the work refuses the data, whatever the class of the refusal, and says this. */
async function refuses(t: Test, work: Promise<unknown>, reported: RegExp, claim: string): Promise<void> {
  try {
    await work;
    t.fail(`${claim}: it was done`);
  } catch (error) {
    if (
      !(error instanceof DatasetError || error instanceof SnapshotUnavailableError || error instanceof LoadFailedError)
    )
      throw error;
    t.match(error.message, reported, claim);
  }
}

async function publish(data: string, candidateDirectory: string, allowShrink = false): Promise<PublishReport> {
  const flags = { allowShrink, dryRun: false };
  return await publishSnapshot({ dataDirectory: data, candidateDirectory, now: daysLater(9), ...flags });
}
