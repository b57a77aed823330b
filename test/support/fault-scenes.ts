/** Dataset directories, and the work on them that faults are tried on. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import type { Invocation } from "../../src/publishing/publish/publication-log.ts";
import type { FaultWork } from "./fault-work.ts";
import { daysLater, publishedData } from "./published-data.ts";
import { ndjson, originRows, priceRows, writeRecords } from "./snapshot-files.ts";

export interface Scene {
  readonly work: FaultWork;
  /** The dataset directory. */
  readonly data: string;
  /** What is current before. */
  readonly before: SnapshotId;
  /** What is current once the work is done; undefined: a snapshot that is not there yet. */
  readonly after: SnapshotId | undefined;
}

/** Makes a scene in a folder that need not be there. @param rows How many prices are new. */
export type MakeScene = (root: string, rows?: number) => Promise<Scene>;

/** So that each change has its line in the log. */
const invocation: Invocation = { command: "publish", arguments: [], user: "akinyi", host: "office", by: null };

const publishFlags = { allowShrink: false, dryRun: false, invocation };

export const scenes: Readonly<Record<FaultWork["kind"], MakeScene>> = {
  publish: async (root, rows = 30) => {
    const { ids } = await publishedData(root, 2);
    const { request, data } = await candidateIn(root, rows);
    return { work: { kind: "publish", request }, data, before: last(ids), after: undefined };
  },
  append: async (root, rows = 2) => {
    const { data, ids } = await publishedData(root, 2);
    const files = [join(root, "a.ndjson"), join(root, "b.ndjson")];
    for (const [number, file] of files.entries()) await writeFile(file, ndjson(priceRows(rows, 900 + rows * number)));
    const origins = join(root, "a.origins.ndjson");
    await writeFile(origins, ndjson(originRows(rows, 900)));
    files.push(origins);
    const request = { dataDirectory: data, files, now: daysLater(5), dryRun: false, invocation };
    return { work: { kind: "append", request }, data, before: last(ids), after: undefined };
  },
  rollback: async (root) => {
    const { data, ids } = await publishedData(root, 2);
    await rm(join(data, "compiled", `${ids[0]}.store`));
    return {
      work: { kind: "rollback", request: { dataDirectory: data, invocation } },
      data,
      before: last(ids),
      after: ids[0],
    };
  },
  gc: async (root) => {
    const { data, ids } = await publishedData(root, 4);
    await mkdir(join(data, "snapshots", ".staging-0123", "prices"), { recursive: true });
    await writeFile(join(data, "snapshots", ".staging-0123", "prices", "a.ndjson"), "", { mode: 0o444 });
    await writeFile(join(data, "CURRENT.tmp"), "half a li");
    return {
      work: { kind: "gc", request: { ...thoroughGarbage(data), invocation } },
      data,
      before: last(ids),
      after: last(ids),
    };
  },
};

/** Garbage collection long afterwards, which keeps the current snapshot and its parent. */
export function thoroughGarbage(data: string): Extract<FaultWork, { kind: "gc" }>["request"] {
  const ages = { ageMillisecondsMin: 0, draftAgeMillisecondsMin: 0 };
  return { dataDirectory: data, now: daysLater(99), keep: 2, ...ages, dryRun: false };
}

async function candidateIn(
  root: string,
  rows: number,
): Promise<{ request: Extract<FaultWork, { kind: "publish" }>["request"]; data: string }> {
  const data = join(root, "data");
  const candidateDirectory = join(root, "candidate");
  const files = { "prices/more.ndjson": ndjson(priceRows(5, 100 + rows)) };
  await writeRecords(candidateDirectory, { prices: priceRows(rows) }, files);
  return { request: { ...publishFlags, dataDirectory: data, candidateDirectory, now: daysLater(5) }, data };
}

function last(ids: readonly SnapshotId[]): SnapshotId {
  return ids.at(-1) as SnapshotId;
}
