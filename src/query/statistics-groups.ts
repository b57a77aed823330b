/**
 * The groups of a statistics question. Groups that lie whole within the days, and are narrowed by no more than a type of
 * market, are taken from the figures that the store keeps ready; all others are summed up from their rows.
 */
import type { Day } from "../domain/calendar-day.ts";
import type { CountyId } from "../domain/ids.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import { narrowToInstants } from "../store/day-bounds.ts";
import { type GroupFigures, GroupFiguresBuilder } from "../store/group-figures.ts";
import { addGroup, type Measuring } from "../store/measuring.ts";
import { positionOfDay, type TimeGrouping } from "../store/periods.ts";
import { countyKey, countyOfKey, type OwnedFigures, typeOwner } from "../store/ready-figures.ts";
import { seriesAt } from "../store/series-index.ts";
import type { Store } from "../store/store.ts";
import { addTimeGroups, type RowRange } from "../store/time-groups.ts";
import { instantsOfDays, isMarketWanted, listMarketCodes, markMarkets, planPrices } from "./plan-prices.ts";
import type { PriceStatistics } from "./questions.ts";
import type { GroupPlace } from "./summarise.ts";
import { collectRows } from "./walk-prices.ts";

/** A question about a product that exists, with the way its prices are measured. */
export interface GroupQuestion {
  readonly question: PriceStatistics;
  readonly product: number;
  readonly measuring: Measuring;
  /** Whether the answer is in the product's own unit, in which the ready figures are. */
  readonly isOwnUnit: boolean;
}

/** Groups by time, oldest first; their keys are periods. Groups without a price in the unit and currency are included. */
export function* groupByTime(
  store: Store,
  asked: GroupQuestion,
  grouping: TimeGrouping,
): Generator<number, GroupPlace[]> {
  const ready = readyByTime(store, asked, grouping);
  const builder = new GroupFiguresBuilder();
  if (ready === undefined) {
    yield* sumUp(store, asked, grouping, builder, asked.question);
    return placesOf(builder).reverse();
  }
  const { question } = asked;
  const { periods } = store;
  const list = periods[grouping];
  const first = positionOfDay(periods, question.dayFirst);
  const last = positionOfDay(periods, question.dayLast + 1) - 1;
  if (first > last) return [];
  const periodFirst = list.ofDay[first]!;
  const periodLast = list.ofDay[last]!;
  const wholeFirst = list.dayOffsets[periodFirst] === first ? periodFirst : periodFirst + 1;
  const wholeLast = list.dayOffsets[periodLast + 1] === last + 1 ? periodLast : periodLast - 1;
  const isLastClipped = periodLast > wholeLast;
  // A single period that is clipped at both ends is summed up once.
  const isFirstClipped = periodFirst < wholeFirst && !(isLastClipped && periodFirst === periodLast);
  if (isLastClipped) {
    const dayFirst = periods.days[Math.max(first, list.dayOffsets[periodLast]!)]! as Day;
    yield* sumUp(store, asked, grouping, builder, { ...question, dayFirst });
  }
  const newestCount = builder.size;
  if (isFirstClipped) {
    const dayLast = periods.days[Math.min(last, list.dayOffsets[periodFirst + 1]! - 1)]! as Day;
    yield* sumUp(store, asked, grouping, builder, { ...question, dayLast });
  }
  const clipped = placesOf(builder);
  const whole = readyPlaces(ready, wholeFirst, wholeLast);
  return [...clipped.slice(newestCount).reverse(), ...whole, ...clipped.slice(0, newestCount)];
}

/** Groups by market, by name; their keys are market codes. */
export function* groupByMarket(store: Store, asked: GroupQuestion): Generator<number, GroupPlace[]> {
  const { series, figures, prices } = store;
  const builder = new GroupFiguresBuilder();
  const places: (GroupPlace | null)[] = [];
  for (const { one, from, to, isWhole } of wantedSeries(store, asked)) {
    if (isWhole && asked.isOwnUnit) {
      places.push({ figures: figures.bySeries, at: one });
    } else {
      addGroup(builder, series.markets[one]!, prices, asked.measuring, series.rows, from, to, scratchFor(to - from));
      places.push(null);
      yield to - from;
    }
  }
  const summedUp = placesOf(builder).values();
  return places.map((place) => place ?? (summedUp.next().value as GroupPlace));
}

/** Groups by county, by name, then id. */
export function* groupByCounty(
  store: Store,
  asked: GroupQuestion,
): Generator<number, { county: CountyId; place: GroupPlace }[]> {
  const { catalogue, figures, prices, series } = store;
  const { question } = asked;
  const found: { county: CountyId; place: GroupPlace }[] = [];
  if (asked.isOwnUnit && question.marketUuid === undefined && coversProduct(store, asked)) {
    const type = question.marketType === undefined ? -1 : marketTypes.indexOf(question.marketType);
    const { offsets, figures: ready } = figures.byCounty;
    for (let at = offsets[asked.product]!; at < offsets[asked.product + 1]!; at++) {
      const county = countyOfKey(ready.keys[at]!) as CountyId;
      const isWanted = ready.keys[at] === countyKey(county, type);
      if (isWanted && (question.countyId ?? county) === county) found.push({ county, place: { figures: ready, at } });
    }
  } else {
    const builder = new GroupFiguresBuilder();
    const rowsByCounty = new Map<CountyId, Uint32Array[]>();
    for (const { one, from, to } of wantedSeries(store, asked)) {
      const { countyId } = catalogue.markets[series.markets[one]!]!.record;
      const lists = rowsByCounty.get(countyId) ?? [];
      rowsByCounty.set(countyId, lists);
      lists.push(series.rows.subarray(from, to));
    }
    for (const lists of rowsByCounty.values()) {
      const rows = concatenate(lists);
      addGroup(builder, 0, prices, asked.measuring, rows, 0, rows.length, scratchFor(rows.length));
      yield rows.length;
    }
    const places = placesOf(builder).values();
    for (const county of rowsByCounty.keys()) found.push({ county, place: places.next().value as GroupPlace });
  }
  const { countyRanks } = catalogue;
  return found.sort((a, b) => countyRanks.get(a.county)! - countyRanks.get(b.county)!);
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

/** The groups of periods `first` to `last` (inclusive), oldest first. Keys descend within an owner. */
function readyPlaces({ figures, from, to }: OwnerGroups, first: number, last: number): GroupPlace[] {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (figures.keys[middle]! > last) low = middle + 1;
    else high = middle;
  }
  const places: GroupPlace[] = [];
  for (let at = low; at < to && figures.keys[at]! >= first; at++) places.push({ figures, at });
  return places.reverse();
}

/** Adds the groups of a question from its rows, newest first. */
function* sumUp(
  store: Store,
  { product, measuring }: GroupQuestion,
  grouping: TimeGrouping,
  builder: GroupFiguresBuilder,
  question: PriceStatistics,
): Generator<number, void> {
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
  const { productOffsets, recordedAt } = store.prices;
  const { first, end } = instantsOfDays(store, question);
  const whole = { from: productOffsets[product]!, to: productOffsets[product + 1]! };
  const range = narrowToInstants(recordedAt, null, whole, first, end);
  if (question.countyId === undefined && question.marketType === undefined) return { rows: null, ...range };
  const { rowOffsets, rows } = store.series;
  const lists: Uint32Array[] = [];
  let count = 0;
  for (const one of seriesAt(store.series, product, listMarketCodes(store, question))) {
    const series = { from: rowOffsets[one]!, to: rowOffsets[one + 1]! };
    const { from, to } = narrowToInstants(recordedAt, rows, series, first, end);
    lists.push(rows.subarray(from, to));
    count += to - from;
  }
  if (count * sortStepsPerRow < range.to - range.from) return { rows: concatenate(lists).sort(), from: 0, to: count };
  const check = { product: -1, marketMask: markMarkets(store, question), priceMin: -Infinity, priceMax: Infinity };
  const collected = yield* collectRows(store.prices, { walk: "product", rows: null, range, check });
  return { rows: collected, from: 0, to: collected.length };
}

/** How many rows can be walked in the time it takes to sort one. */
const sortStepsPerRow = 16;

interface WantedSeries {
  readonly one: number;
  readonly from: number;
  readonly to: number;
  /** All rows of the series lie within the days. */
  readonly isWhole: boolean;
}

/** The series of the product at the wanted markets that have rows within the days, by name of the market. */
function* wantedSeries(store: Store, { question, product }: GroupQuestion): Generator<WantedSeries> {
  const { prices, series } = store;
  const { first, end } = instantsOfDays(store, question);
  const { rowOffsets, rows } = series;
  for (const one of seriesAskedFor(store, question, product)) {
    const whole = { from: rowOffsets[one]!, to: rowOffsets[one + 1]! };
    const { from, to } = narrowToInstants(prices.recordedAt, rows, whole, first, end);
    if (from < to) yield { one, from, to, isWhole: from === whole.from && to === whole.to };
  }
}

/** The series of the product at the wanted markets, whatever the days. */
function seriesAskedFor(store: Store, question: PriceStatistics, product: number): number[] {
  const { catalogue, series } = store;
  if (question.marketUuid === undefined) return seriesAt(series, product, listMarketCodes(store, question));
  const market = catalogue.marketCodes.get(question.marketUuid);
  if (market === undefined || !isMarketWanted(catalogue.markets[market]!.record, question)) return [];
  return seriesAt(series, product, Uint32Array.of(market));
}

/** Whether the days of a question cover every price of the product. */
function coversProduct(store: Store, { question, product }: GroupQuestion): boolean {
  const { productOffsets, recordedAt } = store.prices;
  const { first, end } = instantsOfDays(store, question);
  const newest = recordedAt[productOffsets[product]!]!;
  const oldest = recordedAt[productOffsets[product + 1]! - 1]!;
  return productOffsets[product] === productOffsets[product + 1] || (oldest >= first && newest < end);
}

function placesOf(builder: GroupFiguresBuilder): GroupPlace[] {
  const figures = builder.view();
  const places: GroupPlace[] = [];
  for (let at = 0; at < builder.size; at++) places.push({ figures, at });
  return places;
}

function concatenate(lists: readonly Uint32Array[]): Uint32Array {
  const rows = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    rows.set(list, at);
    at += list.length;
  }
  return rows;
}

let scratch = new Float64Array(1024);

/** Working memory for one group, shared by all questions of a thread: nothing yields while a group is summed up. */
function scratchFor(length: number): Float64Array {
  if (scratch.length < length) scratch = new Float64Array(length * 2);
  return scratch;
}
