/**
 * The parts of a product page that come before its sections: what its address requests and the page shows, found once,
 * and the sentences that say what the product costs and whether that is much.
 */

import { productPath } from "../../contract/paths.ts";
import { monthOf } from "../../engine/model/calendar.ts";
import { referenceCurrency } from "../../engine/model/records.ts";
import { findSeries } from "../../engine/query/find-series.ts";
import { findJudged, type JudgedSubject, marketTypeOf } from "../../engine/query/measures/find-judged.ts";
import { isComputed, usualYears } from "../../engine/query/measures/judge-month.ts";
import { type RelatedProduct, relatedProducts } from "../../engine/query/related-products.ts";
import { stateMeasures } from "../../engine/query/state-of-prices.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import { ageOfRow, dayOfRow } from "../../engine/store/periods.ts";
import { canConvertTo, type UnitAndCurrency } from "../../engine/store/price-conversion.ts";
import type { Store } from "../../engine/store/store.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, type MarkupValue, markup } from "../pages/markup.ts";
import type { Words } from "../pages/words.ts";
import { renderCodes } from "./explorer-page.ts";
import { campText, figuresAtMarkets, type MonthAtMarkets } from "./figures-by-market.ts";
import { inUnit, noChangePercentMax } from "./judgement.ts";
import {
  baseUnitOf,
  type ContinuedLine,
  continuedLines,
  excludedSentence,
  figuresByType,
  leftOutSentence,
  leftOutText,
  type MonthSpan,
  newestOf,
  type ProductFigures,
  placeSuffix,
  type SeriesFigures,
  wholeCountry,
} from "./monthly-series.ts";
import { readPeriod, spanOf } from "./months-section.ts";
import type { PageRequest } from "./request.ts";

export interface ProductView extends ReturnType<typeof readQuestion> {
  readonly figures: ProductFigures;
  /** The same in the currency that was chosen. */
  readonly inCurrency: ProductFigures;
  /** The newest month of each type of market, in the order of `figures.byType`. */
  readonly newest: readonly MonthAtMarkets[];
  /** The type of market that the page shows in full; undefined without prices. */
  readonly chosen: SeriesFigures | undefined;
  /** The chosen type in all of Kenya, in the newest month of the place; undefined where all of Kenya is the place. */
  readonly country: MonthAtMarkets | undefined;
  /** The products that it continues or that continue it. */
  readonly continued: readonly ContinuedLine[];
  /** The months of the chart; undefined without prices. */
  readonly span: MonthSpan | undefined;
  /** The product at the place, at each type of market that has figures. */
  readonly judged: readonly JudgedSubject[];
  /** Positions in `store.series` of its market prices, newest first. */
  readonly series: Uint32Array;
  readonly related: readonly RelatedProduct[];
}

/** @throws {PageProblem} */
export function* viewProduct(request: PageRequest, uuidText: string): Generator<number, ProductView> {
  const { store } = request;
  const question = readQuestion(request, uuidText);
  const { code, product, place, unit, currency, type, period } = question;
  const conditions = { productUuids: [product.uuid], ...place.conditions };
  const judged = yield* findJudged(store, { ...conditions, level: place.kind, measures: stateMeasures });
  const figures = yield* figuresByType(store, { code, place, unit }, judged);
  const inCurrency =
    currency === undefined ? figures : yield* figuresByType(store, { code, place, unit, currency }, judged);
  const newest: MonthAtMarkets[] = [];
  for (const ofType of figures.byType) newest.push(yield* figuresAtMarkets(store, ofType, newestOf(ofType).month));
  // A link to another place keeps the type, which that place may not have.
  const chosen = figures.byType.find(({ marketType }) => marketType === type) ?? figures.byType[0];
  const country = chosen && place.kind !== "country" ? yield* countryFigures(store, chosen) : undefined;
  const continued = yield* continuedLines(store, inCurrency.byType);
  const others = continued.flatMap(({ line }) => line ?? []);
  // Only where all months are requested, so that the newest prices of this product stay in the chart.
  const span = chosen && spanOf(period, period.period === "all" ? [...figures.byType, ...others] : figures.byType);
  const series = findSeries(store, conditions, "last_recorded_at");
  const related = relatedProducts(store, code);
  yield store.series.counts.length + store.catalogue.products.length;
  return { ...question, figures, inCurrency, newest, chosen, country, continued, span, judged, series, related };
}

/** All of Kenya in the newest month of a place, beside which that place is seen. */
function* countryFigures(store: Store, ofPlace: SeriesFigures): Generator<number, MonthAtMarkets> {
  const { code, marketType, unit } = ofPlace;
  const { byType } = yield* figuresByType(store, { code, marketType, unit, place: wholeCountry });
  // All of Kenya holds the place, so it has the month.
  return yield* figuresAtMarkets(store, byType[0] as SeriesFigures, newestOf(ofPlace).month);
}

/**
 * Reads the address. A value that it leaves open is undefined, and so is the product's own currency.
 *
 * @throws {PageProblem}
 */
function readQuestion(request: PageRequest, uuidText: string) {
  const { store } = request;
  const { catalogue, statisticsUnits } = store;
  const code = request.productCode(uuidText, "path");
  const product = recordAt(catalogue.products, code);
  const place = request.place();
  const own = statisticsUnits[code] as UnitAndCurrency;
  const ownBase = baseUnitOf(store, own.unit);
  const ofBase = [...catalogue.units.keys()].filter((name) => baseUnitOf(store, name) === ownBase);
  const units = [...new Set([own.unit, ...ofBase])];
  const ownCurrency = own.currency ?? referenceCurrency;
  const others = canConvertTo(catalogue, referenceCurrency) ? [referenceCurrency] : [];
  const currencies = [...new Set([ownCurrency, ...others])];
  const unit = request.choice("unit", units);
  const currency = request.choice("currency", currencies);
  return {
    code,
    product,
    place,
    /** The product at the place, as conditions of questions and requests. */
    scope: { productUuid: product.uuid, ...place.conditions },
    unit,
    /** The units that the statistics of the product convert to, its own first. */
    units,
    currency: currency === ownCurrency ? undefined : currency,
    /** The currencies that its prices are shown in, its own first. */
    currencies,
    period: readPeriod(request),
    type: request.value("type"),
  };
}

/** Days before the newest price of the data from which a page says where prices end. */
const oldDaysMin = 180;

/** @returns Its text, and the first sentence of it; undefined without prices. */
export function renderLead(
  request: PageRequest,
  view: ProductView,
): { readonly content: Markup; readonly summary: string | undefined } {
  const { store, words } = request;
  const { product, place, figures, newest, chosen, country, judged } = view;
  let summary: string | undefined;
  const paragraphs: MarkupValue[] = [];
  for (const ofMonth of newest) {
    const { figures: ofType } = ofMonth;
    const found = judgedAs(judged, ofType);
    const sentence = words.say("sentence", {
      ...figureTexts(words, ofMonth),
      product: words.product(product),
      place: placeSuffix(words, place),
      comparison: yearBeforeClause(words, found),
    });
    const camps = place.kind === "country" && campText(words, ofMonth.campShare, "mostlyCamps");
    const sentences = [sentence, camps, earlierChange(words, found), leftOutSentence(words, ofType)].filter(Boolean);
    paragraphs.push(renderParagraph(sentences.join(" "), summary === undefined ? "sentence" : undefined));
    summary ??= sentence;
  }
  if (chosen === undefined) {
    const absence = words.say("noPricesOfProduct", { place: placeSuffix(words, place) });
    paragraphs.push(renderParagraph(leftOutText(words, figures) ?? absence, "sentence"));
  } else {
    const judgement = [usualText(store, words, judgedAs(judged, chosen), chosen)];
    if (country !== undefined) {
      judgement.push(words.say("countryMedian", figureTexts(words, country)));
      judgement.push(campText(words, country.campShare, "mostlyCamps"));
    }
    const answer = judgement.filter((text) => text !== undefined).join(" ");
    const type = words.titled(words.type(chosen.marketType));
    const question = markup`<strong>${words.say("isThatExpensive")}</strong>`;
    paragraphs.push(answer !== "" && renderParagraph(markup`${question} ${type}: ${answer}`, "judgement"));
    paragraphs.push(renderOld(request, view));
    const excluded = excludedSentence(words, figures);
    paragraphs.push(excluded !== undefined && renderParagraph(excluded, "quiet"));
  }
  const names = (product.alternativeNames ?? []).join(", ");
  paragraphs.push(names !== "" && renderParagraph(words.say("alsoCalled", { names }), "quiet"));
  const scientificName = product.scientificName === null ? [] : [product.scientificName];
  paragraphs.push(renderCodes(words, [...scientificName, ...(product.sourceIds ?? [])]));
  return { content: markup`${paragraphs}`, summary };
}

/**
 * The median of a series in a month that it has, and where it is from, for a sentence: `Maize (white), wholesale, in
 * Nakuru county: median 46.39 KES per kg in October 2025 at 3 markets (from 6 prices), 12% less than a year before in
 * comparable prices (3 markets with both months).`
 */
function figureTexts(words: Words, { figures, month, markets }: MonthAtMarkets) {
  const { marketType, currency, unit } = figures;
  return {
    type: words.type(marketType),
    month: words.month(month.month),
    price: words.priceOf(month.median, currency, unit),
    markets: words.say("atMarkets", { count: markets }),
    samples: words.say("fromPrices", { count: month.samples }),
  };
}

/** The texts for a change: less, none, more. */
const changeKeys = {
  yearBefore: ["lessThanYearBefore", "sameAsYearBefore", "moreThanYearBefore"],
  earlier: ["earlierLess", "earlierSame", "earlierMore"],
  usual: ["usualLess", "usualSame", "usualMore"],
} as const;

function changeText(
  words: Words,
  kind: keyof typeof changeKeys,
  percent: number,
  values: Readonly<Record<string, string>>,
): string {
  const key = changeKeys[kind][Math.abs(percent) < noChangePercentMax ? 1 : percent > 0 ? 2 : 0];
  return words.say(key, { ...values, percent: words.percent(Math.abs(percent) / 100) });
}

/** ` at the same 7 markets` behind a change, ` at 7 markets` behind a share; empty for a market. */
function atMarkets(words: Words, key: "atSameMarkets" | "atMarkets", markets: number | undefined): string {
  return markets === undefined ? "" : ` ${words.say(key, { count: markets })}`;
}

/**
 * The change of the newest month on a year before, to go on a sentence with: `, 12% more than a year before at the same
 * 7 markets`; empty where it is unknown.
 */
function yearBeforeClause(words: Words, { newest: { measures } }: JudgedSubject): string {
  const { yearBefore } = measures;
  if (!isComputed(yearBefore)) return "";
  const markets = atMarkets(words, "atSameMarkets", yearBefore.matchedMarkets);
  return changeText(words, "yearBefore", yearBefore.changePercent, { markets });
}

/** The change of the newest month that has one, where the newest of all has none; undefined without such a month. */
function earlierChange(words: Words, { newest, yearBefore }: JudgedSubject): string | undefined {
  if (yearBefore === undefined || yearBefore.month === newest.month) return undefined;
  const { changePercent, matchedMarkets } = yearBefore.measure;
  const markets = atMarkets(words, "atSameMarkets", matchedMarkets);
  const values = { month: words.month(yearBefore.month), markets };
  return changeText(words, "earlier", changePercent, values);
}

/** Compares the newest month that can be with the usual price, with its name where it is not the newest of all. */
function usualText(
  store: Store,
  words: Words,
  { newest, fiveYears }: JudgedSubject,
  figures: SeriesFigures,
): string | undefined {
  if (fiveYears === undefined) return undefined;
  const { percentOfUsual, markets, usualPrice, years } = fiveYears.measure;
  const basis =
    markets !== undefined
      ? atMarkets(words, "atMarkets", markets)
      : words.say("usualOfMarket", {
          years,
          wanted: usualYears,
          price: words.priceOf(inUnit(store, newest.product, usualPrice, figures.unit), figures.currency, figures.unit),
        });
  const judgement = changeText(words, "usual", percentOfUsual - 100, { basis });
  return fiveYears.month === newest.month
    ? judgement
    : words.say("usualEarlier", { month: words.month(fiveYears.month), judgement });
}

/** The judgement of some figures: both have the months that have a price that is not suspicious. */
function judgedAs(judged: readonly JudgedSubject[], { marketType }: SeriesFigures): JudgedSubject {
  const found = judged.find((subject) => marketTypeOf(subject) === marketType);
  if (found === undefined) throw new RangeError(`no judgement of the type ${marketType}, which has figures`);
  return found;
}

/** Says that the prices end long before those of the data, and which product goes on. */
function renderOld(request: PageRequest, { place, series, related }: ProductView): Markup | undefined {
  const { store, words } = request;
  const newestRow = store.series.newestRows[series[0] as number] as number;
  const age = ageOfRow(store.periods, newestRow);
  if (age < oldDaysMin) return undefined;
  const country = place.kind !== "country" && [" ", request.pageLink(words.say("pricesOfOtherPlaces"), request.path)];
  const note = words.say("oldPrices", { month: words.month(monthOf(dayOfRow(store.periods, newestRow))) });
  const continuing = related.filter((each) => each.continues && ageOfRow(store.periods, each.newestRow) < age);
  const links = continuing.map(({ product, newestRow }) => {
    const text = words.say("continuedBy", { product: words.product(product), last: request.recorded(newestRow) });
    return [" ", request.pageLink(text, productPath(product.uuid))];
  });
  return renderParagraph([note, country, links], "note");
}
