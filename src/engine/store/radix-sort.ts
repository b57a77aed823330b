/**
 * A radix sort over the bits of numbers, least significant digit first: those of floating-point numbers that are not
 * negative order as the numbers do (IEEE 754). Each pass keeps the order of the one before, so no comparator runs over
 * millions of rows.
 */

/** Few enough digits that all positions written to in turn stay in the cache. */
const digitBits = 11;
const digitCount = 1 << digitBits;
const digitMask = digitCount - 1;
const wordBits = 32;

/** The two words of a number, the low one first, in the byte order of this machine. */
const words: readonly number[] = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1 ? [0, 1] : [1, 0];

/**
 * The positions of some numbers, the least first; equal ones stay in their order.
 *
 * @param numbers None is negative.
 * Cost: two passes for each of six digits; one for a digit that all share, as whole minutes or shillings share many.
 */
export function sortPositions(numbers: Float64Array): Uint32Array {
  const bits = new Uint32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length);
  let order = new Uint32Array(numbers.length);
  for (let at = 0; at < order.length; at++) order[at] = at;
  let sorted = new Uint32Array(numbers.length);
  const counts = new Uint32Array(digitCount);
  for (const word of words) {
    for (let shift = 0; shift < wordBits; shift += digitBits) {
      counts.fill(0);
      for (let at = word; at < bits.length; at += 2) counts[(bits[at]! >>> shift) & digitMask]!++;
      if (counts.includes(order.length)) continue;
      for (let digit = 0, start = 0; digit < digitCount; digit++) {
        const count = counts[digit]!;
        counts[digit] = start;
        start += count;
      }
      // Each position after those of lower digits.
      for (let at = 0; at < order.length; at++) {
        const position = order[at]!;
        sorted[counts[(bits[2 * position + word]! >>> shift) & digitMask]!++] = position;
      }
      [order, sorted] = [sorted, order];
    }
  }
  return order;
}
