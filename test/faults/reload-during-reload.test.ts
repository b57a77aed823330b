/** Reloads are requested while one is under way, by `CURRENT` pointing to and fro, and while a publisher is at work. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import t from "tap";
import { checkAfterFault } from "../support/after-fault.ts";
import { scenes } from "../support/fault-scenes.ts";
import { startWork } from "../support/fault-work.ts";
import { currentOf } from "../support/published-data.ts";
import { serveFirstOfTwo, serveFolder } from "../support/served-folder.ts";
import { priceRows, writeCurrentSnapshot } from "../support/snapshot-files.ts";
import { pointTo } from "../support/watch-swaps.ts";

t.test("who asks during a reload gets the one that follows, together", async (t) => {
  const { data, ids, reload, prepared, served } = await serveFirstOfTwo(t);
  const [first] = ids;
  const large = await writeCurrentSnapshot(data, {
    createdAt: "2026-03-01T08:30:00Z",
    tables: { prices: priceRows(30_000) },
  });
  await pointTo(data, first);
  await reload();
  const reloads = (): number => prepared.log.filter(({ msg }) => msg === "reloaded").length;
  for (let round = 0; round < 3; round++) {
    // Without its compiled store it takes long enough to load for all to ask meanwhile.
    await rm(join(data, "compiled", `${large}.store`), { force: true });
    const before = reloads();
    await pointTo(data, large);
    const running = reload();
    await delay(50);
    await pointTo(data, first);
    const answers = await Promise.all(Array.from({ length: 5 }, reload));
    t.match(await running, { status: 200 });
    for (const answer of answers) t.same(answer, answers[0], "all get the same");
    t.match(answers[0], { status: 200, body: { id: first } });
    t.match(await served(), { status: 200, id: first, prices: 1 });
    // One that looks at CURRENT by itself may come in between.
    t.ok(reloads() - before <= 3, `${reloads() - before} reloads for 6 requests`);
  }
});

t.test("reloads asked for all the while a publisher is at work serve the old or the new snapshot", async (t) => {
  const root = t.testdir({});
  const scene = await scenes.publish(root, 2000);
  const { reload, served } = await serveFolder(t, root);
  let isOver = false;
  const work = startWork(scene.work).ended.finally(() => {
    isOver = true;
  });
  const seen = new Set<unknown>();
  while (!isOver) {
    for (const { status, body } of await Promise.all([reload(), reload(), reload()])) {
      t.equal(status, 200);
      seen.add((body as { id: unknown }).id);
    }
  }
  t.match(await work, { outcome: "done" });
  const current = await currentOf(join(root, "data"));
  t.match(await reload(), { status: 200, body: { id: current } });
  seen.add(current);
  t.same([...seen], [scene.before, current]);
  t.match(await served(), { status: 200, id: current, prices: 2005 });
  await checkAfterFault(t, scene, "afterwards", true);
});
