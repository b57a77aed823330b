/** How prices have moved lately: the newest days of the data against as many days before. */
import type { Day } from "../domain/calendar-day.ts";
import { type MarketType, marketTypes } from "../domain/vocabulary.ts";
import type { ProductCode } from "../store/catalogue.ts";
import type { Group } from "../store/figures.ts";
import { GroupBuffers, groupSegments } from "../store/group-prices.ts";
import { dayCodesOf } from "../store/periods.ts";
import { selectSegments } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import { conversionTo } from "../store/unit-conversion.ts";
import { selectMarkets } from "./select.ts";

/** First and last day, both inclusive. */
export interface DaySpan {
  readonly dayFirst: Day;
  readonly dayLast: Day;
}

/** A product at one type of market, in the unit and currency of the product's statistics. */
export interface PriceMove {
  readonly product: ProductCode;
  readonly marketType: MarketType;
  /** The figures of all prices of the earlier days. */
  readonly before: Group;
  readonly after: Group;
}

export interface PriceMoves {
  readonly before: DaySpan;
  readonly after: DaySpan;
  /**
   * The greatest change of the median first, whether up or down: to half is as much as to the double. Equal ones by
   * product and type.
   */
  readonly moves: readonly PriceMove[];
}

/** What a look at a run costs, with two binary searches where its days are cut, as so many rows. */
const rowsPerRun = 4;

/**
 * Compares the medians of the newest days of the data with those of as many days before, by product and type of market.
 * Without a figure on one side, or with a median of 0 before or after, there is no move.
 *
 * @param dayCount Days on each side.
 * @param samplesMin Prices that each side must have.
 * @returns Undefined without prices. Cost: a look at every run for each side, and the figures of the prices there.
 */
export function* findPriceMoves(
  store: Store,
  dayCount: number,
  samplesMin: number,
): Generator<number, PriceMoves | undefined> {
  const { catalogue, periods, prices, runs, measures } = store;
  if (prices.rowCount === 0) return undefined;
  const after = spanTo(periods.newestDay as Day, dayCount);
  const before = spanTo((after.dayFirst - 1) as Day, dayCount);
  const buffers = new GroupBuffers();
  const moves: PriceMove[] = [];
  for (const [code, measure] of measures.entries()) {
    const product = code as ProductCode;
    const source = { prices, conversion: conversionTo(catalogue, prices, measure) };
    const runCount = runs.runOffsets[code + 1]! - runs.runOffsets[code]!;
    // Each type looks at all runs, for each side.
    let steps = 1 + rowsPerRun * runCount * marketTypes.length * 2;
    for (const marketType of marketTypes) {
      const groupOfDays = ({ dayFirst, dayLast }: DaySpan): Group => {
        const markets = selectMarkets(catalogue, { marketType });
        const segments = selectSegments(store, product, markets, dayCodesOf(periods, dayFirst, dayLast));
        steps += segments.rowCount;
        return groupSegments(source, product, segments, 0, segments.from.length, buffers);
      };
      const groupAfter = groupOfDays(after);
      if (groupAfter.count < samplesMin) continue;
      const groupBefore = groupOfDays(before);
      if (groupBefore.count < samplesMin || groupBefore.median <= 0 || groupAfter.median <= 0) continue;
      moves.push({ product, marketType, before: groupBefore, after: groupAfter });
    }
    yield steps;
  }
  // The sort is stable, so equal ones stay in the order of products and types.
  moves.sort((a, b) => sizeOf(b) - sizeOf(a));
  return { before, after, moves };
}

function spanTo(dayLast: Day, dayCount: number): DaySpan {
  return { dayFirst: (dayLast - dayCount + 1) as Day, dayLast };
}

function sizeOf({ before, after }: PriceMove): number {
  return Math.abs(Math.log(after.median / before.median));
}
