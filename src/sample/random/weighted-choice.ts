/**
 * Draws positions of a list with given weights in constant time, by the alias method (Walker 1977, in the form of
 * Vose 1991): every position keeps a share of its own column and lends the rest to one other.
 */
import type { SeededRandom } from "./seeded-random.ts";

export class WeightedChoice {
  readonly #length: number;
  /** How much of its column belongs to the position itself, from 0 to 1. */
  readonly #shares: Float64Array;
  /** To whom the rest of the column belongs. */
  readonly #aliases: Uint32Array;

  /**
   * @param weights Numbers above 0, in any measure.
   * @throws {RangeError} when there is none, or one that is not above 0.
   */
  constructor(weights: readonly number[]) {
    const bad = weights.find((weight) => !(weight > 0 && weight < Number.POSITIVE_INFINITY));
    if (weights.length === 0 || bad !== undefined) {
      throw new RangeError(`weights hold ${bad ?? "nothing"}, expected numbers above 0, at least one`);
    }
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    this.#length = weights.length;
    this.#shares = Float64Array.from(weights, (weight) => (weight * weights.length) / total);
    this.#aliases = Uint32Array.from(weights.keys());
    this.#lendColumns();
  }

  /** A position, drawn with its weight. */
  draw(random: SeededRandom): number {
    const place = random.fraction() * this.#length;
    const column = Math.floor(place);
    return place - column < (this.#shares[column] as number) ? column : (this.#aliases[column] as number);
  }

  #lendColumns(): void {
    const poor: number[] = [];
    const rich: number[] = [];
    for (const [position, share] of this.#shares.entries()) (share < 1 ? poor : rich).push(position);
    for (;;) {
      const taker = poor.pop();
      const giver = rich.at(-1);
      if (taker === undefined || giver === undefined) return;
      this.#aliases[taker] = giver;
      this.#shares[giver] = (this.#shares[giver] as number) - (1 - (this.#shares[taker] as number));
      if ((this.#shares[giver] as number) < 1) poor.push(rich.pop() as number);
    }
  }
}

/** Keeps the most popular from taking everything. */
const rankOffset = 5;

/**
 * Weights by popularity after the law of Zipf and Mandelbrot, with exponent 1: of 120 the first has 25 times the weight
 * of the last.
 *
 * @param ranks Rank of each position, 0 the most popular.
 */
export function popularityWeights(ranks: readonly number[]): number[] {
  return ranks.map((rank) => 1 / (rank + rankOffset));
}
