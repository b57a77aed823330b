/**
 * The days on which prices were recorded, and the weeks, months, quarters and years they make up: what statistics are
 * grouped by and what ranges of days are found by. Only periods that have prices are listed, so one price of the year 1
 * costs one entry, not two thousand years of them. All are listed newest first, as prices are, so codes count backwards
 * in time:
 *
 *     day         9 Feb   3 Feb   31 Jan   30 Jan   4 Jan     newest first; days without prices have no code
 *     day code    0       1       2        3        4
 *     ofDay       0       0       1        1        1         of the months
 *     month       2026-02 ─────   2026-01 ────────────────    labels
 *     dayOffsets  0               2                        5
 *
 * The days from 4 January to 9 February are the day codes [0, 5); the first month that lies whole within them is the
 * newest.
 */
import type { Day } from "../model/calendar.ts";
import type { TimeGrouping } from "../model/vocabulary.ts";
import { type CodeColumn, lowerBound, type Range } from "./columns.ts";

export interface PeriodList {
  /** `2026-01-31`, `2026-W05`, `2026-01`, `2026-Q1` or `2026`, newest first. */
  readonly labels: readonly string[];
  /** Period p has the day codes `dayOffsets[p]` to `dayOffsets[p + 1] - 1`. */
  readonly dayOffsets: Uint32Array<SharedArrayBuffer>;
  /** Period by day code. */
  readonly ofDay: Uint32Array<SharedArrayBuffer>;
}

/** A *day code* counts the days that have prices, from 0, the newest. */
export interface Periods extends Readonly<Record<TimeGrouping, PeriodList>> {
  /** The newest day with prices, in the dataset's calendar; 0 without any. */
  readonly newestDay: number;
  /** The days from each day to the newest, by day code; ascending. */
  readonly ages: Uint32Array<SharedArrayBuffer>;
  /** Day code by row. */
  readonly dayCodes: CodeColumn;
}

/** The days from the price of a row to the newest of all. */
export function ageOfRow({ ages, dayCodes }: Periods, row: number): number {
  return ages[dayCodes[row]!]!;
}

/** The day on which the price of a row was recorded. */
export function dayOfRow(periods: Periods, row: number): Day {
  return (periods.newestDay - ageOfRow(periods, row)) as Day;
}

/**
 * The day codes of a range of days.
 *
 * @param dayFirst Inclusive; undefined where there is no bound. So too `dayLast`.
 * Cost: two binary searches.
 */
export function dayCodesOf({ newestDay, ages }: Periods, dayFirst: Day | undefined, dayLast: Day | undefined): Range {
  const from = dayLast === undefined ? 0 : lowerBound(ages, null, newestDay - dayLast, 0, ages.length);
  const to = dayFirst === undefined ? ages.length : lowerBound(ages, null, newestDay - dayFirst + 1, from, ages.length);
  return { from, to };
}

/**
 * The part of a list of rows, newest first, that lies within some days.
 *
 * @param rows Row by position; null where positions are rows.
 * @param whole The part to look in.
 * @param days Day codes.
 * Cost: two binary searches; a read of each end where nothing is cut off.
 */
export function narrowToDays({ dayCodes }: Periods, rows: Uint32Array | null, whole: Range, days: Range): Range {
  const { from, to } = whole;
  if (from === to) return whole;
  const newest = rows === null ? from : rows[from]!;
  const oldest = rows === null ? to - 1 : rows[to - 1]!;
  const first = dayCodes[newest]! >= days.from ? from : lowerBound(dayCodes, rows, days.from, from, to);
  return { from: first, to: dayCodes[oldest]! < days.to ? to : lowerBound(dayCodes, rows, days.to, first, to) };
}

/** Some days as the periods that lie whole within them, and the days of those that they cut. */
export interface SplitDays {
  readonly whole: Range;
  /** Day codes of the newest period where it is cut, otherwise empty. All days where no period is whole. */
  readonly newerCut: Range;
  /** Day codes of the oldest period where it is cut, otherwise empty. */
  readonly olderCut: Range;
}

/** Splits days into whole and cut periods. @param days Day codes. */
export function splitByPeriod({ ofDay, dayOffsets }: PeriodList, days: Range): SplitDays {
  const none = { from: days.to, to: days.to };
  if (days.from >= days.to) return { whole: { from: 0, to: 0 }, newerCut: none, olderCut: none };
  const first = ofDay[days.from]!;
  const last = ofDay[days.to - 1]!;
  const from = dayOffsets[first] === days.from ? first : first + 1;
  const to = dayOffsets[last + 1] === days.to ? last + 1 : last;
  if (from >= to) return { whole: { from, to: from }, newerCut: days, olderCut: none };
  return {
    whole: { from, to },
    newerCut: { from: days.from, to: dayOffsets[from]! },
    olderCut: { from: dayOffsets[to]!, to: days.to },
  };
}
