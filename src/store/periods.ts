/**
 * The days on which prices were recorded, and the weeks and months they make up: what statistics are grouped by. Only
 * periods that have prices are listed, so one price of the year 1 costs one entry, not two thousand years of them.
 */
import { type Day, dayOfInstant, dayText, monthStart, monthText, weekStart, weekText } from "../domain/calendar-day.ts";
import type { Instant } from "../domain/instant.ts";
import { sharedUint32 } from "../domain/shared-columns.ts";
import type { Grouping } from "../domain/vocabulary.ts";

/** A grouping by time, as against `market` and `county`. */
export type TimeGrouping = Exclude<Grouping, "market" | "county">;

export interface PeriodList {
  /** `2026-01-31`, `2026-W05` or `2026-01`, ascending by time. */
  readonly labels: readonly string[];
  /** Period p has the days `dayOffsets[p]` to `dayOffsets[p + 1] - 1` of `Periods.days`. */
  readonly dayOffsets: Uint32Array<SharedArrayBuffer>;
  /** Period by position in `Periods.days`. */
  readonly ofDay: Uint32Array<SharedArrayBuffer>;
}

export interface Periods extends Readonly<Record<TimeGrouping, PeriodList>> {
  /** Days with prices, in the dataset's calendar, ascending. */
  readonly days: Int32Array<SharedArrayBuffer>;
}

/**
 * Lists the days of all prices and their periods.
 *
 * @param rowsByTime Every row, newest first.
 * @param utcOffset Milliseconds that clocks are ahead of UTC.
 * Cost: one look at every price, and a few calendar computations per day that has prices.
 */
export function buildPeriods(recordedAt: Float64Array, rowsByTime: Uint32Array, utcOffset: number): Periods {
  const newestFirst: Day[] = [];
  for (let place = 0; place < rowsByTime.length; place++) {
    const day = dayOfInstant(recordedAt[rowsByTime[place]!]! as Instant, utcOffset);
    if (newestFirst.at(-1) !== day) newestFirst.push(day);
  }
  const days = new Int32Array(new SharedArrayBuffer(newestFirst.length * Int32Array.BYTES_PER_ELEMENT));
  days.set(newestFirst.reverse());
  return {
    days,
    day: listPeriods(days, (day) => day, dayText),
    week: listPeriods(days, weekStart, weekText),
    month: listPeriods(days, monthStart, monthText),
  };
}

/**
 * The position of the first day with prices that is `day` or later; the number of days when there is none.
 *
 * Cost: a binary search.
 */
export function positionOfDay({ days }: Periods, day: number): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (days[middle]! < day) low = middle + 1;
    else high = middle;
  }
  return low;
}

function listPeriods(days: Int32Array, startOf: (day: Day) => Day, labelOf: (day: Day) => string): PeriodList {
  const labels: string[] = [];
  const starts: number[] = [];
  const ofDay = sharedUint32(days.length);
  let current: Day | undefined;
  for (let position = 0; position < days.length; position++) {
    const start = startOf(days[position]! as Day);
    if (start !== current) {
      current = start;
      labels.push(labelOf(start));
      starts.push(position);
    }
    ofDay[position] = labels.length - 1;
  }
  const dayOffsets = sharedUint32(starts.length + 1);
  dayOffsets.set([...starts, days.length]);
  return { labels, dayOffsets, ofDay };
}
