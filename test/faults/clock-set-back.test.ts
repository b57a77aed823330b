/** The clock is set back, between publications and before gc. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { dayMilliseconds, type Instant } from "../../src/engine/model/calendar.ts";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { appendPrices } from "../../src/publishing/publish/append-prices.ts";
import { collectGarbage } from "../../src/publishing/publish/collect-garbage.ts";
import { rollbackSnapshot } from "../../src/publishing/publish/rollback-snapshot.ts";
import { checkLoadsWhole } from "../support/after-fault.ts";
import { thoroughGarbage } from "../support/fault-scenes.ts";
import { currentOf, daysLater, namesOf, publishedData, publishTables } from "../support/published-data.ts";
import { serveFolder } from "../support/served-folder.ts";
import { ndjson, priceRows } from "../support/snapshot-files.ts";

/** Before everything that was published, and after the prices were recorded. */
const before = daysLater(-100);

t.test("what is published or appended all the same has an id above all others, follows, and is served", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  const second = ids[1] as SnapshotId;
  const service = await serveFolder(t, root);

  await t.rejects(publishTables(root, { prices: priceRows(30) }, before), { name: "ClockError" });
  t.equal(await currentOf(data), second);
  const third = await publishTables(root, { prices: priceRows(30) }, before, true);
  t.ok(third > second);
  t.equal(await currentOf(data), third);
  t.match(await service.reload(), { status: 200, body: { id: third } });
  t.same(await service.served(), { status: 200, id: third, prices: 30 });

  const day = join(root, "day.ndjson");
  await writeFile(day, ndjson(priceRows(2, 900)));
  const request = { dataDirectory: data, files: [day], now: before, dryRun: false };
  await t.rejects(appendPrices(request), { name: "ClockError" });
  const { id: fourth, parent } = await appendPrices({ ...request, allowClock: true });
  t.ok(fourth > third);
  t.equal(parent, third);
  t.match(await service.reload(), { status: 200, body: { id: fourth } });
  t.same(await service.served(), { status: 200, id: fourth, prices: 32 });

  await rollbackSnapshot({ dataDirectory: data });
  t.equal(await currentOf(data), third, "the parent is the one before");
  await checkLoadsWhole(t, data, "after all");
});

t.test("a price recorded after the clock's time is refused, as at any time", async (t) => {
  const root = t.testdir({});
  await publishedData(root, 1);
  const early = Date.UTC(2026, 0, 1) as Instant;
  await t.rejects(publishTables(root, { prices: priceRows(30) }, early), { name: "DatasetError" });
  t.ok(await publishTables(root, { prices: priceRows(30) }, daysLater(1)), "with the right time it is published");
});

t.test("gc removes nothing for its age while the clock is behind, and what it should once it is right", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 4);
  const [first, second, third, fourth] = ids;
  const request = { ...thoroughGarbage(data), keep: 2, ageMillisecondsMin: 7 * dayMilliseconds };
  await writeFile(join(data, "CURRENT.tmp"), "half a li");
  const early = await collectGarbage({ ...request, now: before });
  t.same(early, { removed: [], kept: [fourth, third, second, first], orphans: ["CURRENT.tmp"], unfinished: [] });
  await checkLoadsWhole(t, data, "the clock behind");
  t.same(await collectGarbage({ ...request, now: daysLater(7) }), {
    removed: [first],
    kept: [fourth, third, second],
    orphans: [],
    unfinished: [],
  });
  t.same((await collectGarbage({ ...request, now: daysLater(99) })).removed, [second]);
  await checkLoadsWhole(t, data, "the clock right");
  t.same(await namesOf(data), [
    ...["CURRENT", "announcement.json", "compiled", `compiled/${third}.store`, `compiled/${fourth}.store`],
    ...["snapshots", `snapshots/${third}`, `snapshots/${fourth}`],
  ]);
});
