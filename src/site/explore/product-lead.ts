/** What the page of a product begins with: what it costs, whether that is much, and where its prices go on. */

import { type JudgedSubject, marketTypeOf } from "../../engine/query/measures/find-judged.ts";
import { isComputed, usualYears } from "../../engine/query/measures/judge-month.ts";
import type { Store } from "../../engine/store/store.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, type MarkupValue, markup } from "../pages/markup.ts";
import { productPath } from "../pages/page-paths.ts";
import type { Words } from "../pages/words.ts";
import { renderCodes } from "./explorer-page.ts";
import { inUnit, reasonText } from "./judgement.ts";
import type { MonthAtMarkets, ProductFigures, SeriesFigures } from "./monthly-lines.ts";
import { placeSuffix } from "./place.ts";
import type { ProductView } from "./product-view.ts";
import type { PageRequest } from "./request.ts";

/** Prices that end so many days before the newest of the data are called old. */
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
    const sentences = [sentence, earlierChange(words, found), leftOutSentence(words, ofType)].filter(Boolean);
    paragraphs.push(renderParagraph(sentences.join(" "), summary === undefined ? "sentence" : undefined));
    summary ??= sentence;
  }
  if (chosen === undefined) {
    const absence = words.say("noPricesOfProduct", { place: placeSuffix(words, place) });
    paragraphs.push(renderParagraph(leftOutText(words, figures) ?? absence, "sentence"));
  } else {
    const judgement = [usualText(store, words, judgedAs(judged, chosen), chosen)];
    if (country !== undefined) judgement.push(words.say("countryMedian", figureTexts(words, country)));
    const type = words.titled(words.type(chosen.marketType));
    const question = markup`<strong>${words.say("isThatMuch")}</strong>`;
    paragraphs.push(renderParagraph(markup`${question} ${type}: ${judgement.join(" ")}`, "judgement"));
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
 * Nakuru county: median 46.39 KES per kg in October 2025 at 3 markets (from 6 prices), 12% less than a year before at 3
 * same markets.`
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

/** Changes of less percent than this are called none. */
const noChangePercentMax = 0.5;

/** What is said of a change: less, none, more. */
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

/** ` at 7 same markets`; empty where a market is compared with itself. */
function sameMarketsText(words: Words, markets: number | undefined): string {
  return markets === undefined ? "" : ` ${words.say("atSameMarkets", { count: markets })}`;
}

/**
 * The change of the newest month on a year before, to go on a sentence with: `, 12% more than a year before at 7 same
 * markets`, or why it cannot be said.
 */
function yearBeforeClause(words: Words, { newest: { month, measures } }: JudgedSubject): string {
  const { yearBefore } = measures;
  if (isComputed(yearBefore)) {
    const markets = sameMarketsText(words, yearBefore.markets);
    return changeText(words, "yearBefore", yearBefore.changePercent, { markets });
  }
  if (yearBefore.reason !== "NO_PRICE") return words.say("changeUnknown", { reason: reasonText(words, yearBefore) });
  return words.say("noYearBefore", { month: words.month(month - 12) });
}

/** The change of the newest month that has one, where the newest of all has none; undefined without such a month. */
function earlierChange(words: Words, { newest, yearBefore }: JudgedSubject): string | undefined {
  if (yearBefore === undefined || yearBefore.month === newest.month) return undefined;
  const { changePercent, markets } = yearBefore.measure;
  const values = { month: words.month(yearBefore.month), markets: sameMarketsText(words, markets) };
  return changeText(words, "earlier", changePercent, values);
}

/** How the newest month compares with what is usual, or why that cannot be said and which earlier month can be. */
function usualText(store: Store, words: Words, judged: JudgedSubject, figures: SeriesFigures): string {
  const { newest, fiveYears } = judged;
  const ofNewest = newest.measures.fiveYears;
  const reason = isComputed(ofNewest) ? "" : words.say("usualUnknown", { reason: reasonText(words, ofNewest) });
  if (fiveYears === undefined) return reason;
  const { percentOfUsual, markets, usualPrice, years } = fiveYears.measure;
  const basis =
    usualPrice === undefined || years === undefined
      ? sameMarketsText(words, markets)
      : words.say("usualOfMarket", {
          years,
          wanted: usualYears,
          price: words.priceOf(inUnit(store, newest.product, usualPrice, figures.unit), figures.currency, figures.unit),
        });
  const judgement = changeText(words, "usual", percentOfUsual - 100, { basis });
  if (reason === "") return judgement;
  return `${reason} ${words.say("usualEarlier", { month: words.month(fiveYears.month), judgement })}`;
}

/** The judgement of some figures: both have the months that have a price that is not suspicious. */
function judgedAs(judged: readonly JudgedSubject[], { marketType }: SeriesFigures): JudgedSubject {
  const found = judged.find((subject) => marketTypeOf(subject) === marketType);
  if (found === undefined) throw new RangeError(`no judgement of the type ${marketType}, which has figures`);
  return found;
}

/** Why a product has prices and no figures; undefined where it has no prices. */
export function leftOutText(words: Words, figures: ProductFigures): string | undefined {
  const reasons = [excludedSentence(words, figures), leftOutSentence(words, figures)];
  return reasons.filter(Boolean).join(" ") || undefined;
}

/** Returns the number of prices that are in no figure, and why; undefined where all are. */
function excludedSentence(words: Words, { excluded, currency, unit }: ProductFigures): string | undefined {
  if (excluded === 0) return undefined;
  return words.say("excludedSamples", { count: excluded, unit: words.currencyPerUnit(currency, unit) });
}

function leftOutSentence(words: Words, { suspicious }: Pick<ProductFigures, "suspicious">): string | undefined {
  return suspicious.length === 0 ? undefined : words.say("suspiciousLeftOut", { count: suspicious.length });
}

/** Says that the prices end long before those of the data, and which product goes on. */
function renderOld(request: PageRequest, { place, series, related }: ProductView): Markup | undefined {
  const { store, words } = request;
  const newestDayCode = store.series.newestDays[series[0] as number] as number;
  const days = store.periods.ages[newestDayCode] as number;
  if (days < oldDaysMin) return undefined;
  const country = place.kind !== "country" && [" ", request.pageLink(words.say("pricesOfOtherPlaces"), request.path)];
  const note = words.say("oldPrices", { count: days, last: request.newestRecorded() });
  const continuing = related.filter(({ continues }) => continues);
  const links = continuing.map(({ product, newestRow }) => {
    const text = words.say("continuedBy", { product: words.product(product), last: request.recorded(newestRow) });
    return [" ", request.pageLink(text, productPath(product.uuid))];
  });
  return renderParagraph([note, country, links], "note");
}
