/**
 * The one place that seeds fast-check: every run of the tests draws the same examples, so that a failure is the work of
 * a change. `SEED=<number>` draws others, `SEED=new` those of a random seed (`npm run test:seeds`).
 */
import { randomInt } from "node:crypto";
import fc from "fast-check";
import t from "tap";

const wanted = process.env["SEED"] ?? "1";
const seed = wanted === "new" ? randomInt(2 ** 31) : Number(wanted);
if (!Number.isInteger(seed)) throw new Error(`SEED is "${wanted}", expected a whole number or new`);

/** Whether all of a test is wanted, as in CI, however long it takes. */
export const isWhole: boolean = process.env["PROPERTIES"] === "whole";

/**
 * How often a property runs. The fixed seed draws the same examples every time, so `npm test` runs a third of `whole`;
 * CI runs all of them (`PROPERTIES=whole`), and other examples come with another seed.
 *
 * @param whole Runs with the fixed seed in CI.
 * @param other Runs with any other seed.
 */
export function runsOf(whole: number, other: number = whole): number {
  if (process.env["SEED"] !== undefined) return other;
  return isWhole ? whole : Math.ceil(whole / 3);
}

/** A third of a list, which the seed draws, or all of it: with `PROPERTIES=whole`, where the caller says nothing. */
export function sampleOf<T>(list: readonly T[], isAll: boolean = isWhole): T[] {
  const step = isAll ? 1 : 3;
  return list.filter((_, at) => (at + seed) % step === 0);
}

/** The runs of a property that names no number. */
const usualRuns = 100;

fc.configureGlobal({ seed, numRuns: runsOf(usualRuns) });
t.comment(`property tests use seed ${seed}; SEED=${seed} repeats them`);
