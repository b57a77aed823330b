/**
 * Which part of a series lies within some days. The places of a series go back in time, so each end of the part is found
 * by a search that begins at that end of the series and doubles its steps: few steps where the days cut little away.
 */
import type { Day } from "../domain/calendar-day.ts";
import type { CodeColumn } from "../store/code-column.ts";
import { positionOfDay } from "../store/periods.ts";
import type { Store } from "../store/store.ts";
import type { DayRange } from "./plan-prices.ts";

/** Days as positions in `Periods.days`. */
export interface DayPositions {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

/** The days with prices of a range of days; all of them on a side where there is no bound. Cost: two binary searches. */
export function positionsOfDays({ periods }: Store, { dayFirst, dayLast }: DayRange): DayPositions {
  return {
    first: dayFirst === undefined ? 0 : positionOfDay(periods, dayFirst),
    end: dayLast === undefined ? periods.days.length : positionOfDay(periods, ((dayLast as number) + 1) as Day),
  };
}

/**
 * The first place whose day lies before `day`, sought from the newest.
 *
 * @param days Day positions by place, never ascending from `from` to `to`.
 * @returns `to` when there is none.
 */
export function firstPlaceBefore(days: CodeColumn, from: number, to: number, day: number): number {
  let low = from;
  let step = 1;
  let high = from;
  while (high < to && days[high]! >= day) {
    low = high + 1;
    high = low + step;
    step *= 2;
  }
  return search(days, low, Math.min(high, to), day);
}

/** The same, sought from the oldest. */
export function firstPlaceBeforeFromOldest(days: CodeColumn, from: number, to: number, day: number): number {
  let high = to;
  let step = 1;
  let low = to - 1;
  while (low >= from && days[low]! < day) {
    high = low;
    low = high - step;
    step *= 2;
  }
  return search(days, Math.max(from, low + 1), high, day);
}

function search(days: CodeColumn, from: number, to: number, day: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (days[middle]! < day) high = middle;
    else low = middle + 1;
  }
  return low;
}
