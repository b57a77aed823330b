import {
  type Day,
  dayOfInstant,
  dayText,
  type Instant,
  monthStart,
  monthTextOf,
  quarterStart,
  quarterText,
  weekStart,
  weekText,
  yearStart,
  yearText,
} from "../model/calendar.ts";
import { sharedColumnFrom, sharedUint32 } from "../model/shared-columns.ts";
import { codeColumn } from "./columns.ts";
import type { PeriodList, Periods } from "./periods.ts";

/**
 * Lists the days of all prices and their periods.
 *
 * @param utcOffset Milliseconds that clocks are ahead of UTC.
 * Cost: three passes over the times in sequence, a number for each day they span, and a few calendar computations per
 * day that has prices.
 */
export function buildPeriods(recordedAt: Float64Array, utcOffset: number): Periods {
  let newest = -Infinity;
  let oldest = Infinity;
  for (let row = 0; row < recordedAt.length; row++) {
    const instant = recordedAt[row]!;
    if (instant > newest) newest = instant;
    if (instant < oldest) oldest = instant;
  }
  const isEmpty = recordedAt.length === 0;
  const newestDay = isEmpty ? 0 : dayOfInstant(newest as Instant, utcOffset);
  const codeOfAge = new Uint32Array(isEmpty ? 0 : newestDay - dayOfInstant(oldest as Instant, utcOffset) + 1);
  for (let row = 0; row < recordedAt.length; row++) {
    codeOfAge[newestDay - dayOfInstant(recordedAt[row]! as Instant, utcOffset)] = 1;
  }
  const days: Day[] = [];
  for (let age = 0; age < codeOfAge.length; age++) {
    if (codeOfAge[age] === 0) continue;
    codeOfAge[age] = days.length;
    days.push((newestDay - age) as Day);
  }
  const dayCodes = codeColumn(recordedAt.length, days.length);
  for (let row = 0; row < recordedAt.length; row++) {
    dayCodes[row] = codeOfAge[newestDay - dayOfInstant(recordedAt[row]! as Instant, utcOffset)]!;
  }
  return {
    newestDay,
    ages: sharedColumnFrom("Uint32Array", days, (day) => newestDay - day),
    dayCodes,
    day: listPeriods(days, (day) => day, dayText),
    week: listPeriods(days, weekStart, weekText),
    month: listPeriods(days, monthStart, monthTextOf),
    quarter: listPeriods(days, quarterStart, quarterText),
    year: listPeriods(days, yearStart, yearText),
  };
}

/** @param days Newest first. */
function listPeriods(days: readonly Day[], startOf: (day: Day) => Day, labelOf: (day: Day) => string): PeriodList {
  const labels: string[] = [];
  const offsets: number[] = [];
  const ofDay = sharedUint32(days.length);
  let current: Day | undefined;
  for (const [code, day] of days.entries()) {
    const start = startOf(day);
    if (start !== current) {
      current = start;
      labels.push(labelOf(start));
      offsets.push(code);
    }
    ofDay[code] = labels.length - 1;
  }
  return { labels, dayOffsets: sharedColumnFrom("Uint32Array", [...offsets, days.length]), ofDay };
}
