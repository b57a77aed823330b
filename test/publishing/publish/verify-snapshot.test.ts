import { chmod, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { layoutVersion } from "../../../src/engine/compiled/layout-version.ts";
import { sharedFloat64 } from "../../../src/engine/model/shared-columns.ts";
import { readManifest } from "../../../src/engine/snapshots/manifest.ts";
import { DatasetError, problemText } from "../../../src/engine/snapshots/problem.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { openSnapshotStore } from "../../../src/publishing/publish/open-published.ts";
import { verifyFiles, verifySnapshot } from "../../../src/publishing/publish/verify-snapshot.ts";
import { problemsOf, reportsExactly } from "../../support/dataset-problems.ts";
import { compileSnapshot } from "../../support/open-snapshots.ts";
import { publishedData } from "../../support/published-data.ts";
import { ndjson, priceRow, priceRows, writeSnapshot } from "../../support/snapshot-files.ts";
import { isRoot } from "../../support/why-skipped.ts";

t.test("a snapshot as published is in order, compiled or not; the current one where none is named", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 2);
  const [first, second] = ids as [SnapshotId, SnapshotId];
  t.match(await verifySnapshot(data), { id: second, isCompiled: true, rows: { prices: 21 } });
  t.match(await verifySnapshot(data, first), { id: first, isCompiled: true, rows: { prices: 20 } });
  await rm(join(data, "compiled", `${first}.store`));
  t.match(await verifySnapshot(data, first), { id: first, isCompiled: false });
});

t.test("a compiled store that is damaged, or whole and not what the records make, is reported", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const id = ids[0] as SnapshotId;
  const path = join(data, "compiled", `${id}.store`);
  const store = await openSnapshotStore(data, id);
  const prices = sharedFloat64(store.prices.rowCount);
  prices.set(store.prices.prices);
  prices[0] = 61;
  await compileSnapshot(data, id, { ...store, prices: { ...store.prices, prices } });
  reportsExactly(t, await problemsOf(() => verifySnapshot(data)), [
    /^compiled\/.*\.store: found other values in prices\.prices, expected the store built from the records; delete the file/,
  ]);
  const bytes = await readFile(path);
  await writeFile(path, bytes.subarray(0, bytes.length - 1));
  reportsExactly(t, await problemsOf(() => verifySnapshot(data)), [
    /\.store: found a compiled store that cannot be used/,
  ]);
});

t.test("a compiled store of another layout is no fault; files that differ from the manifest are", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const [id] = ids as [SnapshotId];
  const path = join(data, "compiled", `${id}.store`);
  const bytes = await readFile(path);
  bytes.writeUInt32LE(layoutVersion - 1, 8);
  await writeFile(path, bytes);
  const otherLayout = `${path}: found layout version ${layoutVersion - 1}, expected version ${layoutVersion}`;
  t.match(await verifySnapshot(data), { id, isCompiled: false, otherLayout });
  await writeFile(path, bytes.subarray(0, 7));
  const error = await verifySnapshot(data).catch((thrown: unknown) => thrown);
  t.ok(error instanceof DatasetError);
  t.same([...(error as DatasetError).list.counts], [["compiled", 1]], "it is in no manifest");
});

t.test("an unknown snapshot cannot be verified", async (t) => {
  const { data } = await publishedData(t.testdir({}), 1);
  await t.rejects(verifySnapshot(data, "20200101T000000Z-000000000000" as SnapshotId), {
    name: "SnapshotUnavailableError",
  });
});

t.test("files that are what the manifest says give no problem, others are reported by name", async (t) => {
  const directory = t.testdir({});
  await writeSnapshot(directory, { files: { "prices/a.ndjson": ndjson(priceRows(1, 200)) } });
  const manifest = await readManifest(directory);
  const reported = async (): Promise<readonly string[]> => {
    return (await verifyFiles(directory, manifest)).problems.map(problemText);
  };
  t.same(await reported(), []);
  await writeFile(join(directory, "prices.ndjson"), ndjson([priceRow({ price: 61 })]));
  await writeFile(join(directory, "prices/a.ndjson"), "");
  await rm(join(directory, "crops.json"));
  await rm(join(directory, "units.json"));
  await symlink("counties.json", join(directory, "units.json"));
  reportsExactly(t, await reported(), [
    "crops.json: found no such file, expected a file",
    "units.json: found a link, a folder or a device, expected an ordinary file",
    /^prices\.ndjson: found sha256 [0-9a-f]{64}, expected [0-9a-f]{64}, as the manifest says$/,
    /^prices\/a\.ndjson: found 0 bytes, expected \d+, as the manifest says$/,
  ]);
});

t.test("a file that may not be read is reported", { skip: isRoot }, async (t) => {
  const directory = t.testdir({});
  await writeSnapshot(directory);
  await chmod(join(directory, "crops.json"), 0);
  const { problems } = await verifyFiles(directory, await readManifest(directory));
  reportsExactly(t, problems.map(problemText), [/^crops\.json: found a file that cannot be read \(EACCES\)/]);
});
