/** Scales and axes of charts with values upwards. */
import { type ScaleLinear, scaleLinear, scaleUtc } from "d3-scale";
import { type Language, wordsOf } from "../../contract/words.ts";
import { type Day, dayMilliseconds, dayText } from "../../engine/model/calendar.ts";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import { type LabelRoom, rounded, shortNumber, takeRoom, textAt, textWidth } from "./chart-frame.ts";

export type ValueScale = ScaleLinear<number, number>;

/** The area of the data. */
export interface PlotArea {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The axis ends at this multiple of the 90th percentile of the values. */
const reachOfMost = 3;

/** Beyond these, arithmetic of scales leaves the range of numbers. */
const axisTopMin = 1e-290;
const axisTopMax = 1e290;

/**
 * The greatest value that the axis shows. Where single values are more than `reachOfMost` times above nine tenths of
 * all, the axis ends at the greatest of the others, so that one misplaced decimal point does not flatten the chart;
 * greater values are drawn at its edge.
 *
 * @param values At least 0. @returns At least some positive number.
 */
export function axisTop(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const most = sorted[Math.floor((sorted.length - 1) * 0.9)] ?? 0;
  const limit = most * reachOfMost;
  return positiveTop(sorted.findLast((value) => value <= limit) ?? sorted.at(-1) ?? 0);
}

function positiveTop(top: number): number {
  return top > 0 ? Math.min(Math.max(top, axisTopMin), axisTopMax) : 1;
}

/** Values from about `least` to about `top`, upwards; what is beyond stays at the edge. */
export function valueScale(top: number, { top: y, bottom }: Pick<PlotArea, "top" | "bottom">, least = 0): ValueScale {
  return scaleLinear().domain([least, top]).nice(5).range([bottom, y]).clamp(true);
}

/** The width that the labels of a value axis take. */
export function valueAxisWidth(scale: ValueScale, language: string): number {
  const widths = scale.ticks(5).map((tick) => textWidth(shortNumber(tick, language)));
  return Math.ceil(Math.max(...widths)) + 11;
}

/** Horizontal lines with their values at the left. */
export function renderValueAxis(scale: ValueScale, { left, right }: PlotArea, language: string): Markup {
  const lines = scale.ticks(5).map((tick) => {
    const y = rounded(scale(tick));
    const line = markup`<path class="grid" d="M${rounded(left)} ${y}H${rounded(right)}"/>`;
    return markup`${line}${textAt(shortNumber(tick, language), left - 6, y + 4, "quiet end")}`;
  });
  return joinMarkup(lines);
}

/** Days to the right. */
export type DayScale = (day: number) => number;

/** @param dayFirst Inclusive, as `dayLast`; a single day lies in the middle. */
export function dayScale(dayFirst: number, dayLast: number, { left, right }: PlotArea): DayScale {
  if (dayFirst === dayLast) return () => (left + right) / 2;
  const scale = scaleLinear().domain([dayFirst, dayLast]).range([left, right]);
  return (day) => scale(day);
}

/** About the days of a month. */
const monthDays = 30;

/** Room for a label of the time axis. */
const tickWidth = 48;

/**
 * Below the plot: years; months where there are few years, with the year at January; days where there are few months.
 */
export function renderTimeAxis(
  [dayFirst, dayLast]: readonly [number, number],
  x: DayScale,
  { left, right, bottom }: PlotArea,
  language: Language,
): Markup {
  const count = Math.max(2, Math.floor((right - left) / tickWidth));
  const ticks = timeTicks(dayFirst, dayLast, count, language);
  const taken: LabelRoom[] = [];
  // Years come first: a month without a year is ambiguous.
  const labels = ticks
    .toSorted((a, b) => Number(b.isYear) - Number(a.isYear))
    .flatMap(({ day, label }) => {
      const half = textWidth(label) / 2;
      const at = rounded(Math.min(Math.max(x(day), left - 20 + half), right + 8 - half));
      const isFree = takeRoom(taken, [at - half - 5, at + half + 5]);
      return isFree ? [{ at, text: textAt(label, at, bottom + 17, "quiet middle") }] : [];
    });
  const inOrder = labels.sort((a, b) => a.at - b.at).map(({ text }) => text);
  const marks = [
    ...ticks.map(({ day }) => markup`<path class="axis" d="M${rounded(x(day))} ${bottom}v4"/>`),
    ...inOrder,
  ];
  return markup`<path class="axis" d="M${rounded(left)} ${bottom}H${rounded(right)}"/>${marks}`;
}

/** The marks of the time axis. */
function timeTicks(dayFirst: number, dayLast: number, count: number, language: Language) {
  const words = wordsOf(language);
  const dateOf = (day: number): Date => new Date(day * dayMilliseconds);
  if (dayFirst === dayLast) {
    // A month is drawn at its first day.
    const date = dateOf(dayFirst);
    const month = `${words.shortMonth(date.getUTCMonth() + 1)} ${date.getUTCFullYear()}`;
    const label = date.getUTCDate() === 1 ? month : dayText(dayFirst as Day);
    return [{ day: dayFirst, label, isYear: false }];
  }
  const ends = [dateOf(dayFirst), dateOf(dayLast)] as const;
  // Months are drawn at their first days: no day between two of them has a figure.
  const isOfMonths = ends.every((date) => date.getUTCDate() === 1);
  const ticks = scaleUtc()
    .domain(ends)
    .ticks(isOfMonths ? Math.min(count, Math.round((dayLast - dayFirst) / monthDays)) : count)
    // For a few days d3 makes ticks of hours.
    .filter((date) => date.getTime() % dayMilliseconds === 0);
  const areMonths = ticks.every((date) => date.getUTCDate() === 1);
  const isYear = (date: Date): boolean => areMonths && date.getUTCMonth() === 0;
  const hasYear = ticks.some(isYear);
  return ticks.map((date, at) => {
    const year = date.getUTCFullYear();
    const day = (date.getTime() / dayMilliseconds) as Day;
    const name = areMonths ? words.shortMonth(date.getUTCMonth() + 1) : words.shortDay(day);
    const label = isYear(date) ? String(year) : at === 0 && !hasYear ? `${name} ${year}` : name;
    return { day, label, isYear: isYear(date) };
  });
}
