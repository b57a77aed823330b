/**
 * The groups of a statistics question by time. Periods that lie whole within the days, and are narrowed by no more than a
 * type of market, are taken from the figures that the store keeps ready; all others are summed up: from the samples of the
 * wanted series, or from rows where that is sooner or another unit is asked for.
 */
import type { Day } from "../domain/calendar-day.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import { narrowToInstants, type PositionRange } from "../store/day-bounds.ts";
import type { GroupFigures, GroupFiguresBuilder } from "../store/group-figures.ts";
import type { Measuring } from "../store/measuring.ts";
import type { OwnedFigures } from "../store/owned-builder.ts";
import type { TimeGrouping } from "../store/periods.ts";
import { typeOwner } from "../store/ready-figures.ts";
import type { Store } from "../store/store.ts";
import { addTimeGroups, type RowRange } from "../store/time-groups.ts";
import { type GroupList, noFigures } from "./group-list.ts";
import { addPeriods } from "./period-groups.ts";
import { positionsOfDays } from "./places-of-days.ts";
import { type DayRange, instantsOfDays, markMarkets, planPrices } from "./plan-prices.ts";
import type { PriceStatistics } from "./questions.ts";
import { scratchFor } from "./scratch.ts";
import { rowsOfParts, type SeriesParts, seriesPartsOf, seriesWanted } from "./series-parts.ts";
import { collectRows } from "./walk-prices.ts";

/** A question about a product that exists, with the way its prices are measured. */
export interface GroupQuestion {
  readonly question: PriceStatistics;
  readonly product: number;
  readonly measuring: Measuring;
  /** Whether the answer is in the product's own unit, in which the ready figures are. */
  readonly isOwnUnit: boolean;
}

/**
 * Groups by time, oldest first; their keys are periods. Groups without a price in the unit and currency are included.
 *
 * @param builder Takes the groups that are summed up.
 */
export function* groupByTime(
  store: Store,
  asked: GroupQuestion,
  grouping: TimeGrouping,
  builder: GroupFiguresBuilder,
): Generator<number, GroupList> {
  const { question } = asked;
  const ready = readyByTime(store, asked, grouping);
  const places: number[] = [];
  const keys: number[] = [];
  if (ready === undefined) {
    yield* sumUp(store, asked, grouping, question, builder, places, keys);
    return { ready: noFigures, made: builder.view(), places, keys };
  }
  const { periods } = store;
  const list = periods[grouping];
  const { first, end } = positionsOfDays(store, question);
  if (first >= end) return { ready: noFigures, made: noFigures, places, keys };
  const periodFirst = list.ofDay[first]!;
  const periodLast = list.ofDay[end - 1]!;
  const wholeFirst = list.dayOffsets[periodFirst] === first ? periodFirst : periodFirst + 1;
  const wholeLast = list.dayOffsets[periodLast + 1] === end ? periodLast : periodLast - 1;
  const isLastClipped = periodLast > wholeLast;
  // A single period that is clipped at both ends is summed up once.
  const isFirstClipped = periodFirst < wholeFirst && !(isLastClipped && periodFirst === periodLast);
  if (isFirstClipped) {
    const dayLast = periods.days[Math.min(end, list.dayOffsets[periodFirst + 1]!) - 1]! as Day;
    yield* sumUp(store, asked, grouping, { ...question, dayLast }, builder, places, keys);
  }
  pushReady(places, keys, ready, wholeFirst, wholeLast);
  if (isLastClipped) {
    const dayFirst = periods.days[Math.max(first, list.dayOffsets[periodLast]!)]! as Day;
    yield* sumUp(store, asked, grouping, { ...question, dayFirst }, builder, places, keys);
  }
  return { ready: ready.figures, made: builder.view(), places, keys };
}

/** The figures kept ready for a question by time, as one owner's groups; undefined when there are none for it. */
function readyByTime(
  { figures }: Store,
  { question, product, isOwnUnit }: GroupQuestion,
  grouping: TimeGrouping,
): OwnerGroups | undefined {
  if (!isOwnUnit || question.marketUuid !== undefined || question.countyId !== undefined) return undefined;
  if (question.marketType === undefined) return ownerGroups(figures.byTime[grouping], product);
  if (grouping === "day") return undefined;
  return ownerGroups(figures.byTimeOfType[grouping], typeOwner(product, marketTypes.indexOf(question.marketType)));
}

interface OwnerGroups {
  readonly figures: GroupFigures;
  readonly from: number;
  readonly to: number;
}

function ownerGroups({ figures, offsets }: OwnedFigures, owner: number): OwnerGroups {
  return { figures, from: offsets[owner]!, to: offsets[owner + 1]! };
}

/** Adds the groups of periods `first` to `last` (inclusive), oldest first. Keys descend within an owner. */
function pushReady(
  places: number[],
  keys: number[],
  { figures, from, to }: OwnerGroups,
  first: number,
  last: number,
): void {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (figures.keys[middle]! >= first) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= from && figures.keys[at]! <= last; at--) {
    places.push(at);
    keys.push(figures.keys[at]!);
  }
}

/** Adds the groups of a question that are not kept ready, oldest first. */
function* sumUp(
  store: Store,
  { product, measuring, isOwnUnit }: GroupQuestion,
  grouping: TimeGrouping,
  question: PriceStatistics,
  builder: GroupFiguresBuilder,
  places: number[],
  keys: number[],
): Generator<number, void> {
  const before = builder.size;
  const parts = isOwnUnit ? partsToSumUp(store, product, question) : undefined;
  if (parts !== undefined) {
    yield* addPeriods(builder, store.samples, product, store.periods[grouping], parts);
    const made = builder.view();
    for (let at = before; at < builder.size; at++) {
      places.push(~at);
      keys.push(made.keys[at]!);
    }
    return;
  }
  const range = yield* selectRows(store, product, question);
  const scratch = scratchFor(range.to - range.from);
  const source = {
    prices: store.prices,
    periods: store.periods,
    utcOffset: store.snapshot.utcOffset,
    measuring,
    scratch,
  };
  yield* addTimeGroups(builder, source, store.periods[grouping], range);
  const made = builder.view();
  for (let at = builder.size - 1; at >= before; at--) {
    places.push(~at);
    keys.push(made.keys[at]!);
  }
}

/**
 * The series whose samples make up a question; undefined when the rows of the product within the days are looked through
 * sooner than so many series are searched.
 */
function partsToSumUp(store: Store, product: number, question: PriceStatistics): SeriesParts | undefined {
  const { marketUuid, countyId, marketType } = question;
  if (marketUuid !== undefined) return seriesPartsOf(store, product, question);
  if (countyId === undefined && marketType === undefined) return undefined;
  const wanted = seriesWanted(store, product, question).length;
  const { from, to } = rowsOfDays(store, product, question);
  return to - from < wanted * searchStepsPerSeries ? undefined : seriesPartsOf(store, product, question);
}

/** How many rows of a product can be looked through in the time it takes to find the days in a series. */
const searchStepsPerSeries = 32;

/** The rows of a product within some days. */
function rowsOfDays(store: Store, product: number, days: DayRange): PositionRange {
  const { productOffsets, recordedAt } = store.prices;
  const { first, end } = instantsOfDays(store, days);
  const whole = { from: productOffsets[product]!, to: productOffsets[product + 1]! };
  return narrowToInstants(recordedAt, null, whole, first, end);
}

/**
 * The rows a question selects, in answer order. Where the wanted markets have a small share of the product's rows, their
 * series are put together; rows of one product ascend in answer order, so putting together is sorting numbers.
 */
function* selectRows(store: Store, product: number, question: PriceStatistics): Generator<number, RowRange> {
  if (question.marketUuid !== undefined) {
    const { rows, range } = planPrices(store, question);
    return { rows, ...range };
  }
  const range = rowsOfDays(store, product, question);
  if (question.countyId === undefined && question.marketType === undefined) return { rows: null, ...range };
  const parts = seriesPartsOf(store, product, question);
  const count = parts.rowCount;
  if (count * sortStepsPerRow < range.to - range.from) {
    const rows = rowsOfParts(store.series, parts).sort();
    return { rows, from: 0, to: count };
  }
  const check = { product: -1, marketMask: markMarkets(store, question), priceMin: -Infinity, priceMax: Infinity };
  const collected = yield* collectRows(store.prices, { walk: "product", rows: null, range, check });
  return { rows: collected, from: 0, to: collected.length };
}

/** How many rows can be walked in the time it takes to sort one. */
const sortStepsPerRow = 16;
