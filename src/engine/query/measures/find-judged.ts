/**
 * Finds what can be said of a price at the latest: subjects judged in their newest month and, for each measure that
 * cannot be computed there, in the newest of the months shortly before where it can.
 */
import type { MonthNumber } from "../../model/calendar.ts";
import type { ProductRecord } from "../../model/records.ts";
import { type MarketType, marketTypes } from "../../model/vocabulary.ts";
import { recordAt } from "../../store/catalogue.ts";
import type { UnitAndCurrency } from "../../store/price-conversion.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions, ProductList } from "../questions.ts";
import { selectProducts } from "../select.ts";
import { marketsMinOf } from "./find-anomalies.ts";
import type { ComparablePrices } from "./fit-comparable.ts";
import { isComputed, type MonthMeasures, type NotComputable } from "./judge-month.ts";
import { positionOf } from "./monthly-values.ts";
import { type Anomaly, type SubjectMonths, SubjectReader, withMarketsMin } from "./read-subject.ts";
import { type AnomalyLevel, conditionOf, subjectsAt } from "./subjects.ts";

/** A measure, and the month that it is of. */
export interface MeasureOfMonth<Measure> {
  readonly month: MonthNumber;
  readonly measure: Measure;
}

/**
 * Each is of the newest month that has the measure, at most `measureMonthsMax` before the newest month of the subject;
 * undefined where none of these has it, or it is not requested.
 */
type LatestMeasures = {
  readonly [Name in keyof MonthMeasures]?: MeasureOfMonth<Exclude<MonthMeasures[Name], NotComputable>> | undefined;
};

/** A subject that has a value in some month. */
export interface JudgedSubject extends LatestMeasures {
  /** The entry of its newest month, or of the month of the question. */
  readonly newest: Anomaly;
  /** The share of the prices of that month that markets in refugee camps have, 0 to 1. */
  readonly campShare: number;
  /** The prices of a county or the country that are judged; undefined for a market. */
  readonly comparable: ComparablePrices | undefined;
}

export function marketTypeOf({ newest }: JudgedSubject): MarketType {
  return marketTypes[newest.marketType]!;
}

export interface SubjectDescription extends UnitAndCurrency {
  readonly product: ProductRecord;
  readonly marketType: MarketType;
}

/** Returns the product of a judgement with its type of market, and the unit and currency of its figures. */
export function describeSubject({ catalogue, statisticsUnits }: Store, judged: JudgedSubject): SubjectDescription {
  const { product } = judged.newest;
  const { unit, currency } = statisticsUnits[product]!;
  return { product: recordAt(catalogue.products, product), marketType: marketTypeOf(judged), unit, currency };
}

export interface JudgedQuestion extends MarketConditions, ProductList {
  readonly level: AnomalyLevel;
  /** Codes of the only markets to judge, with `market` as level. */
  readonly markets?: ReadonlySet<number> | undefined;
  readonly measures: readonly (keyof MonthMeasures)[];
  /** The month to judge, in which other subjects have no value; the newest of each subject when absent. */
  readonly month?: MonthNumber | undefined;
}

/** Months from a measure to the newest price, beyond which it says nothing of that price. */
export const measureMonthsMax = 3;

/** The cost of a judged month, in the rows of a search, which steps count. */
const monthWeight = 50;

/**
 * Judges subjects, in the order of entries, a county and the country by as many markets as anomalies need by default.
 *
 * Cost: a read of each price of the products at the wanted markets; the measures of at most `measureMonthsMax` + 1
 * months of each subject.
 */
export function* findJudged(store: Store, question: JudgedQuestion): Generator<number, JudgedSubject[]> {
  const reader = new SubjectReader(store);
  const isMet = conditionOf(store, question);
  const { markets, level, month } = question;
  const marketsMin = marketsMinOf(level);
  const subjectsOf = subjectsAt(store, level, question.refugeeCamps);
  const found: JudgedSubject[] = [];
  for (const product of selectProducts(store, question.productUuids)) {
    for (const subjectRuns of subjectsOf(product)) {
      const { subject } = subjectRuns;
      if (!isMet(subject) || markets?.has(subject.market!) === false) continue;
      const months = yield* reader.read(subjectRuns, month);
      if (months === undefined) continue;
      const at = month === undefined ? months.length - 1 : positionOf(months.months, months.length, month);
      const newest = withMarketsMin(reader.judge(subjectRuns, months, at), marketsMin);
      const campShare = reader.campShare(newest, months, at);
      const { comparable } = months;
      const latest = latestMeasures(months, at, newest.measures, question.measures, marketsMin);
      found.push({ newest, campShare, comparable, ...latest });
      yield monthWeight * months.length;
    }
  }
  return found;
}

/**
 * The measures of the newest months that have them, not long before the judged one.
 *
 * @param last Position of that. @param newest Its measures.
 */
function latestMeasures(
  months: SubjectMonths,
  last: number,
  newest: MonthMeasures,
  names: readonly (keyof MonthMeasures)[],
  marketsMin: number,
): LatestMeasures {
  const monthFirst = months.months[last]! - measureMonthsMax;
  const found: Partial<Record<keyof MonthMeasures, MeasureOfMonth<object>>> = {};
  let measures = newest;
  for (let at = last; at >= 0 && months.months[at]! >= monthFirst; at--) {
    if (at < last) measures = withMarketsMin(months.judgeAt(at), marketsMin).measures;
    for (const name of names) {
      const measure: object = measures[name];
      if (found[name] === undefined && isComputed(measure)) found[name] = { month: months.months[at]!, measure };
    }
    if (names.every((name) => found[name] !== undefined)) break;
  }
  return found as LatestMeasures;
}
