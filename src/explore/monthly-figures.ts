/** The monthly figures of a product by type of market, and what is said of the newest of them. */
import { type Day, dayText } from "../domain/calendar-day.ts";
import { firstDayOf, lastDayOf, type MonthNumber, monthNumber } from "../domain/calendar-month.ts";
import type { Uuid } from "../domain/ids.ts";
import { roundFigure } from "../domain/round-figure.ts";
import { type MarketType, marketTypes } from "../domain/vocabulary.ts";
import { type StatisticsAnswer, type StatisticsProblem, startStatistics } from "../query/price-statistics.ts";
import type { MarketConditions, PriceStatistics } from "../query/questions.ts";
import type { Store } from "../store/store.ts";
import type { ApiRequest } from "./api-request.ts";
import type { Place } from "./place.ts";

/** Figures as the interface answers them, rounded to 6 decimals. */
export interface MonthFigures {
  readonly month: MonthNumber;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly average: number;
  readonly samples: number;
}

export interface TypeFigures {
  readonly marketType: MarketType;
  readonly unit: string;
  readonly currency: string | null;
  /** Months with prices, ascending; at least one. */
  readonly months: readonly MonthFigures[];
}

export interface ProductFigures {
  /** By the newest month, newest first; of equal ones in the order of the vocabulary. */
  readonly byType: readonly TypeFigures[];
  /** Prices that do not convert to the unit and currency of these figures, also those at types that have no others. */
  readonly excluded: number;
}

/** All days of a store; undefined without prices. */
export function allDaysOf({ periods: { newestDay, ages } }: Store): { dayFirst: Day; dayLast: Day } | undefined {
  const age = ages.at(-1);
  return age === undefined ? undefined : { dayFirst: (newestDay - age) as Day, dayLast: newestDay as Day };
}

/** As `startStatistics` of a product that is known and a unit that was checked. */
export function* answerStatistics(store: Store, question: PriceStatistics): Generator<number, StatisticsAnswer> {
  const work: Generator<number, StatisticsAnswer> | StatisticsProblem = startStatistics(store, question);
  if ("problem" in work) throw new RangeError(`the statistics of ${question.productUuid}: ${work.problem}`);
  return yield* work;
}

/** The request that gives the statistics of a product. Days are inclusive. */
export function statisticsRequest(
  productUuid: Uuid,
  { marketType, unit }: Pick<TypeFigures, "marketType" | "unit">,
  { countyId, marketUuid }: MarketConditions,
  grouping: "month" | "county",
  [dayFirst, dayLast]: readonly [Day, Day],
): ApiRequest {
  return {
    method: "POST",
    path: "/api/v1/prices/statistics",
    body: {
      product_uuid: productUuid,
      start_date: dayText(dayFirst),
      end_date: dayText(dayLast),
      ...(countyId === undefined ? {} : { county_id: countyId }),
      ...(marketUuid === undefined ? {} : { market_uuid: marketUuid }),
      market_type: marketType,
      group_by: grouping,
      unit,
    },
  };
}

/**
 * The monthly figures of a product at each type of market that has some, over all data.
 *
 * @param unit A unit of the product's base; its own when undefined.
 * Cost: a look-up of each month where neither place nor unit is asked for, otherwise two looks at each price.
 */
export function* figuresByType(
  store: Store,
  productUuid: Uuid,
  { conditions }: Place,
  unit: string | undefined,
  types: readonly MarketType[] = marketTypes,
): Generator<number, ProductFigures> {
  const days = allDaysOf(store);
  const found: TypeFigures[] = [];
  let excluded = 0;
  if (days === undefined) return { byType: found, excluded };
  for (const marketType of types) {
    const question = { productUuid, ...days, ...conditions, marketType, unit, grouping: "month" } as const;
    const answer = yield* answerStatistics(store, question);
    excluded += answer.excludedSamples;
    if (answer.groups.length === 0) continue;
    found.push({
      marketType,
      unit: answer.unit,
      currency: answer.currency,
      months: answer.groups.map(({ key, median, min, max, mean, count }) => ({
        month: monthNumber(store.periods.month.labels[key] as string),
        median: roundFigure(median),
        min: roundFigure(min),
        max: roundFigure(max),
        average: roundFigure(mean),
        samples: count,
      })),
    });
  }
  return { byType: found.sort((a, b) => newestOf(b).month - newestOf(a).month), excluded };
}

/** The figures of the newest month. */
export function newestOf({ months }: Pick<TypeFigures, "months">): MonthFigures {
  return months.at(-1) as MonthFigures;
}

export function figuresOf({ months }: Pick<TypeFigures, "months">, month: MonthNumber): MonthFigures | undefined {
  return months.find((figures) => figures.month === month);
}

/** How many markets have prices of a product in a month that are in its figures. */
export function* countMarkets(
  store: Store,
  productUuid: Uuid,
  { conditions }: Place,
  { marketType, unit }: Pick<TypeFigures, "marketType" | "unit">,
  month: MonthNumber,
): Generator<number, number> {
  const days = { dayFirst: firstDayOf(month), dayLast: lastDayOf(month) };
  const question = { productUuid, ...days, ...conditions, marketType, unit, grouping: "market" } as const;
  return (yield* answerStatistics(store, question)).groups.length;
}

/** Part by which a figure differs from another; undefined where that is 0. */
export function changeOf(from: number, to: number): number | undefined {
  return from > 0 ? to / from - 1 : undefined;
}

/** Years before that make up what is usual, and how many of them must have the month. */
export const usualYears = 5;
export const usualYearsMin = 3;

/** What is usual in a month of the year. */
export interface UsualFigures {
  /** The mean of the medians; undefined where fewer than `usualYearsMin` years have one. */
  readonly average: number | undefined;
  readonly least: number | undefined;
  readonly greatest: number | undefined;
  /** Years that have the month. */
  readonly years: number;
}

/** What was usual in the same month of the `usualYears` years before. */
export function usualBefore(figures: Pick<TypeFigures, "months">, month: MonthNumber): UsualFigures {
  const medians: number[] = [];
  for (let back = 1; back <= usualYears; back++) {
    const found = figuresOf(figures, month - 12 * back);
    if (found !== undefined) medians.push(found.median);
  }
  const years = medians.length;
  if (years < usualYearsMin) return { average: undefined, least: undefined, greatest: undefined, years };
  // Divided first, so that no sum overflows.
  const average = roundFigure(medians.reduce((sum, median) => sum + median / years, 0));
  return { average, least: Math.min(...medians), greatest: Math.max(...medians), years };
}
