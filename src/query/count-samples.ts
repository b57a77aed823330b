/** What prices an answer of statistics is made of: by type of market, and by the time that they stand for. */
import { periodOfSource } from "../domain/dataset.ts";
import { countyIdMax, countyIdMin } from "../domain/ids.ts";
import { type Grouping, marketTypes, type SamplePeriod, samplePeriods } from "../domain/vocabulary.ts";
import type { CodeColumn } from "../store/columns.ts";
import type { Group } from "../store/figures.ts";
import type { Range } from "../store/lower-bound.ts";
import { splitByPeriod, type TimeGrouping } from "../store/periods.ts";
import { positionsOfPeriods, rollupPartition } from "../store/rollups.ts";
import { type Segments, typeCodeOf } from "../store/runs.ts";
import { StepCounter } from "../store/step-counter.ts";
import type { Store } from "../store/store.ts";
import { convertPrice } from "../store/unit-conversion.ts";
import type { PriceStatistics } from "./questions.ts";
import type { SelectedPrices } from "./select.ts";

/** Prices by the time they stand for, of those times that are longer than a group; without those that no price has. */
export type CoarserSamples = Readonly<Partial<Record<SamplePeriod, number>>>;

export interface SampleCounts {
  /** Prices in the figures by type of market: positions of `marketTypes`. */
  readonly samplesByType: readonly number[];
  /** Prices in the figures that stand for a longer time than a group does. */
  readonly coarserSamples: CoarserSamples;
  /** Prices of each group by type of market, where the question asks for them; their sum is the group's count. */
  readonly typesOf: ((group: Group) => ArrayLike<number>) | undefined;
}

/** What is known of the answer. */
interface CountedSamples {
  /** Prices in the figures. */
  readonly count: number;
  /** Prices left out for their unit or currency. */
  readonly excluded: number;
}

/** Counts of nothing. */
export const noSamples: SampleCounts = {
  samplesByType: marketTypes.map(() => 0),
  coarserSamples: {},
  typesOf: undefined,
};

/** Rows looked at between two yields. */
const stepRows = 16_384;

/**
 * Counts the prices in the figures.
 *
 * Cost: by type nothing with a type or a market; in a county or with a price flag a look at each segment, and at each row where
 * prices are left out; otherwise a look at each type's months, and at each row of months that the days cut. By time a look at
 * each row, but nothing where all sources of the snapshot have one period, or none has a longer one. By group and type a look
 * at each row at the most.
 */
export function* countSamples(
  store: Store,
  question: PriceStatistics,
  selected: SelectedPrices,
  samples: CountedSamples,
): Generator<number, SampleCounts> {
  if (samples.count === 0) return noSamples;
  const samplesByType = yield* countTypes(store, question, selected, samples);
  const coarserSamples = yield* countCoarser(store, question.grouping, selected, samples);
  const typesOf =
    question.withTypesOfGroups === true
      ? yield* countTypesOfGroups(store, question, selected, { ...samples, samplesByType })
      : undefined;
  return { samplesByType, coarserSamples, typesOf };
}

function* countTypes(
  store: Store,
  question: PriceStatistics,
  selected: SelectedPrices,
  { count, excluded }: CountedSamples,
): Generator<number, readonly number[]> {
  const { marketTypeCodes, marketCodes } = store.catalogue;
  const { marketType, marketUuid } = question;
  const counts: number[] = marketTypes.map(() => 0);
  if (marketType !== undefined || marketUuid !== undefined) {
    const market = marketUuid === undefined ? undefined : marketCodes.get(marketUuid);
    counts[market === undefined ? typeCodeOf(marketType) : marketTypeCodes[market]!] = count;
  } else if (!isOfAllMarkets(question) && excluded === 0) {
    const { markets, from, to } = yield* selected.segments();
    for (const [at, market] of markets.entries()) counts[marketTypeCodes[market]!]! += to[at]! - from[at]!;
  } else {
    const rollup = isOfAllMarkets(question) ? "month" : undefined;
    yield* addTypes(store, selected, rollup, { counts, slots: undefined, hasExcluded: excluded > 0 });
  }
  return counts;
}

/** Whether figures of all markets and flags answer a question, as those of rollups do. */
function isOfAllMarkets({ marketUuid, countyId, priceFlag }: PriceStatistics): boolean {
  return marketUuid === undefined && countyId === undefined && priceFlag === undefined;
}

function* countTypesOfGroups(
  store: Store,
  question: PriceStatistics,
  selected: SelectedPrices,
  { excluded, samplesByType }: CountedSamples & Pick<SampleCounts, "samplesByType">,
): Generator<number, (group: Group) => ArrayLike<number>> {
  const { catalogue, prices } = store;
  const { grouping } = question;
  const ofType = (type: number, count: number): number[] => marketTypes.map((_, code) => (code === type ? count : 0));
  if (grouping === "market") return ({ key, count }) => ofType(catalogue.marketTypeCodes[key]!, count);
  if (samplesByType.filter((count) => count > 0).length < 2) {
    const type = samplesByType.findIndex((count) => count > 0);
    return ({ count }) => ofType(type, count);
  }
  const { days } = selected.selection;
  const byCounty = { codes: prices.markets, keys: catalogue.marketCounties, first: countyIdMin, end: countyIdMax + 1 };
  const slots = grouping === "county" ? byCounty : slotsOfPeriods(store, grouping, days);
  const counts = new Uint32Array((slots.end - slots.first) * marketTypes.length);
  const isInRollup = isOfAllMarkets(question) && (grouping === "week" || grouping === "month");
  yield* addTypes(store, selected, isInRollup ? grouping : undefined, { counts, slots, hasExcluded: excluded > 0 });
  return ({ key }) => {
    const slot = key - slots.first;
    return counts.subarray(slot * marketTypes.length, (slot + 1) * marketTypes.length);
  };
}

/** Which slot a row counts in: the key of the code that a column has of it, counted from the first key. */
interface Slots {
  readonly codes: CodeColumn;
  readonly keys: ArrayLike<number>;
  readonly first: number;
  /** After the last key. */
  readonly end: number;
}

function slotsOfPeriods({ periods }: Store, grouping: TimeGrouping, days: Range): Slots {
  const { ofDay } = periods[grouping];
  return { codes: periods.dayCodes, keys: ofDay, first: ofDay[days.from]!, end: ofDay[days.to - 1]! + 1 };
}

interface TypeCounts {
  /** By slot, then type code. */
  readonly counts: number[] | Uint32Array;
  /** Undefined where all rows count in one slot. */
  readonly slots: Slots | undefined;
  /** Whether there are rows that cannot be converted, which do not count. */
  readonly hasExcluded: boolean;
}

/**
 * Adds the selected prices by type.
 *
 * @param rollup Of whose periods those that lie whole within the days are added up; without it each row is looked at.
 */
function* addTypes(
  store: Store,
  selected: SelectedPrices,
  rollup: "week" | "month" | undefined,
  types: TypeCounts,
): Generator<number, void> {
  if (rollup === undefined) return yield* addRows(store, selected, yield* selected.segments(), types);
  const { older, whole, newer } = splitByPeriod(store.periods[rollup], selected.selection.days);
  const { counts, slots } = types;
  const { keys, counts: groupCounts } = store.rollups[rollup];
  for (let type = 0; type < marketTypes.length; type++) {
    const { from, to } = positionsOfPeriods(store.rollups[rollup], rollupPartition(selected.product, type), whole);
    for (let at = from; at < to; at++) {
      const slot = slots === undefined ? 0 : keys[at]! - slots.first;
      counts[slot * marketTypes.length + type]! += groupCounts[at]!;
    }
  }
  yield* addRows(store, selected, selected.byTime(older), types);
  yield* addRows(store, selected, selected.byTime(newer), types);
}

function* addRows(
  { catalogue: { marketTypeCodes }, prices }: Store,
  selected: SelectedPrices,
  { rows, from, to }: Segments,
  { counts, slots, hasExcluded }: TypeCounts,
): Generator<number, void> {
  const conversion = hasExcluded ? selected.source.conversion : null;
  const steps = new StepCounter(stepRows);
  for (let segment = 0; segment < from.length; segment++) {
    for (let start = from[segment]!; start < to[segment]!; start += stepRows) {
      const stop = Math.min(to[segment]!, start + stepRows);
      for (let at = start; at < stop; at++) {
        const row = rows === null ? at : rows[at]!;
        if (conversion !== null && Number.isNaN(convertPrice(prices, conversion, row))) continue;
        const slot = slots === undefined ? 0 : slots.keys[slots.codes[row]!]! - slots.first;
        counts[slot * marketTypes.length + marketTypeCodes[prices.markets[row]!]!]!++;
      }
      const step = steps.add(stop - start);
      if (step > 0) yield step;
    }
  }
}

/** Counts by the names of types, those of which there are any. */
export function namedTypeCounts(counts: ArrayLike<number>): Readonly<Record<string, number>> {
  // A loop, because exports have this in each row and entries take several times as long.
  const named: Record<string, number> = {};
  for (let code = 0; code < marketTypes.length; code++) {
    if (counts[code]! > 0) named[marketTypes[code]!] = counts[code]!;
  }
  return named;
}

/** Counts the prices whose source states a longer period than that of the groups. */
function* countCoarser(
  { prices, snapshot }: Store,
  grouping: Grouping,
  selected: SelectedPrices,
  { count }: CountedSamples,
): Generator<number, CoarserSamples> {
  const periods = prices.sourceNames.map((source) => {
    const period = periodOfSource(snapshot.periods, source);
    return period !== null && isCoarser(period, grouping) ? period : null;
  });
  const [first = null] = periods;
  if (periods.every((period) => period === first)) return first === null ? {} : { [first]: count };
  const { conversion } = selected.source;
  const { rows, from, to } = yield* selected.segments();
  const counts = new Map<SamplePeriod, number>();
  const steps = new StepCounter(stepRows);
  for (let segment = 0; segment < from.length; segment++) {
    for (let at = from[segment]!; at < to[segment]!; at++) {
      const row = rows === null ? at : rows[at]!;
      const period = periods[prices.sources[row]!]!;
      if (period === null || Number.isNaN(convertPrice(prices, conversion, row))) continue;
      counts.set(period, (counts.get(period) ?? 0) + 1);
    }
    const step = steps.add(to[segment]! - from[segment]!);
    if (step > 0) yield step;
  }
  return Object.fromEntries(counts);
}

/** Whether a price that stands for a period is in a group of a part of it alone. Markets and counties are no times. */
function isCoarser(period: SamplePeriod, grouping: Grouping): boolean {
  const group = samplePeriods.indexOf(grouping as SamplePeriod);
  return group !== -1 && samplePeriods.indexOf(period) < group;
}
