/**
 * The prices of a sample, one after the other, into columns: all columns of a whole table, or a small block that is
 * filled again and again. Both get the same prices; no object is made per price.
 */
import { type Day, dayMilliseconds, dayText } from "../../src/engine/model/calendar.ts";
import type { PriceRows, PriceTexts } from "../../src/engine/model/price-columns.ts";
import { missingCode } from "../../src/engine/model/shared-columns.ts";
import { weekDays } from "../../src/engine/model/vocabulary.ts";
import { mixture, named, units } from "./reference.ts";
import type { SamplePeriod } from "./sample-options.ts";
import { type SampleMarket, type SampleProduct, type SampleTables, utcOffset } from "./sample-tables.ts";
import { PopularityDraw, SeededRandom } from "./seeded-random.ts";

/** Every so many-th price is of the product whose turn it is, so that unpopular products have prices too. */
export const turnInterval = 8;

/** Prices of one market at one instant come in batches of 4 to 27. */
const batchMin = 4;
const batchSpan = 24;

/** The last day has 45 % more prices than the first. */
const growth = 0.45;

/** A batch is entered at most so many days after its market day. */
const daysLateMax = 9;

/**
 * One in so many prices at markets near a border is in the neighbours' currency: half a percent of all prices.
 */
const borderPricesOneIn = 50;

/** Prices rise by 7.5 % of their first level a year. */
const yearlyRise = 0.075;

/** Midnight in Nairobi and the milliseconds around it, where calendars go wrong. */
const edgeTimes = [0, 1, dayMilliseconds - 2, dayMilliseconds - 1];

const minute = 60_000;
const currencies = Object.keys(mixture.rates);
const rates = Object.values(mixture.rates);
const sharedNotes = mixture.noteConditions.flatMap((condition) =>
  mixture.noteRemarks.map((remark) => `${condition}; ${remark}`),
);

export class PriceGenerator {
  readonly #noteTexts = [...sharedNotes];
  /** Texts by code, also of codes that no price has. Notes are added as prices are made. */
  readonly texts: PriceTexts = {
    unitNames: units.map(({ name }) => name),
    currencyCodes: currencies,
    sourceNames: mixture.sources,
    gradeNames: mixture.grades,
    noteTexts: this.#noteTexts,
    flagNames: [],
  };
  readonly #sample: SampleTables;
  readonly #random: SeededRandom;
  readonly #popularProducts: PopularityDraw;
  readonly #popularMarkets: PopularityDraw;
  readonly #markets: readonly SampleMarket[];
  /** By market: a bit for each day of the week. */
  readonly #openDays: Uint8Array;
  readonly #marketLevels: Float64Array;
  /** By market: position of the neighbours' currency in `currencies`, 0 where there is none. */
  readonly #borderCurrencies: Uint8Array;
  /**
   * A hundred entries a product, as many of each unit as its share: code of the unit, and what one costs in base units.
   */
  readonly #units: Uint8Array;
  readonly #amounts: Float64Array;
  /** By day of the sample: its month, counted from the first. */
  readonly #months: Uint16Array;
  readonly #monthCount: number;
  /** By product and month: Kenya cents for one base unit. */
  readonly #levels: Float64Array;
  #made = 0;
  /** What the prices of the current batch share. */
  #left = 0;
  #market = 0;
  #month = 0;
  #recordedAt = 0;
  #enteredAt = 0;
  #source = 0;

  constructor(sample: SampleTables) {
    const { options, period, products, markets } = sample;
    this.#sample = sample;
    this.#random = new SeededRandom(options.seed, "prices");
    this.#popularProducts = new PopularityDraw(products.length, this.#random);
    this.#popularMarkets = new PopularityDraw(markets.length, this.#random);
    this.#markets = markets;
    this.#openDays = Uint8Array.from(markets, ({ record }) =>
      record.operatingDays.reduce((bits, day) => bits | (1 << weekDays.indexOf(day)), 0),
    );
    this.#marketLevels = Float64Array.from(markets, ({ priceLevel }) => priceLevel);
    this.#borderCurrencies = Uint8Array.from(markets, (market) => currencies.indexOf(market.borderCurrency ?? "KES"));
    const offers = products.flatMap(({ trade }) =>
      named("trade", mixture.trades[trade], trade).flatMap(({ unit, share, amount }) => {
        const code = units.findIndex(({ name }) => name === unit);
        const factor = amount ?? named("unit", units[code], unit).conversionFactor;
        return Array.from({ length: share }, () => ({ code, factor }));
      }),
    );
    this.#units = Uint8Array.from(offers, ({ code }) => code);
    this.#amounts = Float64Array.from(offers, ({ factor }) => factor);
    this.#months = monthByDay(period);
    this.#monthCount = (this.#months.at(-1) as number) + 1;
    this.#levels = Float64Array.from(
      products.flatMap((product) => monthlyLevels(product, monthOf(period.dayFirst), this.#monthCount, this.#random)),
    );
  }

  /** Writes the next `count` prices of the sample into the rows from 0 on. Cost: a fifth of a microsecond a price. */
  fill(rows: PriceRows, count: number): void {
    for (let row = 0; row < count; row++) {
      if (this.#left === 0) this.#startBatch();
      this.#writePrice(rows, row);
      this.#left--;
      this.#made++;
    }
  }

  #startBatch(): void {
    const random = this.#random;
    const { options, period } = this.#sample;
    const share = this.#made / options.prices;
    // Where growth is even, the part p of the period with this share of prices solves p + growth·p²/2 = share·(1 +
    // growth/2).
    const part = (Math.sqrt(1 + growth * (2 + growth) * share) - 1) / growth;
    const due = Math.min(period.dayCount - 1, Math.floor(part * period.dayCount));
    let day = due;
    this.#market = this.#popularMarkets.draw(random);
    // The first market is held on every day, so this ends.
    while (!this.#isOpen(this.#market, day)) {
      this.#market = this.#popularMarkets.draw(random);
      day = due - random.below(daysLateMax + 1);
    }
    this.#month = this.#months[day] as number;
    this.#recordedAt = (period.dayFirst + day) * dayMilliseconds - utcOffset + this.#drawTime();
    this.#enteredAt = this.#recordedAt + (due - day) * dayMilliseconds + (1 + random.below(600)) * minute;
    this.#source = random.below(mixture.sources.length);
    this.#left = batchMin + random.below(batchSpan);
  }

  /** @param day Counted from the first day of the sample; may lie before it. */
  #isOpen(market: number, day: number): boolean {
    const { dayFrom, dayTo } = this.#markets[market] as SampleMarket;
    // 0 is Monday, as in `weekDays`; 1970-01-01 was a Thursday.
    const weekDay = (this.#sample.period.dayFirst + day + 3) % weekDays.length;
    return day >= dayFrom && day < dayTo && (((this.#openDays[market] as number) >> weekDay) & 1) === 1;
  }

  /** Half of the batches keep the market's usual time, so that batches of a day share instants. */
  #drawTime(): number {
    const random = this.#random;
    if (random.oneIn(20)) return random.pick(edgeTimes);
    if (random.oneIn(2)) return (this.#markets[this.#market] as SampleMarket).usualTime;
    return (300 + random.below(900)) * minute + (random.oneIn(4) ? random.below(minute) : 0);
  }

  #writePrice(rows: PriceRows, row: number): void {
    const random = this.#random;
    const market = this.#market;
    const product = this.#drawProduct();
    const offer = product * 100 + random.below(100);
    const borderCurrency = this.#borderCurrencies[market] as number;
    const currency = borderCurrency !== 0 && random.oneIn(borderPricesOneIn) ? borderCurrency : 0;
    // The sum of two even draws: most sellers are near the usual price, none further than a seventh away.
    const seller = 0.86 + (random.fraction() + random.fraction()) * 0.14;
    const slip = random.oneIn(20_000) ? 10 : 1;
    const level =
      (this.#levels[product * this.#monthCount + this.#month] as number) * (this.#marketLevels[market] as number);
    const cents = level * (this.#amounts[offer] as number) * seller * slip * (rates[currency] as number);
    random.writeUuid(rows.uuids, row);
    rows.products[row] = product;
    rows.markets[row] = market;
    rows.prices[row] = (random.oneIn(4) ? Math.max(1, Math.round(cents)) : roundCents(cents)) / 100;
    rows.units[row] = this.#units[offer] as number;
    rows.currencies[row] = currency;
    rows.sources[row] = this.#source;
    rows.grades[row] = random.oneIn(8) ? random.below(mixture.grades.length) : missingCode(rows.grades);
    rows.notes[row] = random.oneIn(20) ? this.#drawNote() : missingCode(rows.notes);
    rows.flags[row] = missingCode(rows.flags);
    rows.recordedAt[row] = this.#recordedAt;
    rows.createdAt[row] = this.#enteredAt;
    // Some are corrected, up to 20 days later.
    rows.updatedAt[row] = this.#enteredAt + (random.oneIn(32) ? (1 + random.below(28_800)) * minute : 0);
    this.#enteredAt += (5 + random.below(55)) * 1000;
  }

  #drawProduct(): number {
    if (this.#made % turnInterval !== 0) return this.#popularProducts.draw(this.#random);
    return (this.#made / turnInterval) % this.#sample.products.length;
  }

  /** One note in fifty is like no other. */
  #drawNote(): number {
    if (!this.#random.oneIn(50)) return this.#random.below(sharedNotes.length);
    return this.#noteTexts.push(`Receipt ${String(this.#made + 1).padStart(8, "0")} kept`) - 1;
  }
}

function monthByDay({ dayFirst, dayCount }: SamplePeriod): Uint16Array {
  return Uint16Array.from({ length: dayCount }, (_, day) => monthOf(dayFirst + day) - monthOf(dayFirst));
}

/** Months since the year 0. @param day In days since 1970-01-01. */
function monthOf(day: number): number {
  const [year, month] = dayText(day as Day)
    .split("-")
    .map(Number) as [number, number];
  return year * 12 + month - 1;
}

/** A product's level in each month of the sample: rising over the years, with the season, up to 8 % off at random. */
function monthlyLevels(
  { cents, season }: SampleProduct,
  monthFirst: number,
  monthCount: number,
  random: SeededRandom,
): number[] {
  const { percents } = named("season", mixture.seasons[season], season);
  return Array.from({ length: monthCount }, (_, month) => {
    const percent = percents[(monthFirst + month) % 12] as number;
    return cents * (1 + (yearlyRise * month) / 12) * (percent / 100) * (0.92 + random.below(161) / 1000);
  });
}

/** Rounds to steps as coins and habit have it, of a thousandth to a fiftieth of the amount; at least a step. */
function roundCents(cents: number): number {
  let step = 10;
  while (cents >= step * 500) step *= 10;
  return Math.max(1, Math.round(cents / step)) * step;
}
