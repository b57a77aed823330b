/** `CURRENT` is empty, missing, holds no id, or names nothing: for services, for publishers, and how it is repaired. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { appendPrices } from "../../src/publishing/publish/append-prices.ts";
import { collectGarbage } from "../../src/publishing/publish/collect-garbage.ts";
import { publishSnapshot } from "../../src/publishing/publish/publish-snapshot.ts";
import { rollbackSnapshot } from "../../src/publishing/publish/rollback-snapshot.ts";
import { checkLoadsWhole } from "../support/after-fault.ts";
import { problemsOf } from "../support/dataset-problems.ts";
import { thoroughGarbage } from "../support/fault-scenes.ts";
import { currentOf, daysLater, namesOf, publishedData } from "../support/published-data.ts";
import { ndjson, priceRows, writeRecords } from "../support/snapshot-files.ts";
import { pointTo } from "../support/watch-swaps.ts";

interface Loss {
  readonly spoil: (data: string) => Promise<void>;
  readonly reported: RegExp;
  /** What publishing says, which compares with the current snapshot. */
  readonly toPublishers: RegExp;
  /** Publishing may go on without comparing, if that is allowed. */
  readonly canBeAllowed: boolean;
}

const nothing = "20260301T083000Z-0123456789ab";

const losses: Readonly<Record<string, Loss>> = {
  empty: {
    spoil: (data) => writeFile(join(data, "CURRENT"), ""),
    reported: /CURRENT: found an empty file/,
    toPublishers: /CURRENT: found an empty file/,
    canBeAllowed: false,
  },
  missing: {
    spoil: (data) => rm(join(data, "CURRENT")),
    reported: /CURRENT: found no such file/,
    toPublishers: /CURRENT: found no such file, though there are 2 snapshots/,
    canBeAllowed: true,
  },
  "without an id": {
    spoil: (data) => writeFile(join(data, "CURRENT"), "../../etc\n"),
    reported: /CURRENT: found .* expected one line, the id/,
    toPublishers: /CURRENT: found .* expected one line, the id/,
    canBeAllowed: false,
  },
  "naming nothing": {
    spoil: (data) => pointTo(data, nothing),
    reported: /snapshot 20260301T083000Z-0123456789ab: found no folder /,
    toPublishers: /the current snapshot broken/,
    canBeAllowed: true,
  },
};

for (const [name, { spoil, reported, toPublishers, canBeAllowed }] of Object.entries(losses)) {
  t.test(`CURRENT ${name}: publishers`, async (t) => {
    const root = t.testdir({});
    const { data, ids } = await publishedData(root, 2);
    const second = ids[1] as SnapshotId;
    const candidateDirectory = join(root, "candidate");
    await writeRecords(candidateDirectory, { prices: priceRows(30) });
    const day = join(root, "day.ndjson");
    await writeFile(day, ndjson(priceRows(2, 900)));
    const publish = (allowShrink = false): ReturnType<typeof publishSnapshot> => {
      const flags = { allowShrink, dryRun: false };
      return publishSnapshot({ dataDirectory: data, candidateDirectory, now: daysLater(5), ...flags });
    };
    const append = { dataDirectory: data, files: [day], now: daysLater(6), dryRun: false };
    await spoil(data);
    const names = await namesOf(data);

    await t.rejects(publish(), { message: toPublishers }, "what would be lost is unknown");
    await t.rejects(appendPrices(append), { name: "SnapshotUnavailableError", message: reported });
    await t.rejects(rollbackSnapshot({ dataDirectory: data }), { name: "SnapshotUnavailableError" });
    await t.rejects(collectGarbage(thoroughGarbage(data)), { name: "SnapshotUnavailableError" });
    t.same(await namesOf(data), names, "nothing was changed");

    if (canBeAllowed) {
      const { id } = await publish(true);
      t.ok(id > second, "its id is above all others");
      await checkLoadsWhole(t, data, "published all the same");
    }
    const way = { dataDirectory: data, id: second };
    if (!canBeAllowed) await t.rejects(rollbackSnapshot(way), { message: /withdrawals in force are not known/ });
    t.match(await rollbackSnapshot({ ...way, withoutWithdrawals: !canBeAllowed }), { outcome: "rolled-back" });
    await checkLoadsWhole(t, data, "repaired by a rollback to an id");
    t.same(await problemsOf(() => publish()), [], "done again, publishing succeeds");
    await appendPrices(append);
    await collectGarbage({ ...thoroughGarbage(data), keep: 1 });
    const id = await currentOf(data);
    const left = ["CURRENT", "announcement.json", "compiled", `compiled/${id}.store`, "snapshots", `snapshots/${id}`];
    t.same(await namesOf(data), left, "gc leaves no orphaned file");
  });
}

t.test("a CURRENT that was never written, because the first publisher was killed, stops no one", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  await rm(join(data, "CURRENT"));
  const request = { dataDirectory: data, candidateDirectory: join(root, "candidate"), now: daysLater(1) };
  const { outcome, id } = await publishSnapshot({ ...request, allowShrink: false, dryRun: false });
  t.equal(outcome, "published");
  t.ok(id > `${ids[0]}`);
});
