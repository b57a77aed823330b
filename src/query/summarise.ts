import { NeumaierSum } from "./neumaier-sum.ts";

/** The figures of some prices, rounded to `decimals`. */
export interface Figures {
  /** Arithmetic mean. */
  readonly average: number;
  readonly min: number;
  readonly max: number;
  /** The mean of the two middle values when the count is even. */
  readonly median: number;
  readonly count: number;
  /** Sample standard deviation (n − 1); 0 for one value. */
  readonly deviation: number;
}

/** Digits behind the decimal point that figures are rounded to. */
export const decimals = 6;

/**
 * Sums up one group of prices.
 *
 * Sums carry a compensation term; the deviation comes from the squares of the differences from the mean, never from a
 * sum of squares, so that large prices close together keep their digits.
 *
 * @param values At least one finite number. Sorted in place: the caller gives a scratch array.
 * Cost: one sort.
 * @throws {RangeError} when there is no value.
 */
export function summarise(values: Float64Array): Figures {
  if (values.length === 0) throw new RangeError("0 values to summarise, expected at least one");
  values.sort();
  const max = values[values.length - 1]!;
  const scale = max > hugePrice ? hugePriceScale : 1;
  const mean = meanOf(values, scale);
  return {
    average: roundFigure(mean / scale),
    min: roundFigure(values[0]!),
    max: roundFigure(max),
    median: roundFigure(medianOfSorted(values)),
    count: values.length,
    deviation: roundFigure(sampleDeviation(values, mean, scale) / scale),
  };
}

/** Rounds to `decimals`; numbers so large that they have no such digits stay as they are. */
export function roundFigure(value: number): number {
  const scaled = value * 10 ** decimals;
  return Math.abs(scaled) < Number.MAX_SAFE_INTEGER ? Math.round(scaled) / 10 ** decimals : value;
}

/**
 * Prices above this could overflow a sum of squares. They are scaled by a power of two first, which changes no digit.
 */
const hugePrice = 2 ** 480;
const hugePriceScale = 2 ** -560;

/**
 * The mean of the scaled values, which are sorted. The division rounds once more and could leave the range of the values
 * by its last bit; held inside, equal prices have exactly their own average and a deviation of 0.
 */
function meanOf(values: Float64Array, scale: number): number {
  const sum = new NeumaierSum();
  for (const value of values) sum.add(value * scale);
  const min = values[0]! * scale;
  const max = values[values.length - 1]! * scale;
  return Math.min(Math.max(sum.value / values.length, min), max);
}

/** Halves before it adds, so that two huge values do not overflow; halving changes no digit of a price. */
function medianOfSorted(values: Float64Array): number {
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle]! : values[middle - 1]! / 2 + values[middle]! / 2;
}

/** The deviation of the scaled values from their mean. */
function sampleDeviation(values: Float64Array, mean: number, scale: number): number {
  if (values.length === 1) return 0;
  const squares = new NeumaierSum();
  for (const value of values) squares.add((value * scale - mean) ** 2);
  return Math.sqrt(squares.value / (values.length - 1));
}
