/**
 * The median by selection: only as much of the array is sorted as is needed to know its middle.
 *
 * Source of the method: C. A. R. Hoare, "Algorithm 65: Find", Communications of the ACM 4 (1961), with the median of
 * three as pivot; partitioned in one direction after N. Lomuto (J. Bentley, Programming Pearls, column 11); short ranges
 * are sorted by insertion.
 */

/** Ranges up to this length are cheaper to sort than to partition. */
export const shortRange = 16;

/**
 * The median of the first `count` values: the middle one, or the mean of the two middle ones when the count is even.
 *
 * @param values Finite numbers; the first `count` are reordered.
 * @param count At least 1.
 */
export function medianOf(values: Float64Array, count: number): number {
  const middle = count >> 1;
  selectPlace(values, middle, count - 1);
  const upper = values[middle]!;
  if (count % 2 === 1) return upper;
  let lower = values[0]!;
  for (let at = 1; at < middle; at++) if (values[at]! > lower) lower = values[at]!;
  // Halved before they are added, so that two huge values do not overflow; halving changes no digit of a price.
  return lower / 2 + upper / 2;
}

/** The same of values that ascend. */
export function medianOfSorted(values: Float64Array, count: number): number {
  const upper = values[count >> 1]!;
  return count % 2 === 1 ? upper : values[(count >> 1) - 1]! / 2 + upper / 2;
}

/** Sorts the values at `low` to `high` (inclusive). Cost: grows with the square of their number. */
export function sortShort(values: Float64Array, low: number, high: number): void {
  for (let end = low + 1; end <= high; end++) {
    const value = values[end]!;
    let at = end;
    while (at > low && values[at - 1]! > value) {
      values[at] = values[at - 1]!;
      at--;
    }
    values[at] = value;
  }
}

/** Moves the value that sorting would put at `place` there, nothing greater before it and nothing less behind it. */
function selectPlace(values: Float64Array, place: number, last: number): void {
  let low = 0;
  let high = last;
  while (high - low > shortRange) {
    const pivot = medianOfThree(values[low]!, values[(low + high) >>> 1]!, values[high]!);
    const start = moveToFront(values, low, high, pivot, false);
    if (place < start) {
      high = start - 1;
      continue;
    }
    // Prices repeat: all that equal the pivot are done with at once.
    low = moveToFront(values, start, high, pivot, true);
    if (place < low) return;
  }
  sortShort(values, low, high);
}

/**
 * Moves the values less than a pivot, or equal to it too, before all others. Each value changes places, whether it has to
 * or not: a branch here would be foreseen wrongly every other time.
 *
 * @returns The place behind the values moved.
 */
function moveToFront(values: Float64Array, low: number, high: number, pivot: number, withEqual: boolean): number {
  let end = low;
  if (withEqual) {
    for (let at = low; at <= high; at++) {
      const value = values[at]!;
      values[at] = values[end]!;
      values[end] = value;
      end += Number(value <= pivot);
    }
  } else {
    for (let at = low; at <= high; at++) {
      const value = values[at]!;
      values[at] = values[end]!;
      values[end] = value;
      end += Number(value < pivot);
    }
  }
  return end;
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
