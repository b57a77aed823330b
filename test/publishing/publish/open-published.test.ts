import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import t from "tap";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import {
  openSnapshotStore,
  PublishedSnapshot,
  readCurrentSnapshot,
} from "../../../src/publishing/publish/open-published.ts";
import { writeCurrentSnapshot } from "../../support/snapshot-files.ts";

t.test("without CURRENT there is no snapshot yet", async (t) => {
  t.equal(await readCurrentSnapshot(t.testdir({})), undefined);
  t.equal(await readCurrentSnapshot(join(t.testdir({}), "absent")), undefined);
});

t.test("a whole snapshot is read with its records", async (t) => {
  const data = t.testdir({});
  const id = await writeCurrentSnapshot(data);
  t.match(await readCurrentSnapshot(data), {
    id,
    snapshot: { manifest: { id } },
    store: { snapshot: { id } },
    error: undefined,
  });
});

t.test("of a broken snapshot as much is read as can be", async (t) => {
  const data = t.testdir({});
  const id = await writeCurrentSnapshot(data);
  await rm(join(data, "snapshots", id, "crops.json"));
  t.match(await readCurrentSnapshot(data), {
    id,
    snapshot: { manifest: { id } },
    store: undefined,
    error: { name: "DatasetError" },
  });
  await rm(join(data, "snapshots", id, "manifest.json"));
  const current = await readCurrentSnapshot(data);
  t.match(current, { id, snapshot: undefined, store: undefined, error: { name: "SnapshotUnavailableError" } });
});

t.test("a CURRENT without an id is refused, and so is a directory that cannot be looked into", async (t) => {
  const data = t.testdir({ CURRENT: "nonsense\n", file: "" });
  await t.rejects(readCurrentSnapshot(data), { name: "SnapshotUnavailableError" });
  await writeFile(join(data, "CURRENT"), "");
  await t.rejects(readCurrentSnapshot(data), { name: "SnapshotUnavailableError" });
  await t.rejects(readCurrentSnapshot(join(data, "file")), { code: "ENOTDIR" });
});

t.test("a parent is read once and opens its store later", async (t) => {
  const data = t.testdir({});
  const id = await writeCurrentSnapshot(data);
  const parent = await PublishedSnapshot.readWanted(data);
  t.match(parent, { manifest: { id }, directory: join(data, "snapshots", id), folderName: `snapshots/${id}` });
  t.ok(isDeepStrictEqual(await parent.openStore(), await openSnapshotStore(data, id as SnapshotId)));
  await rm(join(data, "snapshots", id, "manifest.json"));
  t.equal((await parent.openStore()).snapshot.id, id, "the manifest is not read again");
  await t.rejects(PublishedSnapshot.readWanted(data), { name: "SnapshotUnavailableError" });
  await t.rejects(PublishedSnapshot.readWanted(t.testdir({})), { name: "SnapshotUnavailableError" });
});
