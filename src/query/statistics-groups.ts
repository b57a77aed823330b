/**
 * The groups of a statistics question. Groups that lie whole within the days, and are narrowed by no more than a type of
 * market, are taken from the figures that the store keeps ready; all others are summed up from their rows.
 */
import type { Day } from "../domain/calendar-day.ts";
import type { CountyId } from "../domain/ids.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import { narrowToInstants, type PositionRange } from "../store/day-bounds.ts";
import { type GroupFigures, GroupFiguresBuilder } from "../store/group-figures.ts";
import { addGroup, type Measuring } from "../store/measuring.ts";
import type { TimeGrouping } from "../store/periods.ts";
import { countyKey, type OwnedFigures, typeOwner } from "../store/ready-figures.ts";
import type { Store } from "../store/store.ts";
import { addTimeGroups, type RowRange } from "../store/time-groups.ts";
import { addPeriods } from "./period-groups.ts";
import { addPlace } from "./place-groups.ts";
import { positionsOfDays } from "./places-of-days.ts";
import { type DayRange, instantsOfDays, markMarkets, planPrices } from "./plan-prices.ts";
import type { PriceStatistics } from "./questions.ts";
import { scratchFor } from "./scratch.ts";
import { partsAt, type SeriesParts, seriesPartsOf, seriesWanted } from "./series-parts.ts";
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
): Generator<number, GroupPlace[]> {
  const { question } = asked;
  const ready = readyByTime(store, asked, grouping);
  if (ready === undefined) {
    const places: GroupPlace[] = [];
    yield* sumUp(store, asked, grouping, question, builder, places);
    return places;
  }
  const { periods } = store;
  const list = periods[grouping];
  const { first, end } = positionsOfDays(store, question);
  if (first >= end) return [];
  const periodFirst = list.ofDay[first]!;
  const periodLast = list.ofDay[end - 1]!;
  const wholeFirst = list.dayOffsets[periodFirst] === first ? periodFirst : periodFirst + 1;
  const wholeLast = list.dayOffsets[periodLast + 1] === end ? periodLast : periodLast - 1;
  const isLastClipped = periodLast > wholeLast;
  // A single period that is clipped at both ends is summed up once.
  const isFirstClipped = periodFirst < wholeFirst && !(isLastClipped && periodFirst === periodLast);
  const places: GroupPlace[] = [];
  if (isFirstClipped) {
    const dayLast = periods.days[Math.min(end, list.dayOffsets[periodFirst + 1]!) - 1]! as Day;
    yield* sumUp(store, asked, grouping, { ...question, dayLast }, builder, places);
  }
  pushReady(places, ready, wholeFirst, wholeLast);
  if (isLastClipped) {
    const dayFirst = periods.days[Math.max(first, list.dayOffsets[periodLast]!)]! as Day;
    yield* sumUp(store, asked, grouping, { ...question, dayFirst }, builder, places);
  }
  return places;
}

/** Groups by market, by name; their keys are market codes. */
export function* groupByMarket(
  store: Store,
  asked: GroupQuestion,
  builder: GroupFiguresBuilder,
): Generator<number, GroupPlace[]> {
  const { series, figures, prices } = store;
  const { question, product, measuring, isOwnUnit } = asked;
  const { rowOffsets } = series;
  const parts = seriesPartsOf(store, product, question);
  const places: (GroupPlace | null)[] = [];
  for (let part = 0; part < parts.series.length; part++) {
    const one = parts.series[part]!;
    const from = parts.from[part]!;
    const to = parts.to[part]!;
    if (from === to) continue;
    const whole = { figures: figures.bySeries, at: one };
    const isWhole = to - from === rowOffsets[one + 1]! - rowOffsets[one]!;
    if (isOwnUnit && isWhole) {
      places.push(whole);
      continue;
    }
    const key = series.markets[one]!;
    if (isOwnUnit) addPlace(builder, key, store, product, whole, partsAt(parts, [part]));
    else addGroup(builder, key, prices, measuring, series.rows, from, to, scratchFor(to - from));
    places.push(null);
    yield to - from;
  }
  const figuresMade = builder.view();
  let at = 0;
  return places.map((place) => place ?? { figures: figuresMade, at: at++ });
}

export interface CountyPlace {
  readonly county: CountyId;
  readonly place: GroupPlace;
}

/** Groups by county, by name, then id. */
export function* groupByCounty(
  store: Store,
  asked: GroupQuestion,
  builder: GroupFiguresBuilder,
): Generator<number, CountyPlace[]> {
  const { catalogue } = store;
  const { product, isOwnUnit, question } = asked;
  const parts = seriesPartsOf(store, product, question);
  const found: CountyPlace[] = [];
  for (const [county, members] of membersByCounty(store, parts)) {
    const ofCounty = partsAt(parts, members);
    if (ofCounty.rowCount === 0) continue;
    const whole = isOwnUnit ? wholeOfCounty(store, asked, county, ofCounty) : undefined;
    if (whole === undefined) {
      addRows(builder, store, asked, ofCounty);
    } else if (ofCounty.rowCount === whole.figures.counts[whole.at]! + whole.figures.excluded[whole.at]!) {
      found.push({ county, place: whole });
      continue;
    } else {
      addPlace(builder, county, store, product, whole, ofCounty);
    }
    // The columns may still move; they are put in below.
    found.push({ county, place: { figures: noFigures, at: builder.size - 1 } });
    yield ofCounty.rowCount;
  }
  const figuresMade = builder.view();
  const { countyRanks } = catalogue;
  return found
    .map(({ county, place }) => ({
      county,
      place: place.figures === noFigures ? { figures: figuresMade, at: place.at } : place,
    }))
    .sort((a, b) => countyRanks.get(a.county)! - countyRanks.get(b.county)!);
}

const noFigures = new GroupFiguresBuilder().view();

/** The parts of each county, by their position. */
function membersByCounty({ catalogue, series }: Store, { series: wanted }: SeriesParts): Map<CountyId, number[]> {
  const members = new Map<CountyId, number[]>();
  for (let part = 0; part < wanted.length; part++) {
    const county = catalogue.marketCounties[series.markets[wanted[part]!]!]! as CountyId;
    const known = members.get(county);
    if (known === undefined) members.set(county, [part]);
    else known.push(part);
  }
  return members;
}

/** The figures kept ready of the series of one county that a question selects, whatever its days. */
function wholeOfCounty(
  { figures }: Store,
  { question, product }: GroupQuestion,
  county: CountyId,
  { series }: SeriesParts,
): GroupPlace {
  if (question.marketUuid !== undefined) return { figures: figures.bySeries, at: series[0]! };
  const type = question.marketType === undefined ? -1 : marketTypes.indexOf(question.marketType);
  const key = countyKey(county, type);
  const { offsets, figures: ready } = figures.byCounty;
  let low = offsets[product]!;
  let high = offsets[product + 1]!;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ready.keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return { figures: ready, at: low };
}

/** Adds the rows of some parts as one group, in a unit that is not the product's own. */
function addRows(
  builder: GroupFiguresBuilder,
  { prices, series }: Store,
  { measuring }: GroupQuestion,
  { from, to, rowCount }: SeriesParts,
): void {
  const rows = concatenate(from.map((start, part) => series.rows.subarray(start, to[part]!)));
  addGroup(builder, 0, prices, measuring, rows, 0, rowCount, scratchFor(rowCount));
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
function pushReady(places: GroupPlace[], { figures, from, to }: OwnerGroups, first: number, last: number): void {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (figures.keys[middle]! >= first) low = middle + 1;
    else high = middle;
  }
  for (let at = low - 1; at >= from && figures.keys[at]! <= last; at--) places.push({ figures, at });
}

/** Adds the groups of a question that are not kept ready, oldest first. */
function* sumUp(
  store: Store,
  { product, measuring, isOwnUnit }: GroupQuestion,
  grouping: TimeGrouping,
  question: PriceStatistics,
  builder: GroupFiguresBuilder,
  places: GroupPlace[],
): Generator<number, void> {
  const before = builder.size;
  const parts = isOwnUnit ? partsToSumUp(store, product, question) : undefined;
  if (parts !== undefined) {
    yield* addPeriods(builder, store.samples, product, store.periods[grouping], parts);
    const figures = builder.view();
    for (let at = before; at < builder.size; at++) places.push({ figures, at });
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
  const figures = builder.view();
  for (let at = builder.size - 1; at >= before; at--) places.push({ figures, at });
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
  const { from, to, rowCount: count } = seriesPartsOf(store, product, question);
  if (count * sortStepsPerRow < range.to - range.from) {
    const rows = concatenate(from.map((start, part) => store.series.rows.subarray(start, to[part]!))).sort();
    return { rows, from: 0, to: count };
  }
  const check = { product: -1, marketMask: markMarkets(store, question), priceMin: -Infinity, priceMax: Infinity };
  const collected = yield* collectRows(store.prices, { walk: "product", rows: null, range, check });
  return { rows: collected, from: 0, to: collected.length };
}

/** How many rows can be walked in the time it takes to sort one. */
const sortStepsPerRow = 16;

function concatenate(lists: readonly Uint32Array[]): Uint32Array {
  const rows = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const list of lists) {
    rows.set(list, at);
    at += list.length;
  }
  return rows;
}
