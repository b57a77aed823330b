/** A cell → the instant at which a price was recorded. */
import { createRequire } from "node:module";
import { UTCDateMini } from "@date-fns/utc/date/mini";
import type { Fault } from "../../dataset/problem.ts";
import { kenyanOffset } from "../../domain/calendar-day.ts";
import { dayMilliseconds, type Instant } from "../../domain/instant.ts";
import { type Cell, cellText, foundInCell, type SerialEpoch, unmerged } from "./table.ts";

// As ES modules, for each of which Node parses the 200 kB of date-fns/package.json, the same takes 0.3 s and 100 MB.
const { parse } = createRequire(import.meta.url)("date-fns/parse") as typeof import("date-fns/parse");

/** The hour, on a clock in Kenya, at which a price counts as recorded of which the day alone is known. */
const hourOfDays = 9;

/** Dates as a number of days: in the system of the file, or in that of 1904. */
const serialFormats = ["serial", "serial-1904"];

/** The tokens of date-fns that may stand in a form, and what may stand between them. */
const formatExpression = /^(?:yyyy|yy|MMMM|MMM|MM|M|dd|d|HH|H|mm|ss|XXX|'T'|[ /.,:-])+$/;

/** Whether a text is a form of dates: it names year, month and day, or is `serial`. */
export function isDateFormat(format: string): boolean {
  if (serialFormats.includes(format)) return true;
  const has = (token: RegExp): boolean => token.test(format);
  return formatExpression.test(format) && has(/y/) && has(/M/) && has(/d/) && has(/H/) === has(/mm/);
}

/** Years in which prices can have been recorded: `yyyy` would read 26 as the year 26. */
const yearMin = 1900;
const yearMax = 2199;

/** Fixed, so that the same file gives the same prices in any year: `yy` is a year from 1950 to 2049. */
const reference = new UTCDateMini(Date.UTC(2000, 0, 1));

/** The first day after 29 February 1900, which Excel counts and which never was. */
const serialMin = 61;
const serialMax = 2_958_465;

/** Serial number of 1970-01-01, and how many days the system of 1904 begins later. */
const serialOf1970 = 25_569;
const daysOf1904 = 1462;

/** Names of months that date-fns does not know: Swahili names unlike the English, and the British "Sept". */
const months: ReadonlyMap<string, string> = new Map([
  ["januari", "Jan"],
  ["februari", "Feb"],
  ["machi", "Mar"],
  ["mac", "Mar"],
  ["aprili", "Apr"],
  ["mei", "May"],
  ["juni", "Jun"],
  ["julai", "Jul"],
  ["agosti", "Aug"],
  ["ago", "Aug"],
  ["septemba", "Sep"],
  ["sept", "Sep"],
  ["oktoba", "Oct"],
  ["okt", "Oct"],
  ["novemba", "Nov"],
  ["desemba", "Dec"],
  ["des", "Dec"],
]);

/** Forms that are tried in order; the first that fits a text counts. */
export class DateReader {
  readonly #formats: readonly string[];
  readonly #epoch: SerialEpoch;
  /** Tables have few days and many rows. */
  readonly #known = new Map<string, Instant | undefined>();

  /** @param formats For all of which `isDateFormat` holds. */
  constructor(formats: readonly string[], epoch: SerialEpoch) {
    this.#formats = formats;
    this.#epoch = epoch;
  }

  /**
   * Reads a date. Without a zone it is Kenyan; a day without time, or with midnight, which spreadsheets write for that,
   * is nine in the morning.
   *
   * @returns What is wrong with the cell otherwise.
   */
  read(cell: Cell): Instant | Fault {
    const value = unmerged(cell);
    const instant =
      typeof value === "object" && value !== null && "clock" in value
        ? instantOfClock(value.clock)
        : this.#readText(cell);
    if (instant !== undefined) return instant;
    return { kind: "value", found: foundInCell(cell), wanted: `a date of the form ${this.#formats.join(", or ")}` };
  }

  #readText(cell: Cell): Instant | undefined {
    const text = cellText(cell);
    if (text === undefined) return undefined;
    return this.#known.getOrInsertComputed(text, () => this.#readAny(text));
  }

  #readAny(text: string): Instant | undefined {
    const readings = this.#formats.values().map((format) => {
      if (!serialFormats.includes(format)) return instantOfText(text, format);
      return instantOfSerial(text, format === "serial" ? this.#epoch : 1904);
    });
    return readings.find((instant) => instant !== undefined);
  }
}

/** A text in one form, which it must fit from its first character to its last. */
function instantOfText(text: string, format: string): Instant | undefined {
  // date-fns would take a single letter for a month.
  if (format.includes("MMM") && !/\p{L}{3}/u.test(text)) return undefined;
  const time = parse(text.replace(/\p{L}{3,}/gu, englishMonth), format, reference).getTime();
  if (Number.isNaN(time)) return undefined;
  return format.includes("XXX") ? withinYears(time) : instantOfClock(time);
}

function englishMonth(word: string): string {
  return months.get(word.toLowerCase()) ?? word;
}

/** A number of days, with the time of day as its fraction. */
function instantOfSerial(text: string, epoch: SerialEpoch): Instant | undefined {
  if (!/^\d+(?:\.\d+)?$/.test(text)) return undefined;
  const serial = Number(text) + (epoch === 1904 ? daysOf1904 : 0);
  if (serial < serialMin || serial >= serialMax + 1) return undefined;
  return instantOfClock(Math.round((serial - serialOf1970) * dayMilliseconds));
}

/** @param clock See `ClockCell`; the clock is a Kenyan one. */
function instantOfClock(clock: number): Instant | undefined {
  const isDay = clock % dayMilliseconds === 0;
  return withinYears(clock + (isDay ? hourOfDays * 3_600_000 : 0) - kenyanOffset);
}

function withinYears(time: number): Instant | undefined {
  const year = new Date(time).getUTCFullYear();
  return year >= yearMin && year <= yearMax ? (time as Instant) : undefined;
}
