/** The sentences that say a price: with its product, place, population and month. */

import type { MonthNumber } from "../engine/model/calendar.ts";
import type { CountyId } from "../engine/model/ids.ts";
import { lengthsMax, shortened } from "../engine/model/text-lengths.ts";
import { marketPlace, type Place, type Series } from "../engine/query/place.ts";
import type { NowQuestion, PricesNow } from "../engine/query/prices-now.ts";
import { recordedPrice } from "../engine/query/recorded-price.ts";
import { isCamp, recordAt } from "../engine/store/catalogue.ts";
import { marketsOfCounty } from "../engine/store/runs.ts";
import type { Store } from "../engine/store/store.ts";
import { gsmCharactersMax, gsmText } from "./gsm-text.ts";
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

/** Where the prices of a place are old, or it never had one: `No price from Nakuru since June 2024.` */
export function noPriceSince(words: Words, place: string, month: MonthNumber | undefined): string {
  if (month === undefined) return `${words.say("noPriceFrom", { place })}.`;
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

/** What was asked, and what was found. */
export interface AnsweredNow extends NowQuestion {
  /** The text of the reader; undefined where the product was named otherwise. */
  readonly text: string | undefined;
  /** Undefined without a product. */
  readonly found: PricesNow | undefined;
}

type Cut = (text: string) => string;

/** How a sentence is shortened until it fits, a step after the other. */
const shortenings = [
  { hasOtherName: true, hasLead: true, length: lengthsMax.name },
  { hasOtherName: false, hasLead: true, length: lengthsMax.name },
  ...[lengthsMax.name, 60, 40, 30, 20, 12, 8].map((length) => ({ hasOtherName: false, hasLead: false, length })),
];

/** The sentence of an answer to what a product costs now, in one text message. */
export function nowSentence(store: Store, words: Words, answered: AnsweredNow): string {
  for (const { hasOtherName, hasLead, length } of shortenings) {
    const cut: Cut = (text) => shortened(text, length);
    const { lead, brief, main, further } = partsOfNow(store, words, answered, cut, hasOtherName);
    const text = gsmText([...(hasLead ? lead : brief), main].join(" "));
    if (text.length > gsmCharactersMax) continue;
    return further.map(gsmText).reduce((whole, part) => {
      return whole.length + part.length <= gsmCharactersMax ? whole + part : whole;
    }, text);
  }
  return gsmText(words.say("none"));
}

/** What must be said; what stands before it, or in brief; and what may follow, each only where it fits. */
function partsOfNow(
  store: Store,
  words: Words,
  { product: code, place, text = "", notFound, found }: AnsweredNow,
  cut: Cut,
  hasOtherName: boolean,
): { readonly main: string } & Readonly<Record<"lead" | "brief" | "further", readonly string[]>> {
  const missing = notFound.length === 0 ? [] : [words.say("wordsNotFound", { words: notFound.join(", ") })];
  if (code === undefined || found === undefined) {
    const main = place
      ? words.say("nameProduct", { place: cut(place.name) })
      : words.say("nothingFound", { text: cut(text) });
    return { lead: missing, brief: [], main, further: [] };
  }
  const record = recordAt(store.catalogue.products, code);
  const product = { ...record, name: cut(record.name), ...(hasOtherName ? {} : { alternativeNames: null }) };
  const { newest, prices } = found;
  const [first] = prices;
  if (first === undefined) {
    return { lead: missing, brief: [], main: noneText(words, words.product(product), newest.anywhere), further: [] };
  }
  const { month, kilometres, isAtPlace, change } = first;
  const without = isAtPlace || !place ? [] : [cut(place.name)];
  const noneAtPlace = without.map((name) => noPriceSince(words, name, newest.atPlace));
  const brief = without.map((name) => noneText(words, name, newest.atPlace));
  const { price, unit, currency } = recordedPrice(store, first.row);
  const market = recordAt(store.catalogue.markets, first.market);
  const camp = market.setting === "refugee_camp" ? ` (${words.say("inCamp")})` : "";
  const main = figureSentence(store, words, {
    product,
    marketType: market.type,
    place: marketPlace({ ...market, name: cut(market.name) + camp }),
    month,
    median: price,
    markets: 1,
    unit: cut(unit),
    currency,
  });
  const far = kilometres === null || isAtPlace ? "" : `, ${words.integer(Math.round(kilometres))} km`;
  const since = change && words.say("sinceMonth", { first: words.month(change.since) });
  const changed = change ? `, ${words.change(change.percent)} ${since}` : "";
  return { lead: [...missing, ...noneAtPlace], brief, main, further: [far, changed, "."] };
}

/** `Lamu: none.` or `Nakuru: no price since June 2024.` */
function noneText(words: Words, name: string, newest: MonthNumber | undefined): string {
  const none = newest === undefined ? words.say("none") : words.say("noneSince", { month: words.month(newest) });
  return `${name}: ${none}.`;
}
