/** The monthly figures of series, and their suspicious prices, which are in no figure of a page. */
import { type Day, dayText } from "../domain/calendar-day.ts";
import { firstDayOf, lastDayOf, type MonthNumber, monthNumber } from "../domain/calendar-month.ts";
import { roundFigure } from "../domain/round-figure.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import { type SuspiciousPrice, suspiciousPrices } from "../query/find-suspicious.ts";
import { listGroups, type StatisticsAnswer, startStatistics } from "../query/price-statistics.ts";
import type { PriceStatistics } from "../query/questions.ts";
import type { Store } from "../store/store.ts";
import type { Series } from "./place.ts";
import type { ApiRequest } from "./request.ts";

/** Figures as the interface answers them, rounded to 6 decimals; suspicious prices are left out. */
export interface MonthFigures {
  readonly month: MonthNumber;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly average: number;
  readonly samples: number;
}

export interface SeriesFigures extends Series {
  readonly unit: string;
  readonly currency: string | null;
  /** Whether prices were converted to the currency by the rates of their months. */
  readonly isConverted: boolean;
  /** Months with prices, ascending; at least one. */
  readonly months: readonly MonthFigures[];
  /** The prices that the figures leave out, newest first. */
  readonly suspicious: readonly SuspiciousPrice[];
}

/** A line of a chart. */
export interface MonthlyLine extends SeriesFigures {
  readonly label: string;
}

export interface ProductFigures {
  /** By the newest month, newest first; of equal ones in the order of the vocabulary. */
  readonly byType: readonly SeriesFigures[];
  /** Prices that do not convert to the unit and currency of these figures, also those at types that have no others. */
  readonly excluded: number;
  /** Those of them whose month has no exchange rate; 0 where no currency is converted. */
  readonly withoutRate: number;
  /** At these types of market, also those that have no figures; newest first. */
  readonly suspicious: readonly SuspiciousPrice[];
}

/** First and last month, both inclusive. */
export interface MonthSpan {
  readonly from: MonthNumber;
  readonly to: MonthNumber;
}

/**
 * The monthly figures of a product at a place, over all data.
 *
 * @param asked At each type of market that has some when that is undefined. A unit of the product's base, its own when
 * undefined; a currency that the rates of the snapshot convert to, the product's own when undefined.
 * Cost: three looks at each price.
 */
export function* figuresByType(
  store: Store,
  asked: Pick<Series, "productUuid" | "place"> & Partial<Series> & Pick<PriceStatistics, "unit" | "currency">,
): Generator<number, ProductFigures> {
  const { productUuid, place, unit, currency } = asked;
  const { newestDay, ages, month: periods } = store.periods;
  const byType: SeriesFigures[] = [];
  const allSuspicious: SuspiciousPrice[] = [];
  let [excluded, withoutRate] = [0, 0];
  const days = { dayFirst: (newestDay - (ages.at(-1) ?? 0)) as Day, dayLast: newestDay as Day };
  const types = asked.marketType === undefined ? marketTypes : [asked.marketType];
  for (const marketType of ages.length === 0 ? [] : types) {
    const question = { productUuid, ...days, ...place.conditions, marketType, unit, currency } as const;
    const suspicious = suspiciousPrices(store, question).sort((a, b) => b.day - a.day);
    allSuspicious.push(...suspicious);
    const answer = yield* answerStatistics(store, { ...question, grouping: "month", isSuspicious: false });
    excluded += answer.excludedSamples;
    withoutRate += answer.missingRates.count;
    if (answer.overall === null) continue;
    const months = listGroups(answer.found).map(({ key, median, min, max, mean, count }) => ({
      month: monthNumber(periods.labels[key] as string),
      median: roundFigure(median),
      min: roundFigure(min),
      max: roundFigure(max),
      average: roundFigure(mean),
      samples: count,
    }));
    const measure = { unit: answer.unit, currency: answer.currency, isConverted: currency !== undefined };
    byType.push({ productUuid, marketType, place, ...measure, months, suspicious });
  }
  return {
    byType: byType.sort((a, b) => newestOf(b).month - newestOf(a).month),
    excluded,
    withoutRate,
    suspicious: allSuspicious.sort((a, b) => b.day - a.day),
  };
}

/** As `startStatistics` of a product that is known and a unit that was checked. */
function* answerStatistics(store: Store, question: PriceStatistics): Generator<number, StatisticsAnswer> {
  const work = startStatistics(store, question);
  if ("problem" in work) throw new RangeError(`the statistics of ${question.productUuid}: ${work.problem}`);
  return yield* work;
}

/** The figures of the newest month. */
export function newestOf({ months }: Pick<SeriesFigures, "months">): MonthFigures {
  return months.at(-1) as MonthFigures;
}

export function figuresOf({ months }: Pick<SeriesFigures, "months">, month: MonthNumber): MonthFigures | undefined {
  return months.find((figures) => figures.month === month);
}

/** How many markets have prices of a series in a month that are in its figures. */
export function* countMarkets(
  store: Store,
  { productUuid, marketType, place, unit }: SeriesFigures,
  month: MonthNumber,
): Generator<number, number> {
  const days = { dayFirst: firstDayOf(month), dayLast: lastDayOf(month) };
  const asked = { productUuid, ...days, ...place.conditions, marketType, unit, isSuspicious: false } as const;
  return listGroups((yield* answerStatistics(store, { ...asked, grouping: "market" })).found).length;
}

/** The request that gives the figures of a series. */
export function statisticsRequest(
  { productUuid, marketType, place, unit, currency, isConverted }: SeriesFigures,
  { from, to }: MonthSpan,
): ApiRequest {
  const { countyId, marketUuid } = place.conditions;
  return {
    path: "/api/v1/prices/statistics",
    body: {
      product_uuid: productUuid,
      start_date: dayText(firstDayOf(from)),
      end_date: dayText(lastDayOf(to)),
      ...(countyId === undefined ? {} : { county_id: countyId }),
      ...(marketUuid === undefined ? {} : { market_uuid: marketUuid }),
      market_type: marketType,
      suspicious: false,
      group_by: "month",
      unit,
      ...(isConverted ? { currency } : {}),
    },
  };
}
