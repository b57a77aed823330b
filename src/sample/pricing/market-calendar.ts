/**
 * Which markets are held on which day, and how many prices become known day by day. Prices are taken on market days
 * only; a day's number of prices grows with the markets that are held and, as with real publications, over the years.
 */
import { weekDays } from "../../domain/vocabulary.ts";
import type { SampleMarket } from "../markets.ts";
import { WeightedChoice } from "../random/weighted-choice.ts";
import type { SamplePeriod } from "../sample-options.ts";

/** The markets held on some day. */
interface OpenMarkets {
  /** Positions in the list of markets. */
  readonly markets: readonly number[];
  readonly choice: WeightedChoice;
}

/** In small samples prices come in bundles of this many with days between, rather than one a day. */
export const bundleSize = 16;

const daysPerYear = 365.25;

/** How many times more prices the first year has than it grows by in each following one. */
const growthBase = 20;

export class MarketCalendar {
  readonly #period: SamplePeriod;
  readonly #priceCount: number;
  /** By year of the sample and day of the week; undefined where no market is held. */
  readonly #openMarkets: readonly (OpenMarkets | undefined)[];
  /** Sum of the weights of all days up to this one (inclusive). */
  readonly #weightsUpTo: Float64Array;

  /**
   * @param popularity Weights of the markets, by position.
   * @param priceCount How many prices the whole sample has.
   */
  constructor(
    period: SamplePeriod,
    markets: readonly SampleMarket[],
    popularity: readonly number[],
    priceCount: number,
  ) {
    this.#period = period;
    this.#priceCount = priceCount;
    const yearCount = this.#yearOf(period.dayCount - 1) + 1;
    this.#openMarkets = Array.from({ length: yearCount * weekDays.length }, (_, index) =>
      openMarketsOf(markets, popularity, Math.floor(index / weekDays.length), index % weekDays.length),
    );
    let sum = 0;
    this.#weightsUpTo = Float64Array.from({ length: period.dayCount }, (_, day) => {
      sum += (this.openMarkets(day)?.markets.length ?? 0) * (growthBase + this.#yearOf(day));
      return sum;
    });
  }

  /** @param day Counted from the first day of the period. */
  openMarkets(day: number): OpenMarkets | undefined {
    return this.#openMarkets[this.#yearOf(day) * weekDays.length + this.#weekDayOf(day)];
  }

  /** How many prices have become known by the end of a day; on the last market day all of them. */
  pricesUpTo(day: number): number {
    const total = this.#weightsUpTo[this.#weightsUpTo.length - 1] as number;
    const weight = this.#weightsUpTo[day] as number;
    if (weight === total) return this.#priceCount;
    return Math.floor((this.#priceCount * (weight / total)) / bundleSize) * bundleSize;
  }

  /** Years of the sample begin on its first day; the last one takes what leap days leave over. */
  #yearOf(day: number): number {
    return Math.floor(day / daysPerYear);
  }

  /** 0 is Monday, as in `weekDays`; 1970-01-01 was a Thursday. */
  #weekDayOf(day: number): number {
    return (this.#period.dayFirst + day + 3) % weekDays.length;
  }
}

function openMarketsOf(
  markets: readonly SampleMarket[],
  popularity: readonly number[],
  year: number,
  weekDay: number,
): OpenMarkets | undefined {
  const name = weekDays[weekDay] as (typeof weekDays)[number];
  const open = [...markets.keys()].filter((position) => {
    const { record, yearFirst, yearLast } = markets[position] as SampleMarket;
    return yearFirst <= year && year <= yearLast && record.operatingDays.includes(name);
  });
  if (open.length === 0) return undefined;
  return { markets: open, choice: new WeightedChoice(open.map((position) => popularity[position] as number)) };
}
