import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { median } from "simple-statistics";
import { dataDirectoryOf } from "../http/http-data.ts";
import { readCount } from "../read-count.ts";
import { describeMachine, type Machine } from "../report/machine.ts";
import { type BenchService, startBenchService } from "../swap/service-process.ts";

/** How long a service with so many prices takes to start, and what it takes in memory. */
export interface StartFigures {
  readonly prices: number;
  /** From the start of the process until it listens, where records are read and the store is built. */
  readonly withoutSeconds: number;
  /** The same where the compiled store is opened. */
  readonly withSeconds: number;
  /** Of the process with an opened store. */
  readonly residentBytes: number;
  readonly storeBytes: number;
}

export interface StartReport {
  readonly machine: Machine;
  readonly starts: readonly StartFigures[];
}

const threads = 2;
const rounds = 3;
const pauseMilliseconds = 3000;

/**
 * Starts the service with and without its compiled store, three times each. The files are in the memory of the system.
 *
 * @param folder Keeps the generated prices.
 * @param sizes Numbers such as `1m`.
 */
export async function measureStarts(
  folder: string,
  sizes: readonly string[],
  onProgress: (stage: string, done: number, total: number) => void,
): Promise<StartReport> {
  const machine = describeMachine();
  const starts: StartFigures[] = [];
  for (const size of sizes) {
    onProgress(`starts with ${size} prices`, starts.length, sizes.length);
    const dataDirectory = await dataDirectoryOf(folder, size);
    starts.push({ prices: readCount(size), ...(await measureAt(folder, dataDirectory)) });
  }
  return { machine, starts };
}

async function measureAt(folder: string, dataDirectory: string): Promise<Omit<StartFigures, "prices">> {
  const start = (): Promise<BenchService> =>
    startBenchService(folder, threads, undefined, {
      DATA_DIR: dataDirectory,
      NODE_ENV: "production",
      DRAIN_SECONDS: "0",
    });
  const without: number[] = [];
  const opened: number[] = [];
  let residentBytes = 0;
  let storeBytes = 0;
  // The first start of all warms the compile cache and the files, and is not counted.
  await (await start()).stop();
  for (let round = 0; round < rounds; round++) {
    await rm(join(dataDirectory, "compiled"), { recursive: true, force: true });
    const building = await start();
    without.push(building.startSeconds);
    await building.stop();
    const opening = await start();
    opened.push(opening.startSeconds);
    await delay(pauseMilliseconds);
    residentBytes = await opening.residentBytes();
    ({ bytes: storeBytes } = (await (await fetch(`${opening.adminUrl}/snapshot`)).json()) as { bytes: number });
    await opening.stop();
  }
  return { withoutSeconds: median(without), withSeconds: median(opened), residentBytes, storeBytes };
}
