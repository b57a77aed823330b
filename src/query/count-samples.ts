/**
 * What kinds of prices the figures of statistics are made of: types of market, in an answer or in each of its groups,
 * prices that stand for a longer time than a group does, and suspicious prices.
 */
import { periodOfSource } from "../domain/dataset.ts";
import { countyIdMax, countyIdMin } from "../domain/ids.ts";
import { referenceCurrency } from "../domain/records.ts";
import { type Grouping, marketTypes, type SamplePeriod, samplePeriods } from "../domain/vocabulary.ts";
import type { ProductCode } from "../store/catalogue.ts";
import type { CodeColumn } from "../store/columns.ts";
import type { Group } from "../store/figures.ts";
import type { Range } from "../store/lower-bound.ts";
import { splitByPeriod } from "../store/periods.ts";
import { hasRollup, type Rollup, rollupRange } from "../store/rollups.ts";
import { holdsEveryMarket, type Segments, visitSegments } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import {
  type ConversionTarget,
  conversionTo,
  convertPrice,
  lacksRate,
  type UnitConversion,
} from "../store/unit-conversion.ts";
import { suspiciousRows } from "./find-suspicious.ts";
import type { PriceStatistics } from "./questions.ts";
import { type Selection, segmentsByTime, select } from "./select.ts";

/** The selection of a product that exists. */
export type ProductSelection = Selection & { readonly product: ProductCode };

/** What is known of the answer. */
export interface CountedSamples {
  /** Prices in the figures. */
  readonly count: number;
  /** Prices left out for their unit or currency. */
  readonly excluded: number;
}

/** Rows looked at between two yields. */
const stepRows = 16_384;

/**
 * Counts the prices in the figures by type of market.
 *
 * @returns By type code; the sum is `count`.
 * Cost: nothing with a type or a market. In some counties or with a row test, a look at each segment, and at each of
 * its rows where prices are left out. Otherwise a look at each type's months, and at each row of the product in months
 * that the days cut.
 */
export function* countMarketTypes(
  store: Store,
  question: PriceStatistics,
  { product, markets, days, rowTest, segments: makeSegments }: ProductSelection,
  { count, excluded }: CountedSamples,
  conversion: () => UnitConversion,
): Generator<number, readonly number[]> {
  const { catalogue } = store;
  const { marketType, marketUuid } = question;
  const counts: number[] = marketTypes.map(() => 0);
  if (count === 0) return counts;
  if (marketType !== undefined || marketUuid !== undefined) {
    // Prices were counted, so there is a market that meets the conditions.
    counts[marketType === undefined ? catalogue.marketTypeCodes[markets.from]! : marketTypes.indexOf(marketType)] =
      count;
    return counts;
  }
  if (!holdsEveryMarket(catalogue, markets) || rowTest !== null || question.currency === referenceCurrency) {
    const segments = yield* makeSegments();
    if (excluded > 0) yield* addRows(store, segments, conversion(), counts);
    else {
      for (const [at, market] of segments.markets.entries()) {
        counts[catalogue.marketTypeCodes[market]!]! += segments.to[at]! - segments.from[at]!;
      }
    }
    return counts;
  }
  const { whole, newerCut, olderCut } = splitByPeriod(store.periods.month, days);
  addPeriods(store.rollups.month, product, whole, counts);
  const segments = segmentsByTime(store, product, [newerCut, olderCut]);
  if (segments.rowCount > 0) yield* addRows(store, segments, conversion(), counts);
  return counts;
}

/** Counts by the names of types, those of which there are any. */
export function namedTypeCounts(counts: ArrayLike<number>): Readonly<Record<string, number>> {
  // A loop, because exports have this in each row and entries take several times as long.
  const named: Record<string, number> = {};
  for (let code = 0; code < marketTypes.length; code++) {
    if (counts[code]! > 0) named[marketTypes[code]!] = counts[code]!;
  }
  return named;
}

/** What is known of the groups to be counted: `StatisticsAnswer`. */
interface CountedGroups extends ConversionTarget {
  readonly product: ProductCode;
  readonly excludedSamples: number;
  /** The counts of all groups together. */
  readonly samplesByType: readonly number[];
}

/**
 * Counts the prices in each group of an answer by type of market.
 *
 * @returns The counts of a group by type code; their sum is its count.
 * Cost: nothing where all prices are of one type, or by market. By week and month a look at each type's periods, and at
 * each row of those that the days cut; otherwise a look at each row of the answer.
 */
export function* countTypesOfGroups(
  store: Store,
  question: PriceStatistics,
  answer: CountedGroups,
): Generator<number, (group: Group) => ArrayLike<number>> {
  const { catalogue, periods, prices, rollups } = store;
  const { grouping } = question;
  const { product, excludedSamples, samplesByType, rates } = answer;
  const ofType = (type: number, count: number): number[] => marketTypes.map((_, code) => (code === type ? count : 0));
  if (grouping === "market") return ({ key, count }) => ofType(catalogue.marketTypeCodes[key]!, count);
  if (samplesByType.filter((count) => count > 0).length < 2) {
    const type = samplesByType.findIndex((count) => count > 0);
    return ({ count }) => ofType(type, count);
  }
  const { days, markets, rowTest, segments } = select(store, question);
  const conversion = excludedSamples === 0 ? null : conversionTo(catalogue, prices, answer);
  if (grouping === "county") {
    const slots = { codes: prices.markets, keys: catalogue.marketCounties, first: countyIdMin };
    const counts = new Uint32Array((countyIdMax - countyIdMin + 1) * marketTypes.length);
    yield* addRows(store, yield* segments(), conversion, counts, slots);
    return ({ key }) => countsAt(counts, key - slots.first);
  }
  const list = periods[grouping];
  const slots = { codes: periods.dayCodes, keys: list.ofDay, first: list.ofDay[days.from]! };
  const counts = new Uint32Array((list.ofDay[days.to - 1]! - slots.first + 1) * marketTypes.length);
  const isOfAll = holdsEveryMarket(catalogue, markets) && rowTest === null && rates === undefined;
  if (!isOfAll || grouping === "day" || !hasRollup(grouping)) {
    yield* addRows(store, yield* segments(), conversion, counts, slots);
  } else {
    const { whole, newerCut, olderCut } = splitByPeriod(list, days);
    addPeriods(rollups[grouping], product, whole, counts, slots.first);
    yield* addRows(store, segmentsByTime(store, product, [newerCut, olderCut]), conversion, counts, slots);
  }
  return ({ key }) => countsAt(counts, key - slots.first);
}

/** Counts of several groups lie one after the other, those of each by type code. */
function countsAt(counts: Uint32Array, slot: number): Uint32Array {
  return counts.subarray(slot * marketTypes.length, (slot + 1) * marketTypes.length);
}

/** Adds the counts of whole periods: to those of their slots, counted from period `first`, or to one slot for all. */
function addPeriods(rollup: Rollup, product: number, whole: Range, counts: Counts, first?: number): void {
  for (let type = 0; type < marketTypes.length; type++) {
    const { from, to } = rollupRange(rollup, product, type, whole);
    for (let at = from; at < to; at++) {
      const slot = first === undefined ? 0 : rollup.keys[at]! - first;
      counts[slot * marketTypes.length + type]! += rollup.counts[at]!;
    }
  }
}

/** By slot and type code, see `countsAt`. */
type Counts = number[] | Uint32Array;

/** Which slot a row counts in: the key of the code that a column has of it, counted from the first key. */
interface Slots {
  readonly codes: CodeColumn;
  readonly keys: ArrayLike<number>;
  readonly first: number;
}

/**
 * Adds the rows of some segments that can be converted.
 *
 * @param conversion null where all can.
 * @param slots Without it all rows count in one slot.
 */
function* addRows(
  { catalogue: { marketTypeCodes }, prices }: Store,
  segments: Segments,
  conversion: UnitConversion | null,
  counts: Counts,
  slots?: Slots,
): Generator<number, void> {
  yield* visitSegments(segments, stepRows, (rows, from, to) => {
    for (let at = from; at < to; at++) {
      const row = rows === null ? at : rows[at]!;
      if (conversion !== null && Number.isNaN(convertPrice(prices, conversion, row))) continue;
      const slot = slots === undefined ? 0 : slots.keys[slots.codes[row]!]! - slots.first;
      counts[slot * marketTypes.length + marketTypeCodes[prices.markets[row]!]!]!++;
    }
  });
}

/** Prices by the time they stand for, of those times that are longer than a group; without those that no price has. */
export type CoarserSamples = Readonly<Partial<Record<SamplePeriod, number>>>;

/**
 * Counts the prices in the figures whose source states a longer period than that of the groups.
 *
 * @param count Prices in the figures.
 * Cost: nothing where all sources of the snapshot have one period, or none has a longer one; otherwise a look at each
 * row.
 */
export function* countCoarser(
  { prices, snapshot }: Store,
  grouping: Grouping,
  { segments }: ProductSelection,
  count: number,
  conversion: () => UnitConversion,
): Generator<number, CoarserSamples> {
  const periods = prices.sourceNames.map((source) => {
    const period = periodOfSource(snapshot.periods, source);
    return period !== null && isCoarser(period, grouping) ? period : null;
  });
  const [first = null] = periods;
  if (count === 0) return {};
  if (periods.every((period) => period === first)) return first === null ? {} : { [first]: count };
  const unitConversion = conversion();
  const counts = new Map<SamplePeriod, number>();
  yield* visitSegments(yield* segments(), stepRows, (rows, from, to) => {
    for (let at = from; at < to; at++) {
      const row = rows === null ? at : rows[at]!;
      const period = periods[prices.sources[row]!]!;
      if (period === null || Number.isNaN(convertPrice(prices, unitConversion, row))) continue;
      counts.set(period, (counts.get(period) ?? 0) + 1);
    }
  });
  return Object.fromEntries(counts);
}

/** Prices that are left out because their month has no exchange rate. */
export interface MissingRates {
  /** `2026-05`, ascending. */
  readonly months: readonly string[];
  readonly count: number;
}

const noMissingRates: MissingRates = { months: [], count: 0 };

/**
 * Counts the prices that are left out for the lack of an exchange rate.
 *
 * Cost: nothing where no currency is converted or no price is left out; otherwise a look at each row.
 */
export function* countMissingRates(
  { periods, prices }: Store,
  { segments }: ProductSelection,
  { excluded }: CountedSamples,
  { rates }: ConversionTarget,
  conversion: () => UnitConversion,
): Generator<number, MissingRates> {
  if (rates === undefined || excluded === 0) return noMissingRates;
  const unitConversion = conversion();
  const months = new Set<number>();
  let count = 0;
  yield* visitSegments(yield* segments(), stepRows, (rows, from, to) => {
    for (let at = from; at < to; at++) {
      const row = rows === null ? at : rows[at]!;
      if (!lacksRate(prices, unitConversion, row)) continue;
      months.add(rates.monthOf[rates.dayCodes[row]!]!);
      count++;
    }
  });
  return { months: [...months].map((code) => periods.month.labels[code]!).sort(), count };
}

/** Whether a price that stands for a period is in a group of a part of it alone. Markets and counties are no times. */
function isCoarser(period: SamplePeriod, grouping: Grouping): boolean {
  const group = samplePeriods.indexOf(grouping as SamplePeriod);
  return group !== -1 && samplePeriods.indexOf(period) < group;
}

/**
 * Counts the suspicious prices in the figures.
 *
 * Cost: a look at each suspicious price of the product.
 */
export function countSuspicious(
  store: Store,
  selection: ProductSelection,
  { excluded }: CountedSamples,
  conversion: () => UnitConversion,
): number {
  const rows = suspiciousRows(store, selection);
  if (excluded === 0 || rows.length === 0) return rows.length;
  return rows.filter((row) => !Number.isNaN(convertPrice(store.prices, conversion(), row))).length;
}
