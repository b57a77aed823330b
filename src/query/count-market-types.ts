/** How many of the prices in an answer of statistics, or in each of its groups, are of each type of market. */
import { countyIdMax, countyIdMin } from "../domain/ids.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import type { ProductCode } from "../store/catalogue.ts";
import type { CodeColumn } from "../store/columns.ts";
import type { Group } from "../store/figures.ts";
import { lowerBound, type Range } from "../store/lower-bound.ts";
import { dayCodesOf, narrowToDays, type PeriodList } from "../store/periods.ts";
import { type Rollup, rollupPartition } from "../store/rollups.ts";
import { type Segments, typeCodeOf } from "../store/runs.ts";
import { StepCounter } from "../store/step-counter.ts";
import type { Store } from "../store/store.ts";
import { conversionTo, convertPrice, type ProductMeasure, type UnitConversion } from "../store/unit-conversion.ts";
import type { PriceStatistics } from "./questions.ts";
import { selectRows } from "./select-rows.ts";

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
 * Cost: nothing with a type or a market. In a county or with a price flag, a look at each segment, and at each of its rows where prices are left out.
 * Otherwise a look at each type's months, and at each row of the product in months that the days cut.
 */
export function* countMarketTypes(
  store: Store,
  question: PriceStatistics,
  product: number,
  { count, excluded }: CountedSamples,
  conversion: () => UnitConversion,
): Generator<number, readonly number[]> {
  const { catalogue } = store;
  const { marketType, marketUuid, countyId, priceFlag } = question;
  const counts: number[] = marketTypes.map(() => 0);
  if (count === 0) return counts;
  if (marketType !== undefined || marketUuid !== undefined) {
    const market = marketUuid === undefined ? undefined : catalogue.marketCodes.get(marketUuid);
    counts[market === undefined ? typeCodeOf(marketType) : catalogue.marketTypeCodes[market]!] = count;
    return counts;
  }
  const days = dayCodesOf(store.periods, question.dayFirst, question.dayLast);
  if (countyId !== undefined || priceFlag !== undefined) {
    const segments = yield* selectRows(store, question, product, days);
    if (excluded > 0) yield* addRows(store, segments, conversion(), counts);
    else {
      for (const [at, market] of segments.markets.entries()) {
        counts[catalogue.marketTypeCodes[market]!]! += segments.to[at]! - segments.from[at]!;
      }
    }
    return counts;
  }
  const { whole, cut } = splitByPeriod(store.periods.month, days);
  addPeriods(store.rollups.month, product, whole, counts);
  const segments = cutSegments(store, product, cut);
  if (segments.from.length > 0) yield* addRows(store, segments, conversion(), counts);
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
interface CountedGroups extends ProductMeasure {
  readonly product: ProductCode;
  readonly excludedSamples: number;
  /** The counts of all groups together. */
  readonly samplesByType: readonly number[];
}

/**
 * Counts the prices in each group of an answer by type of market.
 *
 * @returns The counts of a group by type code; their sum is its count.
 * Cost: nothing where all prices are of one type, or by market. By week and month a look at each type's periods, and at each
 * row of those that the days cut; otherwise a look at each row of the answer.
 */
export function* countTypesOfGroups(
  store: Store,
  question: PriceStatistics,
  answer: CountedGroups,
): Generator<number, (group: Group) => ArrayLike<number>> {
  const { catalogue, periods, prices, rollups } = store;
  const { grouping, countyId, priceFlag } = question;
  const { product, excludedSamples, samplesByType } = answer;
  const ofType = (type: number, count: number): number[] => marketTypes.map((_, code) => (code === type ? count : 0));
  if (grouping === "market") return ({ key, count }) => ofType(catalogue.marketTypeCodes[key]!, count);
  if (samplesByType.filter((count) => count > 0).length < 2) {
    const type = samplesByType.findIndex((count) => count > 0);
    return ({ count }) => ofType(type, count);
  }
  const days = dayCodesOf(periods, question.dayFirst, question.dayLast);
  const conversion = excludedSamples === 0 ? null : conversionTo(catalogue, prices, answer);
  if (grouping === "county") {
    const slots = { codes: prices.markets, keys: catalogue.marketCounties, first: countyIdMin };
    const counts = new Uint32Array((countyIdMax - countyIdMin + 1) * marketTypes.length);
    yield* addRows(store, yield* selectRows(store, question, product, days), conversion, counts, slots);
    return ({ key }) => countsAt(counts, key - slots.first);
  }
  const list = periods[grouping];
  const slots = { codes: periods.dayCodes, keys: list.ofDay, first: list.ofDay[days.from]! };
  const counts = new Uint32Array((list.ofDay[days.to - 1]! - slots.first + 1) * marketTypes.length);
  if (countyId !== undefined || priceFlag !== undefined || grouping === "day") {
    yield* addRows(store, yield* selectRows(store, question, product, days), conversion, counts, slots);
  } else {
    const { whole, cut } = splitByPeriod(list, days);
    addPeriods(rollups[grouping], product, whole, counts, slots.first);
    yield* addRows(store, cutSegments(store, product, cut), conversion, counts, slots);
  }
  return ({ key }) => countsAt(counts, key - slots.first);
}

/** Counts of several groups lie one after the other, those of each by type code. */
function countsAt(counts: Uint32Array, slot: number): Uint32Array {
  return counts.subarray(slot * marketTypes.length, (slot + 1) * marketTypes.length);
}

/** The periods that lie whole within some days, and the days of the others. */
function splitByPeriod(
  { ofDay, dayOffsets }: PeriodList,
  days: Range,
): { readonly whole: Range; readonly cut: readonly Range[] } {
  const first = ofDay[days.from]!;
  const last = ofDay[days.to - 1]!;
  const from = dayOffsets[first] === days.from ? first : first + 1;
  const to = dayOffsets[last + 1] === days.to ? last + 1 : last;
  if (from >= to) return { whole: { from, to: from }, cut: [days] };
  const cut = [
    { from: days.from, to: dayOffsets[from]! },
    { from: dayOffsets[to]!, to: days.to },
  ];
  return { whole: { from, to }, cut: cut.filter((range) => range.from < range.to) };
}

/** Adds the counts of whole periods: to those of their slots, counted from period `first`, or to one slot for all. */
function addPeriods(rollup: Rollup, product: number, whole: Range, counts: Counts, first?: number): void {
  for (let type = 0; type < marketTypes.length; type++) {
    const partition = rollupPartition(product, type);
    const end = rollup.offsets[partition + 1]!;
    for (let at = lowerBound(rollup.keys, null, whole.from, rollup.offsets[partition]!, end); at < end; at++) {
      const period = rollup.keys[at]!;
      if (period >= whole.to) break;
      const slot = first === undefined ? 0 : period - first;
      counts[slot * marketTypes.length + type]! += rollup.counts[at]!;
    }
  }
}

/** The rows of a product within some ranges of days. */
function cutSegments({ periods, rowsByProduct }: Store, product: number, cut: readonly Range[]): Segments {
  const { rows, offsets } = rowsByProduct;
  const ofProduct = { from: offsets[product]!, to: offsets[product + 1]! };
  const ranges = cut.map((part) => narrowToDays(periods, rows, ofProduct, part)).filter(({ from, to }) => from < to);
  return { rows, from: ranges.map(({ from }) => from), to: ranges.map(({ to }) => to), rowCount: 0 };
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
  { rows, from, to }: Segments,
  conversion: UnitConversion | null,
  counts: Counts,
  slots?: Slots,
): Generator<number, void> {
  const steps = new StepCounter(stepRows);
  for (let segment = 0; segment < from.length; segment++) {
    for (let start = from[segment]!; start < to[segment]!; start += stepRows) {
      const stop = Math.min(to[segment]!, start + stepRows);
      for (let at = start; at < stop; at++) {
        const row = rows === null ? at : rows[at]!;
        if (conversion !== null && Number.isNaN(convertPrice(prices, conversion, row))) continue;
        const slot = slots === undefined ? 0 : slots.keys[slots.codes[row]!]! - slots.first;
        counts[slot * marketTypes.length + marketTypeCodes[prices.markets[row]!]!]!++;
      }
      const step = steps.add(stop - start);
      if (step > 0) yield step;
    }
  }
}
