/** The beginning of a product page: its price in large, the change, a small line, and whether that is expensive. */

import { productPath } from "../../contract/paths.ts";
import { monthOf } from "../../engine/model/calendar.ts";
import { describeSubject, type JudgedSubject, marketTypeOf } from "../../engine/query/measures/find-judged.ts";
import { usualYears } from "../../engine/query/measures/judge-month.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import { ageOfRow, dayOfRow } from "../../engine/store/periods.ts";
import type { Store } from "../../engine/store/store.ts";
import { renderParagraph } from "../pages/elements.ts";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import type { Words } from "../pages/words.ts";
import { courseOf, courseSpan, renderCourse } from "./course.ts";
import { renderCodes } from "./explorer-page.ts";
import { campText, type MonthAtMarkets, namedMarketsMax } from "./figures-by-market.ts";
import { changeText, convertUnit, showYearChange, yearComparison } from "./judgement.ts";
import { excludedSentence, leftOutText, placeSuffix, type SeriesFigures } from "./monthly-series.ts";
import type { ProductView } from "./product-view.ts";
import type { PageRequest } from "./request.ts";

/** Days before the newest price of the data from which a page says where prices end. */
const oldDaysMin = 180;

/**
 * The beginning of a page.
 *
 * @param controls Follows the price and precedes the other names of the product.
 * @returns Its text, and a sentence of it; undefined without prices.
 */
export function renderLead(
  request: PageRequest,
  view: ProductView,
  controls: Markup,
): { readonly content: Markup; readonly summary: string | undefined } {
  const { words } = request;
  const { product, place, figures, newest, ofChosen } = view;
  const names = (product.alternativeNames ?? []).join(", ");
  const scientificName = product.scientificName === null ? [] : [product.scientificName];
  const named = markup`${names !== "" && renderParagraph(words.say("alsoCalled", { names }), "quiet")}
${renderCodes(words, [...scientificName, ...(product.sourceIds ?? [])])}`;
  if (ofChosen === undefined) {
    const absence = words.say("noPricesOfProduct", { place: placeSuffix(words, place, " ") });
    const content = renderParagraph(leftOutText(words, figures) ?? absence, "sentence");
    return { content: markup`${content}\n${controls}\n${named}`, summary: undefined };
  }
  const others = newest.filter((found) => found !== ofChosen).map((found) => renderOther(request, view, found));
  const excluded = excludedSentence(words, figures);
  const content = markup`${renderHeadline(request, view, ofChosen)}
${others.length > 0 && markup`<ul class="others">${others}</ul>`}
${renderOld(request, view)}
${controls}
${renderJudgement(request, view, ofChosen.figures)}
${excluded !== undefined && renderParagraph(excluded, "quiet")}
${named}`;
  return { content, summary: summaryOf(words, view, ofChosen) };
}

/** The price of the newest month in large, where it is from, its change, in other units, and a small line. */
function renderHeadline(request: PageRequest, view: ProductView, ofMonth: MonthAtMarkets): Markup {
  const { words } = request;
  const { figures, month } = ofMonth;
  const { marketType, currency, unit, product } = figures;
  const count = figures.suspicious.filter(({ day }) => monthOf(day) === month.month).length;
  const monthName = words.month(month.month);
  const what = words.say("headlineFigure", { type: words.type(marketType), month: monthName });
  const remarks = [
    view.place.kind === "country" && campText(words, ofMonth.campShare, "mostlyCamps"),
    count > 0 && words.say("suspiciousOfMonth", { count, month: monthName }),
  ];
  const { from, to } = courseSpan(month.month);
  const drawn = renderCourse(words, to, courseOf(figures, words.product(product)));
  // A reader with a keyboard reaches the chart by this link.
  const toMonths = markup`<a href="#months">${words.say("byMonthHeading")}</a>`;
  const span = words.span(words.month(from), words.month(to));
  const change = showYearChange(words, judgedAs(view.judged, figures));
  return markup`<div class="headline"><div>
<p class="bigNumber"><strong>${words.price(month.median)}</strong> ${words.currencyPerUnit(currency, unit)}</p>
<p>${what}, ${renderMarkets(request, ofMonth)}</p>
${change && markup`<p class="change">${change}</p>`}
${renderOtherUnits(request, view, ofMonth)}
${remarks.some(Boolean) && renderParagraph(remarks.filter(Boolean).join(" "), "quiet")}</div>
${drawn && markup`<div>${drawn}<p class="quiet">${toMonths}, ${span}</p></div>`}</div>`;
}

/** The markets of a figure by their names, or how many prices and markets it has. */
function renderMarkets(request: PageRequest, { month, markets }: MonthAtMarkets): Markup {
  const { store, words } = request;
  if (markets.length > namedMarketsMax) {
    const samples = words.say("fromPrices", { count: month.samples });
    return markup`${words.say("atMarkets", { count: markets.length })} (${samples})`;
  }
  const links = markets.map((market) => request.marketLink(recordAt(store.catalogue.markets, market)));
  return markup`${words.say("atPlaces")} ${joinMarkup(links, ", ")}`;
}

/** The price in the other units that the product is sold in, as far as they convert; undefined without any. */
function renderOtherUnits(
  { store, words }: PageRequest,
  { product, series, units }: ProductView,
  { figures: { unit, currency }, month }: MonthAtMarkets,
): Markup | undefined {
  const recorded = Array.from(series, (at) => store.prices.unitNames[store.series.units[at] as number] as string);
  const sold = new Set([...units.slice(0, 1), ...product.commonUnits, ...recorded]);
  const others = [...sold].filter((name) => name !== unit && units.includes(name));
  const texts = others.map((name) => words.priceOf(convertUnit(store, month.median, unit, name), currency, name));
  return texts.length === 0 ? undefined : renderParagraph(texts.join(" · "));
}

/** The price at another type of market in a line, with a link that shows it in full. */
function renderOther(request: PageRequest, { judged }: ProductView, ofMonth: MonthAtMarkets): Markup {
  const { words } = request;
  const { figures, month, markets } = ofMonth;
  const { marketType, currency, unit } = figures;
  const type = markup`<a href="${request.linkWith({ type: marketType })}">${words.titled(words.type(marketType))}</a>`;
  const change = showYearChange(words, judgedAs(judged, figures));
  const where = words.say("atMarkets", { count: markets.length });
  return markup`<li>${type}: ${words.priceOf(month.median, currency, unit)}, ${words.month(month.month)},
${markets.length > namedMarketsMax ? where : renderMarkets(request, ofMonth)}${change && [", ", change]}</li>\n`;
}

/** Compares the price with the usual one and with all of Kenya; undefined where neither can be done. */
function renderJudgement(request: PageRequest, view: ProductView, chosen: SeriesFigures): Markup | undefined {
  const { store, words } = request;
  const { country, judged } = view;
  const texts = [
    usualText(store, words, judgedAs(judged, chosen), chosen),
    country && words.say("countryMedian", figureTexts(words, country)),
    country && campText(words, country.campShare, "mostlyCamps"),
  ].filter((text) => text !== undefined);
  const type = words.titled(words.type(chosen.marketType));
  const question = markup`<strong>${words.say("isThatExpensive")}</strong>`;
  return texts.length === 0 ? undefined : renderParagraph(markup`${question} ${type}: ${texts.join(" ")}`, "judgement");
}

/**
 * The newest price of a product in a sentence: `Maize (white), wholesale, in Nakuru county: median 46.39 KES per kg in
 * October 2025 at 3 markets (from 6 prices), 12% less than a year before by the median of 3 markets in both
 * months.`
 */
function summaryOf(words: Words, { judged }: ProductView, ofMonth: MonthAtMarkets): string {
  return monthSentence(words, ofMonth, yearComparison(words, judgedAs(judged, ofMonth.figures)));
}

/** The price of a product in a month in a sentence. @param comparison Ends the sentence. */
export function monthSentence(words: Words, ofMonth: MonthAtMarkets, comparison = ""): string {
  const { product, place } = ofMonth.figures;
  return words.say("sentence", {
    ...figureTexts(words, ofMonth),
    product: words.product(product),
    place: placeSuffix(words, place),
    comparison,
  });
}

/** The median of a series in a month that it has, and where it is from, for a sentence. */
function figureTexts(words: Words, { figures, month, markets }: MonthAtMarkets) {
  const { marketType, currency, unit } = figures;
  return {
    type: words.type(marketType),
    month: words.month(month.month),
    price: words.priceOf(month.median, currency, unit),
    markets: words.say("atMarkets", { count: markets.length }),
    samples: words.say("fromPrices", { count: month.samples }),
  };
}

/** Compares the newest month that can be with the usual price, with its name where it is not the newest of all. */
function usualText(store: Store, words: Words, judged: JudgedSubject, figures: SeriesFigures): string | undefined {
  const { newest, fiveYears } = judged;
  if (fiveYears === undefined) return undefined;
  const { percentOfUsual, markets, usualPrice, years } = fiveYears.measure;
  const { unit: own } = describeSubject(store, judged);
  const basis =
    markets !== undefined
      ? ` ${words.say("atMarkets", { count: markets })}`
      : words.say("usualOfMarket", {
          years,
          wanted: usualYears,
          price: words.priceOf(convertUnit(store, usualPrice, own, figures.unit), figures.currency, figures.unit),
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

/** Says that the prices end long before those of the data, and which product continues them. */
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
