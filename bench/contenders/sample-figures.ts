import type { PeerGroup } from "./present-statistics.ts";

/**
 * The figures of one group, for a peer that returns its prices and lets the program sum them up.
 *
 * @param values At least one; sorted in place.
 */
export function figuresOf(key: number, values: Float64Array): PeerGroup {
  values.sort();
  const { length } = values;
  let sum = 0;
  for (const value of values) sum += value;
  const average = sum / length;
  let squares = 0;
  for (const value of values) squares += (value - average) ** 2;
  return {
    key,
    average,
    min: values[0] as number,
    max: values[length - 1] as number,
    median: ((values[(length - 1) >> 1] as number) + (values[length >> 1] as number)) / 2,
    count: length,
    deviation: Math.sqrt(squares / Math.max(1, length - 1)),
  };
}
