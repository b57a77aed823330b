/**
 * The monthly values of a product at a market: the median of its prices of a Kenyan month, in the unit and currency of
 * the product's statistics, suspicious prices left out. All measures are made of them.
 */
import { type MonthNumber, monthNumber } from "../../model/calendar.ts";
import { lowerBound, type Range } from "../../store/columns.ts";
import { medianOf } from "../../store/figures.ts";
import { conversionTo, convertPrice, type PriceConversion } from "../../store/price-conversion.ts";
import type { Store } from "../../store/store.ts";
import { isSuspicious } from "../../store/suspicious-prices.ts";

/** A value of each of some months, ascending. Measures are of one. */
export interface MonthSeries {
  /** Month numbers. */
  readonly months: Int32Array;
  /** Values by position: medians of the prices of a market, or comparable prices. */
  readonly medians: Float64Array;
}

/** The values of a product at a market: entries by position, ascending by month. The arrays may be longer. */
export interface MonthlyValues extends MonthSeries {
  /** Number of entries. */
  readonly length: number;
  /** The rows of an entry are [`rowsFrom`, `rowsTo`), suspicious ones and those that do not convert among them. */
  readonly rowsFrom: Uint32Array;
  readonly rowsTo: Uint32Array;
}

/**
 * The least price, in the unit of the statistics, that is a value (inclusive): far below any real one, and far enough
 * above 0 that a ratio of two is finite. Files may have any price above 0, and one of 5e-324 a bag is 0 a kilogram.
 */
const valueMin = 1e-30;

/** Months between which any snapshot lies. */
const monthsRoom = 256;

/** Reads monthly values of one product after another. */
export class MonthlyReader {
  readonly #store: Store;
  /** Month number by month of the periods. */
  readonly #monthNumbers: Int32Array;
  #values = new Float64Array(256);
  #room = roomFor(monthsRoom);
  #product = -1;
  #conversion: PriceConversion | undefined;

  constructor(store: Store) {
    this.#store = store;
    this.#monthNumbers = Int32Array.from(store.periods.month.labels, monthNumber);
  }

  /**
   * The values of a run of `store.runs`.
   *
   * @returns Arrays that the next call overwrites. Views of each run, and copies most of all, fill the young
   *   generation, and a collection of it stops the thread for ten milliseconds. Cost: two reads of each price, and a
   *   selection for each month.
   */
  readRun(product: number, run: number): MonthlyValues {
    const { rowOffsets } = this.#store.runs;
    const { dayCodes, month } = this.#store.periods;
    const [newest, end] = [rowOffsets[run]!, rowOffsets[run + 1]!];
    if (this.#room.months.length < end - newest) this.#room = roomFor(2 * (end - newest));
    const room = this.#room;
    const { months, medians, rowsFrom, rowsTo } = room;
    let length = 0;
    // Rows are newest first.
    for (let to = end; to > newest; ) {
      const period = month.ofDay[dayCodes[to - 1]!]!;
      let from = to - 1;
      while (from > newest && month.ofDay[dayCodes[from - 1]!] === period) from--;
      const count = this.#convertRows(product, from, to);
      if (count > 0) {
        months[length] = this.#monthNumbers[period]!;
        medians[length] = count === 1 ? this.#values[0]! : medianOf(this.#values, 0, count);
        rowsFrom[length] = from;
        rowsTo[length] = to;
        length++;
      }
      to = from;
    }
    return { ...room, length };
  }

  /** The median of a product's prices in some rows, and how many they are; NaN without any. */
  medianOfRows(product: number, rows: readonly Range[]): { readonly median: number; readonly count: number } {
    let count = 0;
    for (const { from, to } of rows) count = this.#convertRows(product, from, to, count);
    return { median: count === 0 ? Number.NaN : medianOf(this.#values, 0, count), count };
  }

  /**
   * The newest month up to `last` in which a run has a value; undefined without one. Cost: a read of each price from
   * the newest to that of this month.
   */
  newestMonthOf(product: number, run: number, last: MonthNumber = Infinity): MonthNumber | undefined {
    const { prices, periods, runs, suspicious } = this.#store;
    const conversion = this.#conversionOf(product);
    for (let row = runs.rowOffsets[run]!; row < runs.rowOffsets[run + 1]!; row++) {
      const month = this.#monthNumbers[periods.month.ofDay[periods.dayCodes[row]!]!]!;
      if (month > last || isSuspicious(suspicious, row)) continue;
      if (convertPrice(prices, conversion, row) >= valueMin) return month;
    }
    return undefined;
  }

  /** Returns the number of prices of a run that are left out as suspicious up to the end of a month. */
  countSuspicious(run: number, month: MonthNumber): number {
    const { runs, periods, suspicious } = this.#store;
    const { rows } = suspicious;
    const end = this.#suspiciousFrom(runs.rowOffsets[run + 1]!);
    let count = 0;
    for (let at = this.#suspiciousFrom(runs.rowOffsets[run]!); at < end; at++) {
      if (this.#monthNumbers[periods.month.ofDay[periods.dayCodes[rows[at]!]!]!]! <= month) count++;
    }
    return count;
  }

  /** Position in `suspicious.rows` of the first one from a row on. */
  #suspiciousFrom(row: number): number {
    const { rows } = this.#store.suspicious;
    return lowerBound(rows, null, row, 0, rows.length);
  }

  /**
   * Converts the prices of [from, to) that are not suspicious, into `#values` from `start` on.
   *
   * @returns The end of them.
   */
  #convertRows(product: number, from: number, to: number, start = 0): number {
    const { prices, suspicious } = this.#store;
    const conversion = this.#conversionOf(product);
    if (this.#values.length < start + to - from) {
      const grown = new Float64Array(2 * (start + to - from));
      grown.set(this.#values);
      this.#values = grown;
    }
    const values = this.#values;
    let end = start;
    for (let row = from; row < to; row++) {
      if (isSuspicious(suspicious, row)) continue;
      const value = convertPrice(prices, conversion, row);
      // NaN is no value either.
      if (value >= valueMin) values[end++] = value;
    }
    return end;
  }

  #conversionOf(product: number): PriceConversion {
    if (this.#conversion === undefined || this.#product !== product) {
      this.#conversion = conversionTo(this.#store, this.#store.statisticsUnits[product]!);
      this.#product = product;
    }
    return this.#conversion;
  }
}

const newestMonths = new WeakMap<Store, MonthNumber>();

/**
 * The newest month in which any product has a value at any market; undefined without one. Cost: a read of the prices
 * from there on, once for a store.
 */
export function newestMonthOf(store: Store): MonthNumber | undefined {
  const known = newestMonths.get(store);
  if (known !== undefined) return known;
  const { prices, periods, rowsByTime, suspicious, statisticsUnits } = store;
  const conversions: (PriceConversion | undefined)[] = [];
  for (const row of rowsByTime) {
    const product = prices.products[row]!;
    conversions[product] ??= conversionTo(store, statisticsUnits[product]!);
    if (isSuspicious(suspicious, row) || !(convertPrice(prices, conversions[product], row) >= valueMin)) continue;
    const month = monthNumber(periods.month.labels[periods.month.ofDay[periods.dayCodes[row]!]!]!);
    newestMonths.set(store, month);
    return month;
  }
  return undefined;
}

/** Months before the newest month of the data beyond which a price is old: surveys are quarterly. */
export const currentMonths = 6;

/** The first month whose prices are not old. */
export function currentMonthFirst(store: Store): MonthNumber {
  return (newestMonthOf(store) ?? 0) - currentMonths;
}

/** Returns whether prices of a month are old. */
export function isOld(store: Store, month: MonthNumber): boolean {
  return month < currentMonthFirst(store);
}

/** The position of a month among the first `length` ones; -1 where it has no value. */
export function positionOf(months: Int32Array, length: number, month: MonthNumber): number {
  let at = length - 1;
  while (at >= 0 && months[at]! > month) at--;
  return at >= 0 && months[at] === month ? at : -1;
}

function roomFor(length: number): Omit<MonthlyValues, "length"> {
  return {
    months: new Int32Array(length),
    medians: new Float64Array(length),
    rowsFrom: new Uint32Array(length),
    rowsTo: new Uint32Array(length),
  };
}
