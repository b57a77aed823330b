/** The monthly figures of a product by type of market, and its suspicious prices, which are in no figure of a page. */
import { type Day, dayText } from "../domain/calendar-day.ts";
import { firstDayOf, lastDayOf, type MonthNumber, monthNumber } from "../domain/calendar-month.ts";
import type { Uuid } from "../domain/ids.ts";
import { roundFigure } from "../domain/round-figure.ts";
import { type MarketType, marketTypes } from "../domain/vocabulary.ts";
import { type SuspiciousPrice, suspiciousPrices } from "../query/find-suspicious.ts";
import {
  listGroups,
  type StatisticsAnswer,
  type StatisticsProblem,
  startStatistics,
} from "../query/price-statistics.ts";
import type { PriceStatistics } from "../query/questions.ts";
import type { Store } from "../store/store.ts";
import type { Place } from "./place.ts";
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

export interface TypeFigures {
  readonly marketType: MarketType;
  readonly unit: string;
  readonly currency: string | null;
  /** Whether prices were converted to the currency by the rates of their months. */
  readonly isConverted: boolean;
  /** Months with prices, ascending; at least one. */
  readonly months: readonly MonthFigures[];
}

export interface ProductFigures {
  /** By the newest month, newest first; of equal ones in the order of the vocabulary. */
  readonly byType: readonly TypeFigures[];
  /** Prices that do not convert to the unit and currency of these figures, also those at types that have no others. */
  readonly excluded: number;
  /** Those of them whose month has no exchange rate; 0 where no currency is converted. */
  readonly withoutRate: number;
  /** At these types of market, newest first. */
  readonly suspicious: readonly SuspiciousPrice[];
}

/** As `startStatistics` of a product that is known and a unit that was checked. */
function* answerStatistics(store: Store, question: PriceStatistics): Generator<number, StatisticsAnswer> {
  const work: Generator<number, StatisticsAnswer> | StatisticsProblem = startStatistics(store, question);
  if ("problem" in work) throw new RangeError(`the statistics of ${question.productUuid}: ${work.problem}`);
  return yield* work;
}

/** The request that gives the monthly statistics of a product. Days are inclusive. */
export function statisticsRequest(
  productUuid: Uuid,
  { marketType, unit, currency, isConverted }: Omit<TypeFigures, "months">,
  { conditions: { countyId, marketUuid } }: Place,
  [dayFirst, dayLast]: readonly [Day, Day],
): ApiRequest {
  return {
    path: "/api/v1/prices/statistics",
    body: {
      product_uuid: productUuid,
      start_date: dayText(dayFirst),
      end_date: dayText(dayLast),
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

/**
 * The monthly figures of a product at each type of market that has some, over all data.
 *
 * @param measure A unit of the product's base, its own when undefined; a currency that the rates of the snapshot
 * convert to, the product's own when undefined.
 * Cost: three looks at each price.
 */
export function* figuresByType(
  store: Store,
  productUuid: Uuid,
  { conditions }: Place,
  { unit, currency }: { readonly unit?: string | undefined; readonly currency?: string | undefined } = {},
  types: readonly MarketType[] = marketTypes,
): Generator<number, ProductFigures> {
  const { newestDay, ages } = store.periods;
  const age = ages.at(-1);
  const found: TypeFigures[] = [];
  const suspicious: SuspiciousPrice[] = [];
  let [excluded, withoutRate] = [0, 0];
  if (age === undefined) return { byType: found, excluded, withoutRate, suspicious };
  const days = { dayFirst: (newestDay - age) as Day, dayLast: newestDay as Day };
  for (const marketType of types) {
    const asked = { productUuid, ...days, ...conditions, marketType, unit, currency, grouping: "month" } as const;
    suspicious.push(...suspiciousPrices(store, asked));
    const answer = yield* answerStatistics(store, { ...asked, isSuspicious: false });
    excluded += answer.excludedSamples;
    withoutRate += answer.missingRates.count;
    if (answer.overall === null) continue;
    const months = listGroups(answer.found).map(({ key, median, min, max, mean, count }) => ({
      month: monthNumber(store.periods.month.labels[key] as string),
      median: roundFigure(median),
      min: roundFigure(min),
      max: roundFigure(max),
      average: roundFigure(mean),
      samples: count,
    }));
    const measure = { unit: answer.unit, currency: answer.currency, isConverted: currency !== undefined };
    found.push({ marketType, ...measure, months });
  }
  return {
    byType: found.sort((a, b) => newestOf(b).month - newestOf(a).month),
    excluded,
    withoutRate,
    suspicious: suspicious.sort((a, b) => b.day - a.day),
  };
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
  const asked = { productUuid, ...days, ...conditions, marketType, unit, isSuspicious: false } as const;
  const question = { ...asked, grouping: "market" } as const;
  return listGroups((yield* answerStatistics(store, question)).found).length;
}

/** First and last month, both inclusive. */
export interface MonthSpan {
  readonly from: MonthNumber;
  readonly to: MonthNumber;
}

/** A line: the figures of a product at a type of market and a place. */
export interface MonthlyLine {
  readonly label: string;
  readonly product: string;
  readonly productUuid: Uuid;
  readonly place: Place;
  readonly figures: TypeFigures;
  /** The suspicious prices that the figures leave out, newest first. */
  readonly suspicious: readonly SuspiciousPrice[];
}
