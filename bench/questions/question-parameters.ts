/** Parameters that fit a dataset: products, markets and days that have prices, drawn from the prices themselves. */
import { type Day, dayMilliseconds, dayText } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { readUuid } from "../../src/engine/model/ids.ts";
import type { MarketType } from "../../src/engine/model/vocabulary.ts";
import { RandomChoice } from "./random-choice.ts";

/** Where and what one price was, as filters name it. */
export interface PricePlace {
  readonly uuid: string;
  readonly product: string;
  readonly market: string;
  readonly county: number;
  readonly marketType: MarketType;
  readonly price: number;
}

/** Days as requests write them, both inclusive. */
export interface DayRange {
  readonly start_date: string;
  readonly end_date: string;
}

export class QuestionParameters {
  readonly random: RandomChoice;
  readonly #dataset: Dataset;
  readonly #mixedProducts: readonly number[];
  readonly #dayFirst: Day;
  readonly #dayLast: Day;

  constructor(dataset: Dataset, seed: number) {
    this.random = new RandomChoice(seed);
    this.#dataset = dataset;
    this.#mixedProducts = productsInSeveralUnits(dataset);
    const { utcOffset } = dataset.snapshot;
    let oldest = Infinity;
    let newest = -Infinity;
    for (const instant of dataset.prices.recordedAt) {
      if (instant < oldest) oldest = instant;
      if (instant > newest) newest = instant;
    }
    this.#dayFirst = Math.floor((oldest + utcOffset) / dayMilliseconds) as Day;
    this.#dayLast = Math.floor((newest + utcOffset) / dayMilliseconds) as Day;
  }

  /** The row of any price, so that popular products and markets are met more often. */
  anyPrice(): PricePlace {
    return this.#placeOf(this.random.below(this.#dataset.prices.rowCount));
  }

  /** The row of a price of a product that is traded in several units. */
  mixedPrice(): PricePlace {
    const product = this.random.of(this.#mixedProducts);
    const { products, rowCount } = this.#dataset.prices;
    let row = this.random.below(rowCount);
    while (products[row] !== product) row = (row + 1) % rowCount;
    return this.#placeOf(row);
  }

  /** All whole months of the last ten years of the dataset (fewer if it is younger), from a month chosen at random. */
  wholeMonths(): DayRange {
    const last = new Date((this.#dayLast + 1) * dayMilliseconds);
    const end = Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 1);
    const tenYearsBefore = Date.UTC(last.getUTCFullYear() - 10, last.getUTCMonth() + this.random.below(3), 1);
    return rangeOf((tenYearsBefore / dayMilliseconds) as Day, (end / dayMilliseconds - 1) as Day);
  }

  /** Ten years (or all there is) that begin and end on any day of a month. */
  tenYears(): DayRange {
    return rangeOf(
      (this.#dayLast - 3652 + this.random.below(40)) as Day,
      (this.#dayLast - this.random.below(40)) as Day,
    );
  }

  /** So many days, somewhere within the dataset. */
  days(count: number): DayRange {
    const first = this.random.between(this.#dayFirst, Math.max(this.#dayFirst, this.#dayLast - count + 1));
    return rangeOf(first as Day, (first + count - 1) as Day);
  }

  /** From one price to another: about a third of all prices. */
  priceRange(): { min_price: number; max_price: number } {
    const prices = [this.anyPrice().price, this.anyPrice().price];
    return { min_price: Math.min(...prices), max_price: Math.max(...prices) };
  }

  /** From one price to one that is a fiftieth higher. */
  narrowPriceRange(): { min_price: number; max_price: number } {
    const { price } = this.anyPrice();
    return { min_price: price, max_price: Math.round(price * 102) / 100 };
  }

  #placeOf(row: number): PricePlace {
    const { products, markets, prices } = this.#dataset;
    const product = products[prices.products[row] ?? -1];
    const market = markets[prices.markets[row] ?? -1];
    if (product === undefined || market === undefined) throw new RangeError(`price ${row} has no product or market`);
    return {
      uuid: readUuid(prices.uuids, row),
      product: product.uuid,
      market: market.uuid,
      county: market.countyId,
      marketType: market.type,
      price: prices.prices[row] as number,
    };
  }
}

function rangeOf(first: Day, last: Day): DayRange {
  return { start_date: dayText(first), end_date: dayText(last) };
}

/** Positions of the products that have prices in at least two units of one base unit. */
function productsInSeveralUnits({ products, prices, unitCategories }: Dataset): number[] {
  const units = new Map(unitCategories.flatMap((category) => category.units.map((unit) => [unit.name, unit])));
  const used = products.map(() => new Set<number>());
  for (let row = 0; row < prices.rowCount; row++)
    used[prices.products[row] as number]?.add(prices.units[row] as number);
  const mixed = products.keys().filter((product) => {
    const bases = [...(used[product] ?? [])].map((code) => units.get(prices.unitNames[code] ?? "")?.baseUnit);
    return new Set(bases).size < bases.length;
  });
  return [...mixed];
}
