/**
 * Numbers the different measured prices of one product: an open-addressing hash table over their bits, in the order in
 * which they are met; in the end each number becomes a code in the order of the prices.
 */
export class SampleTable {
  /** Number of the price by slot; 0 where the slot is empty. */
  #slots = new Uint32Array(256);
  /** By number, counted from 1. */
  #values = new Float64Array(128);
  #isConverted = new Uint8Array(128);
  #count = 1;

  readonly #bits = new Float64Array(1);
  readonly #words = new Uint32Array(this.#bits.buffer);

  /**
   * The number of a price; the same for equal prices of one kind.
   *
   * @param isConverted 1 when the price was recorded in another unit.
   * @returns At least 1.
   */
  numberOf(value: number, isConverted: number): number {
    let slot = this.#slotOf(value, isConverted);
    while (this.#slots[slot] !== 0) {
      const number = this.#slots[slot]!;
      if (this.#values[number] === value && this.#isConverted[number] === isConverted) return number;
      slot = (slot + 1) & (this.#slots.length - 1);
    }
    if (this.#count === this.#values.length) {
      this.#grow();
      return this.numberOf(value, isConverted);
    }
    this.#slots[slot] = this.#count;
    this.#values[this.#count] = value;
    this.#isConverted[this.#count] = isConverted;
    return this.#count++;
  }

  /**
   * @returns `codes[number]` is the place of a price among all, ascending, those recorded in the unit itself before equal
   * ones that were converted; `values` and `isConverted` are by code. Code 0 stands for none of them.
   */
  finish(): { codes: Uint32Array; values: Float64Array; isConverted: Uint8Array } {
    const values = this.#values.slice(0, this.#count);
    values.subarray(1).sort();
    const codes = new Uint32Array(this.#count);
    const isConverted = new Uint8Array(this.#count);
    for (let number = 1; number < this.#count; number++) {
      const value = this.#values[number]!;
      let code = firstAtLeast(values, value);
      // Of each price there are at most two: one as recorded, one converted.
      if (this.#isConverted[number] === 1 && values[code + 1] === value) code++;
      codes[number] = code;
      isConverted[code] = this.#isConverted[number]!;
    }
    return { codes, values, isConverted };
  }

  #slotOf(value: number, isConverted: number): number {
    this.#bits[0] = value;
    const hash = Math.imul(this.#words[0]! ^ isConverted, 0x85ebca6b) ^ Math.imul(this.#words[1]!, 0xc2b2ae35);
    return (hash ^ (hash >>> 15)) & (this.#slots.length - 1);
  }

  #grow(): void {
    const values = new Float64Array(this.#values.length * 2);
    values.set(this.#values);
    this.#values = values;
    const isConverted = new Uint8Array(values.length);
    isConverted.set(this.#isConverted);
    this.#isConverted = isConverted;
    this.#slots = new Uint32Array(values.length * 2);
    for (let number = 1; number < this.#count; number++) {
      let slot = this.#slotOf(values[number]!, isConverted[number]!);
      while (this.#slots[slot] !== 0) slot = (slot + 1) & (this.#slots.length - 1);
      this.#slots[slot] = number;
    }
  }
}

/** The first place, counted from 1, of ascending values that holds at least `value`. */
function firstAtLeast(values: Float64Array, value: number): number {
  let low = 1;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
