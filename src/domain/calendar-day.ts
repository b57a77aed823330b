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
 * Cost: arithmetic alone; every question about days asks twice.
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

/** Leap years of the Gregorian calendar from the year 1, less those from there back. */
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

/** First and last year over which a zone must keep one offset to count as fixed. */
const yearFirst = 1990;
const yearLast = 2060;

/** Milliseconds that clocks in Kenya are ahead of UTC, all year. */
export const kenyanOffset = 10_800_000;

/** Zones asked for before: the answer takes some 1,700 look-ups and never changes within a process. */
const knownOffsets = new Map<string, number | undefined>();

/**
 * The offset of a time zone whose clocks never change.
 *
 * Source: the time zone database that the JavaScript engine carries, asked for the 1st and 15th of every month of
 * 1990 to 2060, so that any daylight saving or change of the law within those years shows.
 *
 * @param zone A name of the IANA time zone database, for example `Africa/Nairobi`.
 * @returns Milliseconds that local clocks are ahead of UTC, or undefined when the zone is unknown or its offset
 *   changes.
 */
export function fixedUtcOffset(zone: string): number | undefined {
  return knownOffsets.getOrInsertComputed(zone, findFixedOffset);
}

function findFixedOffset(zone: string): number | undefined {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeZoneName: "longOffset" });
  } catch {
    return undefined;
  }
  const first = offsetText(format, Date.UTC(yearFirst, 0, 1));
  for (let year = yearFirst; year <= yearLast; year++) {
    for (let month = 0; month < 12; month++) {
      for (const day of [1, 15]) {
        if (offsetText(format, Date.UTC(year, month, day)) !== first) return undefined;
      }
    }
  }
  return offsetMilliseconds(first);
}

function offsetText(format: Intl.DateTimeFormat, instant: number): string {
  return format.formatToParts(instant).find((part) => part.type === "timeZoneName")?.value ?? "";
}

function offsetMilliseconds(text: string): number {
  const match = /^GMT(?:([+-])(\d{2}):(\d{2}))?$/.exec(text);
  if (match === null) throw new Error(`time zone offset is "${text}", expected GMT or GMT±hh:mm`);
  const [, sign, hours = "0", minutes = "0"] = match;
  return (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
}
