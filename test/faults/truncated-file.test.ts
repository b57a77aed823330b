/** A file ends too soon: as a candidate, in the snapshot that `CURRENT` names, and in a compiled store. */
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { checkDamages, edit } from "../support/damage.ts";
import { problemsOf, reportsExactly } from "../support/dataset-problems.ts";
import { currentOf, daysLater, publishCandidate, publishedData, publishTables } from "../support/published-data.ts";
import { serveFolder } from "../support/served-folder.ts";
import { priceRows, writeRecords } from "../support/snapshot-files.ts";

const prices = "prices.ndjson";

await checkDamages(t, {
  "prices cut in the middle of a line": {
    spoil: (folder) => edit(join(folder, prices), (text) => text.slice(0, -100)),
    reported: /prices\.ndjson: found \d+ bytes/,
  },
  "prices cut after a line": {
    spoil: (folder) => edit(join(folder, prices), (text) => text.slice(0, text.lastIndexOf("\n", text.length - 2) + 1)),
    reported: /prices\.ndjson: found \d+ bytes/,
  },
  "an empty file": {
    spoil: (folder) => edit(join(folder, "markets.ndjson"), () => ""),
    reported: /markets\.ndjson: found 0 bytes/,
  },
  "half a manifest": {
    spoil: (folder) => edit(join(folder, "manifest.json"), (text) => text.slice(0, text.length / 2)),
    reported: /manifest/,
    isOfManifest: true,
  },
});

t.test("records without a manifest, cut off", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  const candidateDirectory = join(root, "candidate");
  const publish = (): Promise<unknown> => publishCandidate(root, daysLater(5));
  await writeRecords(candidateDirectory, { prices: priceRows(30) });
  await edit(join(candidateDirectory, prices), (text) => text.slice(0, -100));
  reportsExactly(t, await problemsOf(publish), [/^prices\.ndjson:30: found .*/]);
  await writeRecords(candidateDirectory, { prices: priceRows(18) });
  reportsExactly(t, await problemsOf(publish), [/^prices: found 18 rows/], "cut after a line, it has lost rows");
  t.equal(await currentOf(data), ids[0]);
  t.not(await publishTables(root, { prices: priceRows(30) }, daysLater(6)), ids[0], "whole, it is published");
});

t.test("a compiled store that is cut off is made again, and the snapshot is served whole", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  await truncate(join(data, "compiled", `${ids[1]}.store`), 500);
  const service = await serveFolder(t, root);
  t.same(await service.served(), { status: 200, id: ids[1], prices: 21 });
  t.match(await service.reported("/snapshot"), { origin: "records", broken_snapshots: [] });
  const next = await serveFolder(t, root);
  t.match(await next.reported("/snapshot"), { origin: "compiled" });
});
