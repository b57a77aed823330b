import { mkdir, rename } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { median, quantile } from "simple-statistics";
import { readManifest } from "../../src/engine/snapshots/manifest.ts";
import { pointTo } from "../../test/support/watch-swaps.ts";
import { writeSampleSnapshot } from "../load/write-sample-snapshot.ts";
import { type BenchService, startBenchService } from "./service-process.ts";

export interface SwapTimes {
  readonly capacityPerSecond: number;
  readonly offeredPerSecond: number;
  /** 99th percentile of each window, in milliseconds from when a request was due. */
  readonly quietP99: readonly number[];
  readonly swappingP99: readonly number[];
  readonly swaps: number;
  /** Median of the windows' ratios, each pair of neighbours. */
  readonly medianRatio: number;
}

const connectionCount = 8;
/** Between two swaps; in practice it is a market day. */
const pauseMilliseconds = 2000;
const capacityMilliseconds = 3000;

export interface LookUpOptions {
  readonly prices: number;
  readonly threads: number;
  /** Windows without swaps, each followed by one with swaps. */
  readonly windowPairs?: number;
  readonly windowMilliseconds?: number;
  /** Look-ups a second; half of the service's capacity when absent. */
  readonly perSecond?: number;
  /** Whether snapshots are swapped in the second window of a pair; true when absent. */
  readonly swapsSnapshots?: boolean;
  /** What else goes on in these windows. Each begins when it is under way. @returns Ends it. */
  readonly startBeside?: (service: BenchService) => Promise<() => Promise<void>>;
}

/** Times look-ups of one product in alternating windows without and with swaps. */
export async function timeLookUps(
  folder: string,
  {
    prices,
    threads,
    windowPairs = 7,
    windowMilliseconds = 6000,
    perSecond,
    swapsSnapshots = true,
    startBeside,
  }: LookUpOptions,
): Promise<SwapTimes> {
  const data = join(folder, "data");
  const ids = [await writeNamedSample(data, prices, 1), await writeNamedSample(data, prices, 2)] as const;
  await pointTo(data, ids[0]);
  const service = await startBenchService(folder, threads);
  try {
    const path = await firstProductPath(service);
    // Both have been compiled, and all code has run, before anything is timed.
    for (const id of [ids[1], ids[0]]) {
      await pointTo(data, id);
      await service.reload();
    }
    await askAll(service, path, capacityMilliseconds, undefined);
    const { length } = await askAll(service, path, capacityMilliseconds, undefined);
    const capacityPerSecond = length / (capacityMilliseconds / 1000);
    const offeredPerSecond = perSecond ?? capacityPerSecond / 2;
    const quietP99: number[] = [];
    const swappingP99: number[] = [];
    let swaps = 0;
    // Not timed: in the first busy window much of the code is still compiled.
    await askInBusyWindow();
    const swapsBefore = swaps;
    for (let pair = 0; pair < windowPairs; pair++) {
      quietP99.push(p99(await askAll(service, path, windowMilliseconds, offeredPerSecond)));
      swappingP99.push(p99(await askInBusyWindow()));
    }
    const medianRatio = median(swappingP99.map((value, pair) => value / (quietP99[pair] ?? Number.NaN)));
    return { capacityPerSecond, offeredPerSecond, quietP99, swappingP99, swaps: swaps - swapsBefore, medianRatio };

    async function askInBusyWindow(): Promise<number[]> {
      const endBeside = await startBeside?.(service);
      const end = performance.now() + windowMilliseconds;
      const asking = askAll(service, path, windowMilliseconds, offeredPerSecond);
      while (swapsSnapshots && performance.now() < end) {
        swaps++;
        await pointTo(data, ids[swaps % 2] ?? ids[0]);
        await service.reload();
        await delay(pauseMilliseconds);
      }
      const times = await asking;
      await endBeside?.();
      return times;
    }
  } finally {
    await service.stop();
  }
}

/** Writes a generated snapshot under its id into a dataset directory. @returns The id. */
export async function writeNamedSample(data: string, prices: number, seed: number): Promise<string> {
  const unnamed = join(data, "snapshots", ".unnamed");
  await mkdir(join(data, "snapshots"), { recursive: true });
  await writeSampleSnapshot(unnamed, { prices, seed });
  const { id } = await readManifest(unnamed);
  await rename(unnamed, join(data, "snapshots", id));
  return id;
}

async function firstProductPath(service: BenchService): Promise<string> {
  const response = await fetch(`${service.baseUrl}/api/v1/products?page_size=1`, {
    headers: { "X-API-Key": service.publicKey },
  });
  const { data } = (await response.json()) as { data: readonly { uuid: string }[] };
  return `/api/v1/prices/latest?product_uuids=${data[0]?.uuid}&limit=1`;
}

/**
 * Asks on several connections for a while.
 *
 * @param perSecond How many requests are due a second, over all connections; as fast as answers come when undefined.
 * @returns The time of each, in milliseconds, counted from when it was due: waiting for a late answer counts as well.
 */
async function askAll(
  service: BenchService,
  path: string,
  milliseconds: number,
  perSecond: number | undefined,
): Promise<number[]> {
  const start = performance.now();
  const gap = perSecond === undefined ? 0 : (1000 * connectionCount) / perSecond;
  const connections = Array.from({ length: connectionCount }, async (_, connection) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const times: number[] = [];
    let due = start + (gap * connection) / connectionCount;
    while (due < start + milliseconds && performance.now() < start + 2 * milliseconds) {
      const wait = due - performance.now();
      if (wait > 1) await delay(wait);
      const from = gap === 0 ? performance.now() : due;
      await ask(service, path, agent);
      times.push(performance.now() - from);
      due = gap === 0 ? performance.now() : due + gap;
    }
    agent.destroy();
    return times;
  });
  return (await Promise.all(connections)).flat();
}

function ask({ baseUrl, publicKey }: BenchService, path: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    request(baseUrl + path, { agent, headers: { "X-API-Key": publicKey } }, (incoming) => {
      if (incoming.statusCode !== 200) reject(new Error(`${path}: ${incoming.statusCode}`));
      incoming.on("end", resolve).on("error", reject).resume();
    })
      .on("error", reject)
      .end();
  });
}

function p99(times: number[]): number {
  return times.length === 0 ? Number.NaN : quantile(times, 0.99);
}
