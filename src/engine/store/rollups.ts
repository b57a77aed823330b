/**
 * Precomputed figures of each product by day, week and month, and by week and month for each type of market, so that a
 * question about whole periods without a market or county sums nothing up. In the product's own unit and currency.
 */
import { type ColumnOf, type ColumnTypeName, sharedColumnFrom, sharedUint32 } from "../model/shared-columns.ts";
import { marketTypes, type TimeGrouping } from "../model/vocabulary.ts";
import { lowerBound, type Range } from "./columns.ts";
import type { Group, TypedGroup } from "./figures.ts";
import { GroupBuffers, groupByPeriod } from "./group-prices.ts";
import { conversionTo, type RatedPrices, type UnitAndCurrency } from "./price-conversion.ts";
import { allDays, allTypes, type RunIndex, selectSegments } from "./runs.ts";
import { finish } from "./steps.ts";

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
  /** How many prices of each of `marketTypes` all groups before a group have, behind the last those of all groups. */
  readonly typesBefore: Uint32Array<SharedArrayBuffer>;
}

/**
 * The groupings that have rollups. Quarters and years are few groups of many prices: their medians read the prices.
 */
export const rollupGroupings = ["day", "week", "month"] as const;
export type RollupGrouping = (typeof rollupGroupings)[number];

/** Returns whether a grouping has a rollup. */
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

/** The sources of rollups. */
export interface RollupSources extends RatedPrices {
  readonly runs: RunIndex;
  readonly statisticsUnits: readonly UnitAndCurrency[];
}

/**
 * Builds the rollup of one grouping. Cost: each price goes into one group, or two where types have groups of their own.
 */
export function buildRollup(sources: RollupSources, grouping: RollupGrouping): Rollup {
  const { catalogue, prices, periods, statisticsUnits } = sources;
  const offsets = sharedUint32(rollupPartition(catalogue.products.length, allTypes) + 1);
  const allMarkets = { from: 0, to: catalogue.markets.length };
  const buffers = new GroupBuffers();
  const columns = new GrowingColumns();
  let partition = 0;
  for (const [product, own] of statisticsUnits.entries()) {
    const source = { catalogue, prices, conversion: conversionTo(sources, own) };
    for (let type = allTypes; type < marketTypes.length; type++) {
      if (type === allTypes || grouping !== "day") {
        const rowPeriods = { dayCodes: periods.dayCodes, ofDay: periods[grouping].ofDay };
        const segments = selectSegments(sources, product, { ...allMarkets, type }, allDays);
        for (const group of finish(groupByPeriod(source, rowPeriods, segments, buffers))) columns.add(group);
      }
      offsets[++partition] = columns.groupCount;
    }
  }
  return { offsets, ...columns.finish() };
}

/** The columns of groups that are added one by one. As objects, groups add 0.2 GiB to a build of 10 M prices. */
class GrowingColumns {
  groupCount = 0;
  readonly #figures = Object.entries(figureColumns).map(([name, [type, field]]) => {
    return { name, type, field, numbers: [] as number[] };
  });
  readonly #typesBefore = marketTypes.map(() => 0);

  add(group: TypedGroup): void {
    this.groupCount++;
    for (const { field, numbers } of this.#figures) numbers.push(group[field]);
    for (const count of group.byType) this.#typesBefore.push(this.#typesBefore.at(-marketTypes.length)! + count);
  }

  /** @returns The columns in shared memory, in the order in which compiled stores have them. */
  finish(): Omit<Rollup, "offsets"> {
    const figures = this.#figures.map(({ name, type, numbers }) => [name, sharedColumnFrom(type, numbers)]);
    const { converted, excluded, ...others } = Object.fromEntries(figures) as FigureColumns;
    return { ...others, typesBefore: sharedColumnFrom("Uint32Array", this.#typesBefore), converted, excluded };
  }
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
