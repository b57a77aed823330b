/**
 * Groups of one product's prices: by period (count the prices of each, place them side by side, compute figures), or some
 * segments as one group.
 */

import type { CodeColumn, PriceColumns } from "./columns.ts";
import { type Group, groupOf } from "./figures.ts";
import type { PeriodList } from "./periods.ts";
import type { Segments } from "./runs.ts";
import { StepCounter } from "./step-counter.ts";
import { convertPrice, type UnitConversion } from "./unit-conversion.ts";

/** Prices, and the unit and currency that they are converted to. */
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
  const steps = new StepCounter(stepRows);
  for (let segment = 0; segment < from.length; segment++) {
    for (let start = from[segment]!; start < to[segment]!; start += stepRows) {
      const stop = Math.min(to[segment]!, start + stepRows);
      countPeriods(dayCodes, ofDay, first, rows, start, stop, starts);
      const step = steps.add(stop - start);
      if (step > 0) yield step;
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
      const step = steps.add(stop - start);
      if (step > 0) yield step;
    }
  }
  const groups: Group[] = [];
  for (let period = 0; period < periodCount; period++) {
    const rowCount = starts[period + 1]! - starts[period]!;
    if (rowCount === 0) continue;
    const [start, end] = [starts[period]!, ends[period]!];
    groups.push(groupOf(first + period, values, start, end, converted[period]!, rowCount - (end - start)));
    const step = steps.add(4 * rowCount);
    if (step > 0) yield step;
  }
  return groups;
}

/** Counts the rows of each period, in the entry after its own. */
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

/** Puts the converted price of each row after those of its period. */
function placePrices(
  { prices, conversion }: PriceSource,
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
  const { units } = prices;
  const { unit } = conversion;
  for (let at = from; at < to; at++) {
    const row = rows === null ? at : rows[at]!;
    const value = convertPrice(prices, conversion, row);
    if (Number.isNaN(value)) continue;
    const period = ofDay[dayCodes[row]!]! - first;
    if (units[row]! !== unit) converted[period]!++;
    values[ends[period]!++] = value;
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
  { prices, conversion }: PriceSource,
  key: number,
  { rows, from, to }: Segments,
  first: number,
  end: number,
  buffers: GroupBuffers,
): Group {
  const { units } = prices;
  const { unit } = conversion;
  let rowCount = 0;
  for (let segment = first; segment < end; segment++) rowCount += to[segment]! - from[segment]!;
  const values = buffers.valuesFor(rowCount);
  let count = 0;
  let converted = 0;
  for (let segment = first; segment < end; segment++) {
    for (let at = from[segment]!; at < to[segment]!; at++) {
      const row = rows === null ? at : rows[at]!;
      const value = convertPrice(prices, conversion, row);
      if (Number.isNaN(value)) continue;
      if (units[row]! !== unit) converted++;
      values[count++] = value;
    }
  }
  return groupOf(key, values, 0, count, converted, rowCount - count);
}
