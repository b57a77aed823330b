/** The monthly values of a product at several markets, in columns that are filled again for each subject. */
import type { MonthNumber } from "../../model/calendar.ts";
import { getOrInsert } from "../../model/get-or-insert.ts";
import type { Catalogue } from "../../store/catalogue.ts";
import type { Range } from "../../store/columns.ts";
import type { Store } from "../../store/store.ts";
import type { MonthlyReader, MonthlyValues } from "./monthly-values.ts";

/** The cost of reading a price here, and of a run beside, in the rows of a search, which its steps count. */
const rowWeight = 4;
const runWeight = 100;

/** The cost of reading a run, in the rows of a search. */
export function costOfRun({ runs: { rowOffsets } }: Store, run: number): number {
  return runWeight + rowWeight * (rowOffsets[run + 1]! - rowOffsets[run]!);
}

/** Values by position: neighbours by market, of each ascending by month. The arrays may be longer. */
export class MonthlyPanel {
  /** Number of values. */
  length = 0;
  /** Markets that have a value. */
  marketCount = 0;
  /** Market of each value, from 0 in the order of their runs. */
  markets = new Int32Array(1024);
  /** Market code by these numbers. */
  marketCodes: number[] = [];
  months = new Int32Array(1024);
  medians = new Float64Array(1024);
  /** See `MonthlyValues`. */
  rowsFrom = new Uint32Array(1024);
  rowsTo = new Uint32Array(1024);

  /** Replaces the values by those of some runs of a product. Cost: that of `readRun` for each. */
  *read(store: Store, reader: MonthlyReader, product: number, runs: readonly number[]): Generator<number, void> {
    this.length = 0;
    this.marketCount = 0;
    this.marketCodes = [];
    for (const run of runs) {
      this.#add(reader.readRun(product, run), store.runs.markets[run]!);
      yield costOfRun(store, run);
    }
  }

  #add({ length, months, medians, rowsFrom, rowsTo }: MonthlyValues, market: number): void {
    if (length === 0) return;
    this.marketCodes.push(market);
    if (this.length + length > this.months.length) this.#grow(2 * (this.length + length));
    this.markets.fill(this.marketCount, this.length, this.length + length);
    this.months.set(months.subarray(0, length), this.length);
    this.medians.set(medians.subarray(0, length), this.length);
    this.rowsFrom.set(rowsFrom.subarray(0, length), this.length);
    this.rowsTo.set(rowsTo.subarray(0, length), this.length);
    this.length += length;
    this.marketCount++;
  }

  #grow(length: number): void {
    const { markets, months, medians, rowsFrom, rowsTo } = this;
    this.markets = new Int32Array(length);
    this.months = new Int32Array(length);
    this.medians = new Float64Array(length);
    this.rowsFrom = new Uint32Array(length);
    this.rowsTo = new Uint32Array(length);
    this.markets.set(markets);
    this.months.set(months);
    this.medians.set(medians);
    this.rowsFrom.set(rowsFrom);
    this.rowsTo.set(rowsTo);
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
  countCamps(catalogue: Catalogue, positions: readonly number[]): number {
    return positions.reduce((count, at) => count + catalogue.camps[this.marketAt(at)]!, 0);
  }

  /** The rows of a value. */
  rowsAt(at: number): Range {
    return { from: this.rowsFrom[at]!, to: this.rowsTo[at]! };
  }
}
