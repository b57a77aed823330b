/**
 * Finds what can be said of a price at the latest: subjects judged in their newest month and, for each measure that
 * cannot be computed there, in the newest month where it can.
 */
import { type Day, type MonthNumber, monthOf } from "../../model/calendar.ts";
import { type MarketType, marketTypes } from "../../model/vocabulary.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions, ProductList } from "../questions.ts";
import { selectProducts } from "../select.ts";
import { marketsMinOf, withMarketsMin } from "./find-anomalies.ts";
import type { ComparablePrices } from "./fit-comparable.ts";
import { isComputed, type MonthMeasures, type NotComputable, requireMarkets } from "./judge-month.ts";
import { type Anomaly, type SubjectMonths, SubjectReader } from "./read-subject.ts";
import { type AnomalyLevel, conditionOf, subjectsAt } from "./subjects.ts";

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
  /** The share of the prices of that month that markets in refugee camps have, 0 to 1. */
  readonly campShare: number;
  /** The prices of a county or the country that are judged; undefined for a market. */
  readonly comparable: ComparablePrices | undefined;
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

/** The cost of a judged month, in the rows of a search, which steps count. */
const monthWeight = 50;

/**
 * Judges subjects, in the order of entries, a county and the country by as many markets as anomalies need by default.
 *
 * Cost: a look at each price of the products at the wanted markets; for a measure that the newest month lacks a look at
 * each month down to one that has it.
 */
export function* findJudged(store: Store, question: JudgedQuestion): Generator<number, JudgedSubject[]> {
  const reader = new SubjectReader(store);
  const isMet = conditionOf(store, question);
  const { markets, level } = question;
  const marketsMin = marketsMinOf(level);
  const subjectsOf = subjectsAt(store, level);
  const found: JudgedSubject[] = [];
  for (const product of selectProducts(store, question.productUuids)) {
    for (const subjectRuns of subjectsOf(product)) {
      const { subject } = subjectRuns;
      if (!isMet(subject) || markets?.has(subject.market!) === false) continue;
      const months = yield* reader.read(subjectRuns);
      if (months === undefined) continue;
      const at = months.length - 1;
      const newest = withMarketsMin(reader.judge(subjectRuns, months, at), marketsMin);
      const campShare = reader.campShare(newest, months, at);
      const latest = question.measures.map((name) => [name, latestMeasure(months, name, marketsMin)]);
      const { comparable } = months;
      found.push({ newest, campShare, comparable, ...(Object.fromEntries(latest) as LatestMeasures) });
      yield monthWeight * months.length;
    }
  }
  return found;
}

/** The measure of the newest month that has it. Cost: that of the measure, for each later month. */
function latestMeasure<Name extends keyof MonthMeasures>(
  months: SubjectMonths,
  name: Name,
  marketsMin: number,
): MeasureOfMonth<object> | undefined {
  for (let at = months.length - 1; at >= 0; at--) {
    const area = months.areaAt(at);
    const alone = months.measures[name](at);
    const measure = area === undefined ? alone : requireMarkets(name, alone, area.markets, marketsMin);
    if (isComputed<object>(measure)) return { month: months.months[at]!, measure };
  }
  return undefined;
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
    .map(({ yearBefore, fiveYears, alps, ...found }): JudgedSubject => {
      return { ...found, yearBefore: recent(yearBefore), fiveYears: recent(fiveYears), alps: recent(alps) };
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
