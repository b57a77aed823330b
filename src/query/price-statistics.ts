/**
 * Statistics of one product's prices over some days. One unit and one currency per answer; what cannot be brought to them
 * is left out and counted. Three steps: select the segments of the wanted runs within the days, group them, summarise.
 */
import type { ProductCode } from "../store/catalogue.ts";
import { type Group, sumOf } from "../store/figures.ts";
import { GroupBuffers, groupByPeriod, groupSegments, type PriceSource } from "../store/group-prices.ts";
import { lowerBound, type Range } from "../store/lower-bound.ts";
import { dayCodesOf, narrowToDays, type TimeGrouping } from "../store/periods.ts";
import { groupOfRollup, rollupPartition } from "../store/rollups.ts";
import { allTypes, type Segments, typeCodeOf } from "../store/runs.ts";
import { StepCounter } from "../store/step-counter.ts";
import type { Store } from "../store/store.ts";
import { conversionTo, type ProductMeasure, type UnitConversion } from "../store/unit-conversion.ts";
import { type CoarserSamples, countCoarser } from "./count-coarser.ts";
import { countMarketTypes } from "./count-market-types.ts";
import type { PriceStatistics } from "./questions.ts";
import { runInSlices } from "./run-in-slices.ts";
import { selectRows } from "./select-rows.ts";

export interface StatisticsAnswer extends ProductMeasure {
  readonly product: ProductCode;
  /** Each of at least one price. Times ascending; markets and counties by folded name, then uuid or id. */
  readonly groups: readonly Group[];
  /** Over all records that are in a group; null without any. */
  readonly overall: OverallFigures | null;
  /** Records that are in the figures and were recorded in another unit. */
  readonly convertedSamples: number;
  /** Records in a unit of another base or another currency. */
  readonly excludedSamples: number;
  /** Records in the figures by type of market: positions of `marketTypes`. */
  readonly samplesByType: readonly number[];
  /** Records in the figures that stand for a longer time than a group does. */
  readonly coarserSamples: CoarserSamples;
}

/** The figures of all groups together. */
export interface OverallFigures {
  /** Arithmetic mean over records, not over groups. */
  readonly average: number;
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

/** Why there is no answer. */
export type StatisticsProblem =
  | { readonly problem: "unknown product" }
  /** The unit asked for does not exist or has another base unit than the product's statistics. */
  | { readonly problem: "foreign unit"; readonly unitsAllowed: readonly string[] };

/**
 * Answers a statistics question.
 *
 * Cost: whole days, weeks and months without a market, county or price flag and in the product's own unit are looked up in rollups, and at
 * most the first and last period are summed up; everything else reads the selected segments, by time twice, otherwise once.
 *
 * @param sliceRows See `runInSlices`.
 * @returns A promise when many rows are summed up; other requests are served between its slices.
 */
export function priceStatistics(
  store: Store,
  question: PriceStatistics,
  sliceRows?: number,
): StatisticsAnswer | StatisticsProblem | Promise<StatisticsAnswer> {
  const work = startStatistics(store, question);
  return "problem" in work ? work : runInSlices(work, sliceRows);
}

/** As `priceStatistics`, as work that the caller does step by step; each step says how many rows it has looked at. */
export function startStatistics(
  store: Store,
  question: PriceStatistics,
): Generator<number, StatisticsAnswer> | StatisticsProblem {
  const { catalogue } = store;
  const product = catalogue.productCodes.get(question.productUuid);
  if (product === undefined) return { problem: "unknown product" };
  const own = store.measures[product]!;
  const unit = question.unit ?? own.unit;
  const base = catalogue.units.get(own.unit)?.baseUnit;
  if (catalogue.units.get(unit)?.baseUnit !== base) {
    const allowed = [...catalogue.units.values()].filter(({ baseUnit }) => baseUnit === base);
    return { problem: "foreign unit", unitsAllowed: allowed.map(({ name }) => name) };
  }
  return computeStatistics(store, question, product, { unit, currency: own.currency });
}

/** Buffers of questions that have ended, for those to come. */
const freeBuffers: GroupBuffers[] = [];

/** More buffers, or larger ones, are left to the garbage collector. */
const buffersKeptMax = 4;
const valuesKeptMax = 1_000_000;

function* computeStatistics(
  store: Store,
  question: PriceStatistics,
  product: ProductCode,
  measure: ProductMeasure,
): Generator<number, StatisticsAnswer> {
  const buffers = freeBuffers.pop() ?? new GroupBuffers();
  const { catalogue, prices } = store;
  const source = (): PriceSource => ({ prices, conversion: conversionTo(catalogue, prices, measure) });
  const { grouping } = question;
  const groups =
    grouping === "market" || grouping === "county"
      ? yield* groupByLocation(store, question, product, grouping, source, buffers)
      : yield* groupByTime(store, question, product, grouping, source, buffers);
  if (freeBuffers.length < buffersKeptMax && buffers.values.length <= valuesKeptMax) freeBuffers.push(buffers);
  const summary = summarise(groups);
  const samples = { count: summary.overall?.count ?? 0, excluded: summary.excludedSamples };
  const conversion = (): UnitConversion => source().conversion;
  const samplesByType = yield* countMarketTypes(store, question, product, samples, conversion);
  const coarserSamples = yield* countCoarser(store, question, product, samples.count, conversion);
  return { product, ...measure, ...summary, samplesByType, coarserSamples };
}

/** Groups by time, oldest first. */
function* groupByTime(
  store: Store,
  question: PriceStatistics,
  product: ProductCode,
  grouping: TimeGrouping,
  source: () => PriceSource,
  buffers: GroupBuffers,
): Generator<number, Group[]> {
  const { periods } = store;
  const list = periods[grouping];
  const { marketUuid, countyId, unit, priceFlag } = question;
  const type = typeCodeOf(question.marketType);
  const isOwnUnit = unit === undefined || unit === store.measures[product]!.unit;
  const isOfAll = marketUuid === undefined && countyId === undefined && priceFlag === undefined;
  const hasRollup = isOwnUnit && isOfAll && (type === allTypes || grouping !== "day");
  const days = dayCodesOf(periods, question.dayFirst, question.dayLast);
  if (!hasRollup) {
    const segments = yield* selectRows(store, question, product, days);
    return (yield* groupByPeriod(source(), periods.dayCodes, list, segments, buffers)).reverse();
  }
  if (days.from >= days.to) return [];
  const periodFirst = list.ofDay[days.from]!;
  const periodLast = list.ofDay[days.to - 1]!;
  // Periods count from the newest, see store/periods.ts: `wholeFirst` is the newest that lies whole within the days.
  const wholeFirst = list.dayOffsets[periodFirst] === days.from ? periodFirst : periodFirst + 1;
  const wholeEnd = list.dayOffsets[periodLast + 1] === days.to ? periodLast + 1 : periodLast;
  const groups: Group[] = [];
  if (wholeEnd <= periodLast) yield* addCut({ from: Math.max(days.from, list.dayOffsets[periodLast]!), to: days.to });
  const rollup = store.rollups[grouping];
  const partition = rollupPartition(product, type);
  const from = rollup.offsets[partition]!;
  let at = lowerBound(rollup.keys, null, wholeEnd, from, rollup.offsets[partition + 1]!) - 1;
  for (; at >= from && rollup.keys[at]! >= wholeFirst; at--) groups.push(groupOfRollup(rollup, at));
  // A single period that is cut at both ends has been added already.
  if (wholeFirst > periodFirst && wholeFirst <= wholeEnd)
    yield* addCut({ from: days.from, to: list.dayOffsets[wholeFirst]! });
  return groups;

  /** Adds the group of a period that the days cut. */
  function* addCut(days: Range): Generator<number, void> {
    const segments =
      type === allTypes ? segmentByTime(store, product, days) : yield* selectRows(store, question, product, days);
    for (const group of yield* groupByPeriod(source(), periods.dayCodes, list, segments, buffers)) groups.push(group);
  }
}

/** The prices of a product within some days, as one segment of its rows by time. */
function segmentByTime({ periods, rowsByProduct: { offsets, rows } }: Store, product: number, days: Range): Segments {
  const { from, to } = narrowToDays(periods, rows, { from: offsets[product]!, to: offsets[product + 1]! }, days);
  return { rows, from: [from], to: [to], rowCount: to - from };
}

/** Converting a price and making it part of a group costs about as much as looking at so many rows. */
const groupedRow = 6;

/** Rows looked at between two yields. */
const stepRows = 100_000;

/** Groups by market or county, by name. The segments of a market are one, those of a county neighbours. */
function* groupByLocation(
  store: Store,
  question: PriceStatistics,
  product: ProductCode,
  grouping: "market" | "county",
  source: () => PriceSource,
  buffers: GroupBuffers,
): Generator<number, Group[]> {
  const { marketCounties, marketsByName, countiesByName } = store.catalogue;
  const days = dayCodesOf(store.periods, question.dayFirst, question.dayLast);
  const segments = yield* selectRows(store, question, product, days);
  const { markets, from, to } = segments;
  const prices = source();
  const byKey = new Map<number, Group>();
  const steps = new StepCounter(stepRows);
  for (let start = 0; start < markets.length; ) {
    const key = grouping === "market" ? markets[start]! : marketCounties[markets[start]!]!;
    let end = start + 1;
    while (grouping === "county" && end < markets.length && marketCounties[markets[end]!] === key) end++;
    byKey.set(key, groupSegments(prices, key, segments, start, end, buffers));
    let rows = 0;
    for (; start < end; start++) rows += to[start]! - from[start]!;
    const step = steps.add(groupedRow * rows);
    if (step > 0) yield step;
  }
  const groups: Group[] = [];
  for (const key of grouping === "market" ? marketsByName : countiesByName) {
    const group = byKey.get(key);
    if (group !== undefined) groups.push(group);
  }
  return groups;
}

/**
 * What the groups of an answer come to, and those of them that have figures.
 *
 * The average is over records: each group's mean counts as often as the group has records. Means are halved before
 * they are added, so that no sum overflows.
 */
export function summarise(
  groups: readonly Group[],
): Pick<StatisticsAnswer, "groups" | "overall" | "convertedSamples" | "excludedSamples"> {
  let convertedSamples = 0;
  let excludedSamples = 0;
  let count = 0;
  let min = Infinity;
  let max = -Infinity;
  let hasEmpty = false;
  for (const group of groups) {
    excludedSamples += group.excluded;
    convertedSamples += group.converted;
    count += group.count;
    if (group.count === 0) hasEmpty = true;
    else {
      if (group.min < min) min = group.min;
      if (group.max > max) max = group.max;
    }
  }
  const found = hasEmpty ? groups.filter((group) => group.count > 0) : groups;
  if (count === 0) return { groups: found, overall: null, convertedSamples, excludedSamples };
  // A loop, because `from` takes several times as long.
  const parts = new Float64Array(found.length);
  for (let at = 0; at < parts.length; at++) parts[at] = (found[at]!.mean / 2) * (found[at]!.count / count);
  const average = Math.min(Math.max(2 * sumOf(parts, 0, parts.length, 1), min), max);
  return { groups: found, overall: { average, min, max, count }, convertedSamples, excludedSamples };
}
