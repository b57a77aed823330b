/**
 * Precomputed figures of each product by day, week and month, and by week and month for each type of market, so that a
 * question about whole periods without a market or county sums nothing up. In the product's own unit and currency.
 */
import { type ColumnOf, type ColumnTypeName, sharedColumnFrom, sharedUint32 } from "../domain/shared-columns.ts";
import { marketTypes, type TimeGrouping } from "../domain/vocabulary.ts";
import type { RatedPrices } from "./exchange-rates.ts";
import type { Group, TypedGroup } from "./figures.ts";
import { GroupBuffers, groupByPeriod } from "./group-prices.ts";
import { lowerBound, type Range } from "./lower-bound.ts";
import { allDays, allTypes, type RunIndex, selectSegments } from "./runs.ts";
import { finish } from "./step-counter.ts";
import { conversionTo, type ProductMeasure } from "./unit-conversion.ts";

/**
 * Groups by partition, see `rollupPartition`: those of p are `offsets[p]` to `offsets[p + 1] - 1`, newest period first.
 */
export interface Rollup {
  readonly offsets: Uint32Array<SharedArrayBuffer>;
  /** Periods. */
  readonly keys: Uint32Array<SharedArrayBuffer>;
  /** 0 where no price of the period can be converted; the figures are then 0 too. */
  readonly counts: Uint32Array<SharedArrayBuffer>;
  readonly means: Float64Array<SharedArrayBuffer>;
  readonly mins: Float64Array<SharedArrayBuffer>;
  readonly maxs: Float64Array<SharedArrayBuffer>;
  readonly medians: Float64Array<SharedArrayBuffer>;
  readonly deviations: Float64Array<SharedArrayBuffer>;
  /** How many prices of each of `marketTypes` all groups before a group have, behind the last those of all groups. */
  readonly typesBefore: Uint32Array<SharedArrayBuffer>;
  readonly converted: Uint32Array<SharedArrayBuffer>;
  readonly excluded: Uint32Array<SharedArrayBuffer>;
}

/**
 * The groupings that have rollups. Quarters and years are few groups of many prices: their medians read the prices.
 */
export const rollupGroupings = ["day", "week", "month"] as const;
export type RollupGrouping = (typeof rollupGroupings)[number];

/** Whether a grouping has a rollup. */
export function hasRollup(grouping: TimeGrouping): grouping is RollupGrouping {
  return rollupGroupings.some((name) => name === grouping);
}

/**
 * By day the partitions of single types are empty: a day of one type has few prices, and groups would be as many as
 * those.
 */
export type Rollups = Readonly<Record<RollupGrouping, Rollup>>;

const partitionsPerProduct = marketTypes.length + 1;

/**
 * The partition of a product, and of one type of market or all of them.
 *
 * @param type Position in `marketTypes`, or `allTypes`.
 */
export function rollupPartition(product: number, type: number): number {
  return product * partitionsPerProduct + type + 1;
}

/** What rollups are made from. */
export interface RollupSources extends RatedPrices {
  readonly runs: RunIndex;
  readonly measures: readonly ProductMeasure[];
}

/**
 * Builds the rollup of one grouping. Cost: each price goes into one group, or two where types have groups of their own.
 */
export function buildRollup(sources: RollupSources, grouping: RollupGrouping): Rollup {
  const { catalogue, prices, periods, measures } = sources;
  const offsets = sharedUint32(rollupPartition(catalogue.products.length, allTypes) + 1);
  const allMarkets = { from: 0, to: catalogue.markets.length };
  const buffers = new GroupBuffers();
  const groups: TypedGroup[] = [];
  let partition = 0;
  for (const [product, measure] of measures.entries()) {
    const source = { catalogue, prices, conversion: conversionTo(sources, measure) };
    for (let type = allTypes; type < marketTypes.length; type++) {
      if (type === allTypes || grouping !== "day") {
        const rowPeriods = { dayCodes: periods.dayCodes, ofDay: periods[grouping].ofDay };
        const segments = selectSegments(sources, product, { ...allMarkets, type }, allDays);
        for (const group of finish(groupByPeriod(source, rowPeriods, segments, buffers))) groups.push(group);
      }
      offsets[++partition] = groups.length;
    }
  }
  return { offsets, ...columnsOf(groups) };
}

function columnsOf(groups: readonly TypedGroup[]): Omit<Rollup, "offsets"> {
  const column = <Type extends ColumnTypeName>(type: Type, name: keyof Group): ColumnOf<Type> =>
    sharedColumnFrom(type, groups, (group) => group[name]);
  const typesBefore = sharedUint32((groups.length + 1) * marketTypes.length);
  let before = 0;
  for (const { byType } of groups) {
    for (const count of byType) typesBefore[before + marketTypes.length] = typesBefore[before++]! + count;
  }
  return {
    keys: column("Uint32Array", "key"),
    counts: column("Uint32Array", "count"),
    means: column("Float64Array", "mean"),
    mins: column("Float64Array", "min"),
    maxs: column("Float64Array", "max"),
    medians: column("Float64Array", "median"),
    deviations: column("Float64Array", "deviation"),
    typesBefore,
    converted: column("Uint32Array", "converted"),
    excluded: column("Uint32Array", "excluded"),
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

/** The prices of some groups by type of market: positions of `marketTypes`. */
export function typesOfRollup({ rollup: { typesBefore }, from, to }: RollupRange): number[] {
  return marketTypes.map((_, type) => {
    return typesBefore[to * marketTypes.length + type]! - typesBefore[from * marketTypes.length + type]!;
  });
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
    converted: rollup.converted[at]!,
    excluded: rollup.excluded[at]!,
  };
}

/** As `groupOfRollup`, with its prices by type of market, which take longer to read than all its figures. */
export function typedGroupOfRollup(rollup: Rollup, at: number): TypedGroup {
  return { ...groupOfRollup(rollup, at), byType: typesOfRollup({ rollup, from: at, to: at + 1 }) };
}

/** The groups of a range, the last first: oldest first. @param read Reads one of them. */
export function groupsOfRollup<Read extends Group = Group>(
  { rollup, from, to }: RollupRange,
  read: (rollup: Rollup, at: number) => Read,
): Read[] {
  return Array.from({ length: to - from }, (_, at) => read(rollup, to - 1 - at));
}
