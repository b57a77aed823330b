/** A cell → the instant at which a price was recorded. */
import { createRequire } from "node:module";
import { UTCDateMini } from "@date-fns/utc/date/mini";
import {
  type Day,
  dayMilliseconds,
  dayOfInstant,
  dayText,
  type Instant,
  kenyanOffset,
} from "../../../engine/model/calendar.ts";
import { getOrInsert } from "../../../engine/model/get-or-insert.ts";
import type { Fault } from "../../../engine/snapshots/problem.ts";
import { type Cell, cellText, foundInCell, unmerged } from "./cells.ts";
import type { SerialEpoch } from "./sheet-table.ts";
import words from "./sheet-words.json" with { type: "json" };

// As ES modules, for each of which Node parses the 200 kB of date-fns/package.json, the same takes 0.3 s and 100 MB.
const { parse } = createRequire(import.meta.url)("date-fns/parse") as typeof import("date-fns/parse");

/** The hour, on a clock in Kenya, at which a price counts as recorded of which the day alone is known. */
const hourOfDays = 9;

/** Dates as a number of days, in the system of the file. */
const serialFormat = "serial";

/** The tokens of date-fns that may stand in a form, and what may stand between them. */
const token = "yyyy|yy|M{1,4}|dd?|HH?|hh?|mm|ss(?:[.,]S{1,3})?|a|X{1,3}|'T'|[ /.,:-]";
const formatExpression = new RegExp(`^(?:${token})+$`);
const tokenExpression = new RegExp(token, "g");

/**
 * Returns whether a text is a form of dates: it names year, month and day, perhaps a whole time of day, or year and
 * month alone, or is `serial`.
 */
export function isDateFormat(format: string): boolean {
  if (format === serialFormat) return true;
  const has = (token: RegExp): boolean => token.test(format);
  const hasTime = has(/[Hh]/);
  const isWholeTime = hasTime === has(/mm/) && has(/h/) === has(/a/) && !(has(/H/) && has(/h/));
  const isWholeDate = has(/y/) && has(/M/) && (has(/d/) || !hasTime);
  // A part that stands twice is one that date-fns refuses.
  const parts = (format.match(tokenExpression) ?? []).map((part) => part.charAt(0)).filter((sign) => /\w/.test(sign));
  const isOnce = new Set(parts).size === parts.length;
  return formatExpression.test(format) && isOnce && isWholeDate && isWholeTime && (hasTime || !has(/[sX]/));
}

/** Returns whether a form has no day; its dates are the first of their month, as in spreadsheet programs. */
function isMonthFormat(format: string): boolean {
  return format !== serialFormat && !format.includes("d");
}

/** Years in which prices can have been recorded; a year further away is a slip of the pen. */
const yearMin = 1950;
const yearMax = 2099;

/** Fixed, so that the same file gives the same prices in any year: `yy` is a year from 1950 to 2049. */
const reference = new UTCDateMini(Date.UTC(2000, 0, 1));

/** Least number that is taken for a day, of 1950. Below lie 1900 to 2199, which are years written as numbers. */
const serialMin = 18_264;
const serialMax = 2_958_465;

/** Serial number of 1970-01-01, and how many days the system of 1904 begins later. */
const serialOf1970 = 25_569;
const daysOf1904 = 1462;

/** The first three letters of English names of months, by all names: whole, short and Swahili ones. */
const months: ReadonlyMap<string, string> = new Map(
  Object.values(words.months).flatMap((names) => names.split(" ").map((name) => [name, names.slice(0, 3)] as const)),
);

const weekDays = words.weekDays.split(" ");

/** The name of a day before a date, and the ending of an ordinal: `Monday, 4th May 2026`. */
const weekDayExpression = new RegExp(`^(${weekDays.join("|")})\\b[.,]*\\s*(?=[\\p{L}\\d])`, "iu");
const ordinalExpression = /(?<=\b\d{1,2})(?:st|nd|rd|th)\b/i;

/** From 0 for Monday. English names come first, then their short forms, then Swahili ones. */
function weekDayOf(name: string): number {
  const at = weekDays.lastIndexOf(name.toLowerCase()) - (weekDays.length - 7);
  return at >= 0 ? at : weekDays.findIndex((day) => day.startsWith(name.slice(0, 3).toLowerCase()));
}

/** The day in Kenya. */
export function dayOf(recordedAt: Instant): Day {
  return dayOfInstant(recordedAt, kenyanOffset);
}

/** The doubt about a text that fits a form and is no date all the same, ready to follow the text. */
type Doubt = Pick<Fault, "found" | "wanted">;

/** Forms that are tried in order; the first that fits a text counts. */
export class DateReader {
  readonly #formats: readonly string[];
  readonly #orders: ReadonlySet<string | undefined>;
  readonly #epoch: SerialEpoch;
  /** The days of the month that dates of a form have; null for dates of a workbook. */
  readonly #daysOfForm = new Map<string | null, { least: number; greatest: number; example: string }>();
  /** Tables have few days and many rows. */
  readonly #known = new Map<string, Instant | Doubt | undefined>();

  /** @param formats For all of which `isDateFormat` holds. */
  constructor(formats: readonly string[], epoch: SerialEpoch) {
    this.#formats = formats;
    this.#orders = new Set(formats.map(orderOf));
    this.#epoch = epoch;
  }

  /**
   * Reads a date. Without a zone it is Kenyan; a day without time, or with midnight, which spreadsheets write for that,
   * is nine in the morning.
   *
   * A date that is right in both orders of day and month is no date if the forms have both orders.
   *
   * @returns The fault of the cell otherwise.
   */
  read(cell: Cell): Instant | Fault {
    const value = unmerged(cell);
    if (typeof value !== "object" || value === null || !("clock" in value)) {
      const text = cellText(cell);
      const read = text === undefined ? undefined : getOrInsert(this.#known, text, () => this.#readAny(text));
      return typeof read === "number" ? read : this.#fault(cell, read);
    }
    const read = withinYears(instantOfClock(value.clock));
    if (typeof read !== "number") return this.#fault(cell, read);
    this.#count(null, read, foundInCell(cell));
    return read;
  }

  /**
   * The fault of all dates together. A spreadsheet program that expects the month first takes 05/06 for 6 May and
   * leaves 13/06 as text: so dates of one form all up to the 12th, beside dates of another all above, may have day and
   * month exchanged. Undefined where that is not so.
   */
  get exchanged(): Fault | undefined {
    for (const [form, { greatest, example }] of this.#daysOfForm) {
      const isOfSheet = form === null || form === serialFormat;
      const isAmbiguous = isOfSheet || orderOf(form) !== undefined;
      const other = [...this.#daysOfForm].find(([form, { least, greatest }]) => {
        const isOther = form !== null && form !== serialFormat && !orderOf(form)?.startsWith("y");
        return isOther && (isOfSheet ? greatest : least) > 12;
      });
      if (!isAmbiguous || greatest > 12 || other === undefined) continue;
      const found = `days up to 12 in one form (${example}), and others in another (${other[1].example})`;
      const wanted = "one form for all dates: a program may have exchanged day and month of some";
      return { kind: "value", found, wanted };
    }
    return undefined;
  }

  #count(form: string | null, instant: Instant, example: string): void {
    const date = Number(dayText(dayOf(instant)).slice(8));
    const days = getOrInsert(this.#daysOfForm, form, () => ({ least: date, greatest: date, example }));
    days.least = Math.min(days.least, date);
    days.greatest = Math.max(days.greatest, date);
  }

  #fault(cell: Cell, doubt: Doubt | undefined): Fault {
    const found = foundInCell(cell);
    if (doubt !== undefined) return { kind: "value", found: `${found}${doubt.found}`, wanted: doubt.wanted };
    const isYear = /^(?:19|2[01])\d\d$/.test(cellText(cell) ?? "");
    const advice = isYear ? "; a year alone is no day" : ' ("date_formats" in the mapping)';
    return { kind: "value", found, wanted: `a date of the form ${this.#formats.join(", or ")}${advice}` };
  }

  #readAny(text: string): Instant | Doubt | undefined {
    let doubt: Doubt | undefined;
    for (const format of this.#formats) {
      const read = format === serialFormat ? instantOfSerial(text, this.#epoch) : instantOfText(text, format);
      if (typeof read === "number") {
        this.#count(format, read, JSON.stringify(text));
        return this.#inOtherOrder(text, format, read) ?? read;
      }
      doubt ??= read;
    }
    return doubt;
  }

  /** Both readings of a date that is right with day and month exchanged as well, if forms of the table do that. */
  #inOtherOrder(text: string, format: string, first: Instant): Doubt | undefined {
    const exchanged = withDayAndMonthExchanged(format);
    if (orderOf(format) === undefined || !this.#orders.has(orderOf(exchanged))) return undefined;
    const second = instantOfText(text, exchanged);
    if (typeof second !== "number" || second === first) return undefined;
    const ordered = this.#formats.filter((format) => orderOf(format) !== undefined).join(", ");
    const [either, or] = [first, second].map((instant) => dayText(dayOf(instant)));
    const wanted = `one order of day and month; leave in "date_formats" the forms of one (now ${ordered})`;
    return { found: `, which is ${either} or ${or}`, wanted };
  }
}

/** `dM` or `Md`, and whether the year is before them; undefined where the month is a word or no day is there. */
function orderOf(format: string): string | undefined {
  if (format === serialFormat || format.includes("MMM") || isMonthFormat(format)) return undefined;
  const order = format.indexOf("d") < format.indexOf("M") ? "dM" : "Md";
  return format.startsWith("y") ? `y${order}` : order;
}

/** `MM/dd/yyyy` of `dd/MM/yyyy`. */
function withDayAndMonthExchanged(format: string): string {
  return format.replace(/[dM]/g, (token) => (token === "d" ? "M" : "d"));
}

/** A text in one form, which it must fit from first to last character. A day named before it must be its own. */
function instantOfText(written: string, format: string): Instant | Doubt | undefined {
  const [named = "", weekDay] = weekDayExpression.exec(written) ?? [];
  const text = written.slice(named.length).replace(ordinalExpression, "");
  if (!beginningOf(format).test(text)) return undefined;
  const { whole, milliseconds } = splitFraction(text, format);
  const spelled = format.includes("X") ? withColonInOffset(whole) : whole;
  // In May a table does not show whether the names of its months are whole.
  const plainFormat = format
    .replace(/[.,]S+/, "")
    .replace(/X+/, "XXX")
    .replace("MMMM", "MMM");
  const seconds = parse(spelled.replace(/\p{L}{3,}/gu, shortMonth), plainFormat, reference).getTime();
  if (Number.isNaN(seconds)) return undefined;
  // `yyyy` reads 26 as the year 26.
  if (new Date(seconds).getUTCFullYear() < 100) return undefined;
  const time = seconds + milliseconds;
  const read = withinYears(format.includes("X") ? (time as Instant) : instantOfClock(time));
  // 1970-01-01 was a Thursday.
  const isDay = typeof read !== "number" || weekDay === undefined || (dayOf(read) + 3) % 7 === weekDayOf(weekDay);
  if (isDay) return read;
  return { found: `, but ${dayText(dayOf(read))} is another day of the week`, wanted: "the name of that day" };
}

/** The beginnings of texts that have dates of a form, by form. */
const beginnings = new Map<string, RegExp>();

/**
 * The beginning of a text that has a date of a form, up to its time of day. date-fns takes less: a letter for a month,
 * the 5 of "Jan-5", a day, for the year 2005, and the 1 of "20261" for a month.
 */
function beginningOf(format: string): RegExp {
  return getOrInsert(beginnings, format, () => {
    const tokens = format.match(tokenExpression) ?? [];
    const timeAt = tokens.findIndex((part) => /^[HhT']/.test(part));
    const ofDate = tokens.slice(0, timeAt === -1 ? undefined : timeAt);
    const isNumber = (at: number): boolean => /^(?:y|MM?$|d)/.test(ofDate[at] ?? "");
    const patterns = ofDate.map((part, at) => {
      if (part.startsWith("MMM")) return "\\p{L}{3,}";
      if (!isNumber(at)) return `[${part}]`;
      const isJoined = isNumber(at - 1) || isNumber(at + 1);
      // A spreadsheet program drops the zero of 2026.10, a number.
      const isFraction = isMonthFormat(format) && part.startsWith("M") && /[.,]/.test(ofDate[at - 1] ?? "");
      if (part === "yyyy") return isJoined ? "\\d{4}" : "\\d+";
      return part === "yy" || isJoined || isFraction ? "\\d{2}" : "\\d{1,2}";
    });
    return new RegExp(`^${patterns.join("")}${timeAt === -1 ? "$" : ""}`, "u");
  });
}

/** `+03:00` of `+0300` and `+03`. */
function withColonInOffset(text: string): string {
  return text.replace(/([+-]\d\d)(?::?(\d\d))?$/, (_, hours, minutes = "00") => `${hours}:${minutes}`);
}

/** Takes the fraction of a second off a text; digits behind the millisecond do not count. */
function splitFraction(text: string, format: string): { readonly whole: string; readonly milliseconds: number } {
  const match = format.includes("ss") ? /(?<=:\d\d:\d\d)[.,](\d{1,9})(?!\d)/.exec(text) : null;
  if (match === null) return { whole: text, milliseconds: 0 };
  const [fraction, digits = ""] = match;
  return { whole: text.replace(fraction, ""), milliseconds: Number(digits.slice(0, 3).padEnd(3, "0")) };
}

function shortMonth(word: string): string {
  return months.get(word.toLowerCase()) ?? word;
}

/** A number of days, with the time of day as its fraction. */
function instantOfSerial(text: string, epoch: SerialEpoch): Instant | Doubt | undefined {
  if (!/^\d+(?:\.\d+)?$/.test(text)) return undefined;
  const serial = Number(text) + (epoch === 1904 ? daysOf1904 : 0);
  if (serial < serialMin || serial >= serialMax + 1) return undefined;
  return withinYears(instantOfClock(Math.round((serial - serialOf1970) * dayMilliseconds)));
}

/** @param clock See `ClockCell`; the clock is a Kenyan one. */
function instantOfClock(clock: number): Instant {
  const isDay = clock % dayMilliseconds === 0;
  return (clock + (isDay ? hourOfDays * 3_600_000 : 0) - kenyanOffset) as Instant;
}

function withinYears(time: Instant): Instant | Doubt {
  const year = new Date(time).getUTCFullYear();
  return year >= yearMin && year <= yearMax ? time : { found: "", wanted: `a year from ${yearMin} to ${yearMax}` };
}
