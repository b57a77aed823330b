/**
 * How often each kind of random question is asked: see `runsOf`, or as often as the environment variable QUESTIONS
 * says.
 * A long run needs more time than tap grants, and other questions than the tests ask:
 *
 *     SEED=new QUESTIONS=5000 npm test -- --timeout=600 test/engine/query/shortcut-equals-scan.test.ts
 */
import { runsOf } from "../../support/fixed-seed.ts";

export const questionRuns: { readonly numRuns: number } = {
  numRuns: Number(process.env["QUESTIONS"] ?? runsOf(150, 300)),
};
