/** Calendar months as numbers, so that gaps show and years can be compared. */
import { type Day, dayFromText, dayText } from "./calendar-day.ts";

/** Months since January of the year 0. */
export type MonthNumber = number;

/** The number of a month. @param text `2025-10`, as the groups of statistics are labelled. */
export function monthNumber(text: string): MonthNumber {
  return Number(text.slice(0, -3)) * 12 + Number(text.slice(-2)) - 1;
}

/** `2025-10` */
export function monthText(month: MonthNumber): string {
  return `${String(yearOf(month)).padStart(4, "0")}-${String(monthOfYear(month)).padStart(2, "0")}`;
}

/** `2025-10` of a day. */
export function monthTextOf(day: Day): string {
  return dayText(day).slice(0, 7);
}

/** The month of a day. */
export function monthOf(day: Day): MonthNumber {
  return monthNumber(monthTextOf(day));
}

export function yearOf(month: MonthNumber): number {
  return Math.floor(month / 12);
}

/** Counted from 1. */
export function monthOfYear(month: MonthNumber): number {
  return (((month % 12) + 12) % 12) + 1;
}

export function firstDayOf(month: MonthNumber): Day {
  return dayFromText(`${monthText(month)}-01`) as Day;
}

/** The last day of a month, also of `9999-12`, after which the calendar ends. */
export function lastDayOf(month: MonthNumber): Day {
  return (firstDayOf(month) + Temporal.PlainYearMonth.from(monthText(month)).daysInMonth - 1) as Day;
}
