/** Prices below so many cents go in steps of so many cents, as coins and habit have it. */
const steps: readonly (readonly [below: number, step: number])[] = [
  [500, 10],
  [2000, 50],
  [10_000, 100],
  [50_000, 500],
  [500_000, 1000],
  [5_000_000, 5000],
  [Number.POSITIVE_INFINITY, 50_000],
];

/**
 * An exact amount of cents as people say it: rounded to the step that is usual for its size, never less than a cent.
 *
 * @param isMean The amount is a mean of several sellers and therefore told to the cent.
 */
export function bargainedCents(cents: number, isMean: boolean): number {
  if (isMean) return Math.max(1, Math.round(cents));
  let at = 0;
  while (cents >= (steps[at] as readonly [number, number])[0]) at++;
  const step = (steps[at] as readonly [number, number])[1];
  return Math.max(1, Math.round(cents / step) * step);
}
