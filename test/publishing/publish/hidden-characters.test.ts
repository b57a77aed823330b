/** What is handed in must not hide characters in its texts; what was published before is served with them. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { InvalidPricesError, loadManifestDataset } from "../../../src/engine/snapshots/load-dataset.ts";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import { readCandidate } from "../../../src/engine/snapshots/read-candidate.ts";
import { appendPrices } from "../../../src/publishing/publish/append-prices.ts";
import { publishSnapshot } from "../../../src/publishing/publish/publish-snapshot.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import {
  marketRow,
  ndjson,
  priceRow,
  productRow,
  testUuid,
  writeRecords,
  writeSnapshot,
} from "../../support/snapshot-files.ts";

const now = Date.UTC(2026, 1, 1, 8, 30) as Instant;
const controls = "\u001b]0;x\u0007";

t.test("a folder with them is refused, field by field", async (t) => {
  const folder = t.testdir({ "manifest.json": JSON.stringify({ note: `a${controls}`, attribution: ["b\u2067"] }) });
  await writeRecords(folder, {
    products: [productRow({ name: `Maize${controls}`, metadata: { [`a${controls}`]: ["b\u0085"] } })],
    markets: [marketRow({ location: { latitude: 1, longitude: 36, address: "x\u202e" } })],
  });
  reportsExactly(t, await problemsOf(() => readCandidate(folder, now)), [
    /^manifest\.json: "note" is U\+001B in /,
    /^manifest\.json: "attribution\[0\]" is U\+2067 in /,
    /^products\.ndjson:1: "name" is U\+001B in /,
    /^products\.ndjson:1: "metadata" is U\+001B in /,
    /^products\.ndjson:1: "metadata\.a.*\[0\]" is U\+0085 in /,
    /^markets\.ndjson:1: "location\.address" is U\+202E in /,
  ]);
});

t.test("a price with one is a bad row: publishing a folder and an append refuse it", async (t) => {
  const root = t.testdir({ candidate: {} });
  const [data, candidate] = [join(root, "data"), join(root, "candidate")];
  const prices = Array.from({ length: 2000 }, (_, at) => priceRow({ uuid: testUuid(1000 + at) }));
  prices[7] = priceRow({ uuid: testUuid(1007), notes: `a${controls}` });
  await writeRecords(candidate, {}, { "prices.ndjson": ndjson(prices) });
  const refusal = await readCandidate(candidate, now).catch((error: unknown) => error);
  t.ok(refusal instanceof InvalidPricesError, "nothing but rows is wrong");
  const request = { dataDirectory: data, candidateDirectory: candidate, now, allowShrink: false, dryRun: false };
  reportsExactly(t, await problemsOf(() => publishSnapshot(request)), [/^prices\.ndjson:8: "notes" is U\+/]);
  prices[7] = priceRow({ uuid: testUuid(1007) });
  await writeRecords(candidate, {}, { "prices.ndjson": ndjson(prices) });
  await publishSnapshot(request);
  const day = join(root, "day.ndjson");
  await writeFile(day, ndjson([priceRow({ uuid: testUuid(9), notes: "x\u202ey" })]));
  reportsExactly(t, await problemsOf(() => appendPrices({ dataDirectory: data, files: [day], now, dryRun: false })), [
    /day\.ndjson:1: "notes" is U\+202E in /,
  ]);
});

t.test("a snapshot that has them already is loaded", async (t) => {
  const folder = join(t.testdir({}), "snapshot");
  await mkdir(folder);
  await writeSnapshot(folder, {
    tables: { products: [productRow({ name: `Maize${controls}` })] },
    files: { "prices.ndjson": ndjson([priceRow({ notes: `a${controls}` })]) },
  });
  const { products, prices } = await loadManifestDataset(folder, await readManifest(folder));
  t.equal(products[0]?.name, `Maize${controls}`);
  t.strictSame(prices.noteTexts, [`a${controls}`]);
});
