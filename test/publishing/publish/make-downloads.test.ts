import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { median } from "simple-statistics";
import t from "tap";
import { openSnapshot } from "../../../src/engine/compiled/open-snapshot.ts";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { readCurrent, readManifestOf } from "../../../src/engine/snapshots/current-snapshot.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { collectGarbage, deadWriterMilliseconds } from "../../../src/publishing/publish/collect-garbage.ts";
import { makeDownloads } from "../../../src/publishing/publish/make-downloads.ts";
import { DownloadFiles } from "../../../src/service/serve/download-files.ts";
import { tuplesOf } from "../../support/fields-of.ts";
import { naivePriceRows } from "../../support/naive-exports.ts";
import { loadCurrentDataset } from "../../support/open-snapshots.ts";
import { publishedData } from "../../support/published-data.ts";

interface Metadata {
  readonly snapshot: string;
  readonly citation: string;
  readonly files: readonly { name: string; table: string; rows: number; bytes: number; sha256: string }[];
  readonly columns: Readonly<
    Record<string, readonly { name: string; type: string; description: string; unit?: string }[]>
  >;
}

t.test("the downloads are the whole snapshot, and are described as they are", async (t) => {
  const root = t.testdir({});
  const data = join(root, "data");
  await cp(join(import.meta.dirname, "../../golden/three-counties/data"), data, { recursive: true });
  const id = await readCurrent(data);
  const report = await makeDownloads(data, id);
  t.match(report, { id, outcome: "made", path: join(data, "downloads", id) });
  const read = (name: string): Promise<Buffer> => readFile(join(report.path, name));
  const metadata = JSON.parse((await read("metadata.json")).toString()) as Metadata;
  t.equal(metadata.snapshot, id);
  t.match(metadata.citation, id);
  const names = metadata.files.map(({ name }) => name);
  t.strictSame((await readdir(report.path)).sort(), [...names, "metadata.json"].sort());
  for (const { name, bytes, sha256 } of metadata.files) {
    const content = await read(name);
    t.strictSame([content.length, createHash("sha256").update(content).digest("hex")], [bytes, sha256], name);
  }
  const dataset = await loadCurrentDataset(data, { onFallback: ({ error }) => t.fail(error.message) });
  const wanted = naivePriceRows(dataset, {});
  const csv = parse(gunzipSync(await read("prices.csv.gz")).toString(), { columns: true }) as Record<string, string>[];
  t.strictSame(
    csv.map((row) => row["uuid"]),
    wanted.map((row) => row["uuid"]),
  );
  const parquet = await read("prices.parquet");
  const rows = await parquetReadObjects({ file: new Uint8Array(parquet).buffer });
  t.strictSame(tuplesOf(rows, "uuid", "price"), tuplesOf(wanted, "uuid", "price"));
  t.equal(median(rows.map((row) => row["price"] as number)), median(wanted.map((row) => row["price"] as number)));
  for (const { name, table, rows: count } of metadata.files.filter(({ table }) => table !== null)) {
    const described = metadata.columns[table]?.map((column) => column.name) ?? [];
    if (!name.endsWith(".csv")) continue;
    const [head, ...lines] = parse(await read(name)) as string[][];
    t.strictSame([head, lines.length], [described, count], name);
  }
  t.ok(
    Object.values(metadata.columns).every((columns) => columns.every(({ description }) => description.endsWith("."))),
  );
  for (const { name, type, unit } of Object.values(metadata.columns).flat()) {
    t.equal(unit !== undefined, type === "number" || type === "integer", `${name} has a unit where it is a number`);
  }
  t.match(await makeDownloads(data, id), { outcome: "already-made", bytes: 0 });

  await rm(join(report.path, "metadata.json"));
  t.match(await makeDownloads(data, id), { outcome: "made" }, "where a file is gone, all are made again");
  t.strictSame((await readdir(report.path)).sort(), [...names, "metadata.json"].sort());
});

t.test("downloads that an earlier release made, without a table of today, never change", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const [id] = ids as [SnapshotId];
  const { path } = await makeDownloads(data, id);
  const metadata = JSON.parse(await readFile(join(path, "metadata.json"), "utf8")) as Metadata;
  const files = metadata.files.filter(({ name }) => name !== "units.csv");
  await rm(join(path, "units.csv"));
  await writeFile(join(path, "metadata.json"), JSON.stringify({ ...metadata, files }));
  t.match(await makeDownloads(data, id), { outcome: "already-made", bytes: 0 });
  const downloads = new DownloadFiles(data);
  t.equal(await downloads.open(id, "units.csv"), undefined);
  const found = await downloads.open(id, "products.csv");
  t.match(found, { name: "products.csv" });
  if (found !== undefined && "close" in found) await found.close();
  await rm(join(path, "products.csv"));
  t.match(await makeDownloads(data, id), { outcome: "made" }, "what someone removed is made again");
});

t.test("downloads whose metadata or tables are damaged are made again", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const [id] = ids as [SnapshotId];
  const path = join((await makeDownloads(data, id)).path, "metadata.json");
  const units = join(path, "../units.csv");
  const whole = await readFile(path, "utf8");
  const damaged: Readonly<Record<string, () => Promise<unknown>>> = {
    empty: () => writeFile(path, ""),
    cut: () => writeFile(path, whole.slice(0, 500)),
    "no object": () => writeFile(path, "null"),
    "without files": () => writeFile(path, JSON.stringify({ ...JSON.parse(whole), files: undefined })),
    "of another snapshot": () => writeFile(path, JSON.stringify({ ...JSON.parse(whole), snapshot: "other" })),
    "with a path": () => writeFile(path, whole.replace('"series.csv"', '"../../CURRENT"')),
    "a directory": () => rm(path).then(() => mkdir(path)),
    "beside a directory in place of a table": () => rm(units).then(() => mkdir(units)),
  };
  for (const [name, damage] of Object.entries(damaged)) {
    await damage();
    t.match(await makeDownloads(data, id), { outcome: "made" }, name);
    t.equal(await readFile(path, "utf8"), whole, name);
  }
});

t.test("one process at a time makes downloads; the next waits for it, also where it is killed", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const [id] = ids as [(typeof ids)[0]];
  const lockModule = new URL("../../../src/engine/files/exclusive-lock.ts", import.meta.url);
  const holding = `
    import { takeExclusiveLock } from ${JSON.stringify(lockModule.href)};
    using lock = await takeExclusiveLock(${JSON.stringify(join(data, ".downloads.lock"))}, 0);
    console.log("held");
    // A promise that nothing refers to would be collected, and the lock with it.
    await new Promise((resolve) => process.stdin.once("end", resolve).resume());`;
  const holder = spawn(process.execPath, ["--input-type=module-typescript", "--eval", holding], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.teardown(() => holder.kill("SIGKILL"));
  await once(holder.stdout, "data");
  let waits = 0;
  const report = await makeDownloads(data, id, {
    onWaiting() {
      waits++;
      holder.kill("SIGKILL");
    },
  });
  t.match(report, { outcome: "made" });
  t.equal(waits, 1);
  await mkdir(join(data, "locked"));
  await cp(join(data, "downloads"), join(data, "locked/downloads"), { recursive: true });
  await mkdir(join(data, "locked/.downloads.lock"));
  t.match(await makeDownloads(join(data, "locked"), id), { outcome: "already-made" }, "what is there needs no lock");
});

t.test("downloads of a snapshot that gc removes while they are being made are removed as well", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 1);
  const [id] = ids as [(typeof ids)[0]];
  const { store } = await openSnapshot(data, await readManifestOf(data, id));
  await rm(join(data, "snapshots", id), { recursive: true });
  await t.rejects(makeDownloads(data, id, { store }), {
    name: "SnapshotUnavailableError",
    message: /was removed while/,
  });
  t.strictSame(await readdir(join(data, "downloads")), []);
});

t.test("gc removes downloads with their snapshot, those without one, and what a killed writer left", async (t) => {
  const { data, ids } = await publishedData(t.testdir({}), 2);
  const [first, second] = ids as [(typeof ids)[0], (typeof ids)[0]];
  for (const id of ids) await makeDownloads(data, id);
  const folder = join(data, "downloads");
  const [dead, alive] = [`${second}.partial-dead`, `${second}.partial-live`];
  await mkdir(join(folder, dead, "complete"), { recursive: true });
  const longAgo = new Date(Date.now() - 2 * deadWriterMilliseconds);
  for (const path of [join(folder, dead, "complete"), join(folder, dead)]) await utimes(path, longAgo, longAgo);
  await mkdir(join(folder, alive, "complete"), { recursive: true });
  await writeFile(join(folder, alive, "complete/prices.parquet"), "");
  for (const path of [join(folder, alive, "complete"), join(folder, alive)]) await utimes(path, longAgo, longAgo);
  await mkdir(join(folder, "20200101T000000Z-000000000000"));
  const request = {
    dataDirectory: data,
    now: Date.now() as Instant,
    keep: 1,
    ageMillisecondsMin: -1e15,
    dryRun: false,
  };
  const { removed, orphans } = await collectGarbage(request);
  t.strictSame(removed, [first]);
  t.strictSame(orphans.toSorted(), [join("downloads", "20200101T000000Z-000000000000"), join("downloads", dead)]);
  t.strictSame((await readdir(folder)).sort(), [second, alive].sort());
});
