/**
 * Selection among several ascending lists taken together, without putting them together: for the median of several series
 * whose prices stand sorted, and for a page of several series whose rows ascend.
 *
 * The value sought is closed in upon by halving; each step is one search in each list, and what it finds narrows the next.
 */
import type { CodeColumn } from "../store/code-column.ts";

/** Parts of one column, each ascending. Part p is [`from[p]`, `to[p]`). */
export interface AscendingLists {
  readonly column: CodeColumn;
  readonly from: readonly number[];
  readonly to: readonly number[];
}

/**
 * The value that stands at a place when all lists are sorted together.
 *
 * @param place Counted from 0; less than the lists hold together without what is removed.
 * @param min No value is less.
 * @param max No value is greater.
 * @param removed The first `removedCount` are values that do not count, each as often as it is given; ascending; all of
 * them are in the lists.
 * @param guess A value close to the one sought: the search then begins there instead of in the middle.
 * Cost: for each bit of `max - min`, or of how far off the guess is, a few steps in each list.
 */
export function valueAtPlace(
  { column, from, to }: AscendingLists,
  place: number,
  min: number,
  max: number,
  removed: Uint32Array,
  removedCount: number,
  guess?: number,
): number {
  const lows = from.slice();
  const highs = to.slice();
  let least = min;
  let most = max;
  let step = guess === undefined ? 0 : 1;
  let middle = guess ?? Math.floor((min + max) / 2);
  let wasAbove: boolean | undefined;
  while (least < most) {
    middle = Math.min(Math.max(middle, least), most - 1);
    let count = -countUpTo(removed, removedCount, middle);
    for (let list = 0; list < lows.length; list++) {
      ends[list] = firstAbove(column, lows[list]!, highs[list]!, middle);
      count += ends[list]! - from[list]!;
    }
    const isAbove = count > place;
    const narrowed = isAbove ? highs : lows;
    for (let list = 0; list < lows.length; list++) narrowed[list] = ends[list]!;
    if (isAbove) most = middle;
    else least = middle + 1;
    // From the guess in growing steps until the value is passed, then by halves.
    if (wasAbove !== undefined && wasAbove !== isAbove) step = 0;
    wasAbove = isAbove;
    if (step === 0) middle = Math.floor((least + most) / 2);
    else middle = isAbove ? most - step : least + step - 1;
    step *= 4;
  }
  return least;
}

/** The ends found in one step; nothing yields in between. */
const ends: number[] = [];

/** The first place of an ascending part whose value is above `value`; `to` when there is none. */
export function firstAbove(column: CodeColumn, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}

/**
 * The least values of several ascending lists together, ascending.
 *
 * @param heads Where each list begins; moved behind what was taken.
 * @param to Where each list ends (exclusive).
 * @param count At most what the lists hold together.
 * Cost: a step for each list and value.
 */
export function takeLeast(column: Uint32Array, heads: number[], to: readonly number[], count: number): Uint32Array {
  const taken = new Uint32Array(count);
  for (let place = 0; place < count; place++) {
    let next = -1;
    let least = Infinity;
    for (let list = 0; list < heads.length; list++) {
      if (heads[list]! >= to[list]!) continue;
      const value = column[heads[list]!]!;
      if (value < least) {
        least = value;
        next = list;
      }
    }
    taken[place] = least;
    heads[next]!++;
  }
  return taken;
}

function countUpTo(removed: Uint32Array, removedCount: number, value: number): number {
  let low = 0;
  let high = removedCount;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (removed[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
