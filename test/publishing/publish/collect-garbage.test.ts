import { chmod, mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import { dayMilliseconds, type Instant } from "../../../src/engine/model/calendar.ts";
import { removePin, writePin } from "../../../src/engine/snapshots/pin.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import {
  collectGarbage,
  deadWriterMilliseconds,
  type GarbageReport,
  type GarbageRequest,
} from "../../../src/publishing/publish/collect-garbage.ts";
import { rollbackSnapshot } from "../../../src/publishing/publish/rollback-snapshot.ts";
import { daysLater, namesOf, publishedData } from "../../support/published-data.ts";

function collect(data: string, request: Partial<GarbageRequest> = {}): Promise<GarbageReport> {
  const standard = { keep: 1, ageMillisecondsMin: 0, now: daysLater(100), dryRun: false };
  return collectGarbage({ dataDirectory: data, ...standard, ...request });
}

t.test("the current snapshot and as many parents as asked for are kept, the others are gone", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 5);
  const [first, second, third, fourth, fifth] = ids;
  t.same(await collect(data, { keep: 3 }), {
    removed: [second, first],
    kept: [fifth, fourth, third],
    orphans: [],
    unfinished: [],
  });
  t.same((await readdir(join(data, "snapshots"))).sort(), [third, fourth, fifth]);
  t.same((await readdir(join(data, "compiled"))).sort(), [`${third}.store`, `${fourth}.store`, `${fifth}.store`]);
  t.same(await collect(data, { keep: 3 }), {
    removed: [],
    kept: [fifth, fourth, third],
    orphans: [],
    unfinished: [],
  });
});

t.test("what is young is kept, to the millisecond", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 3);
  const [first, second, third] = ids;
  const young = { now: daysLater(8), ageMillisecondsMin: 7 * dayMilliseconds, dryRun: true };
  t.same((await collect(data, young)).removed, [second, first]);
  t.same((await collect(data, { ...young, ageMillisecondsMin: 7 * dayMilliseconds + 1 })).removed, [first]);
  t.same((await collect(data, { ...young, now: daysLater(0) })).kept, [third, second, first], "a clock that went back");
});

t.test("after a rollback parents are those of what is current; the newer one is only kept while young", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 3);
  const [first, second, third] = ids;
  await rollbackSnapshot({ dataDirectory: data });
  t.match(await collect(data, { keep: 2, dryRun: true }), { removed: [third], kept: [second, first], orphans: [] });
  t.same((await collect(data, { keep: 2, ageMillisecondsMin: 99 * dayMilliseconds })).removed, [third].slice(1));
});

t.test("a pinned snapshot is kept, whatever its age, until it is pinned no more", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 4);
  const [first, second, third, fourth] = ids;
  await writePin(data, { id: second as SnapshotId, reason: null, pinnedAt: daysLater(0) });
  t.same(await collect(data), { removed: [third, first], kept: [fourth, second], orphans: [], unfinished: [] });
  t.same((await readdir(join(data, "snapshots"))).sort(), [second, fourth]);
  await removePin(data);
  t.same(await collect(data), { removed: [second], kept: [fourth], orphans: [], unfinished: [] });
});

t.test("a dry run removes nothing", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 2);
  await mkdir(join(data, "snapshots", ".staging-1"));
  const before = await namesOf(data);
  t.match(await collect(data, { dryRun: true }), { removed: [ids[0]], orphans: [join("snapshots", ".staging-1")] });
  t.same(await namesOf(data), before);
});

t.test("what dead publishers left is removed, foreign files are not", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const snapshots = join(data, "snapshots");
  await mkdir(join(snapshots, ".staging-1", "prices"), { recursive: true });
  await writeFile(join(snapshots, ".staging-1", "prices", "a.ndjson"), "", { mode: 0o444 });
  await mkdir(join(snapshots, `.removed-${ids[0]}`));
  await writeFile(join(data, "CURRENT.tmp"), "2026");
  await writeFile(join(data, "pin.json.tmp"), "{");
  await writeFile(join(data, "README.md"), "ours");
  const compiled = join(data, "compiled");
  await writeFile(join(compiled, "20200101T000000Z-000000000000.store"), "");
  await writeFile(join(compiled, `${ids[0]}.store.0123.partial`), "");
  await utimes(join(compiled, `${ids[0]}.store.0123.partial`), 0, 0);
  await writeFile(join(compiled, "notes.txt"), "ours");
  const { orphans } = await collect(data);
  t.same(orphans, [
    join("snapshots", `.removed-${ids[0]}`),
    join("snapshots", ".staging-1"),
    "CURRENT.tmp",
    "pin.json.tmp",
    join("compiled", "20200101T000000Z-000000000000.store"),
    join("compiled", `${ids[0]}.store.0123.partial`),
  ]);
  t.same(await namesOf(data), [
    "CURRENT",
    "README.md",
    "announcement.json",
    "compiled",
    `compiled/${ids[0]}.store`,
    "compiled/notes.txt",
    "snapshots",
    `snapshots/${ids[0]}`,
  ]);
});

t.test("what a service may still be writing is kept, to the millisecond", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const path = join("compiled", `${ids[0]}.store.0123.partial`);
  await writeFile(join(data, path), "");
  const writtenAt = daysLater(50);
  await utimes(join(data, path), writtenAt / 1000, writtenAt / 1000);
  const after = (milliseconds: number): Partial<GarbageRequest> => ({ now: (writtenAt + milliseconds) as Instant });
  t.same((await collect(data, after(deadWriterMilliseconds - 1))).orphans, []);
  t.same((await collect(data, after(-1))).orphans, [], "a clock that went back");
  t.same((await collect(data, after(deadWriterMilliseconds))).orphans, [path]);
  t.notOk((await namesOf(data)).includes(path));
});

t.test("when it is unknown what is current or what its parents are, nothing is lost", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 4);
  const [, second, , fourth] = ids as [SnapshotId, SnapshotId, SnapshotId, SnapshotId];
  const manifestOf = (id: SnapshotId): string => join(data, "snapshots", id, "manifest.json");
  await chmod(manifestOf(second), 0o644);
  await writeFile(manifestOf(second), "{");
  t.same((await collect(data, { keep: 3, dryRun: true })).removed, [], "older ones may be its parents");
  t.same((await collect(data, { keep: 2, dryRun: true })).removed.length, 2, "unless these are not to be kept");
  await rm(manifestOf(fourth));
  await t.rejects(collect(data), { name: "SnapshotUnavailableError" });
  t.equal((await readdir(join(data, "snapshots"))).length, 4);
});

t.test("behind a parent that is gone nothing is removed that may be wanted", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 5);
  const [first, second, third, fourth] = ids;
  await rm(join(data, "snapshots", String(fourth)), { recursive: true });
  t.same((await collect(data, { keep: 2, dryRun: true })).removed, [], "older ones may be its parents");
  t.same((await collect(data, { keep: 1, dryRun: true })).removed, [third, second, first], "unless none are wanted");
});

t.test("cards go with their snapshot, and those of former code once others are newer", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 2);
  const [first, second] = ids;
  const folders = [`${first}-a`, `${second}-a`, `${second}-b`, "20200101T000000Z-0123456789ab-a"];
  for (const [at, name] of folders.entries()) {
    await mkdir(join(data, "cards", name), { recursive: true });
    await writeFile(join(data, "cards", name, "en-county-1.png"), "");
    for (const path of [join(data, "cards", name), join(data, "cards", name, "en-county-1.png")]) {
      await utimes(path, at, at);
    }
  }
  const { orphans } = await collect(data, { keep: 1 });
  t.same(orphans, [join("cards", folders[3] as string), join("cards", folders[1] as string)]);
  t.same(await readdir(join(data, "cards")), [`${second}-b`]);
});
