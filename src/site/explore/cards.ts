/**
 * The cards of a snapshot: one for each product at each type of market, in the country and in each county with a price,
 * and one for each of these counties; in every language. Pages with other parameters have the card of their product.
 */

import { whereText } from "../../contract/price-sentence.ts";
import { languages, type Words, wordsOf } from "../../contract/words.ts";
import { type MonthNumber, monthOf } from "../../engine/model/calendar.ts";
import { sourceDetails } from "../../engine/model/dataset.ts";
import type { CountyId } from "../../engine/model/ids.ts";
import { type MarketType, marketTypes } from "../../engine/model/vocabulary.ts";
import { allSources, findSources } from "../../engine/query/describe-prices.ts";
import { countyPlace, wholeCountry } from "../../engine/query/place.ts";
import { judgedInCounty } from "../../engine/query/state-of-prices.ts";
import { countyRecord, type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import { dayOfRow } from "../../engine/store/periods.ts";
import { finish } from "../../engine/store/steps.ts";
import type { Store } from "../../engine/store/store.ts";
import { type CardContent, renderCard } from "../charts/card.ts";
import { shownStore } from "../pages/shown-store.ts";
import { type CardSubject, cardFileName } from "./chart-forms.ts";
import { findFigures, newestOf, pricesOf } from "./monthly-series.ts";
import { pointsOf } from "./months-section.ts";
import { figureOf } from "./place-prices.ts";
import { chooseMain } from "./product-page.ts";

/** A card that is not drawn yet. */
export interface WantedCard {
  /** Of its file. */
  readonly name: string;
  /** Draws it, as SVG; undefined where no price of it converts to the unit of its product. */
  readonly draw: () => string | undefined;
}

/** The month of the newest price of a card, by which they are made. */
interface DatedSubject {
  readonly subject: CardSubject;
  readonly code: ProductCode | undefined;
  readonly month: MonthNumber;
}

/** The most months of the line of a card. */
const lineMonthsMax = 60;

/** Rows of the card of a county. */
const countyRowsMax = 3;

/**
 * All cards of a store: the newest months first, of a month those of the country first.
 *
 * @param cardsMax Where there are more, the cards of the country alone.
 */
export function wantedCards(uncut: Store, cardsMax: number): WantedCard[] {
  const store = shownStore(uncut);
  const all = datedSubjects(store);
  const isOfCountry = ({ subject }: DatedSubject): boolean => subject.countyId === undefined;
  return all
    .filter((one) => all.length * languages.length <= cardsMax || isOfCountry(one))
    .sort((a, b) => b.month - a.month || Number(isOfCountry(b)) - Number(isOfCountry(a)))
    .flatMap(({ subject, code }) =>
      languages.map((language) => ({
        name: cardFileName(language, subject),
        draw() {
          const content = contentOf(store, wordsOf(language), subject, code);
          return content && renderCard(content);
        },
      })),
    );
}

/** Cost: a look at each series. */
function datedSubjects(store: Store): DatedSubject[] {
  const { series, catalogue, periods } = store;
  const found = new Map<string, DatedSubject>();
  const add = (subject: CardSubject, code: ProductCode | undefined, month: MonthNumber): void => {
    const name = cardFileName("en", subject);
    if ((found.get(name)?.month ?? -Infinity) < month) found.set(name, { subject, code, month });
  };
  for (const [code, { record: product }] of catalogue.products.entries()) {
    for (let at = series.offsets[code] as number; at < (series.offsets[code + 1] as number); at++) {
      const { type, countyId } = recordAt(catalogue.markets, series.markets[at] as number);
      const month = monthOf(dayOfRow(periods, series.newestRows[at] as number));
      const ofProduct = { product: product.uuid, marketType: type };
      add(ofProduct, code as ProductCode, month);
      add({ ...ofProduct, countyId }, code as ProductCode, month);
      add({ countyId }, undefined, month);
    }
  }
  return [...found.values()];
}

function contentOf(
  store: Store,
  words: Words,
  { marketType, countyId }: CardSubject,
  code: ProductCode | undefined,
): CardContent | undefined {
  return code === undefined || marketType === undefined
    ? countyContent(store, words, countyId as CountyId)
    : productContent(store, words, { code, marketType, countyId });
}

/** The newest price of a product at a type of market, outside refugee camps where it has a current one there. */
function productContent(
  store: Store,
  words: Words,
  { code, marketType, countyId }: { code: ProductCode; marketType: MarketType; countyId: CountyId | undefined },
): CardContent | undefined {
  const place = countyId === undefined ? wholeCountry : countyPlace(countyRecord(store.catalogue, countyId));
  const { series } = finish(findFigures(store, { code, place, marketType }));
  const shown = chooseMain(store, series);
  if (shown === undefined) return undefined;
  const { month, median, markets } = newestOf(shown);
  const months = shown.months.filter((one) => one.month > month - lineMonthsMax);
  const sample = words.say("atMarkets", { count: markets.length });
  return {
    title: words.product(shown.product),
    where: words.titled(`${words.type(marketType)} ${whereText(store, words, shown.place)}`),
    figure: { price: words.price(median), unit: words.currencyPerUnit(shown.currency, shown.unit) },
    when: `${words.month(month)}, ${sample}`,
    points: pointsOf(months),
    ends: [words.month((months[0] ?? newestOf(shown)).month), words.month(month)],
    source: sourceLine(store, words, finish(findSources(store, [pricesOf(shown)]))),
  };
}

/** What some products cost in a county: those with the newest prices, of these what most markets sell. */
function countyContent(store: Store, words: Words, countyId: CountyId): CardContent | undefined {
  const populations = ["exclude", "only"] as const;
  const rows = populations.flatMap((population) =>
    finish(judgedInCounty(store, countyId, population)).map((judged) => figureOf(store, { judged, population })),
  );
  const [newest] = rows.toSorted((a, b) => b.month - a.month);
  if (newest === undefined) return undefined;
  const typeAt = ({ marketType }: (typeof rows)[number]): number => marketTypes.indexOf(marketType);
  const shown = rows
    .filter(
      ({ month, place }) =>
        month === newest.month && place.conditions.refugeeCamps === newest.place.conditions.refugeeCamps,
    )
    .sort((a, b) => b.markets - a.markets || typeAt(a) - typeAt(b))
    .slice(0, countyRowsMax);
  return {
    title: words.say("countyTitle", { county: newest.place.name }),
    where: `${words.month(newest.month)}, ${whereText(store, words, newest.place)}`,
    rows: shown.map(({ product, marketType, median, currency, unit }) => ({
      name: `${words.product(product)}, ${words.type(marketType)}`,
      price: words.priceOf(median, currency, unit),
    })),
    source: sourceLine(store, words, allSources(store)),
  };
}

/** The card of pages without one of their own, and of those whose card is not made. @returns SVG. */
export function generalCard(): string {
  const [english, swahili] = [wordsOf("en"), wordsOf("sw")];
  return renderCard({
    title: english.say("siteName"),
    where: swahili.say("siteName"),
    text: english.say("siteDescription"),
    source: "",
  });
}

/** Sources by their short names, which fit. */
function sourceLine({ snapshot }: Store, words: Words, sources: readonly string[]): string {
  const names = sources.map((source) => {
    return [source, sourceDetails(snapshot, source).licence?.id].filter(Boolean).join(", ");
  });
  const named = names.length === 0 ? [] : [`${words.say("source")}: ${names.join("; ")}`];
  return [words.say("siteName"), ...named].join(" · ");
}
