/** Snapshots are deleted under a running service. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { collectGarbage } from "../../src/publishing/publish/collect-garbage.ts";
import { checkLoadsWhole } from "../support/after-fault.ts";
import { thoroughGarbage } from "../support/fault-scenes.ts";
import { daysLater, namesOf, publishedData, publishTables } from "../support/published-data.ts";
import { serveFirstOfTwo, serveFolder } from "../support/served-folder.ts";
import { priceRows } from "../support/snapshot-files.ts";
import { holdsWithin } from "../support/start-process.ts";

t.test("everything is in memory, also for threads that start later", async (t) => {
  const { data, ids, reload, served, prepared } = await serveFirstOfTwo(t);
  const [first] = ids;
  await rm(join(data, "snapshots"), { recursive: true });
  t.match(await served(), { status: 200, id: first });
  t.match(await reload(), { status: 200, body: { changed: false } });
  await Promise.all(prepared.workers.map((worker) => worker.terminate()));
  const isAnswered = async (): Promise<boolean> => {
    try {
      return (await served()).id === first;
    } catch {
      return false;
    }
  };
  t.ok(await holdsWithin(10_000, isAnswered), "threads that start now get it as well");
});

t.test("the next snapshot is published, served and kept", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  const { reload, served } = await serveFolder(t, root);
  await rm(join(data, "snapshots"), { recursive: true });
  await rm(join(data, "compiled"), { recursive: true });
  await t.rejects(collectGarbage(thoroughGarbage(data)), { name: "SnapshotUnavailableError" });
  t.same(await served(), { status: 200, id: ids[1], prices: 21 });

  const next = await publishTables(root, { prices: priceRows(30) }, daysLater(5));
  t.ok(next > `${ids[1]}`);
  await checkLoadsWhole(t, data, "the next");
  t.match(await reload(), { status: 200, body: { id: next } });
  t.same(await served(), { status: 200, id: next, prices: 30 });
  await collectGarbage(thoroughGarbage(data));
  t.same(await namesOf(data), [
    "CURRENT",
    "announcement.json",
    "compiled",
    `compiled/${next}.store`,
    "snapshots",
    `snapshots/${next}`,
  ]);
});
