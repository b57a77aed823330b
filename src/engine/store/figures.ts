/**
 * The figures of a group of prices: mean, median and deviation, and how they are rounded. The groups are made in
 * group-prices.ts. The mean over all groups of an answer is in engine/query/price-statistics.ts.
 *
 * Sums carry what each addition rounds away (A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation
 * endlicher Summen", ZAMM 54 (1974), 39–51), found without comparing the two numbers (D. E. Knuth, The Art of Computer
 * Programming 2, 4.2.2, theorem B). The deviation comes from the squares of the differences from the mean, never from a
 * sum of squares, so that large prices close together keep their digits. Nothing overflows: a price is at most 1e12, in
 * another unit 1e30 and in US dollars 1e39 (the limits of files in engine/model/records.ts), so the squares of as many
 * prices as a store has rows for, 2 ** 32, stay below 1e88.
 *
 * The median comes from selection: C. A. R. Hoare, "Algorithm 65: Find", Communications of the ACM 4 (1961), with the
 * median of three as pivot; partitioned in one direction after N. Lomuto (J. Bentley, Programming Pearls, column 11);
 * short ranges are sorted by insertion.
 */

/** Counts of the prices that the figures of a group are made of. */
export interface GroupSamples {
  /** Prices in the figures by type of market: positions of `marketTypes`. */
  readonly byType: readonly number[];
  /** Prices in the figures that were recorded in another unit. */
  readonly converted: number;
  /** Prices that are not in the figures, because of their unit or currency. */
  readonly excluded: number;
}

/** The figures of one group of prices. */
export interface Group extends GroupSamples {
  /** The key of the group: a period, a market code or the id of a county. */
  readonly key: number;
  /** Prices that the figures are made of. Without any, all figures are 0. */
  readonly count: number;
  readonly mean: number;
  readonly min: number;
  readonly max: number;
  /** The mean of the two middle values when the count is even. */
  readonly median: number;
  /** Sample standard deviation (n − 1); 0 for one price. */
  readonly deviation: number;
}

/**
 * The group of the values at [from, to).
 *
 * @param values Finite numbers; those of the range are overwritten.
 * Cost: four passes and a selection.
 */
export function groupOf(
  key: number,
  values: Float64Array,
  from: number,
  to: number,
  { byType, converted, excluded }: GroupSamples,
): Group {
  const count = to - from;
  let min = count === 0 ? 0 : values[from]!;
  let max = min;
  for (let at = from + 1; at < to; at++) {
    const value = values[at]!;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  // The division rounds once more and could leave the range of the values by its last bit; held inside, equal prices
  // have exactly their own average.
  const mean = Math.min(Math.max(sumOf(values, from, to) / Math.max(count, 1), min), max);
  const median = count === 0 ? 0 : medianOf(values, from, to);
  for (let at = from; at < to; at++) values[at] = (values[at]! - mean) ** 2;
  return {
    key,
    count,
    mean,
    min,
    max,
    median,
    deviation: min === max ? 0 : Math.sqrt(sumOf(values, from, to) / (count - 1)),
    byType,
    converted,
    excluded,
  };
}

/** The sum of the values at [from, to). */
export function sumOf(values: Float64Array, from: number, to: number): number {
  let sum = 0;
  let lost = 0;
  for (let at = from; at < to; at++) {
    const value = values[at]!;
    const next = sum + value;
    const added = next - sum;
    lost += sum - (next - added) + (value - added);
    sum = next;
  }
  return sum + lost;
}

/**
 * The median of the values at [from, to): the middle one, or the mean of the two middle ones when the count is even.
 *
 * @param values Finite numbers; those of the range are reordered.
 * @param to Greater than `from`.
 */
export function medianOf(values: Float64Array, from: number, to: number): number {
  const middle = from + ((to - from) >> 1);
  select(values, middle, from, to - 1);
  const upper = values[middle]!;
  if ((to - from) % 2 === 1) return upper;
  let lower = values[from]!;
  for (let at = from + 1; at < middle; at++) if (values[at]! > lower) lower = values[at]!;
  return (lower + upper) / 2;
}

/** Ranges up to this length are cheaper to sort than to partition. */
const shortRange = 16;

/**
 * Moves the value that sorting positions `first` to `last` (inclusive) would put at `target` there, nothing greater
 * before it and nothing less after it.
 */
function select(values: Float64Array, target: number, first: number, last: number): void {
  let low = first;
  let high = last;
  while (high - low > shortRange) {
    const pivot = medianOfThree(values[low]!, values[(low + high) >>> 1]!, values[high]!);
    const start = moveToFront(values, low, high, pivot, false);
    if (target < start) {
      high = start - 1;
      continue;
    }
    // Prices repeat: all that equal the pivot are done with at once.
    low = moveToFront(values, start, high, pivot, true);
    if (target < low) return;
  }
  insertionSort(values, low, high);
}

/**
 * Moves the values less than a pivot, or equal to it too, before all others. Branchless, because the predicate is
 * unpredictable: each value is swapped, whether it has to be or not.
 *
 * @returns The position after the values moved.
 */
function moveToFront(values: Float64Array, low: number, high: number, pivot: number, withEqual: boolean): number {
  const equal = Number(withEqual);
  let end = low;
  for (let at = low; at <= high; at++) {
    const value = values[at]!;
    values[at] = values[end]!;
    values[end] = value;
    end += Number(value < pivot) | (Number(value === pivot) & equal);
  }
  return end;
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** Sorts the values at `low` to `high` (inclusive). Cost: grows with the square of their number. */
function insertionSort(values: Float64Array, low: number, high: number): void {
  for (let end = low + 1; end <= high; end++) {
    const value = values[end]!;
    let at = end;
    while (at > low && values[at - 1]! > value) {
      values[at] = values[at - 1]!;
      at--;
    }
    values[at] = value;
  }
}

/** Figures are rounded to 6 digits behind the decimal point, that is to millionths. */
export const figureScale = 1e6;

/** The number before one half: added before cutting off, it rounds half up, where one half would also lift itself. */
const nearlyHalf = 0.5 - Number.EPSILON / 4;

/** A number in millionths, rounded half up; as `Math.round` would, at a third of its time. @param value At least 0. */
export function scaleFigure(value: number): number {
  return Math.floor(value * figureScale + nearlyHalf);
}

/**
 * Rounds to millionths, half up; numbers so large that they have no such digits stay as they are.
 *
 * @param value At least 0.
 */
export function roundFigure(value: number): number {
  return value * figureScale < Number.MAX_SAFE_INTEGER ? scaleFigure(value) / figureScale : value;
}

/** As `roundFigure`, for numbers of either sign: equal but for the sign. */
export function roundSigned(value: number): number {
  return value < 0 ? -roundFigure(-value) : roundFigure(value);
}
