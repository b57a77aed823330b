/** As many as Node's pool of threads for files has by default; more would only wait there. */
const lanesMax = 4;

/**
 * Works through blocks, several at a time. When a block fails no other is begun.
 *
 * @returns When all work has ended, also that on other blocks than the one that failed.
 */
export async function eachBlock(count: number, work: (block: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lanes = Array.from({ length: Math.min(lanesMax, count) }, async () => {
    try {
      while (next < count) await work(next++);
    } catch (error) {
      next = count;
      throw error;
    }
  });
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === "rejected");
  if (failed !== undefined) throw failed.reason;
}
