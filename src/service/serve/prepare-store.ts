/** What readers ask first of a store, made before it is shown, so that none of them waits for it. */
import { setImmediate } from "node:timers/promises";
import type { Logger } from "pino";
import type { Pages } from "../../contract/site-values.ts";
import { findAnomalies } from "../../engine/query/measures/find-anomalies.ts";
import { areaLevels } from "../../engine/query/measures/subjects.ts";
import { SlicedWork } from "../../engine/store/steps.ts";
import type { Store } from "../../engine/store/store.ts";

/** A store is shown after so long at the latest; what is not made then, its first reader waits for. */
export const prepareMillisecondsMax = 5000;

/** Rows in a slice: a millisecond, after which requests have their turn. */
const sliceRows = 32_768;

/** Finds the unusual prices of counties and the country, which are cached for the store. */
function* prepareAnomalies(store: Store): Generator<number, void> {
  for (const level of areaLevels) yield* findAnomalies(store, { level, refugeeCamps: "exclude", order: "name" });
}

/**
 * Returns what prepares a store within some milliseconds.
 *
 * @param pages Those that are served.
 * @param onEnd Called when it is done, has failed or has no time left.
 */
export function storePreparer(
  pages: Pick<Pages, "prepare"> | undefined,
  log: Pick<Logger, "error">,
  onEnd: () => void,
): (store: Store, millisecondsMax: number) => Promise<void> {
  return async (store, millisecondsMax) => {
    const end = performance.now() + millisecondsMax;
    const isLate = (): boolean => performance.now() >= end;
    try {
      if (pages !== undefined) await runInSlices(pages.prepare(store), isLate);
      await runInSlices(prepareAnomalies(store), isLate);
    } catch (error) {
      // Who asks for it gets the error.
      log.error({ snapshot: store.snapshot.id, err: error }, "a store could not be prepared");
    }
    onEnd();
  };
}

/**
 * Does work in slices, and lets the event loop run between two of them.
 *
 * @param isLate Called before each slice: true where no time is left.
 * @returns True if all of it is done.
 */
export async function runInSlices(work: Generator<number, unknown>, isLate: () => boolean): Promise<boolean> {
  const sliced = new SlicedWork(work);
  while (!isLate()) {
    if (sliced.run(sliceRows)) return true;
    await setImmediate();
  }
  sliced.stop();
  return false;
}
