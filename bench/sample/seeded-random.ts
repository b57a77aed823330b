/**
 * What the numbers are for: each purpose has a stream of its own, so that more products leave the markets as they are.
 */
const streams = { products: 1, markets: 2, prices: 3 } as const;

const two32 = 4_294_967_296;

/** Rounds thrown away after seeding, as PractRand does for three words of seed. */
const warmUpRounds = 15;

/**
 * Random numbers that a seed repeats on every machine: sfc32, Chris Doty-Humphrey's "small fast chaotic" generator of
 * PractRand (pracrand.sourceforge.net, public domain), on 32-bit integers alone.
 */
export class SeededRandom {
  #a: number;
  #b: number;
  #c = 0x9e37_79b9 | 0;
  #counter = 1;

  /** @param seed Any integer from 0 to 2^32 - 1. */
  constructor(seed: number, stream: keyof typeof streams) {
    this.#a = seed | 0;
    this.#b = streams[stream];
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

  /** A number from 0 (inclusive) to 1 (exclusive). */
  fraction(): number {
    return this.next() / two32;
  }

  /** An integer from 0 to `limit - 1`. */
  below(limit: number): number {
    return Math.floor((this.next() / two32) * limit);
  }

  /** True once in `times` on average. */
  oneIn(times: number): boolean {
    return this.next() * times < two32;
  }

  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /**
   * Writes a UUID of version 4 into row `row` of a flat array, see src/engine/model/ids.ts. Of the 122 random
   * bits a hundred million UUIDs repeat one with a probability below 1e-21.
   */
  writeUuid(words: Uint32Array, row: number): void {
    const at = row * 4;
    words[at] = this.next();
    words[at + 1] = (this.next() & 0xffff_0fff) | 0x4000;
    words[at + 2] = (this.next() & 0x3fff_ffff) | 0x8000_0000;
    words[at + 3] = this.next();
  }
}

const drawBits = 15;

/** Keeps the most popular from taking everything. */
const rankOffset = 5;

/**
 * Draws of positions by popularity, after the law of Zipf and Mandelbrot with exponent 1: of 120 the first has 25 times
 * the weight of the last. Which position has which rank is random. Cost of a draw: one look-up in a table, in which
 * each position takes up as much room as its weight.
 */
export class PopularityDraw {
  readonly #table = new Uint16Array(1 << drawBits);

  /** @param count How many positions there are, at most 2000: the last of them still has two entries of the table. */
  constructor(count: number, random: SeededRandom) {
    const ranks = Uint16Array.from({ length: count }, (_, position) => position);
    for (let last = count - 1; last > 0; last--) {
      const other = random.below(last + 1);
      [ranks[last], ranks[other]] = [ranks[other] as number, ranks[last] as number];
    }
    const weights = Array.from(ranks, (rank) => 1 / (rank + rankOffset));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    let weightUpTo = 0;
    let from = 0;
    for (const [position, weight] of weights.entries()) {
      weightUpTo += weight;
      const to = Math.round((weightUpTo / total) * this.#table.length);
      this.#table.fill(position, from, to);
      from = to;
    }
  }

  draw(random: SeededRandom): number {
    return this.#table[random.next() >>> (32 - drawBits)] as number;
  }
}
