/**
 * Finds the usual price that a price is compared with, in what was published before. The first of three steps that has
 * enough prices counts:
 *
 * 1. The series (product, market, unit and currency) over the year before: the median of the prices of earlier days, of
 *    at most the 50 newest. Five are enough.
 * 2. The product in all units of the same base, in the currency of the price, of the price's own month and those before
 *    it, back to the month a year earlier: the median at markets of the type of its own, or else at markets of all
 *    types. Five are enough.
 * 3. The same with the prices that are published, the batch itself, of which the price is one. Six are enough, and the
 *    warning says so.
 *
 * A price for which there is none is not judged. Where nothing was published before, all prices are the batch.
 */
import { median, medianAbsoluteDeviation } from "simple-statistics";
import { firstNotBefore } from "../../../engine/model/binary-search.ts";
import { type Day, monthNumber, monthText, monthTextOf } from "../../../engine/model/calendar.ts";
import { marketTypes } from "../../../engine/model/vocabulary.ts";
import { lowerBound, type Range, rowsOf } from "../../../engine/store/columns.ts";
import { dayCodesOf, dayOfRow } from "../../../engine/store/periods.ts";
import { conversionTo, convertPrice, type PriceConversion } from "../../../engine/store/price-conversion.ts";
import { allTypes, findRun, isOfType } from "../../../engine/store/runs.ts";
import type { Store } from "../../../engine/store/store.ts";
import { isBeyond, normalScale } from "../../../engine/store/suspicious-prices.ts";
import { absent, remapCatalogue } from "../compare-prices.ts";

/** Days for which prices count. */
export const recentDays = 365;

/** Only so many of the newest prices count: two months of daily prices, and all of a year of weekly ones. */
export const neighboursMax = 50;

/** The median of fewer prices says nothing: one wrong price of four would move it by half the distance to the next. */
export const neighboursMin = 5;

/**
 * A price may be this many times above or below the median of its series (inclusive). Of the bundled prices, those of
 * cabbage fall to a quarter and rise again within a year; what is beyond four times are single prices that look wrong.
 */
export const seriesRatioMax = 4;

/** As `seriesRatioMax`, for the median of the product at several markets, which differ. */
export const productRatioMax = 6;

/** A price may be this many deviations away from the median of its series (inclusive), however far that is. */
export const deviationsMax = 5;

/** Conversions of units round; ratios that are equal but for that count as equal. */
export const roundingMax = 1e-9;

const productRatioRounded = productRatioMax * (1 + roundingMax);

/** The price that is usual. */
export interface UsualPrice {
  /** In the unit and currency of the price. */
  readonly price: number;
  /** Number of prices that it is the median of. */
  readonly count: number;
  /** A price may be so many times above or below it (inclusive). */
  readonly ratioMax: number;
  /** The markets that these prices are from: the market of the price, markets of its type, or all. */
  readonly markets: "own" | "type" | "all";
  /** True if prices of the publication are among them. */
  readonly judgesItself: boolean;
}

/** `usual`: so near to the others that the median need not be known. Undefined: there are too few to compare with. */
export type Judged = UsualPrice | "usual" | undefined;

/** Judges prices of a store by those of another, or by their own where there is no other. */
export class PriceJudge {
  readonly #after: Store;
  /** The store published before; `#after` where nothing was. */
  readonly #known: Store;
  /** Codes of `#known` by code of `#after`; `absent` where it has none, -1 of units and currencies. */
  readonly #products: Int32Array;
  readonly #markets: Int32Array;
  readonly #units: readonly number[];
  readonly #currencies: readonly number[];
  readonly #neighbours = new Float64Array(neighboursMax);
  readonly #recentByDay = new Map<Day, RecentPeriod>();
  readonly #poolsByMonths = new Map<string, Map<number, Pool>>();

  constructor(after: Store, before: Store | undefined) {
    this.#after = after;
    this.#known = before === undefined || before.prices.rowCount === 0 ? after : before;
    const { products, markets } = remapCatalogue(after, this.#known);
    this.#products = products;
    this.#markets = markets;
    const { unitNames, currencyCodes } = this.#known.prices;
    this.#units = after.prices.unitNames.map((name) => unitNames.indexOf(name));
    this.#currencies = after.prices.currencyCodes.map((code) => currencyCodes.indexOf(code));
  }

  /**
   * Judges a row of the store. Cost: a read of up to 50 neighbours; with too few of them, of the product's prices of a
   * year, once for its type of markets, unit, currency and month.
   */
  judge(row: number): Judged {
    const own = this.#after.prices.products[row]!;
    const product = this.#products[own]!;
    const published =
      product === absent
        ? undefined
        : (this.#judgeBySeries(row, product) ?? this.#judgeByProduct(row, this.#known, product));
    if (published !== undefined || this.#known === this.#after) return published;
    return this.#judgeByProduct(row, this.#after, own);
  }

  #judgeBySeries(row: number, product: number): Judged {
    const neighbours = this.#neighbours;
    const count = this.#gatherNeighbours(row, product);
    if (count < neighboursMin) return undefined;
    const price = this.#after.prices.prices[row]!;
    let [least, greatest] = [Infinity, 0];
    for (let at = 0; at < count; at++) {
      const neighbour = neighbours[at]!;
      if (neighbour < least) least = neighbour;
      if (neighbour > greatest) greatest = neighbour;
    }
    // The median lies between them, so this saves almost every row the selection.
    if (!isBeyond(price, least, seriesRatioMax) && !isBeyond(price, greatest, seriesRatioMax)) return "usual";
    const values = Array.from(neighbours.subarray(0, count));
    const deviation = normalScale * medianAbsoluteDeviation(values.map(Math.log));
    const ratioMax = Math.max(seriesRatioMax, Math.exp(deviationsMax * deviation));
    return { price: median(values), count, ratioMax, markets: "own", judgesItself: this.#known === this.#after };
  }

  /** Fills in the prices of the series on earlier days, newest first, while there is room. @returns Their number. */
  #gatherNeighbours(row: number, product: number): number {
    const { prices: own } = this.#after;
    const { prices, periods, runs } = this.#known;
    const market = this.#markets[own.markets[row]!]!;
    const [unit, currency] = [this.#units[own.units[row]!]!, this.#currencies[own.currencies[row]!]!];
    if (market === absent || unit === -1 || currency === -1) return 0;
    const run = findRun(runs, product, market);
    if (run === undefined) return 0;
    const { days } = this.#recent(row);
    const end = runs.rowOffsets[run + 1]!;
    let count = 0;
    let at = lowerBound(periods.dayCodes, null, days.from, runs.rowOffsets[run]!, end);
    for (; at < end && periods.dayCodes[at]! < days.to && count < neighboursMax; at++) {
      if (prices.units[at] === unit && prices.currencies[at] === currency)
        this.#neighbours[count++] = prices.prices[at]!;
    }
    return count;
  }

  /** @param product Its code in `store`. */
  #judgeByProduct(row: number, store: Store, product: number): UsualPrice | undefined {
    const { catalogue, prices } = this.#after;
    const unit = catalogue.units.get(prices.unitNames[prices.units[row]!]!);
    if (unit === undefined || !store.catalogue.units.has(unit.baseUnit)) return undefined;
    const type = catalogue.marketTypeCodes[prices.markets[row]!]!;
    // A price that is judged by a store it is of is one of the prices.
    const judgesItself = store === this.#after;
    const countMin = neighboursMin + (judgesItself ? 1 : 0);
    for (const [markets, code] of [
      ["type", type],
      ["all", allTypes],
    ] as const) {
      const { count, median: perBase } = this.#poolOf(row, store, product, code);
      if (count < countMin) continue;
      return { price: perBase * unit.conversionFactor, count, ratioMax: productRatioRounded, markets, judgesItself };
    }
    return undefined;
  }

  /** The prices of a product that count for a row. @param type Code of a type of markets, or `allTypes`. */
  #poolOf(row: number, store: Store, product: number, type: number): Pool {
    const { catalogue, prices } = this.#after;
    const [unit, currency] = [prices.units[row]!, prices.currencies[row]!];
    const recent = this.#recent(row);
    // At most 65,535 of each but the types, so the number is exact.
    const ofPrice = (product * prices.unitNames.length + unit) * prices.currencyCodes.length + currency;
    const key = (ofPrice * (marketTypes.length + 1) + (type === allTypes ? marketTypes.length : type)) * 2;
    return recent.pools.getOrInsertComputed(key + (store === this.#after ? 1 : 0), () => {
      const { baseUnit } = catalogue.units.get(prices.unitNames[unit]!)!;
      const target = { unit: baseUnit, currency: prices.currencyCodes[currency]! };
      return poolOf(store, product, type, conversionTo(store, target), recent);
    });
  }

  /** Returns the prices that count for a row. Cost: some binary searches for each new day. */
  #recent(row: number): RecentPeriod {
    const day = dayOfRow(this.#after.periods, row);
    return this.#recentByDay.getOrInsertComputed(day, () => {
      const first = (day - recentDays) as Day;
      const [own, oldest] = [monthTextOf(day), monthTextOf(first)];
      const pools = this.#poolsByMonths.getOrInsertComputed(`${own} ${oldest}`, () => new Map());
      return { days: dayCodesOf(this.#known.periods, first, (day - 1) as Day), own, oldest, pools };
    });
  }
}

/** The days and months whose prices count for a day. */
interface RecentPeriod {
  /** Codes of the days before it. */
  readonly days: Range;
  /** Labels of months, inclusive. */
  readonly own: string;
  readonly oldest: string;
  /** The pools of these months, by store, product, type of markets, unit and currency. */
  readonly pools: Map<number, Pool>;
}

/** Summarises prices of several markets. */
interface Pool {
  readonly count: number;
  /** Per base unit; NaN without prices. */
  readonly median: number;
}

/**
 * The prices of a product in some months. Cost: a read of each of them.
 *
 * @param type Code of a type of markets, or `allTypes`.
 */
function poolOf(
  store: Store,
  product: number,
  type: number,
  conversion: PriceConversion,
  { oldest, own }: Pick<RecentPeriod, "oldest" | "own">,
): Pool {
  const { catalogue, prices, periods } = store;
  const { labels, dayOffsets } = periods.month;
  const rows = rowsOf(store.rowsByProduct, product);
  const [dayFirst, dayEnd] = [own, monthBefore(oldest)].map((label) => dayOffsets[firstMonthUpTo(labels, label)]!);
  const from = lowerBound(periods.dayCodes, rows, dayFirst!, 0, rows.length);
  const to = lowerBound(periods.dayCodes, rows, dayEnd!, from, rows.length);
  const values: number[] = [];
  for (const row of rows.subarray(from, to)) {
    if (!isOfType(catalogue, prices.markets[row]!, type)) continue;
    const converted = convertPrice(prices, conversion, row);
    if (!Number.isNaN(converted)) values.push(converted);
  }
  return { count: values.length, median: values.length === 0 ? Number.NaN : median(values) };
}

function monthBefore(label: string): string {
  return monthText(monthNumber(label) - 1);
}

/**
 * The position of the newest month that is not after another; where there is none, the number of months.
 *
 * @param labels Newest first.
 */
function firstMonthUpTo(labels: readonly string[], label: string): number {
  return firstNotBefore(0, labels.length, (at) => labels[at]! > label);
}
