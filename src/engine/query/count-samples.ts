/** Counts what a reader of statistics should know: samples of longer periods than a group, suspicious, without rate. */
import { periodOfSource } from "../model/dataset.ts";
import { type Grouping, type SamplePeriod, samplePeriods } from "../model/vocabulary.ts";
import { isCamp } from "../store/catalogue.ts";
import { convertPrice, lacksRate, type PriceConversion } from "../store/price-conversion.ts";
import { selectSegments, visitSegments } from "../store/runs.ts";
import type { Store } from "../store/store.ts";
import type { ProductSelection } from "./found-groups.ts";
import { suspiciousRows } from "./select.ts";

/** Prices that are left out because their month has no exchange rate. */
export interface MissingRates {
  /** `2026-05`, ascending. */
  readonly months: readonly string[];
  readonly count: number;
}

/** Counts of the prices of an answer. */
export interface SampleCounts {
  /** Prices in the figures whose source states a longer period than that of the groups, by this period. */
  readonly coarserSamples: Readonly<Partial<Record<SamplePeriod, number>>>;
  /** Prices in the figures that are suspicious. */
  readonly suspiciousSamples: number;
  /** Prices in the figures that are of refugee camps. */
  readonly campSamples: number;
  /** Prices that are left out; none where no currency is converted. */
  readonly missingRates: MissingRates;
}

/** Rows read between two yields. */
const stepRows = 16_384;

/**
 * Counts what the prices of an answer are.
 *
 * @param count Prices in the figures. @param excluded Prices left out for their unit or currency.
 * Cost: a read of each suspicious price of the product, and of each of its runs; where prices are left out for their
 * unit or currency also of each price of a camp. Also a read of each row of the selection where the sources of
 * the snapshot have several periods of which one is longer, and where prices in a converted currency are left out.
 */
export function* countSamples(
  store: Store,
  grouping: Grouping,
  selection: ProductSelection,
  conversion: PriceConversion,
  { count, excluded }: { readonly count: number; readonly excluded: number },
): Generator<number, SampleCounts> {
  const { periods, prices, snapshot } = store;
  const coarser = prices.sourceNames.map((source) => coarserPeriod(periodOfSource(snapshot.periods, source), grouping));
  const [first = null] = coarser;
  const isMixed = count > 0 && coarser.some((period) => period !== first);
  const coarserSamples: Partial<Record<SamplePeriod, number>> = {};
  if (!isMixed && count > 0 && first !== null) coarserSamples[first] = count;
  const { rates } = conversion;
  const months = new Set<number>();
  let withoutRate = 0;
  if (isMixed || (rates !== undefined && excluded > 0)) {
    yield* visitSegments(yield* selection.segments(), stepRows, (from, to) => {
      for (let row = from; row < to; row++) {
        const period = coarser[prices.sources[row]!]!;
        if (Number.isNaN(convertPrice(prices, conversion, row))) {
          if (rates === undefined || !lacksRate(prices, conversion, row)) continue;
          months.add(rates.monthOf[rates.dayCodes[row]!]!);
          withoutRate++;
        } else if (isMixed && period !== null) coarserSamples[period] = (coarserSamples[period] ?? 0) + 1;
      }
    });
  }
  const suspicious = suspiciousRows(store, selection);
  const isInFigures = (row: number): boolean => !Number.isNaN(convertPrice(prices, conversion, row));
  return {
    coarserSamples,
    suspiciousSamples: excluded === 0 ? suspicious.length : suspicious.filter(isInFigures).length,
    campSamples: yield* countOfCamps(store, selection, excluded === 0 ? undefined : isInFigures),
    missingRates: { months: Array.from(months, (code) => periods.month.labels[code]!).sort(), count: withoutRate },
  };
}

/** @param isInFigures Undefined where all prices of the selection are in the figures. */
function* countOfCamps(
  store: Store,
  selection: ProductSelection,
  isInFigures: ((row: number) => boolean) | undefined,
): Generator<number, number> {
  const { catalogue, prices } = store;
  const { product, markets, days, rowTest, isUnrestricted } = selection;
  const { camps } = catalogue;
  const ofCamps = { ...markets, from: Math.max(0, camps.indexOf(1)), to: camps.lastIndexOf(1) + 1, only: camps };
  // Rollups answer what is not restricted without segments.
  const segments = isUnrestricted ? selectSegments(store, product, ofCamps, days) : yield* selection.segments();
  // A test of what is not restricted leaves out suspicious prices.
  const leftOut = isUnrestricted && rowTest !== null ? suspiciousRows(store, { ...selection, rowTest: null }) : [];
  const suspicious = new Set(leftOut.filter((row) => isCamp(catalogue, prices.markets[row]!)));
  let count = 0 - suspicious.size;
  for (const [at, market] of segments.markets.entries()) {
    if (!isCamp(catalogue, market)) continue;
    const [from, to] = [segments.from[at]!, segments.to[at]!];
    count += to - from;
    if (isInFigures === undefined) continue;
    for (let row = from; row < to; row++) if (!suspicious.has(row) && !isInFigures(row)) count--;
    yield to - from;
  }
  return count;
}

/** A period, if it is longer than that of a group; null otherwise. Markets and counties are no times. */
function coarserPeriod(period: SamplePeriod | null, grouping: Grouping): SamplePeriod | null {
  const group = samplePeriods.indexOf(grouping as SamplePeriod);
  return period !== null && group !== -1 && samplePeriods.indexOf(period) < group ? period : null;
}
