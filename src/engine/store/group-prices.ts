/**
 * Groups of one product's prices: by period (count the prices of each, put them side by side, compute figures), or some
 * segments as one group.
 */
import { marketTypes } from "../model/vocabulary.ts";
import type { Catalogue } from "./catalogue.ts";
import type { CodeColumn, PriceColumns } from "./columns.ts";
import { groupOf, type TypedGroup } from "./figures.ts";
import { convertPrice, type PriceConversion } from "./price-conversion.ts";
import { type Segments, visitSegments } from "./runs.ts";
import { StepCounter } from "./steps.ts";

/** Prices, the types of their markets, and the unit and currency that they are converted to. */
export interface PriceSource {
  readonly catalogue: Pick<Catalogue, "marketTypeCodes">;
  readonly prices: PriceColumns;
  readonly conversion: PriceConversion;
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

const typeCount = marketTypes.length;

/** Rows between two yields. */
const stepRows = 16_384;

/** The period of each row, as some grouping has it. */
export interface RowPeriods {
  /** By row. */
  readonly dayCodes: CodeColumn;
  /** By day code. */
  readonly ofDay: Uint32Array;
}

/** The groups that are being made: those of the periods from `first` on. */
interface GroupsByPeriod extends RowPeriods {
  readonly first: number;
  /** Positions at which the values of each period begin, and at last where those of the last end. */
  readonly starts: Uint32Array;
  /** Position that the next value of each period goes to. */
  readonly ends: Uint32Array;
  /** By period and type of market. */
  readonly byType: Uint32Array;
  readonly converted: Uint32Array;
  readonly values: Float64Array;
}

/**
 * Groups prices by period.
 *
 * @returns Groups by period, newest first.
 * Cost: two passes over the rows, then the figures. Yields the number of rows done after every few thousand of them.
 */
export function* groupByPeriod(
  source: PriceSource,
  rowPeriods: RowPeriods,
  segments: Segments,
  buffers: GroupBuffers,
): Generator<number, TypedGroup[]> {
  const [first, last] = periodsOfSegments(rowPeriods, segments);
  if (last === -1) return [];
  const periodCount = last - first + 1;
  const counters = buffers.countersFor((3 + typeCount) * periodCount + 1);
  const starts = counters.subarray(0, periodCount + 1);
  const ends = counters.subarray(periodCount + 1, 2 * periodCount + 1);
  const converted = counters.subarray(2 * periodCount + 1, 3 * periodCount + 1);
  const byType = counters.subarray(3 * periodCount + 1);
  const values = buffers.valuesFor(segments.rowCount);
  const made: GroupsByPeriod = { ...rowPeriods, first, starts, ends, byType, converted, values };
  yield* visitSegments(segments, stepRows, (from, to) => countPeriods(made, from, to));
  for (let period = 0; period < periodCount; period++) {
    starts[period + 1]! += starts[period]!;
    ends[period] = starts[period]!;
  }
  yield* visitSegments(segments, stepRows, (from, to, market) => addPrices(source, made, from, to, market));
  const steps = new StepCounter(stepRows);
  const groups: TypedGroup[] = [];
  for (let period = 0; period < periodCount; period++) {
    const rowCount = starts[period + 1]! - starts[period]!;
    if (rowCount === 0) continue;
    const [start, end] = [starts[period]!, ends[period]!];
    // A loop, because a `map` takes as long as the figures of a small group.
    const ofPeriod: number[] = [];
    for (let type = 0; type < typeCount; type++) ofPeriod.push(byType[period * typeCount + type]!);
    const samples = {
      byType: ofPeriod,
      converted: converted[period]!,
      excluded: rowCount - (end - start),
    };
    groups.push(groupOf(first + period, values, start, end, samples));
    const step = steps.add(4 * rowCount);
    if (step > 0) yield step;
  }
  return groups;
}

/** The newest and the oldest period of some segments; the oldest is -1 without any. */
function periodsOfSegments({ dayCodes, ofDay }: RowPeriods, { from, to }: Segments): [number, number] {
  let first = Infinity;
  let last = -1;
  for (let segment = 0; segment < from.length; segment++) {
    first = Math.min(first, ofDay[dayCodes[from[segment]!]!]!);
    last = Math.max(last, ofDay[dayCodes[to[segment]! - 1]!]!);
  }
  return [first, last];
}

/** Counts the rows of each period, in the entry after its own. */
function countPeriods({ dayCodes, ofDay, first, starts }: GroupsByPeriod, from: number, to: number): void {
  for (let row = from; row < to; row++) starts[ofDay[dayCodes[row]!]! - first + 1]!++;
}

/** Adds the converted prices of some rows of a market to those of their periods. */
function addPrices(
  { catalogue, prices, conversion }: PriceSource,
  { dayCodes, ofDay, first, ends, byType, converted, values }: GroupsByPeriod,
  from: number,
  to: number,
  market: number,
): void {
  const { units } = prices;
  const { unit } = conversion;
  const type = catalogue.marketTypeCodes[market]!;
  for (let row = from; row < to; row++) {
    const value = convertPrice(prices, conversion, row);
    if (Number.isNaN(value)) continue;
    const period = ofDay[dayCodes[row]!]! - first;
    if (units[row]! !== unit) converted[period]!++;
    byType[period * typeCount + type]!++;
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
  { catalogue, prices, conversion }: PriceSource,
  key: number,
  { markets, from, to }: Segments,
  first: number,
  end: number,
  buffers: GroupBuffers,
): TypedGroup {
  const { units } = prices;
  const { unit } = conversion;
  let rowCount = 0;
  for (let segment = first; segment < end; segment++) rowCount += to[segment]! - from[segment]!;
  const values = buffers.valuesFor(rowCount);
  const byType = marketTypes.map(() => 0);
  let count = 0;
  let converted = 0;
  for (let segment = first; segment < end; segment++) {
    const countBefore = count;
    for (let row = from[segment]!; row < to[segment]!; row++) {
      const value = convertPrice(prices, conversion, row);
      if (Number.isNaN(value)) continue;
      if (units[row]! !== unit) converted++;
      values[count++] = value;
    }
    byType[catalogue.marketTypeCodes[markets[segment]!]!]! += count - countBefore;
  }
  return groupOf(key, values, 0, count, { byType, converted, excluded: rowCount - count });
}
