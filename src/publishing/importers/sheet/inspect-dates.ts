/** Dates of a table without a mapping → the forms that they have. */
import { monthOf } from "../../../engine/model/calendar.ts";
import { type Cell, unmerged } from "./cells.ts";
import { DateReader, dayOf } from "./date-cell.ts";
import { mappingDefaults } from "./mapping.ts";
import type { SerialEpoch } from "./sheet-table.ts";
import words from "./sheet-words.json" with { type: "json" };

/**
 * Forms of dates that are recognised; of those that fit as many dates the first counts. Of months with two digits of a
 * year only the one that spreadsheet programs write: in others the digits may be a day.
 */
const { days: dayForms, months: monthForms, times: timeForms } = words.dateForms;

/** Of a column of months and one of years; beside days the number may be a day whose month is empty. */
const monthOfColumns = "M yyyy";

const commonDateFormats = [
  ...dayForms,
  ...timeForms.flatMap((time) => dayForms.map((day) => `${day}${time}`)),
  "yyyyMMdd",
  "serial",
];

/** Proposes the forms of dates that fit. @param epoch The epoch of the table. */
export function proposeDateFormats(cells: readonly Cell[], epoch: SerialEpoch) {
  const values = cells.map(unmerged);
  const writtenValues = values.filter((cell) => typeof cell === "string" || typeof cell === "number");
  const dates = [...new Set(writtenValues)].filter((cell) => /\d/.test(String(cell)));
  const days = fittingFormats(dates, commonDateFormats, epoch);
  // A month among days is a slip or the row of an average, for a person to decide on.
  const isOfDays = days.formats.length > 0 || values.some(isDayOfSheet);
  const months = isOfDays ? undefined : fittingFormats(dates, [...monthForms, monthOfColumns], epoch);
  const isOfMonths = months !== undefined && mayBeMonths(months.formats, dates, epoch);
  const { formats, unread } = isOfMonths ? months : days;
  return {
    value: formats.length === 0 ? mappingDefaults.date_formats : formats,
    notes: unread.slice(0, 1).map((cell) => `no form of dates fits ${JSON.stringify(cell)}: complete "date_formats"`),
  };
}

/** The forms that fit dates: that of most of them, of equal ones the first, then that of most of the rest. */
function fittingFormats(dates: readonly Cell[], known: readonly string[], epoch: SerialEpoch) {
  const fitting = new Set<string>();
  let unread = dates;
  for (let isAny = true; isAny && unread.length > 0; ) {
    const left = known.map((format) => {
      const reader = new DateReader([format], epoch);
      return { format, rest: unread.filter((cell) => typeof reader.read(cell) !== "number") };
    });
    const best = left.reduce((best, next) => (next.rest.length < best.rest.length ? next : best));
    isAny = best.rest.length < unread.length;
    if (isAny) fitting.add(best.format);
    unread = best.rest;
  }
  return { formats: known.filter((format) => fitting.has(format)), unread };
}

/** Returns whether a cell is a date of a workbook other than the first of a month. */
function isDayOfSheet(cell: Cell): boolean {
  return typeof cell === "object" && cell !== null && "clock" in cell && new Date(cell.clock).getUTCDate() !== 1;
}

/**
 * Returns whether two digits behind a month can be years. Days of one month, read as years, lie years apart; a table of
 * months is of at most twelve months in a row, or has most months of its time.
 */
function mayBeMonths(formats: readonly string[], dates: readonly Cell[], epoch: SerialEpoch): boolean {
  const shortFormats = formats.filter((format) => /(?<!y)yy(?!y)/.test(format));
  const reader = new DateReader(shortFormats, epoch);
  const read = dates.map((cell) => reader.read(cell)).filter((instant) => typeof instant === "number");
  const months = new Set(read.map((instant) => monthOf(dayOf(instant))));
  const span = Math.max(...months) - Math.min(...months);
  return span < 12 || 2 * months.size > span;
}
