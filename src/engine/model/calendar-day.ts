/**
 * A day as a whole number since 1970-01-01, in the dataset's calendar. Everything here is arithmetic on UTC fields, so
 * the time zone of the process never matters; an instant becomes a day by adding the dataset's fixed offset first.
 */
import type { Branded } from "./branded.ts";
import { dayMilliseconds, type Instant } from "./instant.ts";

/** Days since 1970-01-01; negative before it. */
export type Day = Branded<number, "Day">;

/**
 * Reads `YYYY-MM-DD`.
 *
 * @returns The day, or undefined when the text has another form or the day does not exist (2026-02-30).
 * Cost: 0.03 µs, where the engine's dates take 0.34 and its parser 1.0: a question of statistics reads four days, and
 *   takes 66 instead of 68 µs over HTTP.
 */
export function dayFromText(text: string): Day | undefined {
  if (text.length !== 10 || text.charCodeAt(4) !== hyphen || text.charCodeAt(7) !== hyphen) return undefined;
  const year = readDigits(text, 0, 4);
  const month = readDigits(text, 5, 7);
  const dayOfMonth = readDigits(text, 8, 10);
  if (!(year >= 0 && month >= 1 && month <= 12 && dayOfMonth >= 1)) return undefined;
  if (dayOfMonth > daysInMonth(year, month)) return undefined;
  // Years that begin in March end with the leap day, so the days before a month follow one formula.
  const isBeforeMarch = month <= 2;
  const marchYear = isBeforeMarch ? year - 1 : year;
  const dayOfYear = Math.floor((153 * (month + (isBeforeMarch ? 9 : -3)) + 2) / 5) + dayOfMonth - 1;
  return (marchYear * 365 + leapYearsUpTo(marchYear) + dayOfYear - daysBefore1970) as Day;
}

const hyphen = 0x2d;

/** From 0000-03-01 to 1970-01-01. */
const daysBefore1970 = 719_468;

/** The number that digits write; NaN when another character is among them. */
function readDigits(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return leapYearsUpTo(year) > leapYearsUpTo(year - 1) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** Leap years of the Gregorian calendar from the year 1 to a year, negative before it. */
function leapYearsUpTo(year: number): number {
  return Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400);
}

/** The day on which an instant falls, where clocks are `utcOffset` milliseconds ahead of UTC. */
export function dayOfInstant(instant: Instant, utcOffset: number): Day {
  return Math.floor((instant + utcOffset) / dayMilliseconds) as Day;
}

/** `2026-01-31` */
export function dayText(day: Day): string {
  return new Date(day * dayMilliseconds).toISOString().slice(0, 10);
}

/** Milliseconds that clocks in Kenya are ahead of UTC, all year. */
export const kenyanOffset = 10_800_000;

/** The years over which a zone must keep one offset to count as fixed: from the first of January to before that. */
const fixedFrom = Temporal.Instant.from("1990-01-01T00:00Z");
const fixedUntil = Temporal.Instant.from("2061-01-01T00:00Z");

/**
 * The offset of a time zone whose clocks do not change from 1990 to 2060, by daylight saving or by a change of the law.
 *
 * Source: the time zone database that the JavaScript engine carries.
 *
 * @param zone A name of the IANA time zone database, for example `Africa/Nairobi`.
 * @returns Milliseconds that local clocks are ahead of UTC, or undefined when the zone is unknown or its offset
 *   changes.
 */
export function fixedUtcOffset(zone: string): number | undefined {
  try {
    // Temporal alone would take a time with an offset for a zone as well.
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions();
    const first = fixedFrom.toZonedDateTimeISO(timeZone);
    const change = first.getTimeZoneTransition("next");
    const isFixed = change === null || Temporal.Instant.compare(change.toInstant(), fixedUntil) >= 0;
    return isFixed ? first.offsetNanoseconds / 1_000_000 : undefined;
  } catch {
    return undefined;
  }
}
