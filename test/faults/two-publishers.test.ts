/** Publishers, each a process of its own, that come to one dataset directory at the same time. */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import { collectGarbage } from "../../src/publishing/publish/collect-garbage.ts";
import { listSnapshots } from "../../src/publishing/publish/list-snapshots.ts";
import { publishSnapshot } from "../../src/publishing/publish/publish-snapshot.ts";
import { verifySnapshot } from "../../src/publishing/publish/verify-snapshot.ts";
import { runScript } from "../cli/run-script.ts";
import { checkAfterFault, checkLoadsWhole } from "../support/after-fault.ts";
import { scenes, thoroughGarbage } from "../support/fault-scenes.ts";
import { attemptWork, startWork } from "../support/fault-work.ts";
import { currentOf, namesOf, publishedData } from "../support/published-data.ts";
import { serveFolder } from "../support/served-folder.ts";
import { ndjson, priceRows, writeRecords } from "../support/snapshot-files.ts";

t.jobs = 2;

/**
 * The number of the call with which the scene of publishing, whose snapshot is staged, begins its compiled store. Found
 * before the tests, because a process counts calls of one work at a time.
 */
const at = await callOfCompiling(t.testdir({}));

async function callOfCompiling(folder: string): Promise<number> {
  const { calls } = await attemptWork((await scenes.publish(folder)).work);
  return calls.findIndex(({ name, path }) => name === "open" && path.endsWith(".partial")) + 1;
}

t.test("four at once follow one another, each with what the one before published", { buffered: true }, async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  const { served, reload } = await serveFolder(t, root);
  const days = [0, 1, 2, 3].map((number) => join(root, `day-${number}.ndjson`));
  for (const [number, day] of days.entries()) await writeFile(day, ndjson(priceRows(2, 1000 + 10 * number)));
  const runs = await Promise.all(
    days.map((day) => runScript("snapshot", ["append", day, "--json", "--data-dir", data], root)),
  );
  for (const { code, stderr } of runs) t.equal(code, 0, stderr);
  const reports = runs.map(({ stdout }) => JSON.parse(stdout) as { id: string; parent: string });
  reports.sort((a, b) => (a.id < b.id ? -1 : 1));
  t.same(
    reports.map(({ parent }) => parent),
    [ids[0], ...reports.slice(0, -1).map(({ id }) => id)],
  );
  const last = reports.at(-1)?.id;
  t.equal(await currentOf(data), last);
  t.match(await reload(), { status: 200, body: { id: last } });
  t.same(await served(), { status: 200, id: last, prices: 28 }, "no prices are lost");
  for (const { id } of (await listSnapshots(data)).snapshots) t.match(await verifySnapshot(data, id), { id });
  await collectGarbage({ ...thoroughGarbage(data), keep: 1 });
  t.same(await namesOf(data), [
    ...["CURRENT", "announcement.json", "compiled", `compiled/${last}.store`, "downloads", `downloads/${last}`],
    ...["snapshots", `snapshots/${last}`],
  ]);
});

t.test("who waits for one that is killed goes on at once, and clears what it left", { buffered: true }, async (t) => {
  const root = t.testdir({});
  const scene = await scenes.publish(root);
  const first = startWork(scene.work, { fault: { kind: "hang", at } });
  await first.reaches(at);
  const second = startWork(scene.work);
  await second.begun;
  const isWaiting = await Promise.race([second.reaches(1).then(() => false), delay(300, true)]);
  t.ok(isWaiting, "the second does not begin");
  first.child.kill("SIGKILL");
  t.equal((await first.ended).signal, "SIGKILL");
  const { outcome, calls } = await second.ended;
  t.equal(outcome, "done");
  t.match(calls[0], /^1 rm data\/snapshots\/\.staging-/);
  await checkAfterFault(t, scene, "after both", true);
});

t.test("who waits for ten seconds is refused, and the other is not disturbed", { buffered: true }, async (t) => {
  const root = t.testdir({});
  const scene = await scenes.publish(root);
  const holder = startWork(scene.work, { fault: { kind: "hang", at } });
  await holder.reaches(at);
  const names = await namesOf(scene.data);
  const script = ["publish", resolve(root, "candidate"), "--data-dir", scene.data];
  t.match(await runScript("snapshot", script, root), {
    code: 1,
    stderr: /\.publish\.lock: held by another process for more than 10000 ms, expected it to be free\n$/,
  });
  t.same(await namesOf(scene.data), names);
  await checkLoadsWhole(t, scene.data, "while one is at work");
  holder.child.kill("SIGKILL");
  await holder.ended;
  await checkAfterFault(t, scene, "after the other is gone", false);
});

t.test("two first publishers make one line of snapshots", { buffered: true }, async (t) => {
  const root = t.testdir({});
  const candidates = [join(root, "a"), join(root, "b")];
  await writeRecords(join(root, "a"), { prices: priceRows(2) });
  await writeRecords(join(root, "b"), { prices: priceRows(2, 200) });
  const data = join(root, "data");
  const runs = await Promise.all(
    candidates.map((candidate) => runScript("snapshot", ["publish", candidate, "--json", "--data-dir", data], root)),
  );
  const reports = runs.map(({ stdout }) => JSON.parse(stdout) as { id: string; parent: string | null });
  const [first, second] = reports.sort((a, b) => (a.id < b.id ? -1 : 1));
  t.match([first?.parent, second?.parent], [null, first?.id]);
  t.equal(await currentOf(data), second?.id);
  await checkLoadsWhole(t, data, "after both");
  await writeRecords(join(root, "c"), { prices: priceRows(3, 300) });
  const request = { dataDirectory: data, candidateDirectory: join(root, "c"), now: thoroughGarbage(data).now };
  const flags = { allowShrink: false, dryRun: false };
  t.match(await publishSnapshot({ ...request, ...flags }), { parent: second?.id }, "a third follows");
});
