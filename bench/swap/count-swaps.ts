import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { plantSnapshot, pointTo, type Sightings, SwapWatch } from "../../test/support/watch-swaps.ts";
import { startBenchService } from "./service-process.ts";

export interface SwapCounts extends Sightings {
  readonly swaps: number;
  /** Resident size of the service: before the first swap, after a quarter of them, after the last. */
  readonly residentBefore: number;
  readonly residentQuarter: number;
  readonly residentAfter: number;
}

/** Different snapshots, each of which comes again: forwards as publishing, backwards as taking back. */
const plantedCount = 7;

/** The service collects garbage a second after a swap. */
const settleMilliseconds = 2500;

/** Counts what clients see of many swaps. */
export async function countSwaps(
  folder: string,
  { swaps, clients, threads }: { readonly swaps: number; readonly clients: number; readonly threads: number },
): Promise<SwapCounts> {
  const data = join(folder, "data");
  await mkdir(data, { recursive: true });
  const numbers = new Map<string, number>();
  for (let number = 1; number <= plantedCount; number++) numbers.set(await plantSnapshot(data, number), number);
  const ids = [...numbers.keys()];
  const [first = ""] = ids;
  await pointTo(data, first);
  const service = await startBenchService(folder, threads);
  try {
    const watch = new SwapWatch(service.baseUrl, service, numbers, first);
    const asking = Array.from({ length: clients }, () => watch.askOnAndOn(0));
    const residentBefore = await service.residentBytes();
    let residentQuarter = residentBefore;
    let place = 0;
    for (let swap = 1; swap <= swaps; swap++) {
      // Two forwards, one back.
      place = (place + (swap % 3 === 0 ? ids.length - 1 : 1)) % ids.length;
      const id = ids[place] ?? first;
      watch.activationBegins(id);
      await pointTo(data, id);
      await service.reload();
      watch.activationIsDone();
      if (swap === Math.ceil(swaps / 4)) residentQuarter = await service.residentBytes();
    }
    watch.end();
    await Promise.all(asking);
    await delay(settleMilliseconds);
    const residentAfter = await service.residentBytes();
    return { swaps, ...watch.sightings, residentBefore, residentQuarter, residentAfter };
  } finally {
    await service.stop();
  }
}
