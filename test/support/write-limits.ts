/** Work that comes to the greatest size a file may have (`ulimit -f`) in the middle of writing one. */
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { type MakeScene, type Scene, scenes } from "./fault-scenes.ts";
import { doWork } from "./fault-work.ts";
import { currentOf, daysLater, publishedData } from "./published-data.ts";
import { ndjson, priceRows } from "./snapshot-files.ts";

export interface WriteLimit {
  readonly makeScene: MakeScene;
  /** The size, a multiple of the unit of `ulimit -f`. */
  readonly bytes: number;
  /** Path, in the dataset directory, of the file that is not written to its end. */
  readonly unfinished: RegExp;
  /** Whether the work can do without that file. */
  readonly isDispensable: boolean;
}

/** Less than 500 prices as text, and less than the store of 4,000. */
const bytes = 65_536;

/** Its prices are packed, so that its compiled store is the longest file by far. */
async function packedScene(root: string): Promise<Scene> {
  const scene = await scenes.publish(root);
  const candidate = join(root, "candidate");
  for (const name of ["prices.ndjson", "prices/more.ndjson"]) await rm(join(candidate, name));
  await writeFile(join(candidate, "prices.ndjson.gz"), gzipSync(ndjson(priceRows(4000))));
  return scene;
}

/** A small day on top of a snapshot whose compiled store is long. */
async function dayScene(root: string): Promise<Scene> {
  const { work, data } = await packedScene(root);
  await doWork(work);
  const before = (await currentOf(data)) as SnapshotId;
  const day = join(root, "day.ndjson");
  await writeFile(day, ndjson(priceRows(2, 9000)));
  const request = { dataDirectory: data, files: [day], now: daysLater(6), dryRun: false };
  return { work: { kind: "append", request }, data, before, after: undefined };
}

/** Nothing but `CURRENT` is left to be written. */
async function pointerScene(root: string): Promise<Scene> {
  const { data, ids } = await publishedData(root, 2);
  const [after, before] = ids as [SnapshotId, SnapshotId];
  return { work: { kind: "rollback", request: { dataDirectory: data } }, data, before, after };
}

const recordFile = /^snapshots\/\.staging-[^/]*\/(?:prices|prices\/a)\.ndjson$/;
const compiledStore = /^compiled\/.*\.partial$/;

export const writeLimits: Readonly<Record<string, WriteLimit>> = {
  "publish, a file of records": {
    makeScene: (root) => scenes.publish(root, 500),
    bytes,
    unfinished: recordFile,
    isDispensable: false,
  },
  "append, a day's prices": {
    makeScene: (root) => scenes.append(root, 500),
    bytes,
    unfinished: recordFile,
    isDispensable: false,
  },
  "publish, the compiled store": { makeScene: packedScene, bytes, unfinished: compiledStore, isDispensable: true },
  "append, the compiled store": { makeScene: dayScene, bytes, unfinished: compiledStore, isDispensable: true },
  "rollback, the new CURRENT": {
    makeScene: pointerScene,
    bytes: 0,
    unfinished: /^CURRENT\.tmp$/,
    isDispensable: false,
  },
};
