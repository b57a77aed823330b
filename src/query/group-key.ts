/** The periods of time by which statistics are grouped: where one begins and what it is called. */
import { type Day, dayText, monthStart, monthText, weekStart, weekText } from "../domain/calendar-day.ts";
import type { Grouping } from "../domain/vocabulary.ts";

/** A grouping by time, as against `market` and `county`. */
export type TimeGrouping = Exclude<Grouping, "market" | "county">;

export interface TimePeriods {
  /** First day of the period that a day lies in. */
  readonly startOf: (day: Day) => Day;
  /** Label of the period that a day lies in. */
  readonly labelOf: (day: Day) => string;
}

export const timePeriods: Readonly<Record<TimeGrouping, TimePeriods>> = {
  day: { startOf: (day) => day, labelOf: dayText },
  week: { startOf: weekStart, labelOf: weekText },
  month: { startOf: monthStart, labelOf: monthText },
};

/** Tells the groupings by time from those by place. */
export function isTimeGrouping(grouping: Grouping): grouping is TimeGrouping {
  return grouping !== "market" && grouping !== "county";
}
