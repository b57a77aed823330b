/**
 * The weeks, months, quarters and years of days. Apart from calendar-day.ts, because date-fns takes a thread 40 ms to
 * load, and only what builds a store or draws months needs it; a server thread does not.
 */
import { UTCDateMini } from "@date-fns/utc/date/mini";
import { getISOWeek } from "date-fns/getISOWeek";
import { getISOWeekYear } from "date-fns/getISOWeekYear";
import { startOfISOWeek } from "date-fns/startOfISOWeek";
import { startOfMonth } from "date-fns/startOfMonth";
import { startOfQuarter } from "date-fns/startOfQuarter";
import { startOfYear } from "date-fns/startOfYear";
import type { Day } from "./calendar-day.ts";
import { monthTextOf } from "./calendar-month.ts";
import { dayMilliseconds } from "./instant.ts";

/** `2026-W05`: the week of ISO 8601, with the year the week belongs to. */
export function weekText(day: Day): string {
  const date = asDate(day);
  return `${String(getISOWeekYear(date)).padStart(4, "0")}-W${String(getISOWeek(date)).padStart(2, "0")}`;
}

/** `2026-Q1` */
export function quarterText(day: Day): string {
  const month = monthTextOf(day);
  return `${month.slice(0, -3)}-Q${Math.ceil(Number(month.slice(-2)) / 3)}`;
}

/** `2026` */
export function yearText(day: Day): string {
  return monthTextOf(day).slice(0, -3);
}

/** The Monday of the ISO 8601 week of a day. */
export function weekStart(day: Day): Day {
  return asDay(startOfISOWeek(asDate(day)));
}

/** The first day of the month of a day. */
export function monthStart(day: Day): Day {
  return asDay(startOfMonth(asDate(day)));
}

/** The first day of the calendar quarter of a day. */
export function quarterStart(day: Day): Day {
  return asDay(startOfQuarter(asDate(day)));
}

/** The first of January of the year of a day. */
export function yearStart(day: Day): Day {
  return asDay(startOfYear(asDate(day)));
}

function asDate(day: Day): Date {
  return new UTCDateMini(day * dayMilliseconds);
}

function asDay(date: Date): Day {
  return (date.getTime() / dayMilliseconds) as Day;
}
