/** The sentences that say a price: with its product, place, population and month. */

import type { MonthNumber } from "../engine/model/calendar.ts";
import type { CountyId } from "../engine/model/ids.ts";
import type { Place, Series } from "../engine/query/place.ts";
import { isCamp } from "../engine/store/catalogue.ts";
import { marketsOfCounty } from "../engine/store/runs.ts";
import type { Store } from "../engine/store/store.ts";
import type { Words } from "./words.ts";

/** A price of a series in a month, at its markets. */
export interface Figure extends Omit<Series, "code"> {
  readonly month: MonthNumber;
  readonly median: number;
  /** Markets with a price in the month. */
  readonly markets: number;
  readonly unit: string;
  readonly currency: string | null;
}

/**
 * The figure with its sample, without a full stop: `Salt, retail outside refugee camps: 71.40 KES a kg in March 2026 at
 * 51 markets`. The sample of a market is its name.
 */
export function figureSentence(store: Store, words: Words, figure: Figure): string {
  return words.say("figureSentence", {
    series: nameOfSeries(store, words, figure),
    price: words.priceOf(figure.median, figure.currency, figure.unit),
    month: words.month(figure.month),
    markets: figure.place.kind === "market" ? "" : ` ${words.say("atMarkets", { count: figure.markets })}`,
  });
}

/** Where the prices of a place are old: `No price from Nakuru since June 2024.` */
export function noPriceSince(words: Words, place: string, month: MonthNumber): string {
  return `${words.say("noPriceSince", { place, month: words.month(month) })}.`;
}

/**
 * `outside refugee camps`, `in Garissa county outside refugee camps`, `in Nakuru county`, which has none, `in refugee
 * camps of Garissa county` or `at Wakulima`: the place and the population of a figure.
 */
export function whereText(store: Store, words: Words, { conditions, kind, name }: Place): string {
  if (kind === "market") return words.say("atMarket", { market: name });
  const isOfCamps = conditions.refugeeCamps === "only";
  if (kind === "country") return words.say(isOfCamps ? "inCamps" : "outsideCamps");
  if (isOfCamps) return words.say("inCampsOfCounty", { county: name });
  return words.say(hasCamps(store, conditions.countyId) ? "inCountyOutsideCamps" : "inCounty", { county: name });
}

/** Returns whether a county has refugee camps among its markets. Cost: a read of each of these. */
export function hasCamps({ catalogue }: Store, countyId: CountyId | undefined): boolean {
  if (countyId === undefined) return true;
  const { from, to } = marketsOfCounty(catalogue, countyId);
  return Array.from({ length: to - from }, (_, at) => from + at).some((market) => isCamp(catalogue, market));
}

/** `Maize (white), wholesale in Nakuru county` */
export function nameOfSeries(store: Store, words: Words, series: Omit<Series, "code">): string {
  return `${words.product(series.product)}, ${words.type(series.marketType)} ${whereText(store, words, series.place)}`;
}
