/**
 * Groups of one product's prices and their figures: by period (count, place, select), or some segments as one group.
 * Mean, median and deviation are defined only here, for rollups and for groups made on request.
 *
 * Sums carry what each addition rounds away (A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation
 * endlicher Summen", ZAMM 54 (1974), 39–51), found without comparing the two numbers (D. E. Knuth, The Art of Computer
 * Programming 2, 4.2.2, theorem B). The deviation comes from the squares of the differences from the mean, never from a sum
 * of squares, so that large prices close together keep their digits.
 *
 * The median comes from selection: C. A. R. Hoare, "Algorithm 65: Find", Communications of the ACM 4 (1961), with the median
 * of three as pivot; partitioned in one direction after N. Lomuto (J. Bentley, Programming Pearls, column 11); short ranges
 * are sorted by insertion.
 */

import type { PeriodList } from "./periods.ts";
import type { CodeColumn, PriceColumns } from "./price-columns.ts";
import { type UnitConversion, unconvertible } from "./unit-conversion.ts";

/** The figures of one group of prices. */
export interface Group {
  /** What the group is: a period, a market code or the id of a county. */
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
  /** Prices in the figures that were recorded in another unit. */
  readonly converted: number;
  /** Prices that are not in the figures, because of their unit or currency. */
  readonly excluded: number;
}

/**
 * Prices above this could overflow a sum of squares. They are scaled by a power of two first, which changes no digit.
 */
const hugePrice = 2 ** 480;
const hugePriceScale = 2 ** -560;

/**
 * The group of the values at [from, to).
 *
 * @param values Finite numbers; those of the range are reordered.
 * Cost: three passes and a selection, in all about ten nanoseconds a value.
 */
export function groupOf(
  key: number,
  values: Float64Array,
  from: number,
  to: number,
  converted: number,
  excluded: number,
): Group {
  const count = to - from;
  const first = count === 0 ? 0 : values[from]!;
  if (count < 2) {
    return { key, count, mean: first, min: first, max: first, median: first, deviation: 0, converted, excluded };
  }
  let min = first;
  let max = first;
  for (let at = from + 1; at < to; at++) {
    const value = values[at]!;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const scale = max > hugePrice ? hugePriceScale : 1;
  // The division rounds once more and could leave the range of the values by its last bit; held inside, equal prices
  // have exactly their own average.
  const mean = Math.min(Math.max(sumOf(values, from, to, scale) / count, min * scale), max * scale);
  const squares = min === max ? 0 : squaresOf(values, from, to, scale, mean);
  return {
    key,
    count,
    mean: mean / scale,
    min,
    max,
    median: medianOf(values, from, to),
    deviation: Math.sqrt(squares / (count - 1)) / scale,
    converted,
    excluded,
  };
}

/** The sum of the scaled values. */
function sumOf(values: Float64Array, from: number, to: number, scale: number): number {
  let sum = 0;
  let lost = 0;
  for (let at = from; at < to; at++) {
    const value = values[at]! * scale;
    const next = sum + value;
    const added = next - sum;
    lost += sum - (next - added) + (value - added);
    sum = next;
  }
  return sum + lost;
}

/** The sum of the squared differences of the scaled values from their mean. */
function squaresOf(values: Float64Array, from: number, to: number, scale: number, mean: number): number {
  let sum = 0;
  let lost = 0;
  for (let at = from; at < to; at++) {
    const difference = values[at]! * scale - mean;
    const value = difference * difference;
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
  // Halved before they are added, so that two huge values do not overflow; halving changes no digit of a price.
  return lower / 2 + upper / 2;
}

/** Ranges up to this length are cheaper to sort than to partition. */
const shortRange = 16;

/**
 * Moves the value that sorting positions `first` to `last` (inclusive) would put at `target` there, nothing greater before
 * it and nothing less behind it.
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
 * unpredictable: each value changes places, whether it has to or not.
 *
 * @returns The position behind the values moved.
 */
function moveToFront(values: Float64Array, low: number, high: number, pivot: number, withEqual: boolean): number {
  let end = low;
  if (withEqual) {
    for (let at = low; at <= high; at++) {
      const value = values[at]!;
      values[at] = values[end]!;
      values[end] = value;
      end += Number(value <= pivot);
    }
  } else {
    for (let at = low; at <= high; at++) {
      const value = values[at]!;
      values[at] = values[end]!;
      values[end] = value;
      end += Number(value < pivot);
    }
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

/** Some prices of one product, as ranges [`from[i]`, `to[i]`) of positions. */
export interface Segments {
  /** Row by position; null where positions are rows. */
  readonly rows: Uint32Array | null;
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** Positions of all segments. */
  readonly rowCount: number;
}

/** What prices are measured by. */
export interface PriceSource {
  readonly prices: PriceColumns;
  readonly conversion: UnitConversion;
}

/** Working memory of one question or build; grows as needed. */
export class GroupBuffers {
  values: Float64Array = new Float64Array(1024);
  #counters = new Uint32Array(1024);

  /** For converted prices. Holds anything. */
  valuesFor(count: number): Float64Array {
    if (this.values.length < count) this.values = new Float64Array(Math.max(count, this.values.length * 2));
    return this.values;
  }

  /** Zeroes. */
  countersFor(count: number): Uint32Array {
    if (this.#counters.length < count) this.#counters = new Uint32Array(Math.max(count, this.#counters.length * 2));
    return this.#counters.fill(0, 0, count);
  }
}

/** Rows between two yields. */
const stepRows = 16_384;

/**
 * Groups prices by period.
 *
 * @param dayCodes By row.
 * @returns Groups by period, newest first.
 * Cost: two passes over the rows, then the figures. Yields the number of rows done after every few thousand of them.
 */
export function* groupByPeriod(
  source: PriceSource,
  dayCodes: CodeColumn,
  { ofDay }: PeriodList,
  segments: Segments,
  buffers: GroupBuffers,
): Generator<number, Group[]> {
  const { rows, from, to } = segments;
  let first = Infinity;
  let last = -1;
  for (let segment = 0; segment < from.length; segment++) {
    const [newest, oldest] = [from[segment]!, to[segment]! - 1];
    if (oldest < newest) continue;
    first = Math.min(first, ofDay[dayCodes[rows === null ? newest : rows[newest]!]!]!);
    last = Math.max(last, ofDay[dayCodes[rows === null ? oldest : rows[oldest]!]!]!);
  }
  if (last === -1) return [];
  const periodCount = last - first + 1;
  // Of each period: where its values begin, where the next one goes, and how many were converted.
  const counters = buffers.countersFor(3 * periodCount + 1);
  const starts = counters.subarray(0, periodCount + 1);
  const ends = counters.subarray(periodCount + 1, 2 * periodCount + 1);
  const converted = counters.subarray(2 * periodCount + 1, 3 * periodCount + 1);
  const values = buffers.valuesFor(segments.rowCount);
  let done = 0;
  for (let segment = 0; segment < from.length; segment++) {
    for (let start = from[segment]!; start < to[segment]!; start += stepRows) {
      const stop = Math.min(to[segment]!, start + stepRows);
      countPeriods(dayCodes, ofDay, first, rows, start, stop, starts);
      done += stop - start;
      if (done < stepRows) continue;
      yield done;
      done = 0;
    }
  }
  for (let period = 0; period < periodCount; period++) {
    starts[period + 1]! += starts[period]!;
    ends[period] = starts[period]!;
  }
  for (let segment = 0; segment < from.length; segment++) {
    for (let start = from[segment]!; start < to[segment]!; start += stepRows) {
      const stop = Math.min(to[segment]!, start + stepRows);
      placePrices(source, dayCodes, ofDay, first, rows, start, stop, values, ends, converted);
      done += stop - start;
      if (done < stepRows) continue;
      yield done;
      done = 0;
    }
  }
  const groups: Group[] = [];
  for (let period = 0; period < periodCount; period++) {
    const rowCount = starts[period + 1]! - starts[period]!;
    if (rowCount === 0) continue;
    const [start, end] = [starts[period]!, ends[period]!];
    groups.push(groupOf(first + period, values, start, end, converted[period]!, rowCount - (end - start)));
    done += 4 * rowCount;
    if (done < stepRows) continue;
    yield done;
    done = 0;
  }
  return groups;
}

/** Counts the rows of each period, one entry behind it. */
function countPeriods(
  dayCodes: CodeColumn,
  ofDay: Uint32Array,
  first: number,
  rows: Uint32Array | null,
  from: number,
  to: number,
  counts: Uint32Array,
): void {
  if (rows === null) for (let row = from; row < to; row++) counts[ofDay[dayCodes[row]!]! - first + 1]!++;
  else for (let at = from; at < to; at++) counts[ofDay[dayCodes[rows[at]!]!]! - first + 1]!++;
}

/** Puts the converted price of each row behind those of its period. */
function placePrices(
  { prices: { prices, units, currencies }, conversion: { unit, currency, multiply, divide } }: PriceSource,
  dayCodes: CodeColumn,
  ofDay: Uint32Array,
  first: number,
  rows: Uint32Array | null,
  from: number,
  to: number,
  values: Float64Array,
  ends: Uint32Array,
  converted: Uint32Array,
): void {
  for (let at = from; at < to; at++) {
    const row = rows === null ? at : rows[at]!;
    const recorded = units[row]!;
    const divisor = divide[recorded]!;
    if (divisor === unconvertible || currencies[row]! !== currency) continue;
    const period = ofDay[dayCodes[row]!]! - first;
    if (recorded !== unit) converted[period]!++;
    values[ends[period]!++] = (prices[row]! * multiply[recorded]!) / divisor;
  }
}

/**
 * The group of all prices of some neighbouring segments.
 *
 * @param first First segment (inclusive).
 * @param end End of the segments (exclusive).
 * Cost: one pass over the rows, then the figures.
 */
export function groupSegments(
  { prices: { prices, units, currencies }, conversion: { unit, currency, multiply, divide } }: PriceSource,
  key: number,
  { from, to }: Segments,
  first: number,
  end: number,
  buffers: GroupBuffers,
): Group {
  let rowCount = 0;
  for (let segment = first; segment < end; segment++) rowCount += to[segment]! - from[segment]!;
  const values = buffers.valuesFor(rowCount);
  let count = 0;
  let converted = 0;
  for (let segment = first; segment < end; segment++) {
    for (let row = from[segment]!; row < to[segment]!; row++) {
      const recorded = units[row]!;
      const divisor = divide[recorded]!;
      if (divisor === unconvertible || currencies[row]! !== currency) continue;
      if (recorded !== unit) converted++;
      values[count++] = (prices[row]! * multiply[recorded]!) / divisor;
    }
  }
  return groupOf(key, values, 0, count, converted, rowCount - count);
}
