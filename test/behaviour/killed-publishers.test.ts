/**
 * Publishing, appending, rolling back and collecting garbage, each killed at every step: `CURRENT` names a complete
 * snapshot, the same work done again succeeds, and gc leaves nothing that does not belong there.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { SnapshotId } from "../../src/dataset/snapshot-layout.ts";
import { collectGarbage } from "../../src/publish/collect-garbage.ts";
import { listSnapshots } from "../../src/publish/list-snapshots.ts";
import { verifySnapshot } from "../../src/publish/verify-snapshot.ts";
import { type FaultWork, killPoints, killWork, stepsOfWork } from "../support/fault-work.ts";
import { currentOf, daysLater, namesOf, publishedData } from "../support/published-data.ts";
import { ndjson, priceRow, priceRows, testUuid, writeRecords } from "../support/snapshot-files.ts";

interface Scene {
  readonly work: FaultWork;
  readonly data: string;
  /** What is current before and, once the work is done, afterwards (undefined: a snapshot that is not there yet). */
  readonly before: SnapshotId;
  readonly after: SnapshotId | undefined;
}

type MakeScene = (root: string) => Promise<Scene>;

const makers: Readonly<Record<string, MakeScene>> = {
  publish: async (root) => {
    const { data, ids } = await publishedData(root, 2);
    const candidateDirectory = join(root, "candidate");
    const files = { "prices/more.ndjson": ndjson(priceRows(5, 500)) };
    await writeRecords(candidateDirectory, { prices: priceRows(30) }, files);
    const request = { dataDirectory: data, candidateDirectory, now: daysLater(5) };
    const flags = { allowShrink: false, quarantine: false, dryRun: false };
    return { work: { kind: "publish", request: { ...request, ...flags } }, data, before: last(ids), after: undefined };
  },
  "publish with a quarantine": async (root) => {
    const { data, ids } = await publishedData(root, 1);
    const candidateDirectory = join(root, "candidate");
    await writeRecords(candidateDirectory, { prices: [...priceRows(1000), priceRow({ uuid: testUuid(1), price: 0 })] });
    const request = { dataDirectory: data, candidateDirectory, now: daysLater(5) };
    const flags = { allowShrink: false, quarantine: true, dryRun: false };
    return { work: { kind: "publish", request: { ...request, ...flags } }, data, before: last(ids), after: undefined };
  },
  append: async (root) => {
    const { data, ids } = await publishedData(root, 2);
    const files = [join(root, "a.ndjson"), join(root, "b.ndjson")];
    for (const [number, file] of files.entries()) await writeFile(file, ndjson(priceRows(2, 900 + 10 * number)));
    const request = { dataDirectory: data, files, now: daysLater(5), dryRun: false };
    return { work: { kind: "append", request }, data, before: last(ids), after: undefined };
  },
  rollback: async (root) => {
    const { data, ids } = await publishedData(root, 2);
    const compiled = join(data, "compiled", `${ids[0]}.store`);
    await writeFile(compiled, "no longer a compiled store");
    return { work: { kind: "rollback", request: { dataDirectory: data } }, data, before: last(ids), after: ids[0] };
  },
  gc: async (root) => {
    const { data, ids } = await publishedData(root, 4);
    await mkdir(join(data, "snapshots", ".staging-0123", "prices"), { recursive: true });
    await writeFile(join(data, "snapshots", ".staging-0123", "prices", "a.ndjson"), "", { mode: 0o444 });
    await writeFile(join(data, "CURRENT.tmp"), "half a li");
    const request = { dataDirectory: data, now: daysLater(99), keep: 2, ageMillisecondsMin: 0, dryRun: false };
    return { work: { kind: "gc", request }, data, before: last(ids), after: last(ids) };
  },
};

for (const [name, makeScene] of Object.entries(makers)) {
  t.test(`${name}, killed at every step`, async (t) => {
    const root = t.testdir({});
    const points = killPoints(await stepsOfWork((await makeScene(join(root, "whole"))).work));
    t.ok(points.length >= 5, `${points.length} steps`);
    // Two at a time: each is a process that starts, works and dies.
    const queue = [...points.entries()];
    const workers = [0, 1].map(async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const [number, { step, time }] = next;
        const scene = await makeScene(join(root, String(number)));
        const { signal, steps } = await killWork(scene.work, { step, time });
        t.equal(signal, "SIGKILL", `${step} ${time}: killed`);
        t.equal(steps.at(-1), `${step} ${time}`);
        await checkAfterKill(t, scene, `${step} ${time}`, steps.includes("activated 1"));
      }
    });
    await Promise.all(workers);
  });
}

async function checkAfterKill(
  t: Test,
  { work, data, before, after }: Scene,
  at: string,
  isDone: boolean,
): Promise<void> {
  const current = await currentOf(data);
  if (isDone) t.not(current, before, `${at}: the new snapshot is current`);
  else t.equal(current, before, `${at}: the old snapshot is current`);
  t.match(await verifySnapshot(data), { id: current }, `${at}: the current snapshot is complete`);

  // What is done already is not done again; what is not, is.
  if (!(isDone && (work.kind === "append" || work.kind === "rollback"))) await stepsOfWork(work);
  const final = await currentOf(data);
  if (after === undefined) t.not(final, before, `${at}: done again, the new snapshot is current`);
  else t.equal(final, after, `${at}: done again, what should be current is`);
  t.match(await verifySnapshot(data), { id: final, isCompiled: true }, `${at}: and complete`);

  await collectGarbage({ dataDirectory: data, now: daysLater(99), keep: 2, ageMillisecondsMin: 0, dryRun: false });
  const ids = (await listSnapshots(data)).snapshots.map(({ id }) => id).sort();
  const names = ["CURRENT", "compiled", ...ids.map((id) => `compiled/${id}.store`), "snapshots"];
  t.same(await namesOf(data), [...names, ...ids.map((id) => `snapshots/${id}`)], `${at}: nothing stray is left`);
  for (const id of ids) t.match(await verifySnapshot(data, id), { id, isCompiled: true }, `${at}: ${id} is whole`);
}

function last(ids: readonly SnapshotId[]): SnapshotId {
  return ids.at(-1) as SnapshotId;
}
