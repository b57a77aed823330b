/**
 * A day as a whole number since 1970-01-01, in the dataset's calendar. Everything here is arithmetic on UTC fields, so
 * the time zone of the process never matters; an instant becomes a day by adding the dataset's fixed offset first.
 */
import { UTCDateMini } from "@date-fns/utc/date/mini";
import { getISOWeek } from "date-fns/getISOWeek";
import { getISOWeekYear } from "date-fns/getISOWeekYear";
import { startOfISOWeek } from "date-fns/startOfISOWeek";
import { startOfMonth } from "date-fns/startOfMonth";
import type { Branded } from "./branded.ts";
import type { Instant } from "./instant.ts";

/** Days since 1970-01-01; negative before it. */
export type Day = Branded<number, "Day">;

export const dayMilliseconds = 86_400_000;

const dayExpression = /^(\d{4})-(\d{2})-(\d{2})$/;

/**
 * Reads `YYYY-MM-DD`.
 *
 * @returns The day, or undefined when the text has another form or the day does not exist (2026-02-30).
 */
export function dayFromText(text: string): Day | undefined {
  const match = dayExpression.exec(text);
  if (match === null) return undefined;
  const [, year, month, dayOfMonth] = match;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(dayOfMonth));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(dayOfMonth)) return undefined;
  return (date.getTime() / dayMilliseconds) as Day;
}

/** The day on which an instant falls, where clocks are `utcOffset` milliseconds ahead of UTC. */
export function dayOfInstant(instant: Instant, utcOffset: number): Day {
  return Math.floor((instant + utcOffset) / dayMilliseconds) as Day;
}

/** The first instant of a day (inclusive), where clocks are `utcOffset` milliseconds ahead of UTC. */
export function instantOfDayStart(day: Day, utcOffset: number): Instant {
  return (day * dayMilliseconds - utcOffset) as Instant;
}

/** `2026-01-31` */
export function dayText(day: Day): string {
  return new Date(day * dayMilliseconds).toISOString().slice(0, 10);
}

/** `2026-W05`: the week of ISO 8601, with the year the week belongs to. */
export function weekText(day: Day): string {
  const date = asDate(day);
  return `${String(getISOWeekYear(date)).padStart(4, "0")}-W${String(getISOWeek(date)).padStart(2, "0")}`;
}

/** `2026-01` */
export function monthText(day: Day): string {
  return dayText(day).slice(0, 7);
}

/** The Monday of the ISO 8601 week of a day. */
export function weekStart(day: Day): Day {
  return asDay(startOfISOWeek(asDate(day)));
}

/** The first day of the month of a day. */
export function monthStart(day: Day): Day {
  return asDay(startOfMonth(asDate(day)));
}

function asDate(day: Day): Date {
  return new UTCDateMini(day * dayMilliseconds);
}

function asDay(date: Date): Day {
  return (date.getTime() / dayMilliseconds) as Day;
}
