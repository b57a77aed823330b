/**
 * Finds what can be said of a price at the latest: subjects judged in their newest month and, for each measure that
 * cannot be computed there, in the newest month where it can.
 */
import { type Day, type MonthNumber, monthOf } from "../../model/calendar.ts";
import { type MarketType, marketTypes } from "../../model/vocabulary.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions, ProductList } from "../questions.ts";
import { selectProducts } from "../select.ts";
import {
  type Anomaly,
  type AnomalyLevel,
  conditionOf,
  joinMarkets,
  judgeMarket,
  marketsMin,
  type SubjectRuns,
  subjectsAt,
} from "./find-anomalies.ts";
import { isComputed, type MonthMeasures, monthMeasures, type NotComputable } from "./judge-month.ts";
import { copyValues, MonthlyReader, type MonthlyValues } from "./monthly-values.ts";

/** A measure, and the month that it is of. */
export interface MeasureOfMonth<Measure> {
  readonly month: MonthNumber;
  readonly measure: Measure;
}

/** Each is of the newest month that has the measure; undefined where none has it, or it is not requested. */
type LatestMeasures = {
  readonly [Name in keyof MonthMeasures]?: MeasureOfMonth<Exclude<MonthMeasures[Name], NotComputable>> | undefined;
};

/** A subject that has a value in some month. */
export interface JudgedSubject extends LatestMeasures {
  /** The entry of its newest month. */
  readonly newest: Anomaly;
}

export function marketTypeOf({ newest }: JudgedSubject): MarketType {
  return marketTypes[newest.marketType]!;
}

export interface JudgedQuestion extends MarketConditions, ProductList {
  readonly level: AnomalyLevel;
  /** Codes of the only markets to judge, with `market` as level. */
  readonly markets?: ReadonlySet<number> | undefined;
  readonly measures: readonly (keyof MonthMeasures)[];
}

/** The cost of reading a price here, and of a subject beside, in the rows of a search, which its steps count. */
const rowWeight = 4;
const subjectRows = 1000;

/**
 * Judges subjects, in the order of entries.
 *
 * Cost: a look at each price of the products at the wanted markets; for a measure that the newest month lacks a look at
 * each month of each market down to one that has it.
 */
export function* findJudged(store: Store, question: JudgedQuestion): Generator<number, JudgedSubject[]> {
  const { rowOffsets } = store.runs;
  const reader = new MonthlyReader(store);
  const isMet = conditionOf(store, question);
  const { markets, measures } = question;
  const subjectsOf = subjectsAt(store, question.level);
  const found: JudgedSubject[] = [];
  for (const product of selectProducts(store, question.productUuids)) {
    for (const subjectRuns of subjectsOf(product)) {
      const { subject, runs } = subjectRuns;
      if (!isMet(subject) || markets?.has(subject.market!) === false) continue;
      const values = runs.map((run) => copyValues(reader.readRun(product, run)));
      const judged = judgeLatest(reader, subjectRuns, values, measures);
      if (judged !== undefined) found.push(judged);
      yield subjectRows + rowWeight * runs.reduce((sum, run) => sum + rowOffsets[run + 1]! - rowOffsets[run]!, 0);
    }
  }
  return found;
}

/** @param values Those of each run. */
function judgeLatest(
  reader: MonthlyReader,
  subjectRuns: SubjectRuns,
  values: readonly MonthlyValues[],
  names: readonly (keyof MonthMeasures)[],
): JudgedSubject | undefined {
  const { subject, runs } = subjectRuns;
  const judge = (month: MonthNumber | undefined): Anomaly | undefined => {
    if (month === undefined) return undefined;
    const judged = values.map((market) => judgeMarket(market, month));
    return joinMarkets(reader, subjectRuns, month, judged);
  };
  const newest = judge(reader.newestMonth(subject.product, runs));
  if (newest === undefined) return undefined;
  const latest = names.map((name) => {
    const marketsNeeded = subject.market === undefined ? marketsMin : 1;
    const entry = isComputed<object>(newest.measures[name])
      ? newest
      : judge(newestMonthWith(values, name, marketsNeeded));
    const measure = entry?.measures[name];
    const isFound = entry !== undefined && measure !== undefined && isComputed<object>(measure);
    return [name, isFound ? { month: entry.month, measure } : undefined];
  });
  return { newest, ...(Object.fromEntries(latest) as LatestMeasures) };
}

/** The newest month in which so many markets have a measure. Cost: that of the measure, for each later value. */
function newestMonthWith(
  markets: readonly MonthlyValues[],
  name: keyof MonthMeasures,
  marketsNeeded: number,
): MonthNumber | undefined {
  // The newest value of each market that is not after the month; -1 without one.
  const positions = markets.map(({ months }) => months.length - 1);
  for (;;) {
    let month = -1;
    for (let market = 0; market < markets.length; market++) {
      const at = positions[market]!;
      if (at >= 0) month = Math.max(month, markets[market]!.months[at]!);
    }
    if (month === -1) return undefined;
    let found = 0;
    for (let market = 0; market < markets.length; market++) {
      const values = markets[market]!;
      const at = positions[market]!;
      if (at < 0 || values.months[at] !== month) continue;
      positions[market]!--;
      if (found < marketsNeeded && isComputed<object>(monthMeasures[name](values, at))) found++;
    }
    if (found === marketsNeeded) return month;
  }
}

/** Months up to the newest of the data in which a judgement is recent. */
const recentMonths = 12;

/** Products at a type of market in the country, by how far they are from usual. */
export interface UnusualProducts {
  /** The first of the months that count. */
  readonly monthFirst: MonthNumber;
  /**
   * The subjects with a change on a year before or a share of the usual price in these months; other judgements are
   * left out. The greatest of the two first, up or down: half is as far as the double. Equal ones in the order of
   * entries.
   */
  readonly products: readonly JudgedSubject[];
  /** Counts those with prices in these months that neither can be computed of. */
  readonly unjudged: number;
}

/** @param all All products at the level of the country. @returns undefined without prices. */
export function unusualProducts(
  { prices, periods }: Store,
  all: readonly JudgedSubject[],
): UnusualProducts | undefined {
  if (prices.rowCount === 0) return undefined;
  const monthFirst = monthOf(periods.newestDay as Day) - recentMonths + 1;
  const recent = <Measure>(found: MeasureOfMonth<Measure> | undefined): MeasureOfMonth<Measure> | undefined =>
    found !== undefined && found.month >= monthFirst ? found : undefined;
  const judged = all
    .filter(({ newest }) => newest.month >= monthFirst)
    .map(({ newest, yearBefore, fiveYears, alps }): JudgedSubject => {
      return { newest, yearBefore: recent(yearBefore), fiveYears: recent(fiveYears), alps: recent(alps) };
    });
  const products = judged.filter(({ yearBefore, fiveYears }) => yearBefore !== undefined || fiveYears !== undefined);
  return {
    monthFirst,
    products: products.sort((a, b) => distanceOf(b) - distanceOf(a)),
    unjudged: judged.length - products.length,
  };
}

function distanceOf({ yearBefore, fiveYears }: JudgedSubject): number {
  const ratios = [
    1 + (yearBefore === undefined ? 0 : yearBefore.measure.changePercent / 100),
    fiveYears === undefined ? 1 : fiveYears.measure.percentOfUsual / 100,
  ];
  return Math.max(...ratios.map((ratio) => Math.abs(Math.log(ratio))));
}
