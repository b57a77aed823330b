/**
 * How unusual prices are in the country, as the report writes it: the measures of `/prices/anomalies`, of the newest
 * month that can be judged.
 */
import { monthText } from "../domain/calendar-month.ts";
import { roundSigned } from "../domain/round-figure.ts";
import type { JudgedSubject, MeasureOfMonth } from "../query/measures/find-judged.ts";
import { isComputed, type NotComputable } from "../query/measures/judge-month.ts";
import { countOf, percentText } from "./report-text.ts";

const unjudged = "no price to judge";

/** `+17 % (2026-03, at 6 same markets)`, or why there is none. */
export function changeOnYear(judged: JudgedSubject | undefined): string {
  if (judged === undefined) return unjudged;
  const { yearBefore, newest } = judged;
  if (yearBefore === undefined) return reasonText(newest.measures.yearBefore);
  const { changePercent } = yearBefore.measure;
  return `${changePercent < 0 ? "−" : "+"}${percentText(changePercent)} ${judgedWhen(yearBefore)}`;
}

/** `117 % (2025-01, at 3 same markets)`, or why there is none. */
export function shareOfUsual(judged: JudgedSubject | undefined): string {
  if (judged === undefined) return unjudged;
  const { fiveYears, newest } = judged;
  if (fiveYears === undefined) return reasonText(newest.measures.fiveYears);
  return `${percentText(fiveYears.measure.percentOfUsual)} ${judgedWhen(fiveYears)}`;
}

type JudgedMeasure = MeasureOfMonth<{ readonly markets?: number }>;

function judgedWhen({ month, measure }: JudgedMeasure): string {
  return `(${monthText(month)}, at ${countOf(measure.markets ?? 1, "same market")})`;
}

function reasonText(measure: object | NotComputable): string {
  if (isComputed<object>(measure)) return unjudged;
  const { found, needed } = measure as NotComputable;
  return `too few to judge (${countOf(found, "same market")}, expected at least ${needed})`;
}

/** The same as data, named as `/prices/anomalies` names it. */
export function judgementJson(judged: JudgedSubject | undefined): Readonly<Record<string, unknown>> {
  const { yearBefore, fiveYears } = judged ?? {};
  return {
    year_before: yearBefore ? measureJson(yearBefore, "change_percent", yearBefore.measure.changePercent) : null,
    five_years: fiveYears ? measureJson(fiveYears, "percent_of_usual", fiveYears.measure.percentOfUsual) : null,
  };
}

function measureJson({ month, measure: { markets } }: JudgedMeasure, name: string, figure: number) {
  return { month: monthText(month), [name]: roundSigned(figure), markets };
}
