import { type Day, dayOfInstant, instantOfDayStart } from "../domain/calendar-day.ts";
import type { Instant } from "../domain/instant.ts";
import { type CodeColumn, codeColumn } from "./code-column.ts";
import type { GroupFiguresBuilder } from "./group-figures.ts";
import { addGroup, type Measuring } from "./measuring.ts";
import { type PeriodList, type Periods, positionOfDay } from "./periods.ts";
import type { PriceColumns } from "./price-columns.ts";

/** Rows of one product in answer order: positions [from, to) of `rows`, or of the price columns when it is null. */
export interface RowRange {
  readonly rows: Uint32Array | null;
  readonly from: number;
  readonly to: number;
}

/** Where the time groups of a walk are taken from. */
export interface TimeGroupSource {
  readonly prices: PriceColumns;
  readonly periods: Periods;
  readonly utcOffset: number;
  readonly measuring: Measuring;
  /** At least as long as the longest group. */
  readonly scratch: Float64Array;
}

/** Rows between two yields. */
const stepRows = 8192;

/**
 * Cuts rows into periods and adds the figures of each, newest period first, with the period as key.
 *
 * Yields the number of rows done after every few thousand of them, so that whoever runs it can let others work in between.
 */
export function* addTimeGroups(
  builder: GroupFiguresBuilder,
  { prices, periods, utcOffset, measuring, scratch }: TimeGroupSource,
  list: PeriodList,
  { rows, from, to }: RowRange,
): Generator<number, void> {
  const { recordedAt } = prices;
  let rowsDone = 0;
  let position = periods.days.length;
  for (let start = from; start < to; ) {
    const newest = recordedAt[rows === null ? start : rows[start]!]! as Instant;
    position = positionUpTo(periods, dayOfInstant(newest, utcOffset), position);
    const period = list.ofDay[position]!;
    const firstDay = periods.days[list.dayOffsets[period]!]! as Day;
    const instantFirst = instantOfDayStart(firstDay, utcOffset);
    let end = start + 1;
    while (end < to && recordedAt[rows === null ? end : rows[end]!]! >= instantFirst) end++;
    addGroup(builder, period, prices, measuring, rows, start, end, scratch);
    rowsDone += end - start;
    if (rowsDone > stepRows) {
      yield rowsDone;
      rowsDone = 0;
    }
    start = end;
  }
}

/** Steps back before a binary search is sooner there. */
const stepsBackMax = 8;

/** The position of a day that has prices, sought from `before`, which lies behind it: mostly a few steps back. */
function positionUpTo(periods: Periods, day: number, before: number): number {
  const { days } = periods;
  for (let position = before - 1; position >= 0 && position >= before - stepsBackMax; position--) {
    if (days[position] === day) return position;
  }
  return positionOfDay(periods, day);
}

/**
 * On which day each price was recorded, as a position in `Periods.days`, by row.
 *
 * Cost: one look at every price; the rows of a product go back in time, so the days are found by going along.
 */
export function dayPositionsOf(
  { rowCount, productOffsets, recordedAt }: PriceColumns,
  { days }: Periods,
  utcOffset: number,
): CodeColumn {
  const positions = codeColumn(rowCount, days.length);
  for (let product = 0; product + 1 < productOffsets.length; product++) {
    let position = days.length - 1;
    for (let row = productOffsets[product]!; row < productOffsets[product + 1]!; row++) {
      const day = dayOfInstant(recordedAt[row]! as Instant, utcOffset);
      while (days[position]! > day) position--;
      positions[row] = position;
    }
  }
  return positions;
}
