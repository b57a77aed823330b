/**
 * Reading rows ahead. The prices of an answer lie apart, each in another place of every column. Written down one by one,
 * each price waits for its own memory; read together first, in loops that do nothing else, the processor fetches many at
 * a time, and the writing finds them in its cache.
 */
import { wordsPerUuid } from "../domain/uuid-words.ts";
import type { PriceColumns } from "./price-columns.ts";

/** The columns that every list of prices shows. @param from First place (inclusive). @param to Exclusive. */
export function touchRows(
  { uuids, markets, prices, units, recordedAt }: PriceColumns,
  rows: Uint32Array,
  from: number,
  to: number,
): void {
  let bits = 0;
  let sum = 0;
  for (let place = from; place < to; place++) {
    const row = rows[place]!;
    bits |= uuids[row * wordsPerUuid]! | markets[row]! | units[row]!;
    sum += prices[row]! + recordedAt[row]!;
  }
  last.touched = bits + sum;
}

/** The columns that a page of found prices shows beside those. */
export function touchProvenance(
  { products, currencies, sources, grades }: PriceColumns,
  rows: Uint32Array,
  from: number,
  to: number,
): void {
  let bits = 0;
  for (let place = from; place < to; place++) {
    const row = rows[place]!;
    bits |= products[row]! | currencies[row]! | sources[row]! | grades[row]!;
  }
  last.touched = bits;
}

/** What was read, kept so that the engine does not leave the reading out. */
const last = { touched: 0 };
