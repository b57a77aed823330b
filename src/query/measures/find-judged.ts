/**
 * What can be said of a price at the latest: subjects judged in their newest month and, for each measure that cannot be
 * computed there, in the newest month where it can.
 */
import type { Day } from "../../domain/calendar-day.ts";
import { type MonthNumber, monthNumber, monthTextOf } from "../../domain/calendar-month.ts";
import type { Uuid } from "../../domain/ids.ts";
import type { Store } from "../../store/store.ts";
import type { MarketConditions } from "../questions.ts";
import {
  type Anomaly,
  type AnomalyLevel,
  conditionOf,
  joinMarkets,
  judgeMarket,
  judgeMonthOf,
  marketsMin,
  newestOf,
  productsOf,
  type SubjectRuns,
  subjectsAt,
} from "./find-anomalies.ts";
import {
  type Alps,
  type FiveYears,
  isComputed,
  type MonthMeasures,
  monthMeasures,
  type NotComputable,
  type YearBefore,
} from "./judge-month.ts";
import { copyValues, MonthlyReader, type MonthlyValues, positionOf } from "./monthly-values.ts";

/** A measure, and the month that it is of. */
export interface MeasureOfMonth<Measure> {
  readonly month: MonthNumber;
  readonly measure: Measure;
}

/** A subject that has a value in some month. */
export interface JudgedSubject {
  /** The entry of its newest month. */
  readonly newest: Anomaly;
  /** Of the newest month that has the measure; undefined where none has it. */
  readonly yearBefore: MeasureOfMonth<YearBefore> | undefined;
  readonly fiveYears: MeasureOfMonth<FiveYears> | undefined;
  readonly alps: MeasureOfMonth<Alps> | undefined;
}

export interface JudgedQuestion extends MarketConditions {
  /** Unknown and repeated uuids add nothing; all products when absent. */
  readonly productUuids?: readonly Uuid[] | undefined;
  readonly level: AnomalyLevel;
}

/** What a price costs to read here, and a subject beside, in the rows of a search that `runInSlices` counts. */
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
  const isWanted = conditionOf(store, question);
  const subjectsOf = subjectsAt(store, question.level);
  const found: JudgedSubject[] = [];
  for (const product of productsOf(store, question.productUuids)) {
    for (const subjectRuns of subjectsOf(product)) {
      const { subject, runs } = subjectRuns;
      if (!isWanted(subject)) continue;
      const judged = judgeLatest(
        reader,
        subjectRuns,
        runs.map((run) => copyValues(reader.readRun(product, run))),
      );
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
): JudgedSubject | undefined {
  const { subject, runs } = subjectRuns;
  const isMarket = subject.market !== undefined;
  const judge = (asked: MonthNumber | undefined): Anomaly | undefined => {
    if (isMarket) return judgeMarket(reader, subject, runs[0]!, values[0]!, asked);
    const month = asked ?? newestOf(values.map(({ months }) => months.at(-1)));
    if (month === undefined) return undefined;
    const judged = values.map((market) => judgeMonthOf(market, month));
    return joinMarkets(reader, subjectRuns, month, judged);
  };
  const newest = judge(undefined);
  if (newest === undefined) return undefined;
  function latest<Measure extends object>(
    name: keyof MonthMeasures,
    measureOf: (measures: MonthMeasures) => Measure | NotComputable,
  ): MeasureOfMonth<Measure> | undefined {
    const isOfNewest = isComputed<object>(newest!.measures[name]);
    const month = isOfNewest ? undefined : newestMonthWith(values, name, isMarket ? 1 : marketsMin);
    const entry = isOfNewest ? newest : month === undefined ? undefined : judge(month);
    const measure = entry && measureOf(entry.measures);
    return measure !== undefined && isComputed<Measure>(measure) ? { month: entry!.month, measure } : undefined;
  }
  return {
    newest,
    yearBefore: latest("yearBefore", (measures) => measures.yearBefore),
    fiveYears: latest("fiveYears", (measures) => measures.fiveYears),
    alps: latest("alps", (measures) => measures.alps),
  };
}

/** The newest month in which so many markets have a measure. */
function newestMonthWith(
  markets: readonly MonthlyValues[],
  name: keyof MonthMeasures,
  marketsNeeded: number,
): MonthNumber | undefined {
  const months = [...new Set(markets.flatMap((values) => [...values.months]))].sort((a, b) => b - a);
  return months.find((month) => {
    let found = 0;
    for (const values of markets) {
      const at = positionOf(values, month);
      if (at === -1 || !isComputed<object>(monthMeasures[name](values, at))) continue;
      found++;
      if (found === marketsNeeded) return true;
    }
    return false;
  });
}

/** Months up to the newest of the data in which a judgement is recent. */
const recentMonths = 12;

/** Products at a type of market in the country, by how far they are from usual. */
export interface UnusualProducts {
  /** The first of the months that count. */
  readonly monthFirst: MonthNumber;
  /**
   * Those with a change on a year before or a share of the usual price in these months; other judgements are left out.
   * The greatest of the two first, up or down: half is as far as the double. Equal ones in the order of entries.
   */
  readonly products: readonly JudgedSubject[];
  /** Those with prices in these months that neither can be computed of. */
  readonly unjudged: number;
}

/** @returns undefined without prices. Cost: that of `findJudged` for all products. */
export function* findUnusual(store: Store): Generator<number, UnusualProducts | undefined> {
  if (store.prices.rowCount === 0) return undefined;
  const monthFirst = monthNumber(monthTextOf(store.periods.newestDay as Day)) - recentMonths + 1;
  const recent = <Measure>(found: MeasureOfMonth<Measure> | undefined): MeasureOfMonth<Measure> | undefined =>
    found !== undefined && found.month >= monthFirst ? found : undefined;
  const judged = (yield* findJudged(store, { level: "country" }))
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
