/**
 * Statistics of one product's prices over some days. One unit and one currency per answer; what cannot be brought to
 * them is left out and counted. Five steps: select the segments of the wanted runs within the days (where that is asked
 * for only of the markets that are in all groups), group them (found-groups.ts), summarise, count samples that a reader
 * should know of, and find the months and markets behind the groups (group-coverage.ts).
 */

import type { MonthRange } from "../model/calendar.ts";
import { referenceCurrency } from "../model/records.ts";
import {
  type Grouping,
  marketTypes,
  periodOfSource,
  type SamplePeriod,
  samplePeriods,
  splitGrouping,
} from "../model/vocabulary.ts";
import type { ProductCode } from "../store/catalogue.ts";
import type { Group } from "../store/figures.ts";
import type { RollupRange } from "../store/group-prices.ts";
import {
  type ConversionTarget,
  conversionTo,
  convertPrice,
  lacksRate,
  type PriceConversion,
  targetOf,
} from "../store/price-conversion.ts";
import { selectSegments, visitSegments, withTest } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import { type FoundGroups, findGroups, type ProductSelection } from "./found-groups.ts";
import {
  type ConvertedSegments,
  type Coverage,
  coverGroups,
  marketsInAllPeriods,
  monthAt,
  monthsWithPrices,
} from "./group-coverage.ts";
import type { PriceStatistics } from "./questions.ts";
import { markedRange, select, selectAt, suspiciousRows } from "./select.ts";

/** Prices that are left out because their month has no exchange rate. */
interface MissingRates {
  /** `2026-05`, ascending. */
  readonly months: readonly string[];
  readonly count: number;
}

/** Counts of the prices of an answer. */
interface SampleCounts {
  /** Prices in the figures whose source states a longer period than that of the groups, by this period. */
  readonly coarserSamples: Readonly<Partial<Record<SamplePeriod, number>>>;
  /** Prices in the figures that are suspicious. */
  readonly suspiciousSamples: number;
  /** Prices in the figures that are of refugee camps. */
  readonly campSamples: number;
  /** Prices that are left out; none where no currency is converted. */
  readonly missingRates: MissingRates;
}

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
  /** Of each group with a price, by its key; null where it was not requested. So too the others. */
  readonly coverage: ReadonlyMap<number, Coverage> | null;
  /** Calendar months with a price in the figures. */
  readonly monthsWithPrices: number | null;
  /** Markets that have a price in each group, to which the figures are limited. */
  readonly sameMarkets: number | null;
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
 * Cost: whole periods without a market, county or price flag and in the product's own unit and currency are looked up
 * in rollups, and at most the first and last period are summed up, and where suspicious prices are left out the few
 * periods with some; everything else reads the selected segments, by time twice, otherwise once. Beside that, the cost
 * of `countSamples`, and where they are requested of `coverGroups`, `monthsWithPrices` and `marketsInAllPeriods`.
 *
 * @returns Work; each of its steps says how many rows it has read.
 */
export function priceStatistics(
  store: Store,
  question: PriceStatistics,
): Generator<number, StatisticsAnswer> | StatisticsProblem {
  const prepared = prepareStatistics(store, question);
  return "problem" in prepared ? prepared : computeStatistics(store, question, prepared);
}

/**
 * The first and the last month of the figures of a question, undefined without any: of a question that has no answer
 * too. Cost: that of the segments and of `monthsWithPrices`, and with the same markets alone of `marketsInAllPeriods`.
 */
export function* statisticsMonths(store: Store, question: PriceStatistics): Generator<number, MonthRange | undefined> {
  const prepared = prepareStatistics(store, question);
  if ("problem" in prepared) return undefined;
  const { selection } = yield* limitMarkets(store, question, prepared);
  const source = { segments: yield* selection.segments(), conversion: prepared.conversion };
  const codes = yield* monthsWithPrices(store, source, selection.days);
  if (codes.length === 0) return undefined;
  return { first: monthAt(store.periods, Math.max(...codes)), last: monthAt(store.periods, Math.min(...codes)) };
}

/** Finds what a question is of and what its prices convert to. */
function prepareStatistics(store: Store, question: PriceStatistics): PreparedStatistics | StatisticsProblem {
  const selection = select(store, question);
  const { product } = selection;
  if (product === undefined) return { problem: "unknown product" };
  const target = statisticsTarget(store, product, question);
  if ("problem" in target) return target;
  return { selection: { ...selection, product }, target, conversion: conversionTo(store, target) };
}

/** The unit and currency that a question about a product is answered in, or why it cannot have those it names. */
export function statisticsTarget(
  { catalogue, statisticsUnits }: Pick<Store, "catalogue" | "statisticsUnits">,
  product: number,
  question: Pick<PriceStatistics, "unit" | "currency">,
): StatisticsTarget | NotConvertible {
  const own = statisticsUnits[product]!;
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
  return target;
}

interface PreparedStatistics {
  readonly selection: ProductSelection;
  readonly target: StatisticsTarget;
  readonly conversion: PriceConversion;
}

type StatisticsTarget = Required<ConversionTarget>;

function* computeStatistics(
  store: Store,
  question: PriceStatistics,
  prepared: PreparedStatistics,
): Generator<number, StatisticsAnswer> {
  const { target, conversion } = prepared;
  const { selection, sameMarkets } = yield* limitMarkets(store, question, prepared);
  const { catalogue, prices, periods, statisticsUnits } = store;
  const { grouping } = question;
  const isOwnUnit = target.unit === statisticsUnits[selection.product]!.unit && !target.isConverted;
  const source = { catalogue, prices, periods, conversion };
  const found = yield* findGroups({ store, selection, source, isOwnUnit }, grouping);
  const summary = summarise(found);
  const counted = { count: summary.overall?.count ?? 0, excluded: summary.excludedSamples };
  return {
    product: selection.product,
    ...target,
    ...summary,
    ...(yield* countSamples(store, grouping, selection, conversion, counted)),
    ...(yield* coverAnswer(store, question, selection, conversion)),
    sameMarkets,
    found,
  };
}

/** Limits a selection to the markets that have a price in each group, where the question asks for that. */
function* limitMarkets(
  store: Store,
  { grouping, sameMarkets }: PriceStatistics,
  { selection, conversion }: PreparedStatistics,
): Generator<number, { readonly selection: ProductSelection; readonly sameMarkets: number | null }> {
  const { time } = splitGrouping(grouping);
  if (sameMarkets !== true || time === undefined) return { selection, sameMarkets: null };
  const segments = yield* selection.segments();
  const only = yield* marketsInAllPeriods(store, { segments, conversion }, time);
  const limited = { ...selectAt(store, selection, only), product: selection.product };
  return { selection: limited, sameMarkets: only.reduce((count, isIn) => count + isIn, 0) };
}

/** What stands behind the groups and the whole of an answer; segments are made only where it is requested. */
function* coverAnswer(
  store: Store,
  { grouping, coverageWithin, countsMonths = false }: PriceStatistics,
  { segments: makeSegments, days }: ProductSelection,
  conversion: PriceConversion,
): Generator<number, Pick<StatisticsAnswer, "coverage" | "monthsWithPrices">> {
  if (coverageWithin === undefined && !countsMonths) return { coverage: null, monthsWithPrices: null };
  const source: ConvertedSegments = { segments: yield* makeSegments(), conversion };
  const coverage = coverageWithin === undefined ? null : yield* coverGroups(store, grouping, source, coverageWithin);
  return { coverage, monthsWithPrices: countsMonths ? (yield* monthsWithPrices(store, source, days)).length : null };
}

/** Rows read between two yields. */
const stepRows = 16_384;

/**
 * Counts what the prices of an answer are.
 *
 * @param count Prices in the figures. @param excluded Prices left out for their unit or currency.
 * Cost: a read of each suspicious price of the product, and of each of its runs; where prices are left out as
 * suspicious, or for their unit or currency, also of each price of a camp. Also a read of each row of the selection
 * where the sources of the snapshot have several periods of which one is longer, and where prices in a converted
 * currency are left out.
 */
function* countSamples(
  store: Store,
  grouping: Grouping,
  selection: ProductSelection,
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
    campSamples: yield* countOfCamps(store, selection, excluded === 0 ? undefined : isInFigures),
    missingRates: { months: Array.from(months, (code) => periods.month.labels[code]!).sort(), count: withoutRate },
  };
}

/** @param isInFigures Undefined where all prices of the selection are in the figures. */
function* countOfCamps(
  store: Store,
  selection: ProductSelection,
  isInFigures: ((row: number) => boolean) | undefined,
): Generator<number, number> {
  const { product, markets, days, rowTest, isUnrestricted } = selection;
  const { camps } = store.catalogue;
  // Rollups answer what is not restricted without segments.
  const segments = isUnrestricted
    ? yield* withTest(selectSegments(store, product, { ...markedRange(camps), type: markets.type }, days), rowTest)
    : yield* selection.segments();
  if (isUnrestricted && isInFigures === undefined) return segments.rowCount;
  let count = 0;
  yield* visitSegments(segments, stepRows, (from, to, market) => {
    if (camps[market] !== 1) return;
    if (isInFigures === undefined) count += to - from;
    else for (let row = from; row < to; row++) count += Number(isInFigures(row));
  });
  return count;
}

/** A period, if it is longer than that of a group; null otherwise. Markets and counties are no times. */
function coarserPeriod(period: SamplePeriod | null, grouping: Grouping): SamplePeriod | null {
  const group = samplePeriods.indexOf(grouping as SamplePeriod);
  return period !== null && group !== -1 && samplePeriods.indexOf(period) < group ? period : null;
}

/**
 * Sums up the groups of an answer.
 *
 * The average is over records: each group's mean counts as often as the group has records.
 */
export function summarise({
  before,
  rollup: range,
  after,
}: FoundGroups): Pick<StatisticsAnswer, "overall" | "convertedSamples" | "excludedSamples" | "samplesByType"> {
  let [count, convertedSamples, excludedSamples, min, max] = [0, 0, 0, Infinity, -Infinity];
  /** The sum of all prices, and what its additions have rounded away, as in `sumOf`. */
  let [sum, lost] = [0, 0];
  const typeCounts = marketTypes.map(() => 0);
  addGroups(before);
  if (range !== null) addRollup(range);
  addGroups(after);
  const average = Math.min(Math.max((sum + lost) / count, min), max);
  const overall = count === 0 ? null : { average, min, max, count };
  return { overall, convertedSamples, excludedSamples, samplesByType: namedTypeCounts(typeCounts) };

  function addGroups(groups: readonly Group[]): void {
    for (const group of groups) {
      add(group.count, group.mean, group.min, group.max);
      convertedSamples += group.converted;
      excludedSamples += group.excluded;
      addTypes(group.byType, 0);
    }
  }

  function addRollup({ rollup, from, to }: RollupRange): void {
    for (let group = to - 1; group >= from; group--) {
      add(rollup.counts[group]!, rollup.means[group]!, rollup.mins[group]!, rollup.maxs[group]!);
      convertedSamples += rollup.converted[group]!;
      excludedSamples += rollup.excluded[group]!;
      addTypes(rollup.types, group * typeCounts.length);
    }
  }

  function addTypes(counts: ArrayLike<number>, first: number): void {
    for (let type = 0; type < typeCounts.length; type++) typeCounts[type]! += counts[first + type]!;
  }

  function add(groupCount: number, mean: number, groupMin: number, groupMax: number): void {
    if (groupCount === 0) return;
    count += groupCount;
    const value = mean * groupCount;
    const next = sum + value;
    const added = next - sum;
    lost += sum - (next - added) + (value - added);
    sum = next;
    if (groupMin < min) min = groupMin;
    if (groupMax > max) max = groupMax;
  }
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
