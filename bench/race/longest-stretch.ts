import { median } from "simple-statistics";

/** How often a variant is watched; the middle of these counts, so that a collection of garbage is not blamed on it. */
const repeats = 3;

/**
 * The longest time, in milliseconds, that a piece of work keeps its thread without a break. Beside it runs a ticker
 * that comes round whenever the thread is free; the widest gap between two ticks is the answer.
 */
export async function longestStretch(work: () => unknown): Promise<number> {
  const gaps: number[] = [];
  for (let repeat = 0; repeat < repeats; repeat++) gaps.push(await widestGap(work));
  return median(gaps);
}

async function widestGap(work: () => unknown): Promise<number> {
  let isDone = false;
  let widest = 0;
  const ticker = (async () => {
    let before = performance.now();
    while (!isDone) {
      await nextTurn();
      const now = performance.now();
      widest = Math.max(widest, now - before);
      before = now;
    }
  })();
  await nextTurn();
  await work();
  isDone = true;
  await ticker;
  return widest;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
