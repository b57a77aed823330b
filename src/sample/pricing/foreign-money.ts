/** Nearly all prices are in Kenya shillings; at border markets some are in other money. */

import type { SampleMarket } from "../markets.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { currencies } from "../reference/currencies.ts";

/** Which share of all prices is in foreign money, as far as there are border markets. */
const foreignShare = 0.005;

export class ForeignMoney {
  /** By market: the position in `currencies` of the foreign money there, 0 where there is none. */
  readonly #currencies: Uint16Array;
  /** At border markets one price in so many is in foreign money. */
  readonly #oneIn: number;

  /** @param popularity Weights of the markets, by position. */
  constructor(markets: readonly SampleMarket[], popularity: readonly number[]) {
    this.#currencies = Uint16Array.from(markets, ({ currency }) => currencies.indexOf(currency));
    let all = 0;
    let atBorder = 0;
    for (const [position, { record, yearFirst, yearLast }] of markets.entries()) {
      const weight = (popularity[position] as number) * record.operatingDays.length * (yearLast - yearFirst + 1);
      all += weight;
      if (this.#currencies[position] !== 0) atBorder += weight;
    }
    this.#oneIn = Math.max(1, atBorder / all / foreignShare);
  }

  /** The currency of a price at a market, as a position in `currencies`. */
  draw(market: number, random: SeededRandom): number {
    const foreign = this.#currencies[market] as number;
    return foreign !== 0 && random.oneIn(this.#oneIn) ? foreign : 0;
  }
}
