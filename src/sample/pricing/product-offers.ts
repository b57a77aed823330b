import type { SampleProduct } from "../products.ts";
import type { SeededRandom } from "../random/seeded-random.ts";

/** The shares of a product's offers make so many. */
const shareTotal = 100;

/** Large amounts cost less for what they hold, small ones more. */
const bulkFactors: readonly (readonly [fromAmount: number, factor: number])[] = [
  [500, 0.9],
  [50, 0.94],
  [10, 0.97],
  [0.6, 1],
  [0, 1.06],
];

/** The offers of all products (see trades.ts) as flat columns: offer o of the table is one of one product. */
export class ProductOffers {
  /** Position in `units`, by offer. */
  readonly units: Uint16Array;
  /** What one of the unit costs, compared with one base unit, by offer. */
  readonly factors: Float64Array;
  /** First offer of each product. */
  readonly #firsts: Uint32Array;
  /** Sum of the shares of this offer and those before it of the same product. */
  readonly #sharesUpTo: Uint8Array;

  constructor(products: readonly SampleProduct[]) {
    const offers = products.flatMap((product) => product.offers);
    this.units = Uint16Array.from(offers, ({ unit }) => unit);
    this.factors = Float64Array.from(offers, ({ amount }) => amount * bulkFactor(amount));
    let offerCount = 0;
    this.#firsts = Uint32Array.from(products, (product) => {
      const first = offerCount;
      offerCount += product.offers.length;
      return first;
    });
    this.#sharesUpTo = Uint8Array.from(
      products.flatMap((product) => {
        let sum = 0;
        return product.offers.map(({ share }) => (sum += share));
      }),
    );
  }

  /** The offer of a price of a product. */
  draw(product: number, random: SeededRandom): number {
    let offer = this.#firsts[product] as number;
    const share = random.below(shareTotal);
    while ((this.#sharesUpTo[offer] as number) <= share) offer++;
    return offer;
  }
}

function bulkFactor(amount: number): number {
  return bulkFactors.find(([from]) => amount >= from)?.[1] ?? 1;
}
