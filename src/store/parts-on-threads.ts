import { Tinypool } from "tinypool";
import { type PartName, type PartSources, partNames, type StoreParts } from "./store-parts.ts";

/**
 * Builds all parts of a store on threads of their own, which end when they are done or one of them fails.
 *
 * @param threads At least 1.
 * @throws What building a part throws.
 */
export async function buildPartsOnThreads(sources: PartSources, threads: number): Promise<StoreParts> {
  const pool = new Tinypool({
    filename: new URL("./part-worker.ts", import.meta.url).href,
    minThreads: threads,
    maxThreads: threads,
    workerData: sources,
  });
  try {
    const building = partNames.map(async (name): Promise<[PartName, unknown]> => {
      return [name, await pool.run(name, { name: "buildOnePart" })];
    });
    return Object.fromEntries(await Promise.all(building)) as Record<PartName, unknown> as StoreParts;
  } finally {
    await pool.destroy();
  }
}
