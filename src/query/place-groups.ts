/**
 * Figures of places over days that cut little away: what the store keeps ready of the whole place, less what lies outside
 * the days. Mean and deviation are those of the whole with the removed prices taken out (the update of B. P. Welford,
 * Technometrics 4 (1962), 419–420, backwards, for many at once); least, greatest and median are looked up in the sorted
 * samples, past the removed ones.
 */
import type { CodeColumn } from "../store/code-column.ts";
import type { GroupFiguresBuilder } from "../store/group-figures.ts";
import { addSamples, excludedCode } from "../store/series-samples.ts";
import type { Store } from "../store/store.ts";
import { valueAtPlace } from "./ascending-lists.ts";
import type { GroupPlace } from "./group-list.ts";
import { lendScratch, scratchFor } from "./scratch.ts";
import type { SeriesParts } from "./series-parts.ts";

/** Up to this share of a place's prices is taken out; of more, the rest is summed up. */
const removedShareMax = 1 / 8;

/** A rest whose squares are a smaller share of the whole's has lost digits in the subtraction and is summed up. */
const squaresShareMin = 1 / 4;

/**
 * Adds the figures of one place.
 *
 * @param whole The figures of the place over all days.
 * @param parts All series of the place, also those without prices within the days.
 * Cost: a few steps for each price that the days cut away; where those are many, a few for each that is left.
 */
export function addPlace(
  builder: GroupFiguresBuilder,
  key: number,
  store: Store,
  product: number,
  whole: GroupPlace,
  parts: SeriesParts,
): void {
  const { counts, excluded } = whole.figures;
  const wholeCount = counts[whole.at]! + excluded[whole.at]!;
  const removedCount = wholeCount - parts.rowCount;
  const isDone =
    removedCount <= wholeCount * removedShareMax &&
    addRest(builder, key, store, product, whole, parts, sortRemoved(store, parts, removedCount), removedCount);
  if (!isDone) sumUpPlace(builder, key, store, product, parts);
}

/** @returns false, and adds nothing, when the rest cannot be told exactly enough from the whole. */
function addRest(
  builder: GroupFiguresBuilder,
  key: number,
  { samples, series }: Store,
  product: number,
  { figures, at }: GroupPlace,
  parts: SeriesParts,
  removed: Uint32Array,
  removedCount: number,
): boolean {
  const { values, valueOffsets, isConverted } = samples;
  const base = valueOffsets[product]!;
  const wholeMean = figures.means[at]!;
  let excluded = figures.excluded[at]!;
  let converted = figures.converted[at]!;
  let sum = 0;
  let squares = 0;
  let measured = 0;
  for (let place = 0; place < removedCount; place++) {
    const code = removed[place]!;
    if (code === excludedCode) continue;
    const difference = values[base + code]! - wholeMean;
    sum += difference;
    squares += difference * difference;
    converted -= isConverted[base + code]!;
    measured++;
  }
  excluded -= removedCount - measured;
  const count = figures.counts[at]! - measured;
  if (count === 0) return false;
  const wholeSquares = figures.deviations[at]! ** 2 * (figures.counts[at]! - 1);
  const restSquares = wholeSquares - squares - (sum * sum) / count;
  const shift = sum / count;
  // Written so that what overflowed is false.
  if (!(restSquares >= wholeSquares * squaresShareMin && restSquares < Infinity)) return false;
  if (!(Math.abs(shift) <= Math.abs(wholeMean) / 2)) return false;

  const lists = {
    column: samples.sortedCodes,
    from: parts.series.map((one) => series.rowOffsets[one]!),
    to: parts.series.map((one) => series.rowOffsets[one + 1]!),
  };
  const codeLast = valueOffsets[product + 1]! - base - 1;
  const valueAt = (place: number, guess: number): number => {
    const code =
      lists.from.length === 1
        ? codePast(lists.column, lists.from[0]!, excluded + place, removed, removedCount)
        : valueAtPlace(lists, excluded + place, 1, codeLast, removed, removedCount, codeOf(guess));
    return values[base + code]!;
  };
  // The code of a price, or of the next above it.
  const codeOf = (value: number): number => {
    let low = 1;
    let high = codeLast;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (values[base + middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const least = removed[removedCount - measured]!;
  const isMinLeft = measured === 0 || values[base + least]! > figures.mins[at]!;
  const isMaxLeft = measured === 0 || values[base + removed[removedCount - 1]!]! < figures.maxs[at]!;
  const min = isMinLeft ? figures.mins[at]! : valueAt(0, figures.mins[at]!);
  const max = isMaxLeft ? figures.maxs[at]! : valueAt(count - 1, figures.maxs[at]!);
  const upper = valueAt(count >> 1, figures.medians[at]!);
  const median = count % 2 === 1 ? upper : valueAt((count >> 1) - 1, upper) / 2 + upper / 2;
  const mean = Math.min(Math.max(wholeMean - shift, min), max);
  const deviation = count === 1 || min === max ? 0 : Math.sqrt(restSquares / (count - 1));
  builder.addFigures(key, { count, mean, min, max, median, deviation, converted, excluded });
  return true;
}

/** The code at a place of one sorted list without the removed ones. */
function codePast(column: CodeColumn, from: number, place: number, removed: Uint32Array, removedCount: number): number {
  let at = from + place;
  for (let next = 0; next < removedCount && removed[next]! <= column[at]!; next++) at++;
  return column[at]!;
}

/** The codes outside the parts, ascending. */
function sortRemoved({ samples, series }: Store, parts: SeriesParts, removedCount: number): Uint32Array {
  const { rowOffsets } = series;
  const { codes } = samples;
  const removed = lendScratch.removed(removedCount);
  let count = 0;
  for (let part = 0; part < parts.series.length; part++) {
    const one = parts.series[part]!;
    for (let place = rowOffsets[one]!; place < parts.from[part]!; place++) removed[count++] = codes[place]!;
    for (let place = parts.to[part]!; place < rowOffsets[one + 1]!; place++) removed[count++] = codes[place]!;
  }
  if (count > insertionMax) removed.subarray(0, count).sort();
  else insertionSort(removed, count);
  return removed;
}

/** Up to this many are sorted sooner by insertion than by a call of `sort`. */
const insertionMax = 32;

function insertionSort(values: Uint32Array, count: number): void {
  for (let end = 1; end < count; end++) {
    const value = values[end]!;
    let at = end;
    for (; at > 0 && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}

function sumUpPlace(
  builder: GroupFiguresBuilder,
  key: number,
  { samples }: Store,
  product: number,
  { series, from, to, rowCount }: SeriesParts,
): void {
  if (series.length === 1) {
    addSamples(builder, key, samples, product, samples.codes, from[0]!, to[0]!, scratchFor(rowCount));
    return;
  }
  const codes = lendScratch.codes(rowCount, samples.codes);
  let count = 0;
  for (let part = 0; part < series.length; part++) {
    for (let place = from[part]!; place < to[part]!; place++) codes[count++] = samples.codes[place]!;
  }
  addSamples(builder, key, samples, product, codes, 0, count, scratchFor(count));
}
