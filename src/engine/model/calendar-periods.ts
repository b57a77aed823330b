/** The weeks, months, quarters and years of days. */
import type { Day } from "./calendar-day.ts";
import { firstDayOf, monthOf, monthOfYear, monthTextOf, yearOf } from "./calendar-month.ts";

const epoch = new Temporal.PlainDate(1970, 1, 1);

/** `2026-W05`: the week of ISO 8601, with the year the week belongs to. */
export function weekText(day: Day): string {
  const { yearOfWeek, weekOfYear } = dateOf(day);
  return `${String(yearOfWeek).padStart(4, "0")}-W${String(weekOfYear).padStart(2, "0")}`;
}

/** `2026-Q1` */
export function quarterText(day: Day): string {
  return `${yearText(day)}-Q${Math.ceil(monthOfYear(monthOf(day)) / 3)}`;
}

/** `2026` */
export function yearText(day: Day): string {
  return monthTextOf(day).slice(0, -3);
}

/** The Monday of the ISO 8601 week of a day. */
export function weekStart(day: Day): Day {
  return (day - dateOf(day).dayOfWeek + 1) as Day;
}

/** The first day of the month of a day. */
export function monthStart(day: Day): Day {
  return firstDayOf(monthOf(day));
}

/** The first day of the calendar quarter of a day. */
export function quarterStart(day: Day): Day {
  const month = monthOf(day);
  return firstDayOf(month - (month % 3));
}

/** The first of January of the year of a day. */
export function yearStart(day: Day): Day {
  return firstDayOf(yearOf(monthOf(day)) * 12);
}

function dateOf(day: Day): Temporal.PlainDate {
  return epoch.add({ days: day });
}
