/**
 * What products cost in the country as a whole: prices rise over the years, good and bad years alternate, harvests make
 * things cheap. Levels are fixed for the first of every month and run in straight lines between, with nothing but the
 * four basic operations, which give the same on every machine.
 */
import { dayMilliseconds } from "../../domain/calendar-day.ts";
import type { SampleProduct } from "../products.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import type { SamplePeriod } from "../sample-options.ts";

/** Percent of the year's level in January to December. */
const seasons: Readonly<Record<string, readonly number[]>> = {
  /** Main harvest October to January, shortage from May to July. */
  grain: [90, 94, 100, 106, 113, 118, 117, 110, 101, 90, 84, 85],
  /** Two harvests: July and August, January and February. */
  pulse: [92, 88, 96, 104, 110, 108, 95, 90, 97, 106, 110, 104],
  /** Cheap in and after the rains of April and November. */
  vegetable: [108, 118, 122, 104, 86, 82, 92, 102, 112, 110, 94, 84],
  /** Cheap from November to February. */
  fruit: [82, 84, 95, 104, 110, 114, 116, 114, 110, 104, 92, 82],
  /** Pasture and fish are short in the dry months. */
  dry: [108, 112, 110, 98, 92, 92, 95, 99, 104, 104, 96, 97],
  steady: [100, 100, 101, 101, 100, 100, 99, 99, 100, 100, 100, 100],
};

const monthsPerYear = 12;

/** What prices rise by each year, in hundredths of their first level. */
const yearlyRise = 0.075;

export class PriceLevels {
  /** Knots of each product, one a month and one more; then those of the next product. */
  readonly #knots: Float64Array;
  readonly #knotCount: number;
  /** By day of the period: which month it is in, and how far on. */
  readonly #months: Uint16Array;
  readonly #monthShares: Float64Array;

  constructor(period: SamplePeriod, products: readonly SampleProduct[], random: SeededRandom) {
    this.#months = new Uint16Array(period.dayCount);
    this.#monthShares = new Float64Array(period.dayCount);
    const monthFirst = this.#placeDays(period);
    this.#knotCount = (this.#months.at(-1) as number) + 2;
    this.#knots = new Float64Array(products.length * this.#knotCount);
    for (const [product, { cents, season }] of products.entries()) {
      const shares = seasons[season];
      if (shares === undefined) throw new RangeError(`season is "${season}", expected one of price-levels.ts`);
      let yearLevel = yearLevelOf(random);
      let nextYearLevel = yearLevelOf(random);
      for (let month = 0; month < this.#knotCount; month++) {
        const monthOfYear = month % monthsPerYear;
        if (month > 0 && monthOfYear === 0) [yearLevel, nextYearLevel] = [nextYearLevel, yearLevelOf(random)];
        const rise = 1 + (yearlyRise * month) / monthsPerYear;
        const year = yearLevel + ((nextYearLevel - yearLevel) * monthOfYear) / monthsPerYear;
        const share = (shares[(monthFirst + month) % monthsPerYear] as number) / 100;
        this.#knots[product * this.#knotCount + month] = cents * rise * year * share;
      }
    }
  }

  /**
   * Kenya cents for one base unit of a product.
   *
   * @param day Counted from the first day of the period.
   */
  at(product: number, day: number): number {
    const knot = product * this.#knotCount + (this.#months[day] as number);
    const from = this.#knots[knot] as number;
    const to = this.#knots[knot + 1] as number;
    return from + (to - from) * (this.#monthShares[day] as number);
  }

  /** @returns The month of the year in which the period begins, 0 for January. */
  #placeDays({ dayFirst, dayCount }: SamplePeriod): number {
    const dateOf = (day: number): Date => new Date((dayFirst + day) * dayMilliseconds);
    const first = dateOf(0);
    for (let day = 0; day < dayCount; day++) {
      const date = dateOf(day);
      const year = date.getUTCFullYear();
      const month = date.getUTCMonth();
      const daysInMonth = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
      this.#months[day] = (year - first.getUTCFullYear()) * monthsPerYear + month - first.getUTCMonth();
      this.#monthShares[day] = (date.getUTCDate() - 1) / daysInMonth;
    }
    return first.getUTCMonth();
  }
}

/** Years are up to an eighth better or worse than the usual. */
function yearLevelOf(random: SeededRandom): number {
  return 0.875 + random.below(251) / 1000;
}
