/** A folder of which not everything has arrived: as a candidate, and as the snapshot that `CURRENT` names. */
import { readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { checkDamages } from "../support/damage.ts";
import { problemsOf, reportsExactly } from "../support/dataset-problems.ts";
import { currentOf, daysLater, publishCandidate, publishedData } from "../support/published-data.ts";
import { serveFirstOfTwo } from "../support/served-folder.ts";
import { priceRows, writeRecords } from "../support/snapshot-files.ts";
import { holdsWithin } from "../support/start-process.ts";
import { pointTo } from "../support/watch-swaps.ts";

await checkDamages(t, {
  "without its prices": {
    spoil: (folder) => rm(join(folder, "prices.ndjson")),
    reported: /prices\.ndjson: found no such file/,
  },
  "without a table": {
    spoil: (folder) => rm(join(folder, "crops.json")),
    reported: /crops\.json: found no such file/,
  },
  "with its manifest alone": {
    async spoil(folder) {
      for (const name of await readdir(folder)) if (name !== "manifest.json") await rm(join(folder, name));
    },
    reported: /found no such file/,
  },
  "without its manifest": {
    spoil: (folder) => rm(join(folder, "manifest.json")),
    reported: /manifest/,
    isOfManifest: true,
    isCandidate: true,
  },
});

t.test("half of the records alone", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 1);
  const candidateDirectory = join(root, "candidate");
  const publish = (): Promise<unknown> => publishCandidate(root, daysLater(5));
  await writeRecords(candidateDirectory, { prices: priceRows(30) }, { "units.json": null });
  await rm(join(candidateDirectory, "units.json"));
  t.match(await problemsOf(publish), [/units\.json/]);
  await writeRecords(candidateDirectory, { prices: priceRows(30) });
  await rm(join(candidateDirectory, "prices.ndjson"));
  t.match(await problemsOf(publish), [/prices/]);
  t.equal(await currentOf(data), ids[0]);
  await writeRecords(candidateDirectory, { prices: priceRows(30) });
  reportsExactly(t, await problemsOf(publish), [], "once all is there, it is published");
  t.not(await currentOf(data), ids[0]);
});

t.test("a running service that finds CURRENT before the files serves them once they are there", async (t) => {
  const { data, ids, served, reported } = await serveFirstOfTwo(t, {
    ...{ threadCount: 1, pollMilliseconds: 20, retryTimes: { first: 50, max: 200 } },
  });
  const [first, second] = ids;
  const prices = join(data, "snapshots", second, "prices.ndjson");
  await rename(prices, join(data, "prices.ndjson"));
  await rm(join(data, "compiled", `${second}.store`), { force: true });
  await pointTo(data, second);
  const reloadError = async (): Promise<string> => String((await reported("/ready"))["reload_error"]);
  t.ok(await holdsWithin(10_000, async () => /prices\.ndjson: found no such file/.test(await reloadError())));
  t.equal((await served()).id, first);
  await rename(join(data, "prices.ndjson"), prices);
  t.ok(await holdsWithin(10_000, async () => (await served()).id === second), "though CURRENT has not changed");
  t.match(await reported("/ready"), { snapshot: second, reload_error: null });
});
