/** Dataset directories, and the work on them that faults are tried on. */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Uuid } from "../../src/engine/model/ids.ts";
import type { SnapshotId } from "../../src/engine/snapshots/snapshot-layout.ts";
import { appendPrices } from "../../src/publishing/publish/append-prices.ts";
import { decidePrices } from "../../src/publishing/publish/decide-prices.ts";
import type { Invocation } from "../../src/publishing/publish/publication-log.ts";
import { publishSnapshot } from "../../src/publishing/publish/publish-snapshot.ts";
import type { FaultWork } from "./fault-work.ts";
import { daysLater, publishedData } from "./published-data.ts";
import { marketRow, ndjson, originRows, priceRow, priceRows, testUuid, writeRecords } from "./snapshot-files.ts";

export interface Scene {
  readonly work: FaultWork;
  /** The dataset directory. */
  readonly data: string;
  /** What is current before; null when nothing has been published. */
  readonly before: SnapshotId | null;
  /** What is current once the work is done; undefined: a snapshot that is not there yet. */
  readonly after: SnapshotId | undefined;
  /** The place that announcements wait for; none when absent. */
  readonly pushTo?: string;
}

/** Makes a scene in a folder that need not be there. @param rows How many prices are new. */
export type MakeScene = (root: string, rows?: number) => Promise<Scene>;

/** So that each change has its line in the log. */
const invocation: Invocation = { command: "publish", arguments: [], user: "akinyi", host: "office", by: null };

const publishFlags = { allowShrink: false, dryRun: false, invocation };

type SceneName =
  | Exclude<FaultWork["kind"], "decide on prices">
  | "first publish"
  | "draft"
  | "append that is to be pushed"
  | "append to small tables"
  | "withdraw"
  | "reinstate"
  | "rollback that keeps withdrawals";

export const scenes: Readonly<Record<SceneName, MakeScene>> = {
  "first publish": async (root, rows = 30) => {
    const { request, data } = await candidateIn(root, rows);
    return { work: { kind: "publish", request }, data, before: null, after: undefined };
  },
  publish: async (root, rows = 30) => {
    const { ids } = await publishedData(root, 2);
    const { request, data } = await candidateIn(root, rows);
    return { work: { kind: "publish", request }, data, before: last(ids), after: undefined };
  },
  draft: async (root, rows = 30) => {
    const { ids } = await publishedData(root, 2);
    const { request, data } = await candidateIn(root, rows);
    return {
      work: { kind: "publish", request: { ...request, isDraft: true } },
      data,
      before: last(ids),
      after: last(ids),
    };
  },
  approve: async (root, rows = 30) => {
    const { ids } = await publishedData(root, 2);
    const { request, data } = await candidateIn(root, rows);
    const { id } = await publishSnapshot({ ...request, isDraft: true });
    const approval = { dataDirectory: data, id, now: daysLater(6), invocation };
    return { work: { kind: "approve", request: approval }, data, before: last(ids), after: id };
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
  "append that is to be pushed": async (root, rows = 2) => {
    const scene = await scenes.append(root, rows);
    return { ...scene, pushTo: join(root, "origin"), work: withPushTo(scene.work, join(root, "origin")) };
  },
  "append to small tables": async (root, rows = 2) => {
    const { data, ids } = await publishedData(root, 1);
    const files = [join(root, "markets.ndjson"), join(root, "a.ndjson")];
    const [market, price] = [{ uuid: testUuid(3), name: "Gikomba" }, { market_uuid: testUuid(3) }];
    await writeFile(join(root, "markets.ndjson"), ndjson([marketRow(market)]));
    // One price is known already, so that the file is not stored as it is.
    await writeFile(join(root, "a.ndjson"), ndjson([priceRow(), ...priceRows(rows, 900, price)]));
    const request = { dataDirectory: data, files, now: daysLater(5), dryRun: false, invocation };
    return { work: { kind: "append", request }, data, before: last(ids), after: undefined };
  },
  "replace a source": async (root, rows = 30) => {
    const { data } = await publishedData(root, 1);
    const own = join(root, "own.ndjson");
    // The feed adopts a correction, so that the file loses a row.
    await writeFile(own, ndjson([priceRow({ price: 61 }), ...priceRows(3, 101, { price: 62 })]));
    const origins = join(root, "own.origins.ndjson");
    await writeFile(origins, ndjson(originRows(3, 101)));
    const before = await appendPrices({ dataDirectory: data, files: [own, origins], now: daysLater(1), dryRun: false });
    const candidateDirectory = join(root, "feed");
    await mkdir(candidateDirectory);
    const feed = [priceRow({ price: 61 }), ...priceRows(Math.max(20, rows), 101)];
    await writeFile(join(candidateDirectory, "prices.ndjson"), ndjson(feed));
    await writeFile(join(candidateDirectory, "prices.origins.ndjson"), ndjson(originRows(20, 101)));
    await writeFile(join(candidateDirectory, "markets.ndjson"), ndjson([marketRow({ name: "Wakulima Market" })]));
    const request = { dataDirectory: data, candidateDirectory, source: "WFP", now: daysLater(5) };
    const flags = { allowShrink: false, dryRun: false, invocation };
    const work = { kind: "replace a source", request: { ...request, ...flags } } as const;
    return { work, data, before: before.id, after: undefined };
  },
  withdraw: async (root, rows = 2) => {
    const { data, ids } = await publishedData(root, 2);
    return { work: withdrawal(data, rows), data, before: last(ids), after: undefined };
  },
  reinstate: async (root) => {
    const { data } = await publishedData(root, 2);
    const work = withdrawal(data, 2);
    const before = await decidePrices(work.request);
    const request = { ...work.request, now: daysLater(6), decision: undefined };
    return { work: { ...work, request }, data, before: before.id, after: undefined };
  },
  "rollback that keeps withdrawals": async (root) => {
    const { data, ids } = await publishedData(root, 2);
    const before = await decidePrices(withdrawal(data, 2).request);
    const request = { dataDirectory: data, id: ids[0], now: daysLater(6), invocation };
    return { work: { kind: "rollback", request }, data, before: before.id, after: undefined };
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
  undo: async (root, rows = 2) => {
    const { work, data } = await scenes.append(root, rows);
    if (work.kind !== "append") throw new RangeError("the scene of an append is none");
    const { id } = await appendPrices(work.request);
    const request = { dataDirectory: data, append: { id }, now: daysLater(6), dryRun: false, invocation };
    return { work: { kind: "undo", request }, data, before: id, after: undefined };
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

function withPushTo(work: FaultWork, pushTo: string): FaultWork {
  return { ...work, request: { ...work.request, pushTo } } as FaultWork;
}

function withdrawal(data: string, rows: number): Extract<FaultWork, { kind: "decide on prices" }> {
  const uuids = Array.from({ length: Math.min(rows, 20) }, (_, number) => testUuid(100 + number) as Uuid);
  const decision = { reason: "wrong", by: null };
  const request = {
    dataDirectory: data,
    kind: "withdrawals" as const,
    uuids,
    decision,
    now: daysLater(5),
    dryRun: false,
  };
  return { kind: "decide on prices", request };
}

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
