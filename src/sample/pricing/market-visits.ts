/**
 * Who went to which market when: every price is taken on a visit, together with others at the same instant. Visits come
 * in the order in which their prices become known: day by day, but within a day as the reports come in, and some of them
 * days late.
 */
import { dayMilliseconds } from "../../domain/calendar-day.ts";
import type { SampleMarket } from "../markets.ts";
import type { SeededRandom } from "../random/seeded-random.ts";
import { type SamplePeriod, utcOffset } from "../sample-options.ts";
import type { MarketCalendar } from "./market-calendar.ts";

/** One visit; the same object is written anew for each, because there are many. */
export interface MarketVisit {
  /** Day of the visit, counted from the first day of the period. */
  day: number;
  /** Position in the list of markets. */
  market: number;
  /** Instants in milliseconds: when prices were taken, and when the first of them was entered. */
  recordedAt: number;
  enteredAt: number;
  /** How many prices were taken; at least one. */
  priceCount: number;
}

/** A visit brings 4 to 27 prices, unless fewer are due on the day. */
const visitPricesMin = 4;
const visitPricesSpan = 24;

/** Most days that a report can be late. */
const delayDaysMax = 9;
const minute = 60_000;

/** One visit in so many is at an edge of the day, where calendars go wrong. */
const edgeVisitsOneIn = 20;

/** Midnight in Nairobi (21:00 UTC) and the milliseconds around it, as times of the day. */
const edgeTimes = [0, 0, 1, dayMilliseconds - 2, dayMilliseconds - 1, dayMilliseconds - 1];

export class MarketVisits {
  /** The visit that `next` has made last. */
  readonly current: MarketVisit = { day: 0, market: 0, recordedAt: 0, enteredAt: 0, priceCount: 0 };
  readonly #period: SamplePeriod;
  readonly #calendar: MarketCalendar;
  readonly #usualTimes: Float64Array;
  readonly #random: SeededRandom;
  /** The day on which prices become known. */
  #day = -1;
  /** How many prices are still to become known on that day. */
  #pricesLeft = 0;
  #pricesDone = 0;

  constructor(period: SamplePeriod, calendar: MarketCalendar, markets: readonly SampleMarket[], random: SeededRandom) {
    this.#period = period;
    this.#calendar = calendar;
    this.#usualTimes = Float64Array.from(markets, ({ usualTime }) => usualTime);
    this.#random = random;
  }

  /**
   * Makes the next visit.
   *
   * @throws {RangeError} when all prices of the sample have been taken.
   */
  next(): void {
    this.#findDay();
    const random = this.#random;
    const visit = this.current;
    const delayDays = this.#delayDays();
    const day = this.#day - delayDays;
    // Some market is held on this day, or no prices would be due and the delay would be another.
    const { markets, choice } = this.#calendar.openMarkets(day) as NonNullable<
      ReturnType<MarketCalendar["openMarkets"]>
    >;
    visit.day = day;
    visit.market = markets[choice.draw(random)] as number;
    visit.recordedAt = (this.#period.dayFirst + day) * dayMilliseconds - utcOffset + this.#timeOfDay(visit.market);
    visit.enteredAt = visit.recordedAt + delayDays * dayMilliseconds + (1 + random.below(600)) * minute;
    visit.priceCount = Math.min(this.#pricesLeft, visitPricesMin + random.below(visitPricesSpan));
    this.#pricesLeft -= visit.priceCount;
    this.#pricesDone += visit.priceCount;
  }

  #findDay(): void {
    while (this.#pricesLeft === 0) {
      this.#day++;
      if (this.#day >= this.#period.dayCount)
        throw new RangeError(`price ${this.#pricesDone + 1} is beyond the sample`);
      this.#pricesLeft = this.#calendar.pricesUpTo(this.#day) - this.#pricesDone;
    }
  }

  /** Most reports are of the same day; a late one must be of a market day within the period. */
  #delayDays(): number {
    if (!this.#random.oneIn(6)) return 0;
    const days = Math.min(this.#day, this.#random.below(delayDaysMax + 1));
    return this.#calendar.openMarkets(this.#day - days) === undefined ? 0 : days;
  }

  /** Half of the visits keep the market's usual time, so that many prices of a day share one instant. */
  #timeOfDay(market: number): number {
    const random = this.#random;
    if (random.oneIn(edgeVisitsOneIn)) return random.pick(edgeTimes);
    if (random.oneIn(2)) return this.#usualTimes[market] as number;
    const wholeMinute = (300 + random.below(900)) * minute;
    return random.oneIn(4) ? wholeMinute + random.below(minute) : wholeMinute;
  }
}
