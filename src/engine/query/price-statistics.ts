/**
 * Statistics of one product's prices over some days. One unit and one currency per answer; what cannot be brought to
 * them is left out and counted. Four steps: select the segments of the wanted runs within the days, group them,
 * summarise, and count samples that a reader should know of (of longer periods than a group, suspicious, without rate).
 */

import { periodOfSource } from "../model/dataset.ts";
import { referenceCurrency } from "../model/records.ts";
import {
  type Grouping,
  type LocationGrouping,
  marketTypes,
  type SamplePeriod,
  samplePeriods,
  type TimeGrouping,
} from "../model/vocabulary.ts";
import type { Catalogue, ProductCode } from "../store/catalogue.ts";
import type { Range } from "../store/columns.ts";
import { type Group, sumOf, type TypedGroup } from "../store/figures.ts";
import {
  GroupBuffers,
  groupByPeriod,
  groupOfRollup,
  groupSegments,
  groupsOfRollup,
  hasRollup,
  type PriceSource,
  type Rollup,
  type RollupRange,
  rollupRange,
  typedGroupOfRollup,
  typesOfRollup,
} from "../store/group-prices.ts";
import { splitByPeriod } from "../store/periods.ts";
import {
  type ConversionTarget,
  conversionTo,
  convertPrice,
  lacksRate,
  type PriceConversion,
  targetOf,
} from "../store/price-conversion.ts";
import { allTypes, selectSegments, visitSegments } from "../store/runs.ts";
import { StepCounter } from "../store/steps.ts";
import type { Store } from "../store/store.ts";
import type { PriceStatistics } from "./questions.ts";
import { type Selection, select, suspiciousRows } from "./select.ts";

export interface StatisticsAnswer extends StatisticsTarget, SampleCounts {
  readonly product: ProductCode;
  /** Times ascending; markets and counties by folded name, then uuid or id. Some may be without a price. */
  readonly found: FoundGroups;
  /** Over all records that are in a group; null without any. */
  readonly overall: OverallFigures | null;
  /** Records that are in the figures and were recorded in another unit. */
  readonly convertedSamples: number;
  /** Records in a unit of another base, or in another currency that is not converted. */
  readonly excludedSamples: number;
  /** Records in the figures by type of market, of those types that have any. */
  readonly samplesByType: Readonly<Record<string, number>>;
}

/** The groups of an answer in its order: some of them neighbours in a rollup, where they stay columns. */
export interface FoundGroups {
  readonly before: readonly TypedGroup[];
  /** Its groups follow from the last to the first; null where the answer does not come from a rollup. */
  readonly rollup: RollupRange | null;
  readonly after: readonly TypedGroup[];
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
export type StatisticsProblem = { readonly problem: "unknown product" } | NotConvertible;

/**
 * The requested unit does not exist or has another base unit than the product's statistics; or the currency is another
 * one, and not one that the rates of the snapshot convert to.
 */
export interface NotConvertible {
  readonly problem: "not convertible";
  readonly field: "unit" | "currency";
  readonly allowed: readonly string[];
}

/**
 * Answers a statistics question.
 *
 * Cost: whole days, weeks and months (not quarters and years) without a market, county or row test and in the product's
 * own unit and currency are looked up in rollups, and at most the first and last period are summed up; everything else
 * reads the selected segments, by time twice, otherwise once. Beside that, the cost of `countSamples`.
 *
 * @returns Work; each of its steps says how many rows it has looked at.
 */
export function priceStatistics(
  store: Store,
  question: PriceStatistics,
): Generator<number, StatisticsAnswer> | StatisticsProblem {
  const { catalogue } = store;
  const selection = select(store, question);
  const { product } = selection;
  if (product === undefined) return { problem: "unknown product" };
  const own = store.statisticsUnits[product]!;
  const target = targetOf(catalogue, own, question);
  const base = catalogue.units.get(own.unit)?.baseUnit;
  if (catalogue.units.get(target.unit)?.baseUnit !== base) {
    const allowed = [...catalogue.units.values()].filter(({ baseUnit }) => baseUnit === base);
    return { problem: "not convertible", field: "unit", allowed: allowed.map(({ name }) => name) };
  }
  if (!target.isConverted && target.currency !== own.currency) {
    const known = own.currency === null ? [] : [own.currency];
    const allowed = catalogue.exchangeRates.length === 0 ? known : [...new Set([...known, referenceCurrency])];
    return { problem: "not convertible", field: "currency", allowed };
  }
  return computeStatistics(store, question, { ...selection, product }, target, conversionTo(store, target));
}

/** Buffers of questions that have ended, for those to come. */
const freeBuffers: GroupBuffers[] = [];

/** More buffers, or larger ones, are left to the garbage collector. */
const buffersKeptMax = 4;
const valuesKeptMax = 1_000_000;

type StatisticsTarget = Required<ConversionTarget>;

/** The selection of a product that exists. */
interface ProductSelection extends Selection {
  readonly product: ProductCode;
}

function* computeStatistics(
  store: Store,
  question: PriceStatistics,
  selection: ProductSelection,
  target: StatisticsTarget,
  conversion: PriceConversion,
): Generator<number, StatisticsAnswer> {
  const buffers = freeBuffers.pop() ?? new GroupBuffers();
  const { catalogue, prices } = store;
  const { grouping } = question;
  const source = { catalogue, prices, conversion };
  const found =
    grouping === "market" || grouping === "county"
      ? withoutRollup(yield* groupByLocation(catalogue, grouping, selection, source, buffers))
      : yield* groupByTime(store, grouping, target, selection, source, buffers);
  const summary = summarise(found, buffers);
  if (freeBuffers.length < buffersKeptMax && buffers.values.length <= valuesKeptMax) freeBuffers.push(buffers);
  const counted = { count: summary.overall?.count ?? 0, excluded: summary.excludedSamples };
  return {
    product: selection.product,
    ...target,
    ...summary,
    ...(yield* countSamples(store, grouping, selection, conversion, counted)),
    found,
  };
}

function withoutRollup(before: readonly TypedGroup[]): FoundGroups {
  return { before, rollup: null, after: [] };
}

/** The groups of at least one price, each an object. */
export function listGroups(found: FoundGroups): readonly Group[] {
  return listWith(groupOfRollup, found);
}

/** As `listGroups`, with the prices of each by type of market. */
export function listTypedGroups(found: FoundGroups): readonly TypedGroup[] {
  return listWith(typedGroupOfRollup, found);
}

function listWith<Read extends Group>(
  read: (rollup: Rollup, at: number) => Read,
  { before, rollup: range, after }: FoundGroups,
): readonly (Read | TypedGroup)[] {
  const groups = [...before, ...(range === null ? [] : groupsOfRollup(range, read)), ...after];
  return groups.filter(({ count }) => count > 0);
}

/** Groups by time, oldest first. */
function* groupByTime(
  store: Store,
  grouping: TimeGrouping,
  { unit, isConverted }: StatisticsTarget,
  { product, markets, days, isUnrestricted, segments }: ProductSelection,
  source: PriceSource,
  buffers: GroupBuffers,
): Generator<number, FoundGroups> {
  const { statisticsUnits, periods } = store;
  const list = periods[grouping];
  const rowPeriods = { dayCodes: periods.dayCodes, ofDay: list.ofDay };
  const isOwnUnit = unit === statisticsUnits[product]!.unit && !isConverted;
  const { type } = markets;
  if (!hasRollup(grouping) || !isOwnUnit || !isUnrestricted || (type !== allTypes && grouping === "day")) {
    return withoutRollup(yield* oldestFirst(groupByPeriod(source, rowPeriods, yield* segments(), buffers)));
  }
  const { whole, newerCut, olderCut } = splitByPeriod(list, days);
  const groupsOf = (cut: Range): Generator<number, TypedGroup[]> =>
    oldestFirst(groupByPeriod(source, rowPeriods, selectSegments(store, product, markets, cut), buffers));
  const before = olderCut.from < olderCut.to ? yield* groupsOf(olderCut) : [];
  const after = newerCut.from < newerCut.to ? yield* groupsOf(newerCut) : [];
  return { before, rollup: rollupRange(store.rollups[grouping], product, type, whole), after };
}

function* oldestFirst(groups: Generator<number, TypedGroup[]>): Generator<number, TypedGroup[]> {
  return (yield* groups).reverse();
}

/** Converting a price and making it part of a group costs about as much as looking at so many rows. */
const groupedRow = 6;

/** Rows looked at between two yields. */
const stepRows = 16_384;

/** Groups by market or county, by name. The segments of a market or county are neighbours. */
function* groupByLocation(
  { marketCounties, marketsByName, countiesByName }: Catalogue,
  grouping: LocationGrouping,
  { segments: makeSegments }: ProductSelection,
  source: PriceSource,
  buffers: GroupBuffers,
): Generator<number, TypedGroup[]> {
  const segments = yield* makeSegments();
  const { markets, from, to } = segments;
  const keyOf = (market: number): number => (grouping === "market" ? market : marketCounties[market]!);
  const byKey = new Map<number, TypedGroup>();
  const steps = new StepCounter(stepRows);
  for (let start = 0; start < markets.length; ) {
    const key = keyOf(markets[start]!);
    let end = start + 1;
    while (end < markets.length && keyOf(markets[end]!) === key) end++;
    byKey.set(key, groupSegments(source, key, segments, start, end, buffers));
    let rows = 0;
    for (; start < end; start++) rows += to[start]! - from[start]!;
    const step = steps.add(groupedRow * rows);
    if (step > 0) yield step;
  }
  const groups: TypedGroup[] = [];
  for (const key of grouping === "market" ? marketsByName : countiesByName) {
    const group = byKey.get(key);
    if (group !== undefined) groups.push(group);
  }
  return groups;
}

/**
 * Sums up the groups of an answer.
 *
 * The average is over records: each group's mean counts as often as the group has records.
 *
 * @param buffers Working memory.
 */
export function summarise(
  { before, rollup: range, after }: FoundGroups,
  buffers: GroupBuffers,
): Pick<StatisticsAnswer, "overall" | "convertedSamples" | "excludedSamples" | "samplesByType"> {
  const length = before.length + (range === null ? 0 : range.to - range.from) + after.length;
  // The mean of each group, and behind these the count of each.
  const values = buffers.valuesFor(2 * length);
  let [at, count, convertedSamples, excludedSamples, min, max] = [0, 0, 0, 0, Infinity, -Infinity];
  const typeCounts = marketTypes.map(() => 0);
  addGroups(before);
  if (range !== null) addRollup(range);
  addGroups(after);
  const samplesByType = namedTypeCounts(typeCounts);
  if (count === 0) return { overall: null, convertedSamples, excludedSamples, samplesByType };
  // A group without prices adds 0, which changes no sum.
  for (let group = 0; group < length; group++) values[group]! *= values[length + group]! / count;
  const average = Math.min(Math.max(sumOf(values, 0, length), min), max);
  return { overall: { average, min, max, count }, convertedSamples, excludedSamples, samplesByType };

  function addGroups(groups: readonly TypedGroup[]): void {
    for (const group of groups) {
      add(group.count, group.mean, group.min, group.max);
      convertedSamples += group.converted;
      excludedSamples += group.excluded;
      addTypes(group.byType);
    }
  }

  function addRollup(range: RollupRange): void {
    const { rollup, from, to } = range;
    addTypes(typesOfRollup(range));
    for (let group = to - 1; group >= from; group--) {
      add(rollup.counts[group]!, rollup.means[group]!, rollup.mins[group]!, rollup.maxs[group]!);
      convertedSamples += rollup.converted[group]!;
      excludedSamples += rollup.excluded[group]!;
    }
  }

  function addTypes(counts: readonly number[]): void {
    for (let type = 0; type < counts.length; type++) typeCounts[type]! += counts[type]!;
  }

  function add(groupCount: number, mean: number, groupMin: number, groupMax: number): void {
    values[at] = mean;
    values[length + at++] = groupCount;
    if (groupCount === 0) return;
    count += groupCount;
    if (groupMin < min) min = groupMin;
    if (groupMax > max) max = groupMax;
  }
}

/** Prices that are left out because their month has no exchange rate. */
export interface MissingRates {
  /** `2026-05`, ascending. */
  readonly months: readonly string[];
  readonly count: number;
}

/** Counts of the prices of an answer. */
export interface SampleCounts {
  /** Prices in the figures whose source states a longer period than that of the groups, by this period. */
  readonly coarserSamples: Readonly<Partial<Record<SamplePeriod, number>>>;
  /** Prices in the figures that are suspicious. */
  readonly suspiciousSamples: number;
  /** Prices that are left out; none where no currency is converted. */
  readonly missingRates: MissingRates;
}

/**
 * Counts what the prices of an answer are.
 *
 * @param count Prices in the figures. @param excluded Prices left out for their unit or currency.
 * Cost: a look at each suspicious price of the product. Also a look at each row of the selection where the sources of
 * the snapshot have several periods of which one is longer, and where prices in a converted currency are left out.
 */
export function* countSamples(
  store: Store,
  grouping: Grouping,
  selection: Selection,
  conversion: PriceConversion,
  { count, excluded }: { readonly count: number; readonly excluded: number },
): Generator<number, SampleCounts> {
  const { periods, prices, snapshot } = store;
  const coarser = prices.sourceNames.map((source) => coarserPeriod(periodOfSource(snapshot.periods, source), grouping));
  const [first = null] = coarser;
  const isMixed = count > 0 && coarser.some((period) => period !== first);
  const coarserSamples: Partial<Record<SamplePeriod, number>> = {};
  if (!isMixed && count > 0 && first !== null) coarserSamples[first] = count;
  const { rates } = conversion;
  const months = new Set<number>();
  let withoutRate = 0;
  if (isMixed || (rates !== undefined && excluded > 0)) {
    yield* visitSegments(yield* selection.segments(), stepRows, (from, to) => {
      for (let row = from; row < to; row++) {
        const period = coarser[prices.sources[row]!]!;
        if (Number.isNaN(convertPrice(prices, conversion, row))) {
          if (rates === undefined || !lacksRate(prices, conversion, row)) continue;
          months.add(rates.monthOf[rates.dayCodes[row]!]!);
          withoutRate++;
        } else if (isMixed && period !== null) coarserSamples[period] = (coarserSamples[period] ?? 0) + 1;
      }
    });
  }
  const suspicious = suspiciousRows(store, selection);
  const isInFigures = (row: number): boolean => !Number.isNaN(convertPrice(prices, conversion, row));
  return {
    coarserSamples,
    suspiciousSamples: excluded === 0 ? suspicious.length : suspicious.filter(isInFigures).length,
    missingRates: { months: Array.from(months, (code) => periods.month.labels[code]!).sort(), count: withoutRate },
  };
}

/** A period, if it is longer than that of a group; null otherwise. Markets and counties are no times. */
function coarserPeriod(period: SamplePeriod | null, grouping: Grouping): SamplePeriod | null {
  const group = samplePeriods.indexOf(grouping as SamplePeriod);
  return period !== null && group !== -1 && samplePeriods.indexOf(period) < group ? period : null;
}

/** Counts by the names of types of market, those of which there are any. @param counts Positions of `marketTypes`. */
export function namedTypeCounts(counts: ArrayLike<number>): Readonly<Record<string, number>> {
  // A loop, because exports have this in each row and entries take several times as long.
  const named: Record<string, number> = {};
  for (let code = 0; code < marketTypes.length; code++) {
    if (counts[code]! > 0) named[marketTypes[code]!] = counts[code]!;
  }
  return named;
}
