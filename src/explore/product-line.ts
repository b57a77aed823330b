/** What is said of a product in one line, and the sentence that its page begins with. */

import { monthText } from "../domain/calendar-month.ts";
import type { ProductRecord } from "../domain/records.ts";
import type { Store } from "../store/store.ts";
import {
  changeOf,
  countMarkets,
  figuresByType,
  figuresOf,
  newestOf,
  type TypeFigures,
  usualBefore,
  usualYears,
  usualYearsMin,
} from "./monthly-figures.ts";
import { type Place, placeSuffix, wholeCountry } from "./place.ts";
import type { Words } from "./words.ts";

/** Changes smaller than this part are called none. */
const noChangeMax = 0.005;

/** `Maize (white), wholesale, in Nakuru county: median 46.39 KES per kg in October 2025 at 3 markets (from 6 prices), 12% less than a year before.` */
export function* productSentence(
  store: Store,
  words: Words,
  code: number,
  record: ProductRecord,
  place: Place,
  figures: TypeFigures,
): Generator<number, string> {
  const newest = newestOf(figures);
  const markets = yield* countMarkets(store, code, place, figures, newest.month);
  const yearBefore = figuresOf(figures, newest.month - 12);
  const change = yearBefore && changeOf(yearBefore.median, newest.median);
  return words.say("sentence", {
    product: words.product(record),
    type: words.type(figures.marketType),
    place: placeSuffix(words, place),
    price: words.priceOf(newest.median, figures.currency, figures.unit),
    month: words.month(monthText(newest.month)),
    markets: words.say("atMarkets", { count: markets }),
    samples: words.say("fromPrices", { count: newest.samples }),
    comparison:
      change === undefined
        ? words.say("noYearBefore", { month: words.month(monthText(newest.month - 12)) })
        : compared(words, change, "moreThanYearBefore", "lessThanYearBefore", "sameAsYearBefore"),
  });
}

/** How the newest month compares with the same month of years before, or why that cannot be said. */
export function usualSentence(words: Words, figures: TypeFigures): string {
  const newest = newestOf(figures);
  const { average, years } = usualBefore(figures, newest.month);
  const change = average === undefined ? undefined : changeOf(average, newest.median);
  if (average === undefined || change === undefined) {
    return words.say("usualUnknown", { wanted: usualYears, found: years, min: usualYearsMin });
  }
  const values = {
    years: words.say("yearsCount", { count: years }),
    price: words.priceOf(average, figures.currency, figures.unit),
  };
  return compared(words, change, "usualMore", "usualLess", "usualSame", values);
}

/** How many prices are in no figure, and why. @param unit That of the figures; the product's own when undefined. */
export function excludedSentence(
  { measures }: Store,
  words: Words,
  code: number,
  excluded: number,
  unit?: string,
): string {
  const own = measures[code] as Store["measures"][number];
  return words.say("excludedSamples", { count: excluded, measure: words.measure(own.currency, unit ?? own.unit) });
}

/** The median of all of Kenya in the newest month of a place, beside which that place is seen. */
export function* countrySentence(
  store: Store,
  words: Words,
  code: number,
  ofPlace: TypeFigures,
): Generator<number, string> {
  const { month } = newestOf(ofPlace);
  const { marketType, unit } = ofPlace;
  const [figures] = (yield* figuresByType(store, code, wholeCountry, unit, [marketType])).byType;
  const found = figures && figuresOf(figures, month);
  // All of Kenya holds the place, so it has the month.
  if (figures === undefined || found === undefined) throw new RangeError(`no prices of month ${month} in all of Kenya`);
  const markets = yield* countMarkets(store, code, wholeCountry, figures, month);
  return words.say("countryMedian", {
    type: words.type(marketType),
    month: words.month(monthText(month)),
    price: words.priceOf(found.median, figures.currency, unit),
    markets: words.say("atMarkets", { count: markets }),
    samples: words.say("fromPrices", { count: found.samples }),
  });
}

type ChangeKey =
  | "moreThanYearBefore"
  | "lessThanYearBefore"
  | "sameAsYearBefore"
  | "usualMore"
  | "usualLess"
  | "usualSame";

function compared(
  words: Words,
  change: number,
  more: ChangeKey,
  less: ChangeKey,
  same: ChangeKey,
  values: Readonly<Record<string, string>> = {},
): string {
  if (Math.abs(change) < noChangeMax) return words.say(same, values);
  return words.say(change > 0 ? more : less, { ...values, percent: words.percent(Math.abs(change)) });
}

/** Prices that end so many days before the newest of the data are called old. */
export const oldDaysMin = 180;
