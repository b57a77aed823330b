/** What the page of a product begins with: what it costs, whether that is much, and where its prices go on. */
import type { Day } from "../domain/calendar-day.ts";
import { monthText } from "../domain/calendar-month.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, type MarkupValue, markup } from "../pages/markup.ts";
import type { JudgedSubject } from "../query/measures/find-judged.ts";
import { isComputed, usualYears } from "../query/measures/judge-month.ts";
import { newestDayAt } from "../query/places-of-product.ts";
import { recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import { renderCodes } from "./codes.ts";
import { inUnit, marketTypeOf, reasonText } from "./judgement.ts";
import {
  countMarkets,
  figuresByType,
  figuresOf,
  newestOf,
  type ProductFigures,
  type TypeFigures,
} from "./monthly-figures.ts";
import { type ProductAtPlace, placeSuffix, wholeCountry } from "./place.ts";
import { relatedProducts } from "./related-products.ts";
import { linkTo, type PageRequest, productPath } from "./request.ts";
import type { Words } from "./words.ts";

/** Prices that end so many days before the newest of the data are called old. */
const oldDaysMin = 180;

/**
 * @param judged The product there, at each type of market that has figures.
 * @param chosen The type of market that the page shows in full; undefined without prices.
 * @returns Its text, and the first sentence of it; undefined without prices.
 */
export function* renderLead(
  request: PageRequest,
  subject: ProductAtPlace,
  { byType, excluded, suspicious }: ProductFigures,
  judged: readonly JudgedSubject[],
  chosen: TypeFigures | undefined,
): Generator<number, { readonly content: Markup; readonly summary: string | undefined }> {
  const { store, words } = request;
  const { code, record, place } = subject;
  let summary: string | undefined;
  const paragraphs: MarkupValue[] = [];
  for (const [at, figures] of byType.entries()) {
    const found = judgedAs(judged, figures);
    const leftOut = suspicious.filter(({ market }) => market.type === figures.marketType).length;
    const sentences = [
      yield* productSentence(request, subject, figures, found),
      earlierChange(words, found),
      leftOut > 0 && words.say("suspiciousLeftOut", { count: leftOut }),
    ];
    summary ??= sentences[0] as string;
    paragraphs.push(renderParagraph(sentences.filter(Boolean).join(" "), at === 0 ? "sentence" : undefined));
  }
  if (chosen === undefined) {
    const absence = words.say("noPricesOfProduct", { place: placeSuffix(words, place) });
    paragraphs.push(renderParagraph(leftOutText(store, words, code, { excluded, suspicious }) ?? absence, "sentence"));
  } else {
    const judgement = [usualText(store, words, judgedAs(judged, chosen), chosen)];
    if (place.kind !== "country") judgement.push(yield* countrySentence(request, subject, chosen));
    const type = words.titled(words.type(chosen.marketType));
    const question = markup`<strong>${words.say("isThatMuch")}</strong>`;
    paragraphs.push(renderParagraph(markup`${question} ${type}: ${judgement.join(" ")}`, "judgement"));
    paragraphs.push(renderOld(request, subject));
    if (excluded > 0) {
      paragraphs.push(renderParagraph(excludedSentence(store, words, code, excluded, chosen.unit), "quiet"));
    }
  }
  const names = record.alternativeNames ?? [];
  if (names.length > 0) paragraphs.push(renderParagraph(words.say("alsoCalled", { names: names.join(", ") }), "quiet"));
  const scientificName = record.scientificName === null ? [] : [record.scientificName];
  paragraphs.push(renderCodes(words, [...scientificName, ...(record.sourceIds ?? [])]));
  return { content: markup`${paragraphs}`, summary };
}

/**
 * `Maize (white), wholesale, in Nakuru county: median 46.39 KES per kg in October 2025 at 3 markets (from 6 prices),
 * 12% less than a year before at 3 same markets.`
 */
function* productSentence(
  { store, words }: PageRequest,
  { record, place }: ProductAtPlace,
  figures: TypeFigures,
  judged: JudgedSubject,
): Generator<number, string> {
  const newest = newestOf(figures);
  const markets = yield* countMarkets(store, record.uuid, place, figures, newest.month);
  return words.say("sentence", {
    product: words.product(record),
    type: words.type(figures.marketType),
    place: placeSuffix(words, place),
    price: words.priceOf(newest.median, figures.currency, figures.unit),
    month: words.month(monthText(newest.month)),
    markets: words.say("atMarkets", { count: markets }),
    samples: words.say("fromPrices", { count: newest.samples }),
    comparison: yearBeforeClause(words, judged),
  });
}

/** Changes of less percent than this are called none. */
const noChangePercentMax = 0.5;

/** @param percent Without its sign in the text. */
function percentText(words: Words, percent: number): string {
  return words.percent(Math.abs(percent) / 100);
}

/** ` at 7 same markets`; empty where a market is compared with itself. */
function sameMarketsText(words: Words, markets: number | undefined): string {
  return markets === undefined ? "" : ` ${words.say("atSameMarkets", { count: markets })}`;
}

/** What is said of each kind of change. */
const changeKeys = {
  more: { yearBefore: "moreThanYearBefore", earlier: "earlierMore", usual: "usualMore" },
  less: { yearBefore: "lessThanYearBefore", earlier: "earlierLess", usual: "usualLess" },
  same: { yearBefore: "sameAsYearBefore", earlier: "earlierSame", usual: "usualSame" },
} as const;

function keysOf(percent: number): (typeof changeKeys)[keyof typeof changeKeys] {
  if (Math.abs(percent) < noChangePercentMax) return changeKeys.same;
  return percent > 0 ? changeKeys.more : changeKeys.less;
}

/**
 * The change of the newest month on a year before, to go on a sentence with: `, 12% more than a year before at 7 same
 * markets`, or why it cannot be said.
 */
function yearBeforeClause(words: Words, { newest: { month, measures } }: JudgedSubject): string {
  const { yearBefore } = measures;
  if (isComputed(yearBefore)) {
    const { changePercent, markets } = yearBefore;
    const values = { percent: percentText(words, changePercent), markets: sameMarketsText(words, markets) };
    return words.say(keysOf(changePercent).yearBefore, values);
  }
  if (yearBefore.reason !== "NO_PRICE") return words.say("changeUnknown", { reason: reasonText(words, yearBefore) });
  return words.say("noYearBefore", { month: words.month(monthText(month - 12)) });
}

/** The change of the newest month that has one, where the newest of all has none; undefined without such a month. */
function earlierChange(words: Words, { newest, yearBefore }: JudgedSubject): string | undefined {
  if (yearBefore === undefined || yearBefore.month === newest.month) return undefined;
  const { changePercent, markets } = yearBefore.measure;
  return words.say(keysOf(changePercent).earlier, {
    month: words.month(monthText(yearBefore.month)),
    percent: percentText(words, changePercent),
    markets: sameMarketsText(words, markets),
  });
}

/** How the newest month compares with what is usual, or why that cannot be said and which earlier month can be. */
function usualText(store: Store, words: Words, judged: JudgedSubject, figures: TypeFigures): string {
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
  const values = { percent: percentText(words, percentOfUsual - 100), basis };
  const judgement = words.say(keysOf(percentOfUsual - 100).usual, values);
  if (reason === "") return judgement;
  const month = words.month(monthText(fiveYears.month));
  return `${reason} ${words.say("usualEarlier", { month, judgement })}`;
}

/** The judgement of some figures: both have the months that have a price that is not suspicious. */
function judgedAs(judged: readonly JudgedSubject[], { marketType }: TypeFigures): JudgedSubject {
  const found = judged.find((subject) => marketTypeOf(subject) === marketType);
  if (found === undefined) throw new RangeError(`no judgement of the type ${marketType}, which has figures`);
  return found;
}

/** Why a product has prices and no figures; undefined where it has no prices. @param unit As in `excludedSentence`. */
export function leftOutText(
  store: Store,
  words: Words,
  code: number,
  { excluded, suspicious }: Pick<ProductFigures, "excluded" | "suspicious">,
  unit?: string,
): string | undefined {
  const reasons = [
    ...(excluded > 0 ? [excludedSentence(store, words, code, excluded, unit)] : []),
    ...(suspicious.length > 0 ? [words.say("suspiciousLeftOut", { count: suspicious.length })] : []),
  ];
  return reasons.length === 0 ? undefined : reasons.join(" ");
}

/** How many prices are in no figure, and why. @param unit That of the figures; the product's own when undefined. */
function excludedSentence({ measures }: Store, words: Words, code: number, excluded: number, unit?: string): string {
  const own = measures[code] as Store["measures"][number];
  return words.say("excludedSamples", { count: excluded, measure: words.measure(own.currency, unit ?? own.unit) });
}

/** The median of all of Kenya in the newest month of a place, beside which that place is seen. */
function* countrySentence(
  { store, words }: PageRequest,
  { record: { uuid } }: ProductAtPlace,
  ofPlace: TypeFigures,
): Generator<number, string> {
  const { month } = newestOf(ofPlace);
  const { marketType, unit } = ofPlace;
  const [figures] = (yield* figuresByType(store, uuid, wholeCountry, { unit }, [marketType])).byType;
  const found = figures && figuresOf(figures, month);
  // All of Kenya holds the place, so it has the month.
  if (figures === undefined || found === undefined) throw new RangeError(`no prices of month ${month} in all of Kenya`);
  const markets = yield* countMarkets(store, uuid, wholeCountry, figures, month);
  return words.say("countryMedian", {
    type: words.type(marketType),
    month: words.month(monthText(month)),
    price: words.priceOf(found.median, figures.currency, unit),
    markets: words.say("atMarkets", { count: markets }),
    samples: words.say("fromPrices", { count: found.samples }),
  });
}

/** Says that the prices end long before those of the data, and which product goes on. */
function renderOld(request: PageRequest, { code, place }: ProductAtPlace): Markup | undefined {
  const { store, words } = request;
  const newest = newestDayAt(store, code, place.conditions) ?? (store.periods.newestDay as Day);
  const days = store.periods.newestDay - newest;
  if (days < oldDaysMin) return undefined;
  const country =
    place.kind !== "country" &&
    markup` <a href="${linkTo(request, request.path)}">${words.say("pricesOfOtherPlaces")}</a>`;
  const note = words.say("oldPrices", { count: days, last: words.newestRecorded(store) });
  const continuing = relatedProducts(store, code).filter(({ continues }) => continues);
  const links = continuing.map(({ product, newestRow }) => {
    const record = recordAt(store.catalogue.products, product);
    const text = words.say("continuedBy", { product: words.product(record), last: words.recorded(store, newestRow) });
    return markup` <a href="${linkTo(request, productPath(record.uuid))}">${text}</a>`;
  });
  return renderParagraph([note, country, links], "note");
}
