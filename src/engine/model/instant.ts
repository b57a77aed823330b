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
