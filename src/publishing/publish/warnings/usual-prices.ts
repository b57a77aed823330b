/**
 * What a price should be about: what was published before says it. A batch judges itself only where nothing was there.
 *
 * The usual price is the median of the series (product, market, unit and currency) over the year before: the prices of
 * earlier days, at most the 50 newest. Where these are fewer than five, because a series is new or has long been
 * silent, the first of these that has five prices:
 *
 * - the product at all markets of the type, in its own unit and currency: the median of its monthly medians, each
 *   counting as often as the month has prices, of the price's own month and those before it, back to the month a year
 *   earlier;
 * - the product at markets of the type, in units of the same base and in the currency of the price, in these months;
 * - the same at markets of all types;
 * - a product that continues it, or that it continues, at markets of the type, as the snapshot judges;
 * - the same at markets of the type, with the prices that are published.
 *
 * A price for which there is none is not judged.
 */
import { median, medianAbsoluteDeviation } from "simple-statistics";
import { firstNotBefore } from "../../../engine/model/binary-search.ts";
import { type Day, monthNumber, monthText, monthTextOf } from "../../../engine/model/calendar.ts";
import { findContinuations } from "../../../engine/query/find-series.ts";
import { recordAt } from "../../../engine/store/catalogue.ts";
import { lowerBound, type Range, rowsOf } from "../../../engine/store/columns.ts";
import { rollupPartition } from "../../../engine/store/group-prices.ts";
import { dayCodesOf } from "../../../engine/store/periods.ts";
import { conversionTo, convertPrice, type PriceConversion } from "../../../engine/store/price-conversion.ts";
import { allTypes, findRun, isOfType } from "../../../engine/store/runs.ts";
import type { Store } from "../../../engine/store/store.ts";
import { isBeyond, normalScale } from "../../../engine/store/suspicious-prices.ts";
import { absent, remapCatalogue } from "../compare-prices.ts";
import { dayOfRow } from "./row-text.ts";

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

/** The price that is usual. */
export interface UsualPrice {
  /** In the unit and currency of the price. */
  readonly price: number;
  /** Number of prices that it is the median of. */
  readonly count: number;
  /** How many times above or below it a price may be (inclusive). */
  readonly ratioMax: number;
  /** The markets that these prices are from: the market of the price, markets of its type, or all. */
  readonly markets: "own" | "type" | "all";
  /** The name of the product that they are of, where it is another one, which continues that of the price. */
  readonly continuation?: string | undefined;
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
  /** Codes of `#known` by code of `#after`; `absent` where it has none. */
  readonly #products: Int32Array;
  readonly #markets: Int32Array;
  readonly #units: readonly number[];
  readonly #currencies: readonly number[];
  readonly #neighbours = new Float64Array(neighboursMax);
  readonly #conversions = new Map<number, PriceConversion | undefined>();
  readonly #recentByDay = new Map<Day, RecentPeriod>();
  readonly #pools = new Map<string, Pool>();

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

  get #judgesItself(): boolean {
    return this.#known === this.#after;
  }

  /**
   * Judges a row of the store. Cost: a look at up to 50 neighbours; with too few of them at 13 months of a rollup; and
   * with too few there, at the product's prices of a year, once for its markets, unit, currency and month.
   */
  judge(row: number): Judged {
    const own = this.#after.prices.products[row]!;
    const product = this.#products[own]!;
    return (
      (product === absent ? undefined : this.#judgeByProduct(row, product)) ??
      this.#judgeByContinuation(row) ??
      (this.#judgesItself ? undefined : this.#judgeByPool(row, this.#after, own, "type"))
    );
  }

  #judgeByProduct(row: number, product: number): Judged {
    return (
      this.#judgeBySeries(row, product) ??
      this.#judgeByMonths(row, product) ??
      this.#judgeByPool(row, this.#known, product, "type") ??
      this.#judgeByPool(row, this.#known, product, "all")
    );
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
    return { price: median(values), count, ratioMax, markets: "own", judgesItself: this.#judgesItself };
  }

  /** Fills in the prices of the series on earlier days, newest first, while there is room. @returns How many. */
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

  #judgeByMonths(row: number, product: number): Judged {
    const { catalogue, prices } = this.#after;
    const { month } = this.#known.periods;
    const conversion = this.#conversions.getOrInsertComputed(product, () => this.#conversionOf(product));
    const converted = conversion === undefined ? Number.NaN : convertPrice(prices, conversion, row);
    if (Number.isNaN(converted)) return undefined;
    const { offsets, keys, counts, medians } = this.#known.rollups.month;
    const partition = rollupPartition(product, catalogue.marketTypeCodes[prices.markets[row]!]!);
    const { newest, oldest } = this.#recent(row);
    const end = offsets[partition + 1]!;
    // Months count from the newest, so those that follow are older.
    const from = lowerBound(keys, null, newest, offsets[partition]!, end);
    let [to, count, least, greatest] = [from, 0, Infinity, 0];
    for (; to < end && month.labels[keys[to]!]! >= oldest; to++) {
      if (counts[to] === 0) continue;
      count += counts[to]!;
      least = Math.min(least, medians[to]!);
      greatest = Math.max(greatest, medians[to]!);
    }
    if (!this.#isEnough(count, this.#known)) return undefined;
    const ratioMax = productRatioMax * (1 + roundingMax);
    if (!isBeyond(converted, least, ratioMax) && !isBeyond(converted, greatest, ratioMax)) return "usual";
    const usual = weightedMedian(medians.subarray(from, to), counts.subarray(from, to), count);
    // Back into the unit of the row.
    const price = (usual / converted) * prices.prices[row]!;
    return { price, count, ratioMax, markets: "type", judgesItself: this.#judgesItself };
  }

  /** To the unit and currency of the product's statistics; undefined where the unit is there no more. */
  #conversionOf(product: number): PriceConversion | undefined {
    const target = this.#known.statisticsUnits[product]!;
    return this.#after.catalogue.units.has(target.unit) ? conversionTo(this.#after, target) : undefined;
  }

  /** Returns the prices that count for a row. Cost: some binary searches for each new day. */
  #recent(row: number): RecentPeriod {
    const day = dayOfRow(this.#after, row);
    return this.#recentByDay.getOrInsertComputed(day, () => {
      const { periods } = this.#known;
      const own = monthTextOf(day);
      const days = dayCodesOf(periods, (day - recentDays) as Day, (day - 1) as Day);
      const newest = firstMonthUpTo(periods.month.labels, own);
      return { days, newest, own, oldest: monthTextOf((day - recentDays) as Day) };
    });
  }

  /** A price that is judged by a store it is of is one of the prices. */
  #isEnough(count: number, store: Store): boolean {
    return count >= neighboursMin + (store === this.#after ? 1 : 0);
  }

  #judgeByContinuation(row: number): UsualPrice | undefined {
    const { catalogue, prices } = this.#after;
    const { productCodes, products } = this.#known.catalogue;
    const { uuid } = recordAt(catalogue.products, prices.products[row]!);
    const { type } = recordAt(catalogue.markets, prices.markets[row]!);
    const { continues, continuedBy } = findContinuations(catalogue, uuid, type);
    const others = [
      ...continues.map(({ continuesUuid }) => continuesUuid),
      ...continuedBy.map(({ productUuid }) => productUuid),
    ];
    for (const product of others.map((other) => productCodes.get(other))) {
      const usual = product === undefined ? undefined : this.#judgeByPool(row, this.#known, product, "type");
      if (usual !== undefined) return { ...usual, continuation: recordAt(products, product as number).name };
    }
    return undefined;
  }

  /** @param product Its code in `store`. */
  #judgeByPool(row: number, store: Store, product: number, markets: "type" | "all"): UsualPrice | undefined {
    const { catalogue, prices } = this.#after;
    const unit = catalogue.units.get(prices.unitNames[prices.units[row]!]!);
    if (unit === undefined || !store.catalogue.units.has(unit.baseUnit)) return undefined;
    const currency = prices.currencyCodes[prices.currencies[row]!]!;
    const type = markets === "all" ? allTypes : catalogue.marketTypeCodes[prices.markets[row]!]!;
    const { own, oldest } = this.#recent(row);
    const key = JSON.stringify([store === this.#after, product, type, unit.baseUnit, currency, own, oldest]);
    const pool = this.#pools.getOrInsertComputed(key, () => {
      const conversion = conversionTo(store, { unit: unit.baseUnit, currency });
      return poolOf(store, product, type, conversion, this.#recent(row));
    });
    if (!this.#isEnough(pool.count, store)) return undefined;
    const ratioMax = productRatioMax * (1 + roundingMax);
    const judgesItself = store === this.#after;
    return { price: pool.median * unit.conversionFactor, count: pool.count, ratioMax, markets, judgesItself };
  }
}

/** The days and months whose prices count for a day. */
interface RecentPeriod {
  /** Codes of the days before it. */
  readonly days: Range;
  /** Position of the newest among the months of the store; that of the next older one where it has no prices. */
  readonly newest: number;
  /** Labels, inclusive. */
  readonly own: string;
  readonly oldest: string;
}

/** Summarises prices of several markets. */
interface Pool {
  readonly count: number;
  /** Per base unit; NaN without prices. */
  readonly median: number;
}

/**
 * The prices of a product in some months. Cost: a look at each of them.
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

/**
 * The least median that, with all below it, has at least half of the prices.
 *
 * @param counts How many prices each of the medians is of; `count` in all.
 */
function weightedMedian(medians: Float64Array, counts: Uint32Array, count: number): number {
  let sum = 0;
  for (const at of [...medians.keys()].sort((a, b) => medians[a]! - medians[b]!)) {
    sum += counts[at]!;
    if (sum * 2 >= count) return medians[at]!;
  }
  throw new RangeError(`count is ${count}, expected that of the months`);
}
