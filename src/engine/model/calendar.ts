/**
 * Times: instants in UTC, and days, months and longer periods in the dataset's calendar. A day is a whole number since
 * 1970-01-01, a month one since January of the year 0, so that gaps show and years can be compared. Days are computed
 * from UTC fields, so the time zone of the process never matters; an instant becomes a day by adding the dataset's
 * fixed offset first.
 */
import type { Branded } from "./branded.ts";

/** A moment in time: whole milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = Branded<number, "Instant">;

export const dayMilliseconds = 86_400_000;

const instantExpression =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(?:\.(\d{1,3}))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

const instantMin = Date.parse("0000-01-01T00:00:00.000Z");
const instantMax = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Reads an RFC 3339 time: capital `T`, seconds 00 to 59, at most milliseconds, `Z` or `±hh:mm`.
 *
 * @returns Milliseconds since 1970-01-01T00:00:00Z, or undefined when the text is not such a time or its day does not
 *   exist.
 */
export function instantFromText(text: string): Instant | undefined {
  const match = instantExpression.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = "", sign, offsetHours = "0", offsetMinutes = "0"] = match;
  const date = new Date(0);
  // setUTCFullYear, unlike Date.UTC, takes the years 0000 to 0099 as they are.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  const time = (Number(hour) * 60 + Number(minute)) * 60_000 + Number(second) * 1000 + Number(fraction.padEnd(3, "0"));
  const offset = (Number(offsetHours) * 60 + Number(offsetMinutes)) * 60_000 * (sign === "-" ? -1 : 1);
  const instant = (date.getTime() + time - offset) as Instant;
  // An offset can carry the ends of the calendar into years that RFC 3339 cannot write.
  return instant < instantMin || instant > instantMax ? undefined : instant;
}

/** The one form in which instants are answered: UTC with milliseconds, `2026-01-15T10:30:00.000Z`. */
export function instantText(instant: Instant): string {
  const day = Math.floor(instant / dayMilliseconds);
  const time = instant - day * dayMilliseconds;
  const seconds = Math.floor(time / 1000);
  const minutes = Math.floor(seconds / 60);
  const milliseconds = time - seconds * 1000;
  const fraction = milliseconds === 0 ? "000" : String(milliseconds).padStart(3, "0");
  const hour = twoDigits[Math.floor(minutes / 60)];
  return `${dayPrefix(day)}${hour}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}.${fraction}Z`;
}

const twoDigits: readonly string[] = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));

/** Prefixes of days that were requested; a snapshot has a few thousand days, and this is most of the work. */
const dayPrefixes = new Map<number, string>();
const dayPrefixesMax = 20_000;

/** `2026-01-15T`: what the texts of a day's instants begin with. @param day Since 1970-01-01. */
export function dayPrefix(day: number): string {
  const known = dayPrefixes.get(day);
  if (known !== undefined) return known;
  if (dayPrefixes.size >= dayPrefixesMax) dayPrefixes.clear();
  const prefix = new Date(day * dayMilliseconds).toISOString().slice(0, -"00:00:00.000Z".length);
  dayPrefixes.set(day, prefix);
  return prefix;
}

/** Days since 1970-01-01; negative before it. */
export type Day = Branded<number, "Day">;

/**
 * Reads `YYYY-MM-DD`.
 *
 * @returns The day, or undefined when the text has another form or the day does not exist (2026-02-30).
 */
export function dayFromText(text: string): Day | undefined {
  const instant = instantFromText(`${text}T00:00:00Z`);
  return instant === undefined ? undefined : ((instant / dayMilliseconds) as Day);
}

/** The day on which an instant falls, where clocks are `utcOffset` milliseconds ahead of UTC. */
export function dayOfInstant(instant: Instant, utcOffset: number): Day {
  return Math.floor((instant + utcOffset) / dayMilliseconds) as Day;
}

/** `2026-01-31`; in a zone behind UTC a price of the year 0 may be of `-000001-12-31`, as ISO 8601 writes it. */
export function dayText(day: Day): string {
  return dayPrefix(day).slice(0, -"T".length);
}

/** Milliseconds that clocks in Kenya are ahead of UTC, all year. */
export const kenyanOffset = 10_800_000;

/** The years over which a zone must keep one offset to count as fixed: from the first of January to before that. */
const fixedFrom = Date.UTC(1990, 0, 1);
const fixedUntil = Date.UTC(2061, 0, 1);

/** By the engine's name of the zone: 26,000 offsets take 33 ms to ask for, and each manifest has a zone. */
const fixedOffsets = new Map<string, number | undefined>();

/**
 * The offset of a time zone whose clocks do not change from 1990 to 2060, by daylight saving or by a change of the law.
 * The offset is asked for once a day: no zone has kept another one for less.
 *
 * Source: the time zone database that the JavaScript engine carries.
 *
 * @param zone A name of the IANA time zone database, for example `Africa/Nairobi`.
 * @returns Milliseconds that local clocks are ahead of UTC, or undefined when the zone is unknown or its offset
 *   changes.
 */
export function fixedUtcOffset(zone: string): number | undefined {
  // With the year it says `1990, GMT+03:00`, and without an offset `1990, GMT`.
  const options = { timeZone: zone, timeZoneName: "longOffset", year: "numeric" } as const;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat("en", options);
  } catch {
    return undefined;
  }
  const name = format.resolvedOptions().timeZone;
  if (!fixedOffsets.has(name)) fixedOffsets.set(name, onlyOffset(format));
  return fixedOffsets.get(name);
}

function onlyOffset(format: Intl.DateTimeFormat): number | undefined {
  const offsetAt = (instant: number): string => format.format(instant).split("GMT")[1] ?? "";
  const offset = offsetAt(fixedFrom);
  for (let instant = fixedFrom; instant < fixedUntil; instant += dayMilliseconds) {
    if (offsetAt(instant) !== offset) return undefined;
  }
  const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).split(":").map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 * (offset.startsWith("-") ? -1 : 1);
}

/** Months since January of the year 0. */
export type MonthNumber = number;

/** Calendar months, both inclusive. */
export interface MonthRange {
  readonly first: MonthNumber;
  readonly last: MonthNumber;
}

/** The number of months from the first to the last; 0 where none is. */
export function countMonths({ first, last }: MonthRange): number {
  return Math.max(0, last - first + 1);
}

/** The number of a month. @param text `2025-10`, as the groups of statistics are labelled. */
export function monthNumber(text: string): MonthNumber {
  return monthIn(Number(text.slice(0, -3)), Number(text.slice(-2)));
}

/** A month of a year. @param month Counted from 1. */
export function monthIn(year: number, month: number): MonthNumber {
  return year * 12 + month - 1;
}

/** `2025-10` */
export function monthText(month: MonthNumber): string {
  return monthTextOf(firstDayOf(month));
}

/** `2025-10` of a day. */
export function monthTextOf(day: Day): string {
  return dayText(day).slice(0, -"-31".length);
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
  return (new Date(0).setUTCFullYear(0, month) / dayMilliseconds) as Day;
}

/** The last day of a month, also of `9999-12`, after which the calendar ends. */
export function lastDayOf(month: MonthNumber): Day {
  return (firstDayOf(month + 1) - 1) as Day;
}

/** `2026-W05`: the week of ISO 8601, with the year the week belongs to, which is that of its Thursday. */
export function weekText(day: Day): string {
  const thursday = (weekStart(day) + 3) as Day;
  const week = Math.floor((thursday - yearStart(thursday)) / 7) + 1;
  return `${yearText(thursday)}-W${String(week).padStart(2, "0")}`;
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
  // 1970-01-01 is a Thursday.
  return (Math.floor((day + 3) / 7) * 7 - 3) as Day;
}

/** The first day of the month of a day. */
export function monthStart(day: Day): Day {
  return firstDayOf(monthOf(day));
}

/** The first day of the calendar quarter of a day. */
export function quarterStart(day: Day): Day {
  const month = monthOf(day);
  return firstDayOf(Math.floor(month / 3) * 3);
}

/** The first of January of the year of a day. */
export function yearStart(day: Day): Day {
  return firstDayOf(monthIn(yearOf(monthOf(day)), 1));
}
