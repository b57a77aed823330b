import { setImmediate as nextTurn } from "node:timers/promises";
import { SlicedWork } from "../../src/engine/store/steps.ts";

/** Runs work to its end, with other work between its slices of so many rows. */
export async function runSliced<Result>(work: Generator<number, Result>, sliceRows: number): Promise<Result> {
  const sliced = new SlicedWork(work);
  while (!sliced.run(sliceRows)) await nextTurn();
  return sliced.result;
}
