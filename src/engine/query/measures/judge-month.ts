/**
 * Judges how unusual the value of a month is in its series, by the method `anomalies-2`: of a market the series of its
 * monthly values, of a county or the country that of its comparable prices. Frozen: another method gets another number.
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
export const anomalyMethod = "anomalies-2";

export const alpsClasses = ["normal", "stress", "alert", "crisis"] as const;
export type AlpsClass = (typeof alpsClasses)[number];

/** The measures of a month, as they are named on the wire. */
export type MeasureName = "year_before" | "five_years" | "alps" | "seasonality";

export const notComputableReasons = [
  "NO_PRICE",
  "NO_MATCHED_MARKETS",
  "TOO_FEW_MONTHS",
  "TOO_MANY_GAPS",
  "TOO_FEW_YEARS",
  "TOO_FEW_MARKETS",
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
  /** Markets with a value in the judged month; of `YearBefore` in the month twelve months before. */
  readonly markets?: number;
}

export interface YearBefore extends OfMarkets {
  readonly month: MonthNumber;
  readonly changePercent: number;
  /** The value of that month. */
  readonly price: number;
  /** Markets with a value in both months. */
  readonly matchedMarkets?: number;
}

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
  readonly yearBefore: YearBefore | NotComputable;
  readonly fiveYears: FiveYears | NotComputable;
  readonly alps: Alps | NotComputable;
}

export function isComputed<Measure extends object>(measure: Measure | NotComputable): measure is Measure {
  return !("reason" in measure);
}

/**
 * The measures of a month, each by itself.
 *
 * @param at Position of the judged month. Cost: a read of each value up to it.
 */
export const monthMeasures: {
  readonly [Name in keyof MonthMeasures]: (series: MonthSeries, at: number) => MonthMeasures[Name];
} = { yearBefore, fiveYears, alps };

/** The fewest markets that a county or the country is judged by where a question does not say. */
export const marketsMinDefaults = { county: 1, country: 3 } as const;

/** The greatest that a question may ask for. */
export const marketsMinMax = 50;

const measureNames: Readonly<Record<keyof MonthMeasures, MeasureName>> = {
  yearBefore: "year_before",
  fiveYears: "five_years",
  alps: "alps",
};

/**
 * A measure of a county or the country, or that too few markets stand behind it: in the judged month, or in the month
 * that it compares with.
 *
 * @param markets Markets with a value in the judged month.
 */
export function requireMarkets<Name extends keyof MonthMeasures>(
  name: Name,
  measure: MonthMeasures[Name],
  markets: number,
  needed: number,
): MonthMeasures[Name] | NotComputable {
  const compared = isComputed<OfMarkets>(measure) ? measure.markets : undefined;
  const found = markets < needed ? markets : (compared ?? markets);
  return found < needed ? { measure: measureNames[name], reason: "TOO_FEW_MARKETS", found, needed } : measure;
}

/** The value some months before position `at`; undefined where that month has none. */
function medianBefore({ months, medians }: MonthSeries, at: number, distance: number): number | undefined {
  const position = positionOf(months, at, months[at]! - distance);
  return position === -1 ? undefined : medians[position];
}

function yearBefore(values: MonthSeries, at: number): YearBefore | NotComputable {
  const before = medianBefore(values, at, 12);
  if (before === undefined) return { measure: "year_before", reason: "NO_PRICE", found: 0, needed: 1 };
  const changePercent = (values.medians[at]! / before - 1) * 100;
  return { month: values.months[at]! - 12, price: before, changePercent };
}

function fiveYears(values: MonthSeries, at: number): FiveYears | NotComputable {
  const found: number[] = [];
  for (let year = 1; year <= usualYears; year++) {
    const value = medianBefore(values, at, 12 * year);
    if (value !== undefined) found.push(value);
  }
  if (found.length < usualYearsMin) {
    return { measure: "five_years", reason: "TOO_FEW_YEARS", found: found.length, needed: usualYearsMin };
  }
  const usualPrice = medianOf(Float64Array.from(found), 0, found.length);
  return { usualPrice, years: found.length, percentOfUsual: (values.medians[at]! / usualPrice) * 100 };
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
  // Small numbers keep their digits.
  const origin = months[0]!;
  let sum = 0;
  for (let at = 0; at < count; at++) {
    const calendarMonth = months[at]! % 12;
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
    const calendarMonth = months[at]! % 12;
    const monthDeviation = months[at]! - origin - meanMonths[calendarMonth]!;
    products += monthDeviation * (medians[at]! - meanValues[calendarMonth]!);
    squares += monthDeviation * monthDeviation;
  }
  // With more months than a year has, one calendar month is there twice, so `squares` is above 0.
  const trend = products / squares;
  let residual = 0;
  let residualSquares = 0;
  for (let at = 0; at < count; at++) {
    const calendarMonth = months[at]! % 12;
    const monthDeviation = months[at]! - origin - meanMonths[calendarMonth]!;
    residual = medians[at]! - meanValues[calendarMonth]! - trend * monthDeviation;
    residualSquares += residual * residual;
  }
  return { residual, deviation: Math.sqrt(residualSquares / (count - 1)), mean: sum / count };
}
