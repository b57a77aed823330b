/** The figures of a product by month, as people read them: rounded, and without suspicious prices. */
import { type MonthNumber, monthNumber } from "../model/calendar.ts";
import { roundFigure } from "../store/figures.ts";
import type { Store } from "../store/store.ts";
import { listGroups, priceStatistics, type StatisticsAnswer } from "./price-statistics.ts";
import type { PriceStatistics } from "./questions.ts";

/** Figures as the interface answers them, rounded to 6 decimals. */
export interface MonthFigures {
  readonly month: MonthNumber;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly average: number;
  readonly samples: number;
}

export interface MonthlyFigures extends StatisticsAnswer {
  /** Months with prices, ascending. */
  readonly months: readonly MonthFigures[];
}

/** @param question Of a product and to a unit and currency that are known to be in the store. Cost: as statistics. */
export function* monthlyFigures(
  store: Store,
  question: Omit<PriceStatistics, "grouping" | "isSuspicious">,
): Generator<number, MonthlyFigures> {
  const answer = yield* knownStatistics(store, { ...question, grouping: "month", isSuspicious: false });
  const { labels } = store.periods.month;
  const months = listGroups(answer.found).map(({ key, median, min, max, mean, count }) => ({
    month: monthNumber(labels[key] as string),
    median: roundFigure(median),
    min: roundFigure(min),
    max: roundFigure(max),
    average: roundFigure(mean),
    samples: count,
  }));
  return { ...answer, months };
}

/** As `priceStatistics`, of a product and to a unit and currency that are known to be in the store. */
export function* knownStatistics(store: Store, question: PriceStatistics): Generator<number, StatisticsAnswer> {
  const work = priceStatistics(store, question);
  if ("problem" in work) throw new RangeError(`the statistics of ${question.productUuid}: ${work.problem}`);
  return yield* work;
}
