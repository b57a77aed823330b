/**
 * Finds what can be said of a price at the latest: subjects judged in their newest month and, for each measure that
 * cannot be computed there, in the newest of the months shortly before where it can.
 */
import type { MonthNumber } from "../../model/calendar.ts";
import { getOrInsert } from "../../model/get-or-insert.ts";
import type { ProductRecord } from "../../model/records.ts";
import { type MarketType, marketTypes } from "../../model/vocabulary.ts";
import { type ProductCode, recordAt } from "../../store/catalogue.ts";
import type { UnitAndCurrency } from "../../store/price-conversion.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions, ProductList } from "../questions.ts";
import { selectProducts, selectRuns } from "../select.ts";
import { isComputed, type MonthMeasures, marketsMinOf, matchedNamedMax, type NotComputable } from "./judge-month.ts";
import { changeAt, type MatchedChange } from "./matched-changes.ts";
import { MonthlyPanel } from "./monthly-panel.ts";
import {
  type Anomaly,
  type JudgedMonth,
  judgeSubject,
  readSubject,
  type SubjectMonths,
  withMarketsMin,
} from "./read-subject.ts";
import { type AnomalyLevel, subjectsAt } from "./subjects.ts";

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
  /** The entry of its newest month. */
  readonly newest: Anomaly;
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
  readonly measures: readonly (keyof MonthMeasures)[];
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
  const panel = new MonthlyPanel(store);
  const { level } = question;
  const marketsMin = marketsMinOf(level);
  const subjectsOf = subjectsAt(store, level, question);
  const found: JudgedSubject[] = [];
  for (const product of selectProducts(store, question.productUuids)) {
    for (const subjectRuns of subjectsOf(product)) {
      const months = yield* readSubject(panel, subjectRuns);
      if (months === undefined) continue;
      const at = months.length - 1;
      const newest = judgeSubject(panel, subjectRuns.subject, months, at);
      const latest = latestMeasures(months, at, newest, question.measures, marketsMin);
      found.push({ newest: withMarketsMin(newest, marketsMin), ...latest });
      yield monthWeight * months.length;
    }
  }
  return found;
}

/** A change of so many markets is one of their county or of the country; of fewer it is one of theirs alone. */
export const placeMarketsMin = matchedNamedMax + 1;

/**
 * The measures of the newest months that have them, not long before the judged one; a change of a county or the country
 * is that of the newest month in which enough markets stand behind it, else of the newest with any.
 *
 * @param last Position of the judged month. @param newest That month.
 */
function latestMeasures(
  months: SubjectMonths,
  last: number,
  newest: JudgedMonth,
  names: readonly (keyof MonthMeasures)[],
  marketsMin: number,
): LatestMeasures {
  const monthFirst = months.months[last]! - measureMonthsMax;
  const judged = new Map<number, JudgedMonth>([[last, newest]]);
  const latest = (name: keyof MonthMeasures, needed: number): MeasureOfMonth<object> | undefined => {
    for (let at = last; at >= 0 && months.months[at]! >= monthFirst; at--) {
      const { measures } = withMarketsMin(
        getOrInsert(judged, at, () => months.judgeAt(at)),
        needed,
      );
      if (isComputed<object>(measures[name])) return { month: months.months[at]!, measure: measures[name] };
    }
    return undefined;
  };
  const found = names.map((name) => {
    const isChange = name === "yearBefore" || name === "previous";
    return [name, isChange ? (latest(name, placeMarketsMin) ?? latest(name, 1)) : latest(name, marketsMin)];
  });
  return Object.fromEntries(found) as LatestMeasures;
}

/** A change of a county or the country in a month. */
export type ChangeOfMonth = MeasureOfMonth<MatchedChange>;

/**
 * The changes on a year before of a product at some markets, of each month in which enough of them stand behind it.
 *
 * @returns Ascending by month. Cost: a read of each price, and for each month a look at its values.
 */
export function* changesByMonth(
  store: Store,
  product: ProductCode,
  conditions: MarketConditions,
): Generator<number, ChangeOfMonth[]> {
  const panel = new MonthlyPanel(store);
  yield* panel.read(product, selectRuns(store, product, conditions));
  const found: ChangeOfMonth[] = [];
  for (const [month, positions] of panel.positionsByMonth()) {
    const measure = changeAt(panel, positions, month - 12);
    if (measure !== undefined && measure.matched.count >= placeMarketsMin) found.push({ month, measure });
  }
  return found.sort((a, b) => a.month - b.month);
}
