/** A folder whose files end too soon, are not all there, or have other bytes: a candidate, and what `CURRENT` names. */
import { readdir, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { appendPrices } from "../../src/publishing/publish/append-prices.ts";
import { verifySnapshot } from "../../src/publishing/publish/verify-snapshot.ts";
import { checkDamages, edit } from "../support/damage.ts";
import { problemsOf, reportsExactly } from "../support/dataset-problems.ts";
import { currentOf, daysLater, publishCandidate, publishedData, publishTables } from "../support/published-data.ts";
import { serveFirstOfTwo, serveFolder } from "../support/served-folder.ts";
import { ndjson, priceRows, writeRecords } from "../support/snapshot-files.ts";
import { holdsWithin } from "../support/start-process.ts";
import { pointTo } from "../support/watch-swaps.ts";

const prices = "prices.ndjson";
const manifest = "manifest.json";

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
  "a price with another digit": {
    spoil: (folder) => edit(join(folder, "prices.ndjson"), (text) => text.replace('"price":60', '"price":61')),
    reported: /prices\.ndjson: found sha256/,
  },
  "a name with another letter": {
    spoil: (folder) => edit(join(folder, "products.ndjson"), (text) => text.replace("Maize", "Maise")),
    reported: /products\.ndjson: found sha256/,
  },
  "a manifest with another checksum": {
    spoil: (folder) => edit(join(folder, manifest), (text) => text.replace(/("sha256": ")./, "$1g")),
    reported: /manifest/,
    isOfManifest: true,
  },
  "a manifest whose id is not that of its files": {
    spoil: (folder) =>
      edit(join(folder, manifest), (text) =>
        text.replace(/("sha256": ")(.)/, (_, key, digit) => `${key}${digit === "0" ? 1 : 0}`),
      ),
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

t.test("with a compiled store the snapshot is served whole, and verify reports it", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  const prices = join(data, "snapshots", `${ids[1]}`, "prices.ndjson");
  await edit(prices, (text) => text.replace('"price":60', '"price":61'));
  const service = await serveFolder(t, root);
  t.same(await service.served(), { status: 200, id: ids[1], prices: 21 });
  t.match(await problemsOf(() => verifySnapshot(data)), [/^prices\.ndjson: found sha256/]);

  const day = join(root, "day.ndjson");
  await writeFile(day, ndjson(priceRows(1, 900)));
  const { id } = await appendPrices({ dataDirectory: data, files: [day], now: daysLater(5), dryRun: false });
  t.match(await service.reload(), { status: 200, body: { id } });
  t.same(await service.served(), { status: 200, id, prices: 22 }, "a day builds on it, whole");
  t.match(await problemsOf(() => verifySnapshot(data)), [/^prices\.ndjson: found sha256/]);
});
