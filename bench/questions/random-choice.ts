/** A repeatable source of choices, so that every run asks the same questions. */
export class RandomChoice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 (inclusive) to 1 (exclusive). Source: the mulberry32 generator of Tommy Ettinger. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 to `end` (exclusive). */
  below(end: number): number {
    return Math.floor(this.fraction() * end);
  }

  /** A whole number from `min` to `max` (both inclusive). */
  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  /** One of some things; there must be one. */
  of<Item>(items: ArrayLike<Item>): Item {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError("nothing to choose from");
    return item;
  }
}
