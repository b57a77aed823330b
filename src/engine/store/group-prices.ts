/**
 * Groups of one product's prices, made on request: by period (count the prices of each, put them side by side, compute
 * figures), or some segments as one group. Rollups are such groups, made when the store is built: each product by each
 * length of period, and except by day for each type of market, in the product's own unit and currency. So a question
 * about whole periods without a market or county sums nothing up.
 */
import { type ColumnOf, type ColumnTypeName, sharedColumnFrom, sharedUint32 } from "../model/shared-columns.ts";
import { marketTypes, type TimeGrouping } from "../model/vocabulary.ts";
import { lowerBound, type Range } from "./columns.ts";
import { type Group, groupOf } from "./figures.ts";
import {
  conversionTo,
  convertPrice,
  type PriceConversion,
  type RatedPrices,
  type UnitAndCurrency,
} from "./price-conversion.ts";
import { allDays, allTypes, type RunIndex, type Segments, selectSegments, visitSegments } from "./runs.ts";
import { finish, StepCounter } from "./steps.ts";

/** Prices, their periods, the types of their markets, and the unit and currency that they are converted to. */
export interface PriceSource extends Pick<RatedPrices, "catalogue" | "prices" | "periods"> {
  readonly conversion: PriceConversion;
}

const typeCount = marketTypes.length;

/** Rows between two yields. */
const stepRows = 16_384;

/**
 * Groups prices by period.
 *
 * @returns Groups by period, newest first.
 * Cost: two passes over the rows, then the figures. Yields the number of rows done after every few thousand of them.
 */
export function* groupByPeriod(
  { catalogue: { marketTypeCodes }, prices, periods, conversion }: PriceSource,
  grouping: TimeGrouping,
  segments: Segments,
): Generator<number, Group[]> {
  const { dayCodes } = periods;
  const { ofDay } = periods[grouping];
  const { units } = prices;
  const { unit } = conversion;
  if (segments.rowCount === 0) return [];
  const first = ofDay[segments.from.reduce((day, row) => Math.min(day, dayCodes[row]!), Infinity)]!;
  const last = ofDay[segments.to.reduce((day, end) => Math.max(day, dayCodes[end - 1]!), 0)]!;
  const periodCount = last - first + 1;
  const starts = new Uint32Array(periodCount + 1);
  // Of each period the rows are counted in the entry after its own.
  yield* visitSegments(segments, stepRows, (from, to) => {
    for (let row = from; row < to; row++) starts[ofDay[dayCodes[row]!]! - first + 1]!++;
  });
  for (let period = 0; period < periodCount; period++) starts[period + 1]! += starts[period]!;
  const ends = starts.slice(0, periodCount);
  const converted = new Uint32Array(periodCount);
  const byType = new Uint32Array(typeCount * periodCount);
  const values = new Float64Array(segments.rowCount);
  yield* visitSegments(segments, stepRows, (from, to, market) => {
    const type = marketTypeCodes[market]!;
    for (let row = from; row < to; row++) {
      const value = convertPrice(prices, conversion, row);
      if (Number.isNaN(value)) continue;
      const period = ofDay[dayCodes[row]!]! - first;
      if (units[row]! !== unit) converted[period]!++;
      byType[period * typeCount + type]!++;
      values[ends[period]!++] = value;
    }
  });
  const steps = new StepCounter(stepRows);
  const groups: Group[] = [];
  for (let period = 0; period < periodCount; period++) {
    const rowCount = starts[period + 1]! - starts[period]!;
    if (rowCount === 0) continue;
    const [start, end] = [starts[period]!, ends[period]!];
    const samples = {
      byType: typesAt(byType, period),
      converted: converted[period]!,
      excluded: rowCount - (end - start),
    };
    groups.push(groupOf(first + period, values, start, end, samples));
    const step = steps.add(4 * rowCount);
    if (step > 0) yield step;
  }
  return groups;
}

/** The prices of a group by type of market. A loop, because a `map` takes as long as the figures of a small group. */
function typesAt(types: Uint32Array, group: number): number[] {
  const counts: number[] = [];
  for (let type = 0; type < typeCount; type++) counts.push(types[group * typeCount + type]!);
  return counts;
}

/**
 * The group of all prices of some neighbouring segments.
 *
 * @param first First segment (inclusive).
 * @param end End of the segments (exclusive).
 * @param values Room for their prices; overwritten.
 * Cost: one pass over the rows, then the figures.
 */
export function groupSegments(
  { catalogue, prices, conversion }: PriceSource,
  key: number,
  { markets, from, to }: Segments,
  first: number,
  end: number,
  values: Float64Array,
): Group {
  const { units } = prices;
  const { unit } = conversion;
  const byType = marketTypes.map(() => 0);
  let rowCount = 0;
  let count = 0;
  let converted = 0;
  for (let segment = first; segment < end; segment++) {
    const countBefore = count;
    rowCount += to[segment]! - from[segment]!;
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

/** The columns of figures: the type of each, and what it has of a group. */
const figureColumns = {
  /** Periods. */
  keys: ["Uint32Array", "key"],
  /** 0 where no price of the period can be converted; the figures are then 0 too. */
  counts: ["Uint32Array", "count"],
  means: ["Float64Array", "mean"],
  mins: ["Float64Array", "min"],
  maxs: ["Float64Array", "max"],
  medians: ["Float64Array", "median"],
  deviations: ["Float64Array", "deviation"],
  converted: ["Uint32Array", "converted"],
  excluded: ["Uint32Array", "excluded"],
} as const satisfies Readonly<Record<string, readonly [ColumnTypeName, keyof Group]>>;

type FigureColumns = {
  readonly [Name in keyof typeof figureColumns]: ColumnOf<(typeof figureColumns)[Name][0]>;
};

/**
 * Groups by partition, see `rollupPartition`: those of p are `offsets[p]` to `offsets[p + 1] - 1`, newest period first.
 */
export interface Rollup extends FigureColumns {
  readonly offsets: Uint32Array<SharedArrayBuffer>;
  /** Prices of each of `marketTypes` by group. */
  readonly types: Uint32Array<SharedArrayBuffer>;
}

/**
 * By day the partitions of single types are empty: a day of one type has few prices, and groups would be as many as
 * those.
 */
export type Rollups = Readonly<Record<TimeGrouping, Rollup>>;

const partitionsPerProduct = marketTypes.length + 1;

/**
 * The partition of a product, and of one type of market or all of them.
 *
 * @param type Position in `marketTypes`, or `allTypes`.
 */
export function rollupPartition(product: number, type: number): number {
  return product * partitionsPerProduct + type + 1;
}

/** The sources of rollups. */
export interface RollupSources extends RatedPrices {
  readonly runs: RunIndex;
  readonly statisticsUnits: readonly UnitAndCurrency[];
}

/**
 * Builds the rollup of one grouping. Cost: each price goes into one group, or two where types have groups of their own.
 */
export function buildRollup(sources: RollupSources, grouping: TimeGrouping): Rollup {
  const { catalogue, statisticsUnits } = sources;
  const offsets = sharedUint32(rollupPartition(catalogue.products.length, allTypes) + 1);
  const allMarkets = { from: 0, to: catalogue.markets.length };
  // Columns of numbers: as objects, groups add 0.2 GiB to a build of 10 M prices.
  const figures = Object.entries(figureColumns).map(([name, [type, field]]) => {
    return { name, type, field, numbers: [] as number[] };
  });
  const types: number[] = [];
  let partition = 0;
  for (const [product, own] of statisticsUnits.entries()) {
    const source = { ...sources, conversion: conversionTo(sources, own) };
    for (let type = allTypes; type < marketTypes.length; type++) {
      if (type === allTypes || grouping !== "day") {
        const segments = selectSegments(sources, product, { ...allMarkets, type }, allDays);
        for (const group of finish(groupByPeriod(source, grouping, segments))) {
          for (const { field, numbers } of figures) numbers.push(group[field]);
          types.push(...group.byType);
        }
      }
      offsets[++partition] = types.length / typeCount;
    }
  }
  const columns = figures.map(({ name, type, numbers }) => [name, sharedColumnFrom(type, numbers)]);
  return {
    offsets,
    ...(Object.fromEntries(columns) as FigureColumns),
    types: sharedColumnFrom("Uint32Array", types),
  };
}

/** Neighbouring groups of one partition, by position: the newest first. */
export interface RollupRange extends Range {
  readonly rollup: Rollup;
}

/**
 * The groups of some periods of a product.
 *
 * @param type As in `rollupPartition`.
 * @param periods Counted from the newest, see periods.ts.
 * Cost: two binary searches.
 */
export function rollupRange(rollup: Rollup, product: number, type: number, periods: Range): RollupRange {
  const partition = rollupPartition(product, type);
  const end = rollup.offsets[partition + 1]!;
  const from = lowerBound(rollup.keys, null, periods.from, rollup.offsets[partition]!, end);
  return { rollup, from, to: lowerBound(rollup.keys, null, periods.to, from, end) };
}

/** One group of a rollup. */
export function groupOfRollup(rollup: Rollup, at: number): Group {
  return {
    key: rollup.keys[at]!,
    count: rollup.counts[at]!,
    mean: rollup.means[at]!,
    min: rollup.mins[at]!,
    max: rollup.maxs[at]!,
    median: rollup.medians[at]!,
    deviation: rollup.deviations[at]!,
    byType: typesAt(rollup.types, at),
    converted: rollup.converted[at]!,
    excluded: rollup.excluded[at]!,
  };
}

/** The groups of a range, the last first: oldest first. */
export function groupsOfRollup({ rollup, from, to }: RollupRange): Group[] {
  return Array.from({ length: to - from }, (_, at) => groupOfRollup(rollup, to - 1 - at));
}
