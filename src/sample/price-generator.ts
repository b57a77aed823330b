/**
 * The prices of a sample, one after the other, straight into columns. Whoever wants a table hands in all its columns;
 * whoever writes files hands in the same small block again and again. Both get the same prices, and neither makes an
 * object per price.
 */
import { noNotes, noQualityGrade } from "../domain/dataset.ts";
import { FirstUseCodes } from "./first-use-codes.ts";
import type { PriceBlock, PriceTexts } from "./price-block.ts";
import { bargainedCents } from "./pricing/bargained-cents.ts";
import { ForeignMoney } from "./pricing/foreign-money.ts";
import { MarketCalendar } from "./pricing/market-calendar.ts";
import { MarketVisits } from "./pricing/market-visits.ts";
import { PriceLevels } from "./pricing/price-levels.ts";
import { ProductOffers } from "./pricing/product-offers.ts";
import { SeededRandom } from "./random/seeded-random.ts";
import { type SeededUuids, uuidKinds } from "./random/seeded-uuids.ts";
import { popularityWeights, WeightedChoice } from "./random/weighted-choice.ts";
import { currencies, inCurrency } from "./reference/currencies.ts";
import { ownNote, sharedNotes } from "./reference/note-texts.ts";
import { units } from "./reference/units.ts";
import type { SampleFrame } from "./sample-frame.ts";

/** Every so many-th price is of the product whose turn it is, so that unpopular products have prices too. */
export const turnInterval = 8;

const sourceNames = ["County price desk", "Market master", "Farmers' cooperative", "Telephone survey", "Trader's app"];
const gradeNames = ["Grade 1", "Grade 2", "Fair average quality", "Export"];
const second = 1000;
const minute = 60_000;

/** The latest correction comes so many minutes after the entry: 20 days. */
const correctionMinutesMax = 28_800;

export class PriceGenerator {
  /** The texts of the codes given so far. */
  readonly texts: PriceTexts;
  readonly #uuids: SeededUuids;
  readonly #random: SeededRandom;
  readonly #visits: MarketVisits;
  readonly #levels: PriceLevels;
  readonly #offers: ProductOffers;
  readonly #money: ForeignMoney;
  readonly #products: WeightedChoice;
  readonly #productCount: number;
  readonly #marketLevels: Float64Array;
  readonly #units = new FirstUseCodes(units.map(({ name }) => name));
  readonly #currencies = new FirstUseCodes(currencies);
  readonly #sources = new FirstUseCodes(sourceNames);
  readonly #grades = new FirstUseCodes(gradeNames);
  readonly #notes = new FirstUseCodes(sharedNotes);
  /** How many prices have been made. */
  #made = 0;
  #leftOfVisit = 0;
  #enteredAt = 0;
  #source = 0;

  constructor({ options, period, products, markets, uuids }: SampleFrame) {
    const { seed } = options;
    const marketPopularity = popularityWeights(new SeededRandom(seed, "marketRanks").permutation(markets.length));
    const productPopularity = popularityWeights(new SeededRandom(seed, "productRanks").permutation(products.length));
    const calendar = new MarketCalendar(period, markets, marketPopularity, options.prices);
    this.#uuids = uuids;
    this.#random = new SeededRandom(seed, "prices");
    this.#visits = new MarketVisits(period, calendar, markets, new SeededRandom(seed, "visits"));
    this.#levels = new PriceLevels(period, products, new SeededRandom(seed, "levels"));
    this.#offers = new ProductOffers(products);
    this.#money = new ForeignMoney(markets, marketPopularity);
    this.#products = new WeightedChoice(productPopularity);
    this.#productCount = products.length;
    this.#marketLevels = Float64Array.from(markets, ({ priceLevel }) => priceLevel);
    this.texts = {
      unitNames: this.#units.texts,
      currencyCodes: this.#currencies.texts,
      sourceNames: this.#sources.texts,
      gradeNames: this.#grades.texts,
      noteTexts: this.#notes.texts,
    };
  }

  /**
   * Writes the next `count` prices into the rows of a block from 0 on.
   *
   * Cost: about half a microsecond a price.
   * @throws {RangeError} when the block is too small or the sample has fewer prices left.
   */
  fill(block: PriceBlock, count: number): void {
    if (count > block.rowCount) throw new RangeError(`count is ${count}, expected at most ${block.rowCount}`);
    for (let row = 0; row < count; row++) {
      if (this.#leftOfVisit === 0) this.#startVisit();
      this.#writePrice(block, row);
      this.#leftOfVisit--;
      this.#made++;
    }
  }

  #startVisit(): void {
    this.#visits.next();
    this.#leftOfVisit = this.#visits.current.priceCount;
    this.#enteredAt = this.#visits.current.enteredAt;
    this.#source = this.#random.below(sourceNames.length);
  }

  #writePrice(block: PriceBlock, row: number): void {
    const random = this.#random;
    const { day, market, recordedAt } = this.#visits.current;
    const product = this.#drawProduct();
    const offer = this.#offers.draw(product, random);
    const currency = this.#money.draw(market, random);
    this.#uuids.write(block.uuids, row, uuidKinds.price, this.#made);
    block.products[row] = product;
    block.markets[row] = market;
    block.prices[row] = this.#drawCents(product, offer, market, day, currency) / 100;
    block.units[row] = this.#units.codeOf(this.#offers.units[offer] as number);
    block.currencies[row] = this.#currencies.codeOf(currency);
    block.sources[row] = this.#sources.codeOf(this.#source);
    block.grades[row] = random.oneIn(8) ? this.#grades.codeOf(random.below(gradeNames.length)) : noQualityGrade;
    block.notes[row] = random.oneIn(20) ? this.#drawNote() : noNotes;
    block.recordedAt[row] = recordedAt;
    block.createdAt[row] = this.#enteredAt;
    block.updatedAt[row] = this.#enteredAt + (random.oneIn(32) ? (1 + random.below(correctionMinutesMax)) * minute : 0);
    // The prices of a visit are typed in one after the other.
    this.#enteredAt += (5 + random.below(55)) * second;
  }

  #drawProduct(): number {
    if (this.#made % turnInterval !== 0) return this.#products.draw(this.#random);
    return (this.#made / turnInterval) % this.#productCount;
  }

  #drawCents(product: number, offer: number, market: number, day: number, currency: number): number {
    const random = this.#random;
    const usual = this.#levels.at(product, day) * (this.#marketLevels[market] as number);
    // The sum of two even draws: most sellers are near the usual price, none further than a seventh away.
    const seller = 0.86 + (random.fraction() + random.fraction()) * 0.14;
    // A slip of the pen.
    const slip = random.oneIn(20_000) ? 10 : 1;
    const cents = usual * (this.#offers.factors[offer] as number) * seller * slip;
    return bargainedCents(inCurrency(cents, currency), random.oneIn(4));
  }

  /** One note in fifty is like no other. */
  #drawNote(): number {
    if (this.#random.oneIn(50)) return this.#notes.codeOfNew(ownNote(this.#made + 1));
    return this.#notes.codeOf(this.#random.below(sharedNotes.length));
  }
}
