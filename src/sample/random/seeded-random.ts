/**
 * Random numbers that a seed repeats on every machine: sfc32, Chris Doty-Humphrey's "small fast chaotic" generator of
 * PractRand (pracrand.sourceforge.net, public domain), on 32-bit integers alone.
 */
const two32 = 4_294_967_296;

/** Rounds thrown away after seeding, as PractRand does for three words of seed. */
const warmUpRounds = 15;

/** One stream of random numbers for each purpose, so that a change in one part of a sample leaves the others alone. */
export const randomStreams = {
  uuids: 1,
  products: 2,
  markets: 3,
  productRanks: 4,
  marketRanks: 5,
  levels: 6,
  visits: 7,
  prices: 8,
} as const;
export type RandomStream = keyof typeof randomStreams;

export class SeededRandom {
  #a: number;
  #b: number;
  #c = 0x9e37_79b9 | 0;
  #counter = 1;

  /**
   * @param seed Any integer from 0 to 2^32 - 1.
   * @param stream Numbers of different streams have nothing to do with each other.
   */
  constructor(seed: number, stream: RandomStream) {
    this.#a = seed | 0;
    this.#b = randomStreams[stream];
    for (let round = 0; round < warmUpRounds; round++) this.next();
  }

  /** The next number: an integer from 0 to 2^32 - 1. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return sum >>> 0;
  }

  /** A number from 0 (inclusive) to 1 (exclusive) with 32 random bits. */
  fraction(): number {
    return this.next() / two32;
  }

  /** An integer from 0 to `limit - 1`. Every one is as likely as the others, up to one part in 2^32 / limit. */
  below(limit: number): number {
    return Math.floor((this.next() / two32) * limit);
  }

  /** True once in `times` on average. */
  oneIn(times: number): boolean {
    return this.next() * times < two32;
  }

  /**
   * One of a list.
   *
   * @throws {RangeError} when the list is empty.
   */
  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new RangeError("nothing to pick from, expected a list that is not empty");
    return list[this.below(list.length)] as T;
  }

  /** The integers from 0 to `length - 1` in random order (Fisher and Yates). */
  permutation(length: number): number[] {
    const order = Array.from({ length }, (_, index) => index);
    for (let last = length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [order[last], order[other]] = [order[other] as number, order[last] as number];
    }
    return order;
  }
}
