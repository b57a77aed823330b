/** Histograms in numbers that threads share: a count and a sum, then a count for each class. One thread writes each. */

/** The observations of a histogram. */
export interface Histogram {
  readonly count: number;
  readonly sum: number;
  /** Observations by class, one more than there are bounds. */
  readonly classes: readonly number[];
}

/** Numbers that a histogram takes. @param bounds Upper ends (inclusive) of all classes but the last, ascending. */
export function histogramLength(bounds: readonly number[]): number {
  return 2 + bounds.length + 1;
}

/** Adds an observation to the histogram that begins at `at`. */
export function addToHistogram(numbers: Float64Array, at: number, bounds: readonly number[], value: number): void {
  const found = bounds.findIndex((bound) => value <= bound);
  addTo(numbers, at, 1);
  addTo(numbers, at + 1, value);
  addTo(numbers, at + 2 + (found === -1 ? bounds.length : found), 1);
}

/** The sum of the histograms that begin at `starts`. A reader may miss the observation that is being added. */
export function readHistogram(numbers: Float64Array, starts: readonly number[], bounds: readonly number[]): Histogram {
  const sums = new Float64Array(histogramLength(bounds));
  for (const at of starts)
    for (let offset = 0; offset < sums.length; offset++) addTo(sums, offset, numbers[at + offset] ?? 0);
  const [count = 0, sum = 0, ...classes] = sums;
  return { count, sum, classes };
}

/** Adds to a number that no other thread writes. */
export function addTo(numbers: Float64Array, at: number, amount: number): void {
  numbers[at] = (numbers[at] ?? 0) + amount;
}
