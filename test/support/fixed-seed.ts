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

/**
 * How often a costly property runs: a fixed seed draws the same examples every time, so few of them are enough; other
 * examples come with another seed.
 *
 * @param fixed Runs with the seed of `npm test`.
 * @param other Runs with any other seed.
 */
export function runsOf(fixed: number, other: number): number {
  return process.env["SEED"] === undefined ? fixed : other;
}

fc.configureGlobal({ seed });
t.comment(`property tests use seed ${seed}; SEED=${seed} repeats them`);
