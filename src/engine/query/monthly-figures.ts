/**
 * The figures of a product by month, as people read them: rounded, and without suspicious prices; and the suspicious
 * prices that they leave out.
 */
import { type Day, firstDayOf, lastDayOf, type MonthNumber, monthNumber } from "../model/calendar.ts";
import type { MarketRecord } from "../model/records.ts";
import { recordAt } from "../store/catalogue.ts";
import { type Group, roundFigure } from "../store/figures.ts";
import { dayOfRow } from "../store/periods.ts";
import { conversionTo, convertPrice, targetOf } from "../store/price-conversion.ts";
import type { Store } from "../store/store.ts";
import { type SuspiciousReason, suspiciousReasonOf } from "../store/suspicious-prices.ts";
import { listGroups } from "./found-groups.ts";
import { priceStatistics, type StatisticsAnswer } from "./price-statistics.ts";
import type { PriceStatistics } from "./questions.ts";
import { type SelectConditions, select, suspiciousRows } from "./select.ts";

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

/** @param question Its product, unit and currency are known to be in the store. Cost: as statistics. */
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

/**
 * The groups of the prices of a product by market over some months, both inclusive, without suspicious prices.
 *
 * @param question Its product, unit and currency are known to be in the store. Cost: as statistics.
 */
export function* groupsByMarket(
  store: Store,
  question: Omit<PriceStatistics, "grouping" | "isSuspicious" | "dayFirst" | "dayLast">,
  { from, to }: { readonly from: MonthNumber; readonly to: MonthNumber },
): Generator<number, readonly Group[]> {
  const days = { dayFirst: firstDayOf(from), dayLast: lastDayOf(to) };
  const answer = yield* knownStatistics(store, { ...question, ...days, grouping: "market", isSuspicious: false });
  return listGroups(answer.found);
}

/** As `priceStatistics`, where product, unit and currency are known to be in the store. */
function* knownStatistics(store: Store, question: PriceStatistics): Generator<number, StatisticsAnswer> {
  const work = priceStatistics(store, question);
  if ("problem" in work) throw new RangeError(`the statistics of ${question.productUuid}: ${work.problem}`);
  return yield* work;
}

/** A price that looks wrong beside its neighbours. */
export interface SuspiciousPrice {
  readonly row: number;
  readonly market: MarketRecord;
  readonly day: Day;
  /** In the unit and requested currency, rounded; undefined where it does not convert. */
  readonly price: number | undefined;
  readonly reason: SuspiciousReason;
}

/**
 * The suspicious prices of a product.
 *
 * @param question Its unit is of the product's base, and its currency that of the rates; the product's own when
 * undefined.
 * @returns Newest first; those of one day by market. Cost: that of `suspiciousRows`.
 */
export function suspiciousPrices(
  store: Store,
  question: SelectConditions & Pick<PriceStatistics, "productUuid" | "unit" | "currency">,
): SuspiciousPrice[] {
  const { catalogue, periods, prices } = store;
  const selection = select(store, question);
  const rows = suspiciousRows(store, selection);
  if (rows.length === 0) return [];
  const conversion = conversionTo(store, targetOf(catalogue, store.statisticsUnits[selection.product!]!, question));
  const found = rows.map((row): SuspiciousPrice => {
    const price = convertPrice(prices, conversion, row);
    return {
      row,
      market: recordAt(catalogue.markets, prices.markets[row]!),
      day: dayOfRow(periods, row),
      price: Number.isNaN(price) ? undefined : roundFigure(price),
      reason: suspiciousReasonOf(store.suspicious, row)!,
    };
  });
  return found.sort((a, b) => b.day - a.day);
}
