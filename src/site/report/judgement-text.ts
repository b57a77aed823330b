/**
 * Texts on how unusual prices are in the country: the measures of `/prices/anomalies`, of the newest month that can be
 * judged.
 */
import { monthText } from "../../engine/model/calendar.ts";
import type { JudgedSubject, MeasureOfMonth } from "../../engine/query/measures/find-judged.ts";
import { isComputed } from "../../engine/query/measures/judge-month.ts";
import { roundSigned } from "../../engine/store/figures.ts";
import { countOf, percentText } from "./report-text.ts";

const unjudged = "no price to judge";

/** `+17 % (2026-03, at 6 same markets)`, or why there is none. */
export function changeOnYear(judged: JudgedSubject | undefined): string {
  return measureText(judged, "yearBefore", ({ changePercent }) => {
    return `${changePercent < 0 ? "−" : "+"}${percentText(changePercent)}`;
  });
}

/** `117 % (2025-01, at 3 same markets)`, or why there is none. */
export function shareOfUsual(judged: JudgedSubject | undefined): string {
  return measureText(judged, "fiveYears", ({ percentOfUsual }) => percentText(percentOfUsual));
}

/** A measure with its month and markets, or why there is none. */
function measureText<Name extends "yearBefore" | "fiveYears">(
  judged: JudgedSubject | undefined,
  name: Name,
  textOf: (measure: NonNullable<JudgedSubject[Name]>["measure"]) => string,
): string {
  if (judged === undefined) return unjudged;
  const latest = judged[name];
  if (latest !== undefined) {
    const { month, measure } = latest;
    return `${textOf(measure)} (${monthText(month)}, at ${countOf(measure.markets ?? 1, "same market")})`;
  }
  const ofNewest = judged.newest.measures[name];
  if (isComputed<object>(ofNewest)) return unjudged;
  const { found, needed } = ofNewest;
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

function measureJson(
  { month, measure: { markets } }: MeasureOfMonth<{ readonly markets?: number }>,
  name: string,
  figure: number,
) {
  return { month: monthText(month), [name]: roundSigned(figure), markets };
}
