import { Tinypool } from "tinypool";
import { type PartName, type PartSources, partNames, type StoreParts } from "./store-parts.ts";

/**
 * Builds all parts of a store on threads of their own, which end when they are done or one of them fails.
 *
 * @param threads At least 1.
 * @throws What building a part throws.
 */
export async function buildPartsOnThreads(sources: PartSources, threads: number): Promise<StoreParts> {
  const filename = new URL("./part-worker.ts", import.meta.url).href;
  // Given to the pool, a file that cannot be loaded would end the process; given with the work, it fails the work.
  const pool = new Tinypool({ minThreads: threads, maxThreads: threads, workerData: sources });
  const failure = new Promise<never>((_resolve, reject) => pool.on("error", reject));
  try {
    const building = partNames.map(async (name): Promise<[PartName, unknown]> => {
      return [name, await pool.run(name, { filename, name: "buildOnePart" })];
    });
    // Threads that are ended at work may fail once more, and nobody would catch that.
    await Promise.race([failure, Promise.allSettled(building)]);
    return Object.fromEntries(await Promise.all(building)) as Record<PartName, unknown> as StoreParts;
  } finally {
    await pool.destroy();
  }
}
