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

fc.configureGlobal({ seed });
t.comment(`property tests use seed ${seed}; SEED=${seed} repeats them`);
