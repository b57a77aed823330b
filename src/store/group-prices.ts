/**
 * Groups of one product's prices: by period (count the prices of each, place them side by side, compute figures), or some
 * segments as one group.
 */

import type { CodeColumn, PriceColumns } from "./columns.ts";
import { type Group, groupOf } from "./figures.ts";
import type { Range } from "./lower-bound.ts";
import type { Segments } from "./runs.ts";
import { StepCounter } from "./step-counter.ts";
import { convertPrice, type UnitConversion } from "./unit-conversion.ts";

/** Prices, and the unit and currency that they are converted to. */
export interface PriceSource {
  readonly prices: PriceColumns;
  readonly conversion: UnitConversion;
}

/** Prices, and the periods that they are grouped by. */
export interface PeriodSource extends PriceSource {
  /** By row. */
  readonly dayCodes: CodeColumn;
  /** Period by day code. */
  readonly ofDay: Uint32Array;
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
 * @returns Groups by period, newest first.
 * Cost: two passes over the rows, then the figures. Yields the number of rows done after every few thousand of them.
 */
export function* groupByPeriod(
  source: PeriodSource,
  segments: Segments,
  buffers: GroupBuffers,
): Generator<number, Group[]> {
  const { first, last } = periodsOf(source, segments);
  if (last === -1) return [];
  const slots = slotsFor(first, last - first + 1, segments.rowCount, buffers);
  const { starts, ends, converted, values } = slots;
  const steps = new StepCounter(stepRows);
  for (const part of partsOf(segments)) {
    countPeriods(source, slots, part);
    const step = steps.add(part.to - part.from);
    if (step > 0) yield step;
  }
  for (let slot = 0; slot < ends.length; slot++) {
    starts[slot + 1]! += starts[slot]!;
    ends[slot] = starts[slot]!;
  }
  for (const part of partsOf(segments)) {
    putPrices(source, slots, part);
    const step = steps.add(part.to - part.from);
    if (step > 0) yield step;
  }
  const groups: Group[] = [];
  for (let slot = 0; slot < ends.length; slot++) {
    const rowCount = starts[slot + 1]! - starts[slot]!;
    if (rowCount === 0) continue;
    const [start, end] = [starts[slot]!, ends[slot]!];
    groups.push(groupOf(first + slot, values, start, end, converted[slot]!, rowCount - (end - start)));
    const step = steps.add(4 * rowCount);
    if (step > 0) yield step;
  }
  return groups;
}

/** The newest and the oldest period of some segments; `last` is -1 where these have no rows. */
function periodsOf({ dayCodes, ofDay }: PeriodSource, { rows, from, to }: Segments): { first: number; last: number } {
  let first = Infinity;
  let last = -1;
  for (let segment = 0; segment < from.length; segment++) {
    const [newest, oldest] = [from[segment]!, to[segment]! - 1];
    if (oldest < newest) continue;
    first = Math.min(first, ofDay[dayCodes[rows === null ? newest : rows[newest]!]!]!);
    last = Math.max(last, ofDay[dayCodes[rows === null ? oldest : rows[oldest]!]!]!);
  }
  return { first, last };
}

/** A slot is a period, counted from the first. */
interface PeriodSlots {
  readonly first: number;
  /** Where the values of a slot begin; one more than there are slots. */
  readonly starts: Uint32Array;
  /** Where its next value goes. */
  readonly ends: Uint32Array;
  /** How many of its values were recorded in another unit. */
  readonly converted: Uint32Array;
  readonly values: Float64Array;
}

function slotsFor(first: number, count: number, rowCount: number, buffers: GroupBuffers): PeriodSlots {
  const counters = buffers.countersFor(3 * count + 1);
  return {
    first,
    starts: counters.subarray(0, count + 1),
    ends: counters.subarray(count + 1, 2 * count + 1),
    converted: counters.subarray(2 * count + 1, 3 * count + 1),
    values: buffers.valuesFor(rowCount),
  };
}

/** Positions [from, to) of a segment; see `Segments`. */
interface SegmentPart extends Range {
  readonly rows: Uint32Array | null;
}

/** Segments in parts of at most `stepRows`. */
function* partsOf({ rows, from, to }: Segments): Generator<SegmentPart, void> {
  for (let segment = 0; segment < from.length; segment++) {
    for (let start = from[segment]!; start < to[segment]!; start += stepRows) {
      yield { rows, from: start, to: Math.min(to[segment]!, start + stepRows) };
    }
  }
}

/** Counts the rows of each slot, in the entry after its own. */
function countPeriods(
  { dayCodes, ofDay }: PeriodSource,
  { first, starts }: PeriodSlots,
  { rows, from, to }: SegmentPart,
): void {
  if (rows === null) for (let row = from; row < to; row++) starts[ofDay[dayCodes[row]!]! - first + 1]!++;
  else for (let at = from; at < to; at++) starts[ofDay[dayCodes[rows[at]!]!]! - first + 1]!++;
}

/** Puts the converted price of each row after those of its slot. */
function putPrices(
  { prices, conversion, dayCodes, ofDay }: PeriodSource,
  { first, ends, converted, values }: PeriodSlots,
  { rows, from, to }: SegmentPart,
): void {
  const { units } = prices;
  const { unit } = conversion;
  for (let at = from; at < to; at++) {
    const row = rows === null ? at : rows[at]!;
    const value = convertPrice(prices, conversion, row);
    if (Number.isNaN(value)) continue;
    const slot = ofDay[dayCodes[row]!]! - first;
    if (units[row]! !== unit) converted[slot]!++;
    values[ends[slot]!++] = value;
  }
}

/**
 * The group of all prices of some neighbouring segments.
 *
 * @param neighbours Positions of the segments.
 * Cost: one pass over the rows, then the figures.
 */
export function groupSegments(
  { prices, conversion }: PriceSource,
  key: number,
  { rows, from, to }: Segments,
  neighbours: Range,
  buffers: GroupBuffers,
): Group {
  const { units } = prices;
  const { unit } = conversion;
  let rowCount = 0;
  for (let segment = neighbours.from; segment < neighbours.to; segment++) rowCount += to[segment]! - from[segment]!;
  const values = buffers.valuesFor(rowCount);
  let count = 0;
  let converted = 0;
  for (let segment = neighbours.from; segment < neighbours.to; segment++) {
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
