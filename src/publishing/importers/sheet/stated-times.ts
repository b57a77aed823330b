/** Texts → the months, weeks and days that they name. */
import { type Day, dayText, weekText } from "../../../engine/model/calendar.ts";
import words from "./sheet-words.json" with { type: "json" };

/** Days of a month, or a week, as a text names them. What it leaves out is undefined. */
export interface StatedTime {
  readonly year?: number | undefined;
  readonly month?: number | undefined;
  readonly dayFirst?: number | undefined;
  readonly dayLast?: number | undefined;
  readonly week?: number | undefined;
  /** True for one of the two readings of 02/06/2026. */
  readonly isReading?: boolean;
}

const monthOf = new Map(
  Object.entries(words.months).flatMap(([month, names]) =>
    names.split(" ").map((name) => [name, Number(month)] as const),
  ),
);

const month = `(?<month>${[...monthOf.keys()].sort((a, b) => b.length - a.length).join("|")})(?!\\p{L})\\.?`;
const ordinal = "(?:st|nd|rd|th)?";
const day = String.raw`(?<first>\d{1,2})${ordinal}(?:\s*(?:-|–|to|hadi|and|&)\s*(?<last>\d{1,2})${ordinal})?`;
const [start, end] = [String.raw`(?<![\p{L}\d/.-])`, String.raw`(?![\p{L}\d])`];

/** Months and quarters that are counted: `mwezi wa saba`, `third quarter`. */
const counts = [...words.counts].reverse().join("|");
const quarters = ["1", "2", "3", "4", "first", "second", "third", "fourth", ...words.counts.slice(0, 4)];

const yearBehind = String.raw`${end}(?:[\s,]*(?:of\s+)?(?<year>\d{4})${end})?`;

const weeks = `${words.weeks} w`.replaceAll(" ", "|");

/** Forms of dates in texts, tried in order. */
const forms = [
  String.raw`${start}(?<year>20[0-4]\d)(?<number>0[1-9]|1[0-2])(?<first>[0-3]\d)?(?![\p{L}\d/-])`,
  String.raw`${start}(?<year>\d{4})[-/](?<number>\d{1,2})(?:[-/](?<first>\d{1,2}))?(?![\d/-])`,
  String.raw`${start}(?<either>\d{1,2})[/.-](?<or>\d{1,2})[/.-](?<year>\d{4}|\d{2})${end}`,
  String.raw`${start}(?<number>\d{1,2})[/.-](?<year>(?:19|20)\d\d)${end}`,
  String.raw`${start}${day}(?:\s+(?:of|ya))?[\s-]+${month}(?:[\s,'-]*(?<year>\d{4}|\d{2})${end})?`,
  String.raw`(?<![\p{L}\d])${month}\s+${day}(?:\s*,\s*|\s+)(?<year>\d{4})${end}`,
  String.raw`(?<![\p{L}\d])${month}(?:[\s,'/-]*(?<year>\d{4}|(?<=[-'\s/.])\d{2})${end})?`,
  String.raw`(?<!\p{L})(?:mwezi wa|(?:mwezi|month) ?[:=]) ?(?:(?<number>\d{1,2})|(?<count>${counts}))${yearBehind}`,
  String.raw`${start}(?:${weeks})\s*(?:no\.?|number|ya|#)?\s*(?<week>\d{1,2})${yearBehind}`,
  String.raw`${start}(?<year>20\d\d)-?w(?<week>\d\d)${end}`,
  String.raw`(?<!\p{L})(?:q|quarter |robo ya )(?<quarter>${quarters.join("|")})${yearBehind}`,
  String.raw`(?<![\p{L}\d])(?<quarter>${quarters.join("|")})(?:(?<=\d)(?:st|nd|rd|th)|(?<!\d)) quarter${yearBehind}`,
  String.raw`${start}(?<year>20[0-4]\d)(?![\p{L}\d/-])`,
].map((form) => new RegExp(form, "giu"));

/** The times that a text names, in its order by form, and where they stand. */
export function timesInText(text: string): {
  readonly times: readonly StatedTime[];
  readonly spans: readonly (readonly [start: number, end: number])[];
} {
  let rest = text;
  const times: StatedTime[] = [];
  const spans: [number, number][] = [];
  for (const form of forms) {
    for (const match of [...rest.matchAll(form)]) {
      const read = timesOf(match, text);
      if (read.length === 0) continue;
      times.push(...read);
      const span: [number, number] = [match.index, match.index + match[0].length];
      spans.push(span);
      rest = `${rest.slice(0, span[0])}${"|".repeat(match[0].length)}${rest.slice(span[1])}`;
    }
  }
  const months = times.filter(({ month }) => month !== undefined);
  const weeks = times.filter(({ week }) => week !== undefined);
  if (months.length > 0 || weeks.length > 0) return { times: months.length > 0 ? months : weeks, spans };
  // Of several years those between them count as well.
  return { times: times.length === 1 ? times : [], spans };
}

function timesOf({ 0: said, groups = {} }: RegExpExecArray, text: string): readonly StatedTime[] {
  const numberOf = (name: string): number | undefined =>
    groups[name] === undefined ? undefined : Number(groups[name]);
  const stated = numberOf("year");
  const year = stated === undefined || stated > 99 ? stated : 2000 + stated;
  const week = numberOf("week");
  if (week !== undefined) return week >= 1 && week <= 53 ? [{ year, week }] : [];
  const name = groups["month"];
  // "may" is a verb as well, and short names are words without a year or a day.
  const isPlain = year === undefined && groups["first"] === undefined && said.trim() !== text.trim();
  if (name !== undefined && isPlain && (name.length < 4 || name !== said.trim() || !/^\p{Lu}/u.test(name))) {
    if (!/^(?:May|MAY|Mei)$/.test(name)) return [];
  }
  const [first, last = first] = [numberOf("first"), numberOf("last")];
  const [either, or] = [numberOf("either"), numberOf("or")];
  const timeOf = (month: number | undefined, dayFirst = first, dayLast = last): readonly StatedTime[] => {
    const isMonth = month !== undefined && month >= 1 && month <= 12;
    const isDay = dayFirst === undefined || (dayFirst >= 1 && dayFirst <= 31);
    return isMonth && isDay ? [{ year, month, dayFirst, dayLast, isReading: either !== undefined }] : [];
  };
  if (either !== undefined) return [...timeOf(or, either, either), ...timeOf(either, or, or)];
  const quarter = quarters.indexOf(groups["quarter"]?.toLowerCase() ?? "");
  if (quarter !== -1) return [1, 2, 3].flatMap((at) => timeOf(3 * (quarter % 4) + at));
  const count = groups["count"] === undefined ? undefined : words.counts.indexOf(groups["count"].toLowerCase()) + 1;
  if (name === undefined && groups["number"] === undefined && count === undefined) return [{ year }];
  return timeOf(count ?? (name === undefined ? numberOf("number") : monthOf.get(name.toLowerCase())));
}

const ofReports = new RegExp(`(?<!\\p{L})(?:${words.ofReports.replaceAll(" ", "|")})(?!\\p{L})`, "iu");

/** Returns whether the dates of a text are those of a report, which may be of another month than its prices. */
export function isDateOfReport(text: string): boolean {
  return ofReports.test(text) || /^\s*(?:date|tarehe)\s*[:=]/iu.test(text);
}

/**
 * Returns whether a day lies in one of the times, or between the months of two.
 *
 * @param isMonth The month alone counts.
 */
export function isWithin(times: readonly StatedTime[], day: Day, isMonth: boolean): boolean {
  const [year = 0, month = 0, date = 0] = dayText(day).split("-").map(Number);
  const [yearOfWeek = 0, weekOfYear = 0] = weekText(day).split("-W").map(Number);
  const fits = ({ week: stated, ...time }: StatedTime): boolean => {
    if (stated !== undefined) {
      const weeks = isMonth ? 5 : 1;
      // Weeks are counted on over a turn of the year, whichever year calls them its own.
      const turns = time.year === undefined ? [-1, 0, 1] : [yearOfWeek - time.year];
      const isOfYear = turns.some((turn) => Math.abs(52 * turn + weekOfYear - stated) <= weeks);
      const isOfMonth = (time.year ?? year) === year && Math.abs(Math.ceil(date / 7) - stated) <= weeks;
      return isOfYear || isOfMonth;
    }
    if ((time.year ?? year) !== year) return false;
    if ((time.month ?? month) !== month) return false;
    return isMonth || time.dayFirst === undefined || (date >= time.dayFirst && date <= (time.dayLast as number));
  };
  if (times.some(fits)) return true;
  const yearLast = times.findLast((time) => time.year !== undefined)?.year ?? year;
  const months = times.flatMap((time) =>
    time.month === undefined || time.isReading ? [] : (time.year ?? yearLast) * 12 + time.month,
  );
  const at = year * 12 + month;
  return new Set(months).size > 1 && at >= Math.min(...months) && at <= Math.max(...months);
}
