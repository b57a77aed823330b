/** The thread that loads a snapshot runs out of memory. */
import type { ResourceLimits } from "node:worker_threads";
import t from "tap";
import { collectGarbage } from "../../src/publishing/publish/collect-garbage.ts";
import { checkLoadsWhole } from "../support/after-fault.ts";
import { thoroughGarbage } from "../support/fault-scenes.ts";
import { namesOf } from "../support/published-data.ts";
import { serveFirstOfTwo } from "../support/served-folder.ts";
import { priceRows, writeCurrentSnapshot } from "../support/snapshot-files.ts";

t.test("the old snapshot stays, and with enough memory the new one is served", async (t) => {
  const loaderLimits: ResourceLimits = {};
  const { data, ids, reload, served, reported } = await serveFirstOfTwo(t, { loaderLimits });
  loaderLimits.maxOldGenerationSizeMb = 8;
  const prices = priceRows(40_000).map((row, place) => ({ ...row, notes: `note ${place}`.padEnd(400, ".") }));
  const large = await writeCurrentSnapshot(data, { createdAt: "2026-03-01T08:30:00Z", tables: { prices } });
  const wanted = "the loader thread ran out of memory";
  t.match(await reload(), { status: 500, body: { error: { message: wanted }, id: ids[0] } });
  t.same(await served(), { status: 200, id: ids[0], prices: 1 });
  t.match(await reported("/ready"), { snapshot: ids[0], reload_error: wanted });

  delete loaderLimits.maxOldGenerationSizeMb;
  t.match(await reload(), { status: 200, body: { id: large } });
  t.same(await served(), { status: 200, id: large, prices: 40_000 });
  await checkLoadsWhole(t, data, "afterwards");
  await collectGarbage({ ...thoroughGarbage(data), keep: 1 });
  t.same(await namesOf(data), [
    "CURRENT",
    "announcement.json",
    "compiled",
    `compiled/${large}.store`,
    "snapshots",
    `snapshots/${large}`,
  ]);
});
