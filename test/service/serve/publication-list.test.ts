import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { type SnapshotId, snapshotPath } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { DownloadFiles } from "../../../src/service/serve/download-files.ts";
import { CachedDescriptions, publicationList, publicationsIn } from "../../../src/service/serve/published-snapshots.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { daysLater, publishedData, publishTables } from "../../support/published-data.ts";
import { priceRows } from "../../support/snapshot-files.ts";

t.test("the snapshots that are kept are listed, newest first, with what they hold and follow", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 3);
  const [first = "", second = "", third = ""] = ids;
  const list = publicationList(data, publicationsIn(data));
  const expected = [
    { id: third, parent: second, rows: { prices: 22 }, replacedPrices: 0, publishedAt: "2026-11-22T08:30:00.000Z" },
    { id: second, parent: first, rows: { prices: 21 } },
    { id: first, parent: null, rows: { prices: 20 } },
  ];
  t.match(await list(third), expected);
  t.match(await list(third), expected, "also when they are known");
  const manifest = join(data, "snapshots", second, "manifest.json");
  await rename(manifest, `${manifest}.away`);
  t.strictSame(
    (await list(third))?.map(({ id }) => id),
    [third, first],
    "a broken one is left out",
  );
  await rename(`${manifest}.away`, manifest);
  t.match(await list(third), expected, "until it is repaired");
});

t.test("what is published or removed before a request is in its list, also while others are under way", async (t) => {
  const root = t.testdir({});
  const { data, ids } = await publishedData(root, 2);
  const list = publicationList(data, publicationsIn(data));
  const idsIn = async (): Promise<readonly string[] | undefined> => (await list(String(ids[1])))?.map(({ id }) => id);
  const before = [idsIn(), idsIn()];
  const third = await publishTables(root, { prices: priceRows(23) }, daysLater(3));
  const under = idsIn();
  const after = await Promise.all([idsIn(), idsIn(), idsIn()]);
  for (const found of after) t.strictSame(found, [third, ids[1], ids[0]]);
  await Promise.all([...before, under]);
  const [cut, asked] = [idsIn(), rm(snapshotPath(data, third), { recursive: true }).then(idsIn)];
  await cut;
  t.strictSame(await asked, [ids[1], ids[0]]);
});

t.test("of many snapshots the newest 50 are listed, and the served one however old it is", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const oldest = String(ids[0]);
  const manifest = JSON.parse(readFileSync(join(data, "snapshots", oldest, "manifest.json"), "utf8"));
  const copies = Array.from({ length: 60 }, (_, number) => {
    const created = new Date(daysLater(1 + number)).toISOString().replace(".000Z", "Z");
    const id = created.replaceAll(/[-:]/g, "") + oldest.slice(oldest.indexOf("-"));
    mkdirSync(join(data, "snapshots", id));
    const text = JSON.stringify({ ...manifest, id, created_at: created, parent: oldest });
    writeFileSync(join(data, "snapshots", id, "manifest.json"), text);
    return id;
  });
  const newest = copies.toReversed().slice(0, 50);
  const found = await publicationList(data, publicationsIn(data))(oldest);
  t.strictSame(valuesOf(found ?? [], "id"), [...newest, oldest]);
  const downloads = await new DownloadFiles(data).list(oldest);
  t.strictSame(valuesOf(downloads, "snapshot"), [...newest, oldest]);
});

t.test("each file is read once, four are open at a time, and what fails is read again", async (t) => {
  const names = Array.from({ length: 40 }, (_, number) => `file-${number}`);
  const root = t.testdir(Object.fromEntries(names.map((name) => [name, name])));
  const ids = names as unknown as readonly SnapshotId[];
  let [open, most, readings] = [0, 0, 0];
  const failing = new Set<string>(["file-3"]);
  const kept = new CachedDescriptions<string>(
    (id) => join(root, id),
    async (id) => {
      readings++;
      most = Math.max(most, ++open);
      const text = await readFile(join(root, id), "utf8");
      open--;
      return failing.has(id) ? undefined : text;
    },
  );
  const readAll = async (): Promise<(string | undefined)[]> => {
    return await Promise.all([...ids, ...ids].map((id) => kept.of(id)));
  };
  const expected = [...names, ...names].map((name) => (failing.has(name) ? undefined : name));
  t.strictSame(await readAll(), expected);
  t.strictSame([most, readings], [4, 40], "calls at one time share a reading");
  failing.clear();
  t.strictSame(await readAll(), [...names, ...names]);
  t.equal(readings, 41, "only what failed is read again");
  writeFileSync(join(root, "file-5"), "another");
  await rm(join(root, "file-6"));
  t.strictSame(await Promise.all([5, 6, 7].map((at) => kept.of(ids[at] as SnapshotId))), [
    "another",
    undefined,
    "file-7",
  ]);
  t.equal(readings, 42, "also what is another file by now");
});

t.test("a reading that throws gives its turn to the next one", async (t) => {
  const names = Array.from({ length: 9 }, (_, number) => `file-${number}`);
  const root = t.testdir(Object.fromEntries(names.map((name) => [name, name])));
  let isBroken = true;
  const kept = new CachedDescriptions<string>(
    (id) => join(root, id),
    async (id) => {
      const text = await readFile(join(root, id), "utf8");
      if (isBroken) throw new Error("EMFILE");
      return text;
    },
  );
  const readAll = () => Promise.allSettled(names.map((name) => kept.of(name as SnapshotId)));
  t.ok((await readAll()).every(({ status }) => status === "rejected"));
  isBroken = false;
  t.ok((await readAll()).every(({ status }) => status === "fulfilled"));
});

t.test("a folder that cannot be read is no list", async (t) => {
  const root = t.testdir({ data: {} });
  const data = join(root, "data");
  const list = publicationList(data, publicationsIn(data));
  t.strictSame(await list(""), [], "one without snapshots is an empty one");
  await symlink("snapshots", join(root, "data", "snapshots"));
  t.equal(await list(""), null);
});
