/**
 * What stands behind the figures of groups: the months and markets that their prices are of. Two months of a year are
 * not the year, and a line over other markets each month is not one of prices alone.
 *
 * Prices of one market, group and month say the same, so rows are skipped to the next group or month.
 */
import {
  countMonths,
  type Day,
  lastDayOf,
  type MonthNumber,
  type MonthRange,
  monthNumber,
  monthOf,
  weekStart,
} from "../model/calendar.ts";
import { getOrInsert } from "../model/get-or-insert.ts";
import { type Grouping, splitGrouping, type TimeGrouping } from "../model/vocabulary.ts";
import { type CodeColumn, lowerBound, type Range } from "../store/columns.ts";
import type { PeriodList, Periods } from "../store/periods.ts";
import { convertPrice, type PriceConversion } from "../store/price-conversion.ts";
import { type Segments, visitSegments } from "../store/runs.ts";
import { StepCounter } from "../store/steps.ts";
import type { Store } from "../store/store.ts";

/** The months and markets of the prices that the figures of a group are of. */
export interface Coverage {
  /** Calendar months with such a price. */
  readonly monthsWithPrices: number;
  /** Calendar months of the group within those requested; of a market or county all of these. */
  readonly monthsInPeriod: number;
  /** From the first to the last month with such a price. */
  readonly months: MonthRange;
  /** Markets with such a price. */
  readonly markets: number;
  /** Those of them in refugee camps. */
  readonly campMarkets: number;
}

/** Prices by market, and what they convert to. */
export interface ConvertedSegments {
  readonly segments: Segments;
  readonly conversion: PriceConversion;
}

/**
 * The coverage of each group that has a price in its figures, by key.
 *
 * @param requested The months that a group's own are counted within.
 * Cost: a binary search for each market, group and month with prices, and a read of each price that does not convert.
 */
export function* coverGroups(
  store: Store,
  grouping: Grouping,
  source: ConvertedSegments,
  requested: MonthRange,
): Generator<number, ReadonlyMap<number, Coverage>> {
  const { catalogue, periods } = store;
  const { month } = periods;
  const { time } = splitGrouping(grouping);
  const list = time === undefined ? undefined : periods[time];
  const covers = new Map<number, ReturnType<typeof emptyCover>>();
  // By month the group that had it last.
  const groups = new Int32Array(month.labels.length).fill(-1);
  yield* visitCells(store, source, list === undefined ? [month] : [month, list], (day, market) => {
    const place = grouping === "county" ? catalogue.marketCounties[market]! : market;
    const key = list === undefined ? place : list.ofDay[day]!;
    const code = month.ofDay[day]!;
    const cover = getOrInsert(covers, key, emptyCover);
    cover.newest = Math.min(cover.newest, code);
    cover.oldest = Math.max(cover.oldest, code);
    // A month is of one period that is as long or longer, and all prices of a place are neighbours.
    if (groups[code] !== key) cover.monthCount++;
    groups[code] = key;
    if (market === cover.market) return;
    cover.market = market;
    cover.markets++;
    cover.campMarkets += catalogue.camps[market]!;
  });
  const found = new Map<number, Coverage>();
  for (const [key, { newest, oldest, monthCount, markets, campMarkets }] of covers) {
    const months = { first: monthAt(periods, oldest), last: monthAt(periods, newest) };
    const own = time === undefined ? requested : monthsOfPeriod(time, periods, key);
    const within = { first: Math.max(own.first, requested.first), last: Math.min(own.last, requested.last) };
    // A month has several days and weeks; a day has one month, a week at most two.
    const monthsWithPrices = time === "day" || time === "week" ? countMonths(months) : monthCount;
    found.set(key, { monthsWithPrices, monthsInPeriod: countMonths(within), months, markets, campMarkets });
    yield groupRows;
  }
  return found;
}

/** What is known of a group while its prices are visited market by market; months by code. */
function emptyCover() {
  return { newest: Infinity, oldest: -1, monthCount: 0, market: -1, markets: 0, campMarkets: 0 };
}

export function monthAt({ month }: Periods, code: number): MonthNumber {
  return monthNumber(month.labels[code]!);
}

/** Calendar months of a period, by its grouping; those of a week depend on its days. */
const periodMonths = { day: 1, month: 1, quarter: 3, year: 12 } as const;

/** The calendar months that a period has a day in. */
function monthsOfPeriod(time: TimeGrouping, periods: Periods, period: number): MonthRange {
  const day = (periods.newestDay - periods.ages[periods[time].dayOffsets[period]!]!) as Day;
  if (time === "week") {
    const monday = weekStart(day);
    const first = monthOf(monday);
    return { first, last: monday + 6 > lastDayOf(first) ? first + 1 : first };
  }
  const month = monthOf(day);
  const first = month - (month % periodMonths[time]);
  return { first, last: first + periodMonths[time] - 1 };
}

/**
 * The codes of the calendar months with a price that converts, in any order.
 *
 * @param days Day codes that the segments are within.
 * Cost: a read of the day of each row until all months of the days are found; a price is converted where its month is
 *   not found yet.
 */
export function* monthsWithPrices(
  { periods: { dayCodes, month }, prices }: Store,
  { segments, conversion }: ConvertedSegments,
  days: Range,
): Generator<number, readonly number[]> {
  if (days.from >= days.to) return [];
  const newest = month.ofDay[days.from]!;
  const isFound = new Uint8Array(month.ofDay[days.to - 1]! - newest + 1);
  const found: number[] = [];
  yield* visitSegments(segments, stepRows, (from, to) => {
    for (let row = from; row < to && found.length < isFound.length; row++) {
      const code = month.ofDay[dayCodes[row]!]!;
      if (isFound[code - newest] === 1 || Number.isNaN(convertPrice(prices, conversion, row))) continue;
      isFound[code - newest] = 1;
      found.push(code);
    }
  });
  return found;
}

/**
 * The markets that have a price that converts in each period in which any of them has one.
 *
 * @returns 1 for each code of such a market. Cost: as `coverGroups`.
 */
export function* marketsInAllPeriods(
  store: Store,
  source: ConvertedSegments,
  time: TimeGrouping,
): Generator<number, Uint8Array> {
  const list = store.periods[time];
  const periodCounts = new Uint32Array(store.catalogue.markets.length);
  const periods = new Set<number>();
  let [lastMarket, lastPeriod] = [-1, -1];
  yield* visitCells(store, source, [list], (day, market) => {
    const period = list.ofDay[day]!;
    // A row test may have cut the prices of a market in a period in two.
    if (market !== lastMarket || period !== lastPeriod) periodCounts[market]!++;
    [lastMarket, lastPeriod] = [market, period];
    periods.add(period);
  });
  return Uint8Array.from(periodCounts, (count) => Number(count > 0 && count === periods.size));
}

/** Rows read between two yields. */
const stepRows = 16_384;

/** The months of a group cost about as much as looking at so many rows. */
const groupRows = 64;

/**
 * Visits a price that converts of each market in each cell that has one: the days that are of one period in each of
 * some lists. A cell is visited again, directly after, where the segments cut it.
 *
 * @param visit Called with the day code and the market.
 */
function* visitCells(
  { periods: { dayCodes }, prices }: Store,
  { segments: { markets, from, to }, conversion }: ConvertedSegments,
  lists: readonly PeriodList[],
  visit: (day: number, market: number) => void,
): Generator<number, void> {
  const steps = new StepCounter(stepRows);
  for (let segment = 0; segment < from.length; segment++) {
    const end = to[segment]!;
    for (let row = from[segment]!; row < end; ) {
      const day = dayCodes[row]!;
      const isConverted = !Number.isNaN(convertPrice(prices, conversion, row));
      row++;
      if (isConverted) {
        visit(day, markets[segment]!);
        row = firstOfDays(dayCodes, row, end, cellEnd(lists, day));
      }
      const step = steps.add(1);
      if (step > 0) yield step;
    }
  }
}

/** The first day code behind the cell of a day. */
function cellEnd(lists: readonly PeriodList[], day: number): number {
  let end = Infinity;
  for (const { ofDay, dayOffsets } of lists) end = Math.min(end, dayOffsets[ofDay[day]! + 1]!);
  return end;
}

/** The first of some rows whose day is `day` or older. */
function firstOfDays(dayCodes: CodeColumn, row: number, end: number, day: number): number {
  // Most series have a price a month.
  return row >= end || dayCodes[row]! >= day ? row : lowerBound(dayCodes, null, day, row + 1, end);
}
