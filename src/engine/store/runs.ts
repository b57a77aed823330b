/**
 * The prices of one product at one market are a *run*: neighbouring rows of the price columns, newest first. Only runs
 * that have prices are listed, so the size of this index does not grow with products times markets. Markets are
 * numbered by county, so the runs of a product in a county are neighbours too. A question asks for a range of markets
 * (`MarketRange`) and some days, and gets parts of runs (`Segments`).
 *
 *     products  p0          p1     …            runOffsets
 *     runs      m0 m3 m7    m1 m3  …            markets
 *     rows      |  |  |     |  |   …            rowOffsets
 */
import { isCountyId } from "../model/ids.ts";
import { sharedColumnFrom, sharedUint32 } from "../model/shared-columns.ts";
import { type MarketType, marketTypes } from "../model/vocabulary.ts";
import type { Catalogue } from "./catalogue.ts";
import { lowerBound, type PriceColumns, type Range } from "./columns.ts";
import type { Periods } from "./periods.ts";
import { StepCounter } from "./steps.ts";

export interface RunIndex {
  /** The runs of product p are `runOffsets[p]` to `runOffsets[p + 1] - 1`, by market code. */
  readonly runOffsets: Uint32Array<SharedArrayBuffer>;
  /** Market code by run. */
  readonly markets: Uint32Array<SharedArrayBuffer>;
  /** The rows of run r are `rowOffsets[r]` to `rowOffsets[r + 1] - 1`. */
  readonly rowOffsets: Uint32Array<SharedArrayBuffer>;
}

/** Finds where runs begin. Cost: one pass over the market column. */
export function buildRunIndex({ productOffsets, markets: marketOfRow, rowCount }: PriceColumns): RunIndex {
  const productCount = productOffsets.length - 1;
  const runOffsets = sharedUint32(productCount + 1);
  const marketOfRun: number[] = [];
  const rowOffsets: number[] = [];
  for (let product = 0; product < productCount; product++) {
    let market = -1;
    for (let row = productOffsets[product]!; row < productOffsets[product + 1]!; row++) {
      if (marketOfRow[row] === market) continue;
      market = marketOfRow[row]!;
      marketOfRun.push(market);
      rowOffsets.push(row);
    }
    runOffsets[product + 1] = marketOfRun.length;
  }
  rowOffsets.push(rowCount);
  const markets = sharedColumnFrom("Uint32Array", marketOfRun);
  return { runOffsets, markets, rowOffsets: sharedColumnFrom("Uint32Array", rowOffsets) };
}

/** Neighbouring market codes, and which of them are selected. */
export interface MarketRange extends Range {
  /** Markets of this type: a position in `marketTypes`, or `allTypes`. */
  readonly type: number;
  /** 1 for each market code that is selected, where a population, or a list of counties or markets is requested. */
  readonly only?: Uint8Array | undefined;
}

/** Stands for all types of market together. */
export const allTypes = -1;

/** @param type undefined for all types. */
export function typeCodeOf(type: MarketType | undefined): number {
  return type === undefined ? allTypes : marketTypes.indexOf(type);
}

/** Returns whether a market within the codes of a range is selected. */
export function isSelected({ marketTypeCodes }: Catalogue, market: number, { type, only }: MarketRange): boolean {
  return (type === allTypes || marketTypeCodes[market] === type) && (only === undefined || only[market] === 1);
}

/** The codes of a county's markets: [from, to). Empty for a number no county has. Cost: two binary searches. */
export function marketsOfCounty({ marketCounties }: Catalogue, id: number): Range {
  if (!isCountyId(id)) return { from: 0, to: 0 };
  const from = lowerBound(marketCounties, null, id, 0, marketCounties.length);
  return { from, to: lowerBound(marketCounties, null, id + 1, from, marketCounties.length) };
}

/** The run of a product at a market; undefined when it has no prices there. Cost: a binary search. */
export function findRun(index: RunIndex, product: number, market: number): number | undefined {
  const { from, to } = runsAt(index, product, { from: market, to: market + 1 });
  return from < to ? from : undefined;
}

/** The runs of a product at a range of market codes. Cost: two binary searches. */
export function runsAt({ runOffsets, markets }: RunIndex, product: number, marketCodes: Range): Range {
  const end = runOffsets[product + 1]!;
  const from = lowerBound(markets, null, marketCodes.from, runOffsets[product]!, end);
  return { from, to: lowerBound(markets, null, marketCodes.to, from, end) };
}

/** Parts of runs of one product, by market code, then row, as ranges [`from[i]`, `to[i]`) of rows; none is empty. */
export interface Segments {
  /** Market code by segment. */
  readonly markets: readonly number[];
  readonly from: readonly number[];
  readonly to: readonly number[];
  /** Rows of all segments. */
  readonly rowCount: number;
}

/** Every day code. */
export const allDays: Range = { from: 0, to: Infinity };

/**
 * The prices of a product at some markets within some days: at most one segment of each market.
 *
 * @param days Day codes.
 * Cost: a read of each run of the product (in a county: of the county), and two binary searches where days cut it.
 */
export function selectSegments(
  { catalogue, runs, periods }: { readonly catalogue: Catalogue; readonly runs: RunIndex; readonly periods: Periods },
  product: number,
  marketCodes: MarketRange,
  days: Range,
): Segments {
  const { markets, rowOffsets } = runs;
  const { dayCodes, ages } = periods;
  const dayCount = ages.length;
  const { from: first, to: end } = runsAt(runs, product, marketCodes);
  const found = { markets: [] as number[], from: [] as number[], to: [] as number[], rowCount: 0 };
  for (let run = first; run < end; run++) {
    const market = markets[run]!;
    if (!isSelected(catalogue, market, marketCodes)) continue;
    let from = rowOffsets[run]!;
    let to = rowOffsets[run + 1]!;
    if (days.from > 0 && dayCodes[from]! < days.from) from = lowerBound(dayCodes, null, days.from, from, to);
    if (days.to < dayCount && dayCodes[to - 1]! >= days.to) to = lowerBound(dayCodes, null, days.to, from, to);
    if (from >= to) continue;
    found.markets.push(market);
    found.from.push(from);
    found.to.push(to);
    found.rowCount += to - from;
  }
  return found;
}

/**
 * Visits the rows of some segments, at most `stepRows` at a time.
 *
 * @param visit Called with rows [from, to) of a market.
 * @param steps The counter of them; one for several calls where most visit fewer.
 * Yields the number of rows visited after every `stepRows` of them.
 */
export function* visitSegments(
  { markets, from, to }: Segments,
  stepRows: number,
  visit: (from: number, to: number, market: number) => void,
  steps: StepCounter = new StepCounter(stepRows),
): Generator<number, void> {
  for (let segment = 0; segment < from.length; segment++) {
    for (let start = from[segment]!; start < to[segment]!; start += stepRows) {
      const end = Math.min(to[segment]!, start + stepRows);
      visit(start, end, markets[segment]!);
      const step = steps.add(end - start);
      if (step > 0) yield step;
    }
  }
}

/**
 * True if a price meets the conditions that nothing but a read of its row answers: price flag, suspicious or not.
 * Null stands for no such condition.
 */
export type RowTest = (row: number) => boolean;

/** Rows read between two yields. */
const stepRows = 1 << 15;

/** The rows of some segments that pass a test: neighbours that pass are a segment. */
export function* withTest(segments: Segments, rowTest: RowTest | null): Generator<number, Segments> {
  if (rowTest === null) return segments;
  const found = { markets: [] as number[], from: [] as number[], to: [] as number[], rowCount: 0 };
  const steps = new StepCounter(stepRows);
  for (const [at, market] of segments.markets.entries()) {
    const end = segments.to[at]!;
    for (let from = segments.from[at]!; from < end; ) {
      while (from < end && !rowTest(from)) from++;
      let to = from;
      while (to < end && rowTest(to)) to++;
      if (to > from) {
        found.markets.push(market);
        found.from.push(from);
        found.to.push(to);
        found.rowCount += to - from;
      }
      from = to;
    }
    const step = steps.add(end - segments.from[at]!);
    if (step > 0) yield step;
  }
  return found;
}
