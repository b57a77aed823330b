/**
 * The rows of each county in answer order, and beside each row in which of up to 256 classes its price lies. Counting the
 * prices of a county within a range then reads one byte after the other and looks up only those of the two classes that
 * the range cuts, where the price column would have to be read at a place of its own for each row.
 */
import { countyIdMax } from "../domain/ids.ts";
import { sharedFloat64 } from "../domain/shared-columns.ts";
import { buildPostingIndex, type PostingIndex } from "./posting-index.ts";
import type { PriceColumns } from "./price-columns.ts";

export interface CountyRows extends PostingIndex {
  /** Class c holds the prices from `classBounds[c]` to below `classBounds[c + 1]`; ascending, the first is `-Infinity`. */
  readonly classBounds: Float64Array<SharedArrayBuffer>;
  /** Price class by place in `rows`. */
  readonly priceClasses: Uint8Array<SharedArrayBuffer>;
}

/** What a class is to a range of prices: all of them lie in it, or some may; 0 where none does. */
export const classInside = 1;
/** Some of its prices may lie in the range. */
export const classCut = 2;

export const classesMax = 256;

/** So many prices, spread over all rows, stand for all of them when the classes are cut. */
const sampleMax = 1 << 16;

/**
 * @param rowsByTime Every row, in answer order.
 * @param marketCounties County id by market code.
 * Cost: a few passes over the rows, and a short search for each.
 */
export function buildCountyRows(
  { prices, markets }: PriceColumns,
  rowsByTime: Uint32Array,
  marketCounties: Uint8Array,
): CountyRows {
  const { offsets, rows } = buildPostingIndex(rowsByTime, countyIdMax + 1, (row) => marketCounties[markets[row]!]!);
  const classBounds = cutClasses(prices);
  // By row first: there prices are read one after the other.
  const classOfRow = new Uint8Array(prices.length);
  for (let row = 0; row < prices.length; row++) classOfRow[row] = classOf(classBounds, prices[row]!);
  const priceClasses = new Uint8Array(new SharedArrayBuffer(rows.length));
  for (let place = 0; place < rows.length; place++) priceClasses[place] = classOfRow[rows[place]!]!;
  return { offsets, rows, classBounds, priceClasses };
}

/**
 * For each class, what it is to a range of prices (both ends inclusive). @returns 256 entries. Cost: two short searches.
 */
export function judgeClasses({ classBounds }: CountyRows, priceMin: number, priceMax: number): Uint8Array {
  const first = classOf(classBounds, priceMin);
  const last = classOf(classBounds, priceMax);
  const verdicts = new Uint8Array(classesMax).fill(classInside, first, last + 1);
  // `-Infinity` is the least bound: nothing lies below it, so the first class can be cut only by a price.
  if (classBounds[first]! < priceMin) verdicts[first] = classCut;
  if (last + 1 < classBounds.length || priceMax < Infinity) verdicts[last] = classCut;
  return verdicts;
}

/** The price classes of one county, at the places of its rows. @returns A view; do not write to it. */
export function classesOfCounty({ offsets, priceClasses }: CountyRows, countyId: number): Uint8Array {
  return priceClasses.subarray(offsets[countyId]!, offsets[countyId + 1]!);
}

/** Classes of about as many prices each; a price that is met often begins one. */
function cutClasses(prices: Float64Array): Float64Array<SharedArrayBuffer> {
  const step = Math.max(1, Math.ceil(prices.length / sampleMax));
  const sample = new Float64Array(Math.ceil(prices.length / step));
  for (let at = 0; at < sample.length; at++) sample[at] = prices[at * step]!;
  sample.sort();
  const bounds = [-Infinity];
  for (let cut = 1; cut < classesMax; cut++) {
    const bound = sample[Math.floor((cut * sample.length) / classesMax)];
    if (bound !== undefined && bound > bounds.at(-1)!) bounds.push(bound);
  }
  const column = sharedFloat64(bounds.length);
  column.set(bounds);
  return column;
}

/** The last class that does not begin above a price. */
function classOf(classBounds: Float64Array, price: number): number {
  let low = 0;
  let high = classBounds.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (classBounds[middle]! <= price) low = middle;
    else high = middle - 1;
  }
  return low;
}
