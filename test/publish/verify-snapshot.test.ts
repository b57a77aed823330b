import { chmod, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { compileSnapshot } from "../../src/compiled/compile-snapshot.ts";
import type { SnapshotId } from "../../src/dataset/snapshot-layout.ts";
import { sharedFloat64 } from "../../src/domain/shared-columns.ts";
import { openSnapshotStore } from "../../src/publish/snapshot-store.ts";
import { verifySnapshot } from "../../src/publish/verify-snapshot.ts";
import { problemsOf, tellsExactly } from "../support/dataset-problems.ts";
import { publishedData } from "../support/published-data.ts";

t.test(
  "a snapshot that is as it was published is in order, compiled or not; the current one when none is named",
  async (t) => {
    const { data, ids } = await publishedData(t.testdir({}), 2);
    const [first, second] = ids as [SnapshotId, SnapshotId];
    t.match(await verifySnapshot(data), { id: second, isCompiled: true, rows: { prices: 21 } });
    t.match(await verifySnapshot(data, first), { id: first, isCompiled: true, rows: { prices: 20 } });
    await rm(join(data, "compiled", `${first}.store`));
    t.match(await verifySnapshot(data, first), { id: first, isCompiled: false });
  },
);

t.test("a byte that changed in a file is told, although its size is the same", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const path = join(data, "snapshots", ids[0] as SnapshotId, "prices.ndjson");
  await chmod(path, 0o644);
  await writeFile(path, (await readFile(path, "utf8")).replace('"price":60', '"price":61'));
  tellsExactly(t, await problemsOf(() => verifySnapshot(data)), [/^prices\.ndjson: found sha256 /]);
});

t.test("a compiled store that is damaged, or whole and not what the records make, is told", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const id = ids[0] as SnapshotId;
  const path = join(data, "compiled", `${id}.store`);
  const store = await openSnapshotStore(data, id);
  const prices = sharedFloat64(store.prices.rowCount);
  prices.set(store.prices.prices);
  prices[0] = 61;
  await compileSnapshot(data, id, { ...store, prices: { ...store.prices, prices } });
  tellsExactly(t, await problemsOf(() => verifySnapshot(data)), [
    /^compiled\/.*\.store: found other values in prices\.prices, expected the store that the records make; delete the file/,
  ]);
  const bytes = await readFile(path);
  await writeFile(path, bytes.subarray(0, bytes.length - 1));
  tellsExactly(t, await problemsOf(() => verifySnapshot(data)), [
    /\.store: found a compiled store that cannot be used/,
  ]);
});

t.test("an unknown snapshot cannot be verified", async (t) => {
  const { data } = await publishedData(t.testdir({}), 1);
  await t.rejects(verifySnapshot(data, "20200101T000000Z-000000000000" as SnapshotId), {
    name: "SnapshotUnavailableError",
  });
});
