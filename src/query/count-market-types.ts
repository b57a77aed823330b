/** How many of the prices in an answer of statistics are of each type of market. */
import { marketTypes } from "../domain/vocabulary.ts";
import { lowerBound, type Range } from "../store/lower-bound.ts";
import { dayCodesOf, narrowToDays } from "../store/periods.ts";
import { rollupPartition } from "../store/rollups.ts";
import { type Segments, typeCodeOf } from "../store/runs.ts";
import { StepCounter } from "../store/step-counter.ts";
import type { Store } from "../store/store.ts";
import { convertPrice, type UnitConversion } from "../store/unit-conversion.ts";
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
  const { catalogue, rowsByProduct } = store;
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
  const { whole, cut } = splitByMonth(store, days);
  addMonths(store, product, whole, counts);
  const { rows, offsets } = rowsByProduct;
  const ofProduct = { from: offsets[product]!, to: offsets[product + 1]! };
  const ranges = cut
    .map((part) => narrowToDays(store.periods, rows, ofProduct, part))
    .filter(({ from, to }) => from < to);
  if (ranges.length === 0) return counts;
  const from = ranges.map((range) => range.from);
  const to = ranges.map((range) => range.to);
  yield* addRows(store, { rows, from, to, rowCount: 0 }, conversion(), counts);
  return counts;
}

/** The months that lie whole within some days, and the days of the others. */
function splitByMonth({ periods: { month } }: Store, days: Range): { readonly whole: Range; readonly cut: Range[] } {
  const { ofDay, dayOffsets } = month;
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

/** Adds the counts of whole months. */
function addMonths({ rollups: { month } }: Store, product: number, months: Range, counts: number[]): void {
  for (let type = 0; type < counts.length; type++) {
    const partition = rollupPartition(product, type);
    const end = month.offsets[partition + 1]!;
    for (let at = lowerBound(month.keys, null, months.from, month.offsets[partition]!, end); at < end; at++) {
      if (month.keys[at]! >= months.to) break;
      counts[type]! += month.counts[at]!;
    }
  }
}

/** Adds the rows of some segments that can be converted. */
function* addRows(
  { catalogue: { marketTypeCodes }, prices }: Store,
  { rows, from, to }: Segments,
  conversion: UnitConversion,
  counts: number[],
): Generator<number, void> {
  const steps = new StepCounter(stepRows);
  for (let segment = 0; segment < from.length; segment++) {
    for (let start = from[segment]!; start < to[segment]!; start += stepRows) {
      const stop = Math.min(to[segment]!, start + stepRows);
      for (let at = start; at < stop; at++) {
        const row = rows === null ? at : rows[at]!;
        if (!Number.isNaN(convertPrice(prices, conversion, row))) counts[marketTypeCodes[prices.markets[row]!]!]!++;
      }
      const step = steps.add(stop - start);
      if (step > 0) yield step;
    }
  }
}
