/**
 * The monthly values of a product at some markets: the median of the prices of a Kenyan month, in the unit and currency
 * of the product's statistics, suspicious prices left out. All measures are made of them.
 */
import { type MonthNumber, monthNumber } from "../../model/calendar.ts";
import { getOrInsert } from "../../model/get-or-insert.ts";
import { lowerBound } from "../../store/columns.ts";
import { medianOf } from "../../store/figures.ts";
import { conversionTo, convertPrice, type PriceConversion } from "../../store/price-conversion.ts";
import type { Store } from "../../store/store.ts";
import { isSuspicious } from "../../store/suspicious-prices.ts";
import { valueMin } from "./monthly-values.ts";

/** The cost of reading a price here, and of a run beside, in the rows of a search, which its steps count. */
const rowWeight = 4;
const runWeight = 100;

/**
 * Values by position: neighbours by market, of each ascending by month. The columns are filled again for each subject
 * and may be longer: views of each run, and copies most of all, fill the young generation, and a collection of it stops
 * the thread for ten milliseconds.
 */
export class MonthlyPanel {
  /** Number of values. */
  length = 0;
  /** Market of each value, from 0 in the order of their runs. */
  markets = new Int32Array(0);
  /** Market code by these numbers. */
  marketCodes: number[] = [];
  months = new Int32Array(0);
  medians = new Float64Array(0);
  /** The rows of a value are [`rowsFrom`, `rowsTo`), suspicious ones and those that do not convert among them. */
  rowsFrom = new Uint32Array(0);
  rowsTo = new Uint32Array(0);
  readonly store: Store;
  /** Month number by month of the periods. */
  readonly #monthNumbers: Int32Array;
  #product = -1;
  /** Of the product. */
  #conversion!: PriceConversion;
  #runs: readonly number[] = [];
  #values = new Float64Array(256);

  constructor(store: Store) {
    this.store = store;
    this.#monthNumbers = Int32Array.from(store.periods.month.labels, monthNumber);
  }

  /** Markets that have a value. */
  get marketCount(): number {
    return this.marketCodes.length;
  }

  /**
   * Replaces the values by those of some runs of a product. Cost: two reads of each price, and a selection for each
   * month.
   */
  *read(product: number, runs: readonly number[]): Generator<number, void> {
    if (product !== this.#product) this.#conversion = conversionTo(this.store, this.store.statisticsUnits[product]!);
    this.#product = product;
    this.#runs = runs;
    this.length = 0;
    this.marketCodes = [];
    const { rowOffsets } = this.store.runs;
    const rowsOf = (run: number): number => rowOffsets[run + 1]! - rowOffsets[run]!;
    this.#reserve(runs.reduce((room, run) => room + Math.min(rowsOf(run), this.#monthNumbers.length), 0));
    for (const run of runs) {
      this.#readRun(run);
      yield runWeight + rowWeight * rowsOf(run);
    }
  }

  #reserve(room: number): void {
    if (room <= this.months.length) return;
    this.markets = new Int32Array(2 * room);
    this.months = new Int32Array(2 * room);
    this.medians = new Float64Array(2 * room);
    this.rowsFrom = new Uint32Array(2 * room);
    this.rowsTo = new Uint32Array(2 * room);
  }

  #readRun(run: number): void {
    const { runs, periods } = this.store;
    const { dayCodes, month } = periods;
    const newest = runs.rowOffsets[run]!;
    const { length: lengthBefore, marketCount } = this;
    // Rows are newest first.
    for (let to = runs.rowOffsets[run + 1]!; to > newest; ) {
      const period = month.ofDay[dayCodes[to - 1]!]!;
      let from = to - 1;
      while (from > newest && month.ofDay[dayCodes[from - 1]!] === period) from--;
      const count = this.#convertRows(from, to);
      if (count > 0) {
        const at = this.length++;
        this.markets[at] = marketCount;
        this.months[at] = this.#monthNumbers[period]!;
        this.medians[at] = count === 1 ? this.#values[0]! : medianOf(this.#values, 0, count);
        this.rowsFrom[at] = from;
        this.rowsTo[at] = to;
      }
      to = from;
    }
    if (this.length > lengthBefore) this.marketCodes.push(runs.markets[run]!);
  }

  /**
   * Converts the prices of [from, to) that are not suspicious, into `#values` from `start` on.
   *
   * @returns The end of them.
   */
  #convertRows(from: number, to: number, start = 0): number {
    const { prices, suspicious } = this.store;
    const conversion = this.#conversion;
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

  /** The median of the prices behind the values at some positions, and how many they are; NaN without any. */
  medianOfPrices(positions: readonly number[]): { readonly median: number; readonly count: number } {
    let count = 0;
    for (const at of positions) count = this.#convertRows(this.rowsFrom[at]!, this.rowsTo[at]!, count);
    return { median: count === 0 ? Number.NaN : medianOf(this.#values, 0, count), count };
  }

  /** The number of prices of the runs that are left out as suspicious up to the end of a month. */
  countSuspicious(month: MonthNumber): number {
    const { runs, periods, suspicious } = this.store;
    const { rows } = suspicious;
    let count = 0;
    for (const run of this.#runs) {
      const end = runs.rowOffsets[run + 1]!;
      for (let at = lowerBound(rows, null, runs.rowOffsets[run]!, 0, rows.length); rows[at]! < end; at++) {
        if (this.#monthNumbers[periods.month.ofDay[periods.dayCodes[rows[at]!]!]!]! <= month) count++;
      }
    }
    return count;
  }

  /** The positions of the values of a month, one for each market. Cost: a read of each value. */
  positionsOf(month: MonthNumber): number[] {
    const found: number[] = [];
    for (let at = 0; at < this.length; at++) if (this.months[at] === month) found.push(at);
    return found;
  }

  /** The positions of the values of each month. */
  positionsByMonth(): Map<MonthNumber, number[]> {
    const found = new Map<MonthNumber, number[]>();
    for (let at = 0; at < this.length; at++) getOrInsert(found, this.months[at]!, () => []).push(at);
    return found;
  }

  /** The position of the value of the same market in an earlier month; -1 where it has none. */
  earlier(at: number, month: MonthNumber): number {
    let before = at - 1;
    while (before >= 0 && this.markets[before] === this.markets[at] && this.months[before]! > month) before--;
    const isFound = before >= 0 && this.markets[before] === this.markets[at] && this.months[before] === month;
    return isFound ? before : -1;
  }

  /** The market code of a value. */
  marketAt(at: number): number {
    return this.marketCodes[this.markets[at]!]!;
  }

  /** The number of values at some positions that are of refugee camps. */
  countCamps(positions: readonly number[]): number {
    return positions.reduce((count, at) => count + this.store.catalogue.camps[this.marketAt(at)]!, 0);
  }
}
