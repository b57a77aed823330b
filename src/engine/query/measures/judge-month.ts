/**
 * Judges how unusual the value of a month is, by the method `anomalies-3`. Frozen: another method gets another number.
 *
 * Changes on an earlier month are those of markets: of a county or the country their median (matched-changes.ts). The
 * usual price and `alps` are of a series: of a market that of its monthly values, of a county or the country that of
 * its comparable prices.
 *
 * `alps` is the Alert for Price Spikes of the World Food Programme (Technical Guidance Note: Calculation and Use of the
 * Alert for Price Spikes (ALPS) Indicator, 2014): ordinary least squares of the values on the number of the month and
 * an effect of each calendar month; the indicator is the residual of the judged month in standard deviations of all
 * residuals. Deviations from the mean of the calendar month leave one coefficient to estimate, and the same residuals
 * as all thirteen would (R. Frisch and F. V. Waugh, "Partial Time Regressions as Compared with Individual Trends",
 * Econometrica 1 (1933)).
 */
import type { MonthNumber } from "../../model/calendar.ts";
import { medianOf } from "../../store/figures.ts";
import { type MonthSeries, positionOf } from "./monthly-values.ts";

/** The name of the method, in answers and manuals. */
export const anomalyMethod = "anomalies-3";

export const alpsClasses = ["normal", "stress", "alert", "crisis"] as const;
export type AlpsClass = (typeof alpsClasses)[number];

/** The measures of a month, as they are named on the wire. */
export const measureNames = ["year_before", "previous", "five_years", "alps", "seasonality"] as const;
export type MeasureName = (typeof measureNames)[number];

export const notComputableReasons = [
  "NO_PRICE",
  "TOO_FEW_MONTHS",
  "TOO_MANY_GAPS",
  "TOO_FEW_YEARS",
  "TOO_FEW_MARKETS",
  "TOO_FEW_MATCHED_MARKETS",
  "NO_VARIATION",
] as const;

/** Why a measure cannot be computed. */
export interface NotComputable {
  readonly measure: MeasureName;
  readonly reason: (typeof notComputableReasons)[number];
  /** In the unit of the reason: prices, months, percent of the months, years, markets, or the residual deviation. */
  readonly found: number;
  readonly needed: number;
}

/** `previous` is among so many months before the judged one: surveys are quarterly, the month before is often empty. */
export const previousMonthsMax = 6;
/** Years before the judged month whose same months make the usual price. */
export const usualYears = 5;
/** So many of these years must have a value. */
export const usualYearsMin = 3;
/** Months with a value, up to and including the judged one, that a regression needs. */
export const alpsMonthsMin = 36;
/** So many of the months from the first to the judged one must have a value, in percent. */
export const alpsFilledPercentMin = 70;
/** Residuals that deviate less than this part of the mean value are rounding, not variation. */
const variationMin = 1e-9;

/** Absent for a market. */
interface OfMarkets {
  /** Markets with a value in the judged month. */
  readonly markets?: number;
}

/** The change of a price on an earlier month. */
export interface PriceChange {
  readonly month: MonthNumber;
  /** Of a county or the country the median over the markets with a value in both months. */
  readonly changePercent: number;
  /** The value of that month, of a market alone. */
  readonly price?: number;
  /** What a change of a county or the country is of; absent for a market. */
  readonly matched?: MatchedMarkets;
}

/** The markets with a value in both months of a change. */
export interface MatchedMarkets {
  readonly count: number;
  readonly changePercentMin: number;
  readonly changePercentMax: number;
  /** Each of them with its change, by market code, where they are at most `matchedNamedMax`; else empty. */
  readonly changes: readonly MarketChange[];
}

export interface MarketChange {
  readonly market: number;
  readonly changePercent: number;
}

/** A change of so many markets, or of fewer, names them: with few markets one of them makes the figure. */
export const matchedNamedMax = 4;

export interface FiveYears extends OfMarkets {
  readonly percentOfUsual: number;
  readonly usualPrice: number;
  /** Years that have a value. */
  readonly years: number;
}

export interface Alps extends OfMarkets {
  readonly value: number;
  readonly class: AlpsClass;
  readonly expectedPrice: number;
  readonly residualDeviation: number;
  /** Months that the regression is of. */
  readonly months: number;
}

/** The measures of a month. What cannot be computed is a `NotComputable`. */
export interface MonthMeasures {
  readonly yearBefore: PriceChange | NotComputable;
  /** The change on the newest month shortly before. */
  readonly previous: PriceChange | NotComputable;
  readonly fiveYears: FiveYears | NotComputable;
  readonly alps: Alps | NotComputable;
}

export function isComputed<Measure extends object>(measure: Measure | NotComputable): measure is Measure {
  return !("reason" in measure);
}

/** The measures of a market in a month. @param at Position of the month. Cost: a read of each value up to it. */
export function judgeMarket(values: MonthSeries, at: number): MonthMeasures {
  return {
    yearBefore: changeSince("year_before", values, at, values.months[at]! - 12),
    previous: changeSince("previous", values, at, previousMonth(values, at)),
    ...judgeSeries(values, at),
  };
}

/** The measures of a month in its series. @param at Position of the month. Cost: a read of each value up to it. */
export function judgeSeries(series: MonthSeries, at: number): Pick<MonthMeasures, "fiveYears" | "alps"> {
  return { fiveYears: fiveYears(series, at), alps: alps(series, at) };
}

/** The fewest markets that a county or the country is judged by where a question does not say. */
export const marketsMinDefaults = { county: 1, country: 3 } as const;

/** The fewest markets that a level is judged by when a question does not say. */
export function marketsMinOf(level: "market" | keyof typeof marketsMinDefaults): number {
  return level === "market" ? 1 : marketsMinDefaults[level];
}

/** The greatest that a question may ask for. */
export const marketsMinMax = 50;

/** The change that a market has for itself, as every market has it in a county. */
export function percentOf(value: number, before: number): number {
  return 100 * (value / before - 1);
}

function changeSince(
  measure: MeasureName,
  { months, medians }: MonthSeries,
  at: number,
  month: MonthNumber,
): PriceChange | NotComputable {
  const before = positionOf(months, at, month);
  if (before === -1) return noPrice(measure);
  const price = medians[before]!;
  return { month, price, changePercent: percentOf(medians[at]!, price) };
}

/** The newest month before that of a position that has a value, if it is shortly before; otherwise one without. */
function previousMonth({ months }: MonthSeries, at: number): MonthNumber {
  return Math.max(months[at - 1] ?? 0, months[at]! - previousMonthsMax);
}

export function tooFewMarkets(measure: MeasureName, found: number, needed: number): NotComputable {
  return { measure, reason: "TOO_FEW_MARKETS", found, needed };
}

export function noPrice(measure: MeasureName): NotComputable {
  return { measure, reason: "NO_PRICE", found: 0, needed: 1 };
}

function fiveYears({ months, medians }: MonthSeries, at: number): FiveYears | NotComputable {
  const found: number[] = [];
  for (let year = 1; year <= usualYears; year++) {
    const position = positionOf(months, at, months[at]! - 12 * year);
    if (position !== -1) found.push(medians[position]!);
  }
  if (found.length < usualYearsMin) {
    return { measure: "five_years", reason: "TOO_FEW_YEARS", found: found.length, needed: usualYearsMin };
  }
  const usualPrice = medianOf(Float64Array.from(found), 0, found.length);
  return { usualPrice, years: found.length, percentOfUsual: (medians[at]! / usualPrice) * 100 };
}

function alps(values: MonthSeries, at: number): Alps | NotComputable {
  const count = at + 1;
  const measure = "alps";
  if (count < alpsMonthsMin) return { measure, reason: "TOO_FEW_MONTHS", found: count, needed: alpsMonthsMin };
  const filledPercent = (count / (values.months[at]! - values.months[0]! + 1)) * 100;
  if (filledPercent < alpsFilledPercentMin) {
    return { measure, reason: "TOO_MANY_GAPS", found: filledPercent, needed: alpsFilledPercentMin };
  }
  const { residual, deviation, mean } = regress(values, count);
  if (deviation <= variationMin * mean) {
    return { measure, reason: "NO_VARIATION", found: deviation, needed: variationMin * mean };
  }
  const value = residual / deviation;
  const expectedPrice = values.medians[at]! - residual;
  return { value, class: alpsClassOf(value), expectedPrice, residualDeviation: deviation, months: count };
}

/** Below 0.25 normal, below 1 stress, below 2 alert, else crisis. */
export function alpsClassOf(value: number): AlpsClass {
  if (value < 0.25) return "normal";
  if (value < 1) return "stress";
  return value < 2 ? "alert" : "crisis";
}

interface Regression {
  /** The residual of the last value. */
  readonly residual: number;
  /** Sample standard deviation of the residuals (n − 1); their mean is 0. */
  readonly deviation: number;
  /** The mean of the values. */
  readonly mean: number;
}

/** Least squares of the first `count` values on the number of the month and an effect of each calendar month. */
function regress({ months, medians }: MonthSeries, count: number): Regression {
  const counts = new Float64Array(12);
  const meanMonths = new Float64Array(12);
  const meanValues = new Float64Array(12);
  // Small numbers keep their digits. The months are ascending, so none is before the first.
  const origin = months[0]!;
  let sum = 0;
  for (let at = 0; at < count; at++) {
    const calendarMonth = (months[at]! - origin) % 12;
    counts[calendarMonth]!++;
    meanMonths[calendarMonth]! += months[at]! - origin;
    meanValues[calendarMonth]! += medians[at]!;
    sum += medians[at]!;
  }
  for (let calendarMonth = 0; calendarMonth < 12; calendarMonth++) {
    if (counts[calendarMonth] === 0) continue;
    meanMonths[calendarMonth]! /= counts[calendarMonth]!;
    meanValues[calendarMonth]! /= counts[calendarMonth]!;
  }
  let products = 0;
  let squares = 0;
  for (let at = 0; at < count; at++) {
    const calendarMonth = (months[at]! - origin) % 12;
    const monthDeviation = months[at]! - origin - meanMonths[calendarMonth]!;
    products += monthDeviation * (medians[at]! - meanValues[calendarMonth]!);
    squares += monthDeviation * monthDeviation;
  }
  // With more months than a year has, one calendar month is there twice, so `squares` is above 0.
  const trend = products / squares;
  let residual = 0;
  let residualSquares = 0;
  for (let at = 0; at < count; at++) {
    const calendarMonth = (months[at]! - origin) % 12;
    const monthDeviation = months[at]! - origin - meanMonths[calendarMonth]!;
    residual = medians[at]! - meanValues[calendarMonth]! - trend * monthDeviation;
    residualSquares += residual * residual;
  }
  return { residual, deviation: Math.sqrt(residualSquares / (count - 1)), mean: sum / count };
}
