/**
 * The first position that does not come before what is looked for.
 *
 * @param from First position (inclusive).
 * @param to End of the positions (exclusive).
 * @param isBefore True for the first of them, false for all that follow.
 * @returns `to` when all come before it. Cost: a binary search.
 */
export function firstNotBefore(from: number, to: number, isBefore: (position: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
