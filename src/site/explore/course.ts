/** Small lines of prices: the course of a product over the last months, without axes. */

import { firstDayOf, type MonthNumber, monthText } from "../../engine/model/calendar.ts";
import { describeSubject, type JudgedSubject } from "../../engine/query/measures/find-judged.ts";
import type { UnitAndCurrency } from "../../engine/store/price-conversion.ts";
import { type ComparableMonth, styleOf } from "../charts/comparable-month.ts";
import { renderSparkline } from "../charts/line-chart.ts";
import type { Markup } from "../pages/markup.ts";
import type { Words } from "../pages/words.ts";
import { allMarkets, apiGet, type DataColumn } from "./data-table.ts";
import { comparableMonths, type MonthSpan, pricedMonths, type SeriesFigures } from "./monthly-series.ts";
import type { ApiRequest, PageRequest } from "./request.ts";

/** Months of a small line. */
const courseMonths = 24;

/** The prices of a small line, named after their market or their product. */
export interface Course extends UnitAndCurrency {
  readonly name: string;
  /** Ascending. */
  readonly months: readonly CourseMonth[];
}

interface CourseMonth {
  readonly month: MonthNumber;
  readonly price: number;
  /** Undefined for a market. */
  readonly comparable?: ComparableMonth | undefined;
}

/** The prices of a series. */
export function courseOf(figures: SeriesFigures, name: string): Course {
  return { name, currency: figures.currency, unit: figures.unit, months: pricedMonths(figures) };
}

/** The comparable prices of a product in a county or the country, in its own unit and currency. */
export function courseOfJudged({ store, words }: PageRequest, judged: JudgedSubject): Course {
  const { product, unit, currency } = describeSubject(store, judged);
  const target = { unit, currency, isConverted: false };
  const months = [...comparableMonths(store, judged.newest.product, target, judged.comparable)];
  return {
    ...target,
    name: words.product(product),
    months: months.map(([month, found]) => ({ month, price: found.price, comparable: found })),
  };
}

/** Small lines of the months up to one, those that have figures there. */
export function courseColumn<Row>(
  words: Words,
  lastMonth: MonthNumber,
  courseOf: (row: Row) => Course | undefined,
): DataColumn<Row> {
  const show = (row: Row): Markup | undefined => renderCourse(words, lastMonth, courseOf(row));
  const heading = words.say("course", { count: courseMonths, month: words.month(lastMonth) });
  return { heading, show, from: "tablet" };
}

/** The small line of the months up to one; undefined without figures there. */
export function renderCourse(words: Words, lastMonth: MonthNumber, course: Course | undefined): Markup | undefined {
  const { from, to } = courseSpan(lastMonth);
  const points = course?.months.filter(({ month }) => month >= from && month <= to) ?? [];
  if (course === undefined || points.length === 0) return undefined;
  const describe = (point: CourseMonth | undefined): string =>
    point === undefined ? "" : `${words.month(point.month)}: ${words.price(point.price)}`;
  return renderSparkline({
    title: `${course.name}, ${words.currencyPerUnit(course.currency, course.unit)}`,
    description: [...new Set([points[0], points.at(-1)].map(describe))].join(" – "),
    points: points.map(({ month, price, comparable }) => {
      return { day: firstDayOf(month), value: price, ...styleOf(comparable) };
    }),
    dayFirst: firstDayOf(from),
    dayLast: firstDayOf(to),
  });
}

/** The request that gives the small lines of all products in the country up to a month. */
export function courseRequest(lastMonth: MonthNumber): ApiRequest {
  const { from, to } = courseSpan(lastMonth);
  return apiGet("/exports/index.csv", { start_month: monthText(from), end_month: monthText(to), ...allMarkets });
}

/** The months of a small line. */
export function courseSpan(lastMonth: MonthNumber): MonthSpan {
  return { from: lastMonth - courseMonths + 1, to: lastMonth };
}
