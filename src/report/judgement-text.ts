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
  return measureText(judged, "yearBefore", ({ yearBefore }) => {
    const { changePercent } = yearBefore?.measure ?? { changePercent: 0 };
    return `${changePercent < 0 ? "−" : "+"}${percentText(changePercent)}`;
  });
}

/** `117 % (2025-01, at 3 same markets)`, or why there is none. */
export function shareOfUsual(judged: JudgedSubject | undefined): string {
  return measureText(judged, "fiveYears", ({ fiveYears }) => percentText(fiveYears?.measure.percentOfUsual ?? 100));
}

/** A measure with its month and markets, or why there is none. */
function measureText(
  judged: JudgedSubject | undefined,
  name: "yearBefore" | "fiveYears",
  textOf: (judged: JudgedSubject) => string,
): string {
  if (judged === undefined) return unjudged;
  const found = judged[name];
  if (found === undefined) return reasonText(judged.newest.measures[name]);
  return `${textOf(judged)} (${monthText(found.month)}, at ${countOf(found.measure.markets ?? 1, "same market")})`;
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

function measureJson(
  { month, measure: { markets } }: MeasureOfMonth<{ readonly markets?: number }>,
  name: string,
  figure: number,
) {
  return { month: monthText(month), [name]: roundSigned(figure), markets };
}
