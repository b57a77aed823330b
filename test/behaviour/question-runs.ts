/**
 * How often each kind of random question is asked: 300 times, or as often as the environment variable QUESTIONS says.
 * A failure prints its seed; QUESTIONS_SEED asks the same questions again. A long run needs more time than tap grants:
 *
 *     QUESTIONS=5000 npx tap --timeout=600 test/behaviour/shortcut-equals-scan.test.ts
 */
export const questionRuns: { readonly numRuns: number; readonly seed?: number } = {
  numRuns: Number(process.env["QUESTIONS"] ?? 300),
  ...(process.env["QUESTIONS_SEED"] === undefined ? {} : { seed: Number(process.env["QUESTIONS_SEED"]) }),
};
