import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import type { SnapshotId } from "../../src/dataset/snapshot-layout.ts";
import { activateSnapshot } from "../../src/publish/activate-snapshot.ts";

const id = "20260201T083000Z-0123456789ab" as SnapshotId;

t.test("the staged folder takes the snapshot's name, then CURRENT points at it", async (t) => {
  const data = t.testdir({ CURRENT: "before\n", snapshots: { ".staging-1": { "manifest.json": "{}" } } });
  await activateSnapshot(data, join(data, "snapshots", ".staging-1"), id);
  t.same(await readdir(join(data, "snapshots")), [id]);
  t.equal(await readFile(join(data, "CURRENT"), "utf8"), `${id}\n`);
  t.same((await readdir(data)).sort(), ["CURRENT", "snapshots"]);
});

t.test("when the folder cannot take its name, CURRENT stays as it was", async (t) => {
  const snapshots = { ".staging-1": { "a.json": "{}" }, [id]: { "manifest.json": "{}" } };
  const data = t.testdir({ CURRENT: "before\n", snapshots });
  await t.rejects(activateSnapshot(data, join(data, "snapshots", ".staging-1"), id));
  t.equal(await readFile(join(data, "CURRENT"), "utf8"), "before\n");
});
