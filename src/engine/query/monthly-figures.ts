/**
 * The monthly prices of a product, as people read them: at each market, and of all markets of a type in a place, those
 * in refugee camps apart. Suspicious prices are in none.
 */
import { type Day, type MonthNumber, monthNumber } from "../model/calendar.ts";
import { getOrInsert } from "../model/get-or-insert.ts";
import type { MarketRecord } from "../model/records.ts";
import { isCamp, type MarketCode, type ProductCode, recordAt } from "../store/catalogue.ts";
import { roundFigure } from "../store/figures.ts";
import { dayOfRow } from "../store/periods.ts";
import { type ConversionTarget, conversionTo, convertPrice, lacksRate, targetOf } from "../store/price-conversion.ts";
import type { Store } from "../store/store.ts";
import { isSuspicious, type SuspiciousReason, suspiciousReasonOf } from "../store/suspicious-prices.ts";
import type { MarketConditions, PriceConditions, PriceStatistics } from "./questions.ts";
import { select, selectRuns, suspiciousRows } from "./select.ts";

/** The prices of a market in a month. */
export interface MarketMonth {
  readonly month: MonthNumber;
  /** Rounded, as the interface answers it. */
  readonly median: number;
  /** Ascending, not rounded. */
  readonly prices: Float64Array;
}

/** The prices of a product at a market. */
export interface MarketPrices {
  readonly market: MarketCode;
  readonly record: MarketRecord;
  readonly isCamp: boolean;
  /** Ascending; at least one. */
  readonly months: readonly MarketMonth[];
}

/** The figures of all prices of a month, rounded as the interface answers them. */
export interface MonthFigures {
  readonly month: MonthNumber;
  readonly median: number;
  /** The quarters: half of the prices lie from `low` to `high`. */
  readonly low: number;
  readonly high: number;
  readonly min: number;
  readonly max: number;
  readonly samples: number;
  /** Codes of the markets that the prices are from. */
  readonly markets: readonly MarketCode[];
}

export interface MonthlyPrices extends Required<ConversionTarget> {
  /** Those with a price that converts, in the order of codes. */
  readonly markets: readonly MarketPrices[];
  /** Prices that do not convert to unit and currency, suspicious ones left out. */
  readonly excluded: number;
  /** The part of `excluded` whose month has no exchange rate; 0 where no currency is converted. */
  readonly withoutRate: number;
}

/** The cost of reading a price, in the rows of a search. */
const rowWeight = 4;

/**
 * The prices of a product by market and month.
 *
 * @param question Its unit is of the product's base, and its currency that of the rates; the product's own when
 * undefined. Cost: two reads of each price, and a sort of each month.
 */
export function* monthlyPrices(
  store: Store,
  product: ProductCode,
  question: MarketConditions & Pick<PriceStatistics, "unit" | "currency">,
): Generator<number, MonthlyPrices> {
  const { catalogue, periods, prices, runs, statisticsUnits, suspicious } = store;
  const target = targetOf(catalogue, statisticsUnits[product]!, question);
  const conversion = conversionTo(store, target);
  const { dayCodes, month } = periods;
  const monthNumbers = Int32Array.from(month.labels, monthNumber);
  const markets: MarketPrices[] = [];
  let [excluded, withoutRate] = [0, 0];
  for (const run of selectRuns(store, product, question)) {
    const market = runs.markets[run]! as MarketCode;
    const months: MarketMonth[] = [];
    const [newest, end] = [runs.rowOffsets[run]!, runs.rowOffsets[run + 1]!];
    const values = new Float64Array(end - newest);
    let count = 0;
    // Rows are newest first.
    for (let row = end - 1; row >= newest; ) {
      const period = month.ofDay[dayCodes[row]!]!;
      const first = count;
      for (; row >= newest && month.ofDay[dayCodes[row]!] === period; row--) {
        if (isSuspicious(suspicious, row)) continue;
        const price = convertPrice(prices, conversion, row);
        if (!Number.isNaN(price)) values[count++] = price;
        else {
          excluded++;
          if (lacksRate(prices, conversion, row)) withoutRate++;
        }
      }
      if (count === first) continue;
      const ofMonth = values.subarray(first, count);
      if (count - first > 1) ofMonth.sort();
      months.push({ month: monthNumbers[period]!, median: roundFigure(quantileOf(ofMonth, 0.5)), prices: ofMonth });
    }
    if (months.length > 0) {
      markets.push({ market, record: recordAt(catalogue.markets, market), isCamp: isCamp(catalogue, market), months });
    }
    yield rowWeight * (end - newest);
  }
  return { ...target, markets, excluded, withoutRate };
}

/** The figures of some markets together. @returns Months with prices, ascending. Cost: a sort of the prices of each. */
export function figuresOfMonths(markets: readonly MarketPrices[]): MonthFigures[] {
  const byMonth = new Map<
    MonthNumber,
    { count: number; readonly codes: MarketCode[]; readonly prices: Float64Array[] }
  >();
  for (const { market, months } of markets) {
    for (const { month, prices } of months) {
      const found = getOrInsert(byMonth, month, () => ({ count: 0, codes: [], prices: [] }));
      found.count += prices.length;
      found.codes.push(market);
      found.prices.push(prices);
    }
  }
  return [...byMonth]
    .sort(([a], [b]) => a - b)
    .map(([month, { count, codes, prices: found }]) => {
      const prices = new Float64Array(count);
      let at = 0;
      for (const ofMarket of found) {
        prices.set(ofMarket, at);
        at += ofMarket.length;
      }
      if (found.length > 1) prices.sort();
      const figure = (share: number): number => roundFigure(quantileOf(prices, share));
      const [min, low, median, high, max] = [figure(0), figure(0.25), figure(0.5), figure(0.75), figure(1)];
      return { month, min, low, median, high, max, samples: count, markets: codes };
    });
}

/** A quantile by linear interpolation between the two nearest values, as R (type 7) and NumPy by default. */
function quantileOf(sorted: Float64Array, share: number): number {
  const position = (sorted.length - 1) * share;
  const [before, after] = [sorted[Math.floor(position)]!, sorted[Math.ceil(position)]!];
  // Halves first: the sum of two great prices is finite.
  return share === 0.5 ? before / 2 + after / 2 : before + (after - before) * (position - Math.floor(position));
}
/** A price that looks wrong beside its neighbours. */
export interface SuspiciousPrice {
  readonly row: number;
  readonly market: MarketRecord;
  readonly day: Day;
  /** In the unit and requested currency, rounded; undefined where it does not convert. */
  readonly price: number | undefined;
  readonly reason: SuspiciousReason;
}

/**
 * The suspicious prices of a product.
 *
 * @param question Its unit is of the product's base, and its currency that of the rates; the product's own when
 * undefined.
 * @returns Newest first; those of one day by market. Cost: that of `suspiciousRows`.
 */
export function suspiciousPrices(
  store: Store,
  question: PriceConditions & Pick<PriceStatistics, "productUuid" | "unit" | "currency">,
): SuspiciousPrice[] {
  const { catalogue, periods, prices } = store;
  const selection = select(store, question);
  const rows = suspiciousRows(store, selection);
  if (rows.length === 0) return [];
  const conversion = conversionTo(store, targetOf(catalogue, store.statisticsUnits[selection.product!]!, question));
  const found = rows.map((row): SuspiciousPrice => {
    const price = convertPrice(prices, conversion, row);
    return {
      row,
      market: recordAt(catalogue.markets, prices.markets[row]!),
      day: dayOfRow(periods, row),
      price: Number.isNaN(price) ? undefined : roundFigure(price),
      reason: suspiciousReasonOf(store.suspicious, row)!,
    };
  });
  return found.sort((a, b) => b.day - a.day);
}
