/** Files as long as they should be, with other bytes; and manifests that speak of other files. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { appendPrices } from "../../src/publishing/publish/append-prices.ts";
import { verifySnapshot } from "../../src/publishing/publish/verify-snapshot.ts";
import { checkDamages, edit } from "../support/damage.ts";
import { problemsOf } from "../support/dataset-problems.ts";
import { daysLater, publishedData } from "../support/published-data.ts";
import { serveFolder } from "../support/served-folder.ts";
import { ndjson, priceRows } from "../support/snapshot-files.ts";

const manifest = "manifest.json";

await checkDamages(t, {
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
