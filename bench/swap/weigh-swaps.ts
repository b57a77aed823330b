import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pointTo } from "../../test/support/watch-swaps.ts";
import { startBenchService } from "./service-process.ts";
import { writeNamedSample } from "./time-look-ups.ts";

export interface SwapWeights {
  readonly prices: number;
  readonly swaps: number;
  /** Resident size of the service before the first swap and after each tenth, in bytes. */
  readonly resident: readonly number[];
}

const swapsPerWeighing = 10;
const weighings = 5;

/** The threads begin to mark within two seconds, and V8 marks beside the work. */
const pauseMilliseconds = 3000;

/** Measures the memory of an idle service while large stores follow one another. */
export async function weighSwaps(
  folder: string,
  { prices, threads }: { readonly prices: number; readonly threads: number },
): Promise<SwapWeights> {
  const data = join(folder, "data");
  const ids = [await writeNamedSample(data, prices, 1), await writeNamedSample(data, prices, 2)];
  await pointTo(data, ids[0] ?? "");
  const service = await startBenchService(folder, threads);
  try {
    const resident = [await service.residentBytes()];
    for (let weighing = 0; weighing < weighings; weighing++) {
      for (let swap = 1; swap <= swapsPerWeighing; swap++) {
        await pointTo(data, ids[swap % ids.length] ?? "");
        await service.reload();
      }
      await delay(pauseMilliseconds);
      resident.push(await service.residentBytes());
    }
    return { prices, swaps: swapsPerWeighing * weighings, resident };
  } finally {
    await service.stop();
  }
}
