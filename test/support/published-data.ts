/** A dataset directory with snapshots that were published one after the other, for tests of what comes after. */
import { mkdtempSync, rmSync } from "node:fs";
import { cp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dayMilliseconds, type Instant } from "../../src/engine/model/calendar.ts";
import { logFileName, type SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { type PublishReport, publishSnapshot } from "../../src/publishing/publish/publish-snapshot.ts";
import { priceRows, type TestTables, writeRecords } from "./snapshot-files.ts";

/** When the first snapshot is published; the next ones follow a day apart. */
export const firstPublication = Date.UTC(2026, 10, 20, 8, 30) as Instant;

/** The instant so many days after the first publication. */
export function daysLater(days: number): Instant {
  return (firstPublication + days * dayMilliseconds) as Instant;
}

/** A folder in which snapshots were published, and their ids. */
interface Published {
  readonly folder: string;
  readonly ids: readonly SnapshotId[];
}

/** By how many snapshots they have. Publishing flushes every file, so it happens once, and tests get copies. */
const published: Promise<Published>[] = [];

/**
 * A dataset directory in which `count` snapshots of 20, 21, 22 … prices were published.
 *
 * @param root An empty folder; the dataset directory becomes `data` in it.
 * @returns The dataset directory and the ids, oldest first.
 */
export async function publishedData(root: string, count: number): Promise<{ data: string; ids: SnapshotId[] }> {
  const { folder, ids } = await publishOnce(count);
  await cp(folder, root, { recursive: true, preserveTimestamps: true });
  return { data: join(root, "data"), ids: [...ids] };
}

function publishOnce(count: number): Promise<Published> {
  published[count] ??= publishAfter(count - 1);
  return published[count];
}

async function publishAfter(number: number): Promise<Published> {
  const folder = mkdtempSync(join(tmpdir(), "published-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  if (number < 0) return { folder, ids: [] };
  const before = await publishOnce(number);
  await cp(before.folder, folder, { recursive: true, preserveTimestamps: true });
  const id = await publishTables(folder, { prices: priceRows(20 + number) }, daysLater(number));
  return { folder, ids: [...before.ids, id] };
}

/** Publishes one more snapshot into `data` below a folder. */
export async function publishTables(
  root: string,
  tables: TestTables,
  now: Instant,
  allowClock = false,
): Promise<SnapshotId> {
  const candidateDirectory = join(root, "candidate");
  await writeRecords(candidateDirectory, tables);
  return (await publishCandidate(root, now, true, allowClock)).id;
}

/** Publishes the folder `candidate` into `data`, both below a folder. */
export function publishCandidate(
  root: string,
  now: Instant,
  allowShrink = false,
  allowClock = false,
): Promise<PublishReport> {
  return publishSnapshot({
    dataDirectory: join(root, "data"),
    candidateDirectory: join(root, "candidate"),
    now,
    allowShrink,
    allowClock,
    dryRun: false,
  });
}

/** What `CURRENT` names. */
export async function currentOf(data: string): Promise<string> {
  return (await readFile(join(data, "CURRENT"), "utf8")).trimEnd();
}

/** The names of all that lies in a dataset directory but for locks, the log, and files of snapshots and downloads. */
export async function namesOf(data: string): Promise<string[]> {
  const names = await readdir(data, { recursive: true });
  return names
    .map((name) => name.replaceAll("\\", "/"))
    .filter(
      (name) =>
        name !== logFileName &&
        !/^\.(?:publish|push|downloads)\.lock/.test(name) &&
        !/^(?:snapshots|downloads)\/\d{8}T[^/]*\//.test(name),
    )
    .sort();
}
