/**
 * A product: what it costs, how that changed, and where it is sold. Prices outside refugee camps and in camps are parts
 * of their own: each with its chart and the table of its markets.
 */

import { comparePath, docsPath, productPath } from "../../contract/paths.ts";
import { type Figure, figureSentence, nameOfSeries, whereText } from "../../contract/price-sentence.ts";
import type { Words } from "../../contract/words.ts";
import { firstDayOf, monthNumber } from "../../engine/model/calendar.ts";
import type { Uuid } from "../../engine/model/ids.ts";
import { referenceCurrency } from "../../engine/model/records.ts";
import { alsoReportedAs } from "../../engine/query/also-reported.ts";
import { findSources } from "../../engine/query/describe-prices.ts";
import {
  changesByMonth,
  findJudged,
  type JudgedSubject,
  marketTypeOf,
  placeMarketsMin,
} from "../../engine/query/measures/find-judged.ts";
import { isOld } from "../../engine/query/measures/monthly-values.ts";
import type { SuspiciousPrice } from "../../engine/query/monthly-figures.ts";
import type { Place } from "../../engine/query/place.ts";
import { placesOfProduct } from "../../engine/query/places-of-product.ts";
import { type RelatedProduct, relatedProducts } from "../../engine/query/related-products.ts";
import { selectMarkets } from "../../engine/query/select.ts";
import { judgedInCountry, stateMeasures } from "../../engine/query/state-of-prices.ts";
import { countyRecord, type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import { canConvertTo, type UnitAndCurrency } from "../../engine/store/price-conversion.ts";
import type { Store } from "../../engine/store/store.ts";
import type { ChartBreak } from "../charts/line-chart.ts";
import { renderForm, renderHidden, renderParagraph, renderSelect } from "../pages/elements.ts";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import { cardOf } from "./chart-forms.ts";
import { countyMapSection } from "./county-map-section.ts";
import { anomalyRequests, apiGet, columnKinds, type DataTable, fromTablet } from "./data-table.ts";
import { makeSections, type Page, renderCodes, renderTypes, type Section } from "./explorer-page.ts";
import { type FeedEntry, newestMonths } from "./feed.ts";
import { changeText, showChange } from "./figure-text.ts";
import {
  baseUnitOf,
  type ContinuedLine,
  colourOf,
  continuedLines,
  excludedSentence,
  findFigures,
  isInCamps,
  leftOutText,
  type MonthSpan,
  newestOf,
  placeParameters,
  pricesOf,
  productAtPlace,
  type SeriesFigures,
  seriesParameter,
} from "./monthly-series.ts";
import {
  fixedPeriod,
  type MonthlyLine,
  monthsSection,
  readPeriod,
  renderPeriodChoice,
  spanOf,
} from "./months-section.ts";
import { nearestSections } from "./nearest-section.ts";
import {
  cheapestFirst,
  convertUnit,
  type PriceRow,
  priceTable,
  figureOf as rowFigure,
  splitOld,
} from "./place-prices.ts";
import type { PageRequest } from "./request.ts";
import { seasonSection } from "./season-section.ts";
import { suspiciousSection } from "./suspicious-section.ts";

/** @throws {PageProblem} */
export function* productPage(request: PageRequest, uuidText: string): Generator<number, Page> {
  const { store, words } = request;
  const view = yield* viewProduct(request, uuidText);
  const { product, place, main, shown, span } = view;
  const near = place.kind === "country" ? [] : yield* nearestSections(request, view.code, place);
  const own = yield* makeSections([
    ...shown.flatMap((series) => [() => pricesSection(request, view, series), () => marketsSection(request, series)]),
    () => main && seasonSection(request, main),
    () => (main && place.kind === "country" ? countyMapSection(request, main) : undefined),
    () => {
      const rows = view.figures.suspicious.map(({ row }) => row);
      const scope = { productUuid: product.uuid, ...place.conditions, refugeeCamps: undefined };
      return rows.length === 0 ? undefined : suspiciousSection(request, rows, scope);
    },
    () => relatedSection(request, view),
  ]);
  // Near prices lead where the place has no current one of its own.
  const isCurrent = main !== undefined && !isOld(store, newestOf(main).month);
  const sections = isCurrent ? [...own, ...near] : [...near, ...own];
  const link = main && request.pageLink(words.say("compareThis"), comparePath, { series: seriesParameter(main) });
  // A reader with a keyboard reaches the chart by this link.
  const toChart =
    main && markup`<a href="#${sections.find(({ charts }) => charts)?.id}">${words.say("byMonthHeading")}</a>`;
  const controls = markup`${link && markup`<p>${toChart} · ${link}</p>`}\n${renderQuestion(request, view)}`;
  const lines = view.continued.flat().flatMap(({ figures }) => figures ?? []);
  const summary = main && summaryOf(request, view, main);
  const scientificName = product.scientificName === null ? [] : [product.scientificName];
  const names = (product.alternativeNames ?? []).join(", ");
  return {
    title: productAtPlace(words, product, place),
    subject: { kind: "product", uuid: product.uuid, name: words.product(product) },
    lead: markup`${renderLead(request, view)}\n${controls}`,
    sections,
    foot: markup`<p class="quiet">${words.say("comparableElsewhere")}
<a href="${docsPath}/comparable-prices"><code>/prices/index</code></a></p>
${names !== "" && renderParagraph(words.say("alsoCalled", { names }), "quiet")}
${renderCodes(words, [...scientificName, ...(product.sourceIds ?? [])])}`,
    sources: yield* findSources(store, [{ productUuids: [product.uuid] }, ...lines.map(pricesOf)]),
    description: summary,
    fixed: span && fixedPeriod(span),
    card: main && cardOf(main),
    entries: () => productEntries(request, view),
  };
}

export type ProductView = ReturnType<typeof viewProduct> extends Generator<number, infer View> ? View : never;

/** Finds what the address of a page requests and its parts show, once. @throws {PageProblem} */
function* viewProduct(request: PageRequest, uuidText: string) {
  const { store } = request;
  const question = readQuestion(request, uuidText);
  const { code, product, place, unit, currency, type, period } = question;
  const figures = yield* findFigures(store, { code, place, unit, currency });
  const ofType = figures.series.filter(({ marketType }) => marketType === type);
  // A link to another place keeps the type, which that place may not have.
  const main = chooseMain(store, ofType.length > 0 ? ofType : figures.series);
  const shown = figures.series
    .filter(({ marketType }) => marketType === main?.marketType)
    .sort((a, b) => Number(isInCamps(store, a.place)) - Number(isInCamps(store, b.place)));
  // Of all of Kenya, prices of camps that are current stand before old ones of other markets.
  if (place.kind === "country" && main !== shown[0]) shown.reverse();
  const judged: JudgedSubject[] = [];
  const continued: (readonly ContinuedLine[])[] = [];
  for (const series of shown) {
    const { place, marketType } = series;
    continued.push(yield* continuedLines(store, series));
    judged.push(...(yield* judgedAt(store, product.uuid, place)).filter((found) => marketTypeOf(found) === marketType));
  }
  // Only where all months are requested, so that the newest prices of this product stay in the chart.
  const others = period.period === "all" ? continued.flat().flatMap(({ figures }) => figures ?? []) : [];
  const span = shown.length === 0 ? undefined : spanOf(period, [...shown, ...others]);
  const isOfCampsAlone =
    main !== undefined &&
    place.kind === "country" &&
    isInCamps(store, main.place) &&
    !figures.series.some((series) => isReportedElsewhere(store, series));
  const elsewhere = isOfCampsAlone ? yield* findElsewhere(store, code) : [];
  const related = relatedProducts(store, code);
  yield store.catalogue.products.length;
  return {
    ...question,
    figures,
    /** The series that the page begins with: outside camps where there is one; undefined without prices. */
    main,
    /** It, and those of its type at the other population. */
    shown,
    /** The judgements of `shown`, and the products that continue each, in their order. */
    judged,
    continued,
    /** The months of the charts; undefined without prices. */
    span,
    /** True where all of Kenya has no current price outside camps; similar products that have one. */
    isOfCampsAlone,
    elsewhere,
    related,
  };
}

/** The judgements of a product at a place, by type of market. Those of the country are found once for a store. */
function judgedAt(
  store: Store,
  productUuid: Uuid,
  { kind, conditions }: Place,
): Generator<number, readonly JudgedSubject[]> {
  if (kind === "country") return judgedInCountry(store, productUuid, conditions.refugeeCamps ?? "include");
  const question = { productUuids: [productUuid], ...conditions, level: kind, measures: stateMeasures };
  return findJudged(store, question);
}

/** The newest current series outside camps, else in camps; without a current one the newest, outside camps first. */
export function chooseMain(store: Store, series: readonly SeriesFigures[]): SeriesFigures | undefined {
  const current = series.filter((found) => !isOld(store, newestOf(found).month));
  const candidates = current.length > 0 ? current : series;
  return candidates.find(({ place }) => !isInCamps(store, place)) ?? candidates[0];
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
  const own = statisticsUnits[code] as UnitAndCurrency;
  const ownBase = baseUnitOf(store, own.unit);
  const ofBase = [...catalogue.units.keys()].filter((name) => baseUnitOf(store, name) === ownBase);
  const units = [...new Set([own.unit, ...ofBase])];
  const ownCurrency = own.currency ?? referenceCurrency;
  const others = canConvertTo(catalogue, referenceCurrency) ? [referenceCurrency] : [];
  const currencies = [...new Set([ownCurrency, ...others])];
  const currency = request.choice("currency", currencies);
  return {
    code,
    product,
    place: request.place(),
    unit: request.choice("unit", units),
    /** The units that the statistics of the product convert to, its own first. */
    units,
    currency: currency === ownCurrency ? undefined : currency,
    /** The currencies that its prices are shown in, its own first. */
    currencies,
    period: readPeriod(request),
    type: request.value("type"),
  };
}

/** The newest month of a series. */
function figureOf(series: SeriesFigures): Figure {
  const { month, median, markets } = newestOf(series);
  return { ...series, month, median, markets: markets.length };
}

/** The judgement of a series; undefined where its prices are no values. */
function judgedAs({ judged, shown }: ProductView, series: SeriesFigures): JudgedSubject | undefined {
  const found = judged[shown.indexOf(series)];
  return found && marketTypeOf(found) === series.marketType ? found : undefined;
}

/** The newest price, where it is from, and its changes; or when the prices end, and where there are newer ones. */
function renderLead(request: PageRequest, view: ProductView): Markup {
  const { store, words } = request;
  const { figures, main, place } = view;
  if (main === undefined) {
    const absence = words.say("noPricesOfProduct", {
      place: place.kind === "country" ? "" : ` ${whereText(store, words, place)}`,
    });
    return renderParagraph(leftOutText(words, figures) ?? absence, "sentence");
  }
  const others = figures.series.filter((series) => series !== main).map((series) => renderOther(request, view, series));
  const excluded = excludedSentence(words, figures);
  const missing =
    figures.withoutRate > 0 &&
    words.say("withoutRate", { count: figures.withoutRate, currency: figures.currency ?? "" });
  return markup`${renderCampsAlone(request, view)}
${isOld(store, newestOf(main).month) ? renderOld(request, view, main) : renderHeadline(request, view, main)}
${others.length > 0 && markup`<ul class="others">${others}</ul>`}
${excluded && renderParagraph(excluded, "quiet")}${missing && renderParagraph(missing, "note")}`;
}

/** Says first that a product is reported in camps alone, and what is reported elsewhere; undefined for others. */
function renderCampsAlone(request: PageRequest, { isOfCampsAlone, elsewhere }: ProductView): Markup | undefined {
  const { store, words } = request;
  if (!isOfCampsAlone) return undefined;
  const items = elsewhere.map((row) => {
    const { product, marketType, median, currency, unit, month, markets } = rowFigure(store, row);
    const price = words.priceOf(median, currency, unit);
    const sample = `${words.month(month)} ${words.say("atMarkets", { count: markets })}`;
    const link = request.productLink(product, { type: marketType });
    return markup`${link}, ${words.type(marketType)}, ${price}, ${sample}`;
  });
  const named = items.length > 0 && markup` ${words.say("elsewhere")}: ${joinMarkup(items, "; ")}.`;
  return renderParagraph(markup`${words.say("campsAlone")}${named}`, "note");
}

/** Returns whether a series has a price outside camps that is not old. */
function isReportedElsewhere(store: Store, series: SeriesFigures): boolean {
  return !isInCamps(store, series.place) && !isOld(store, newestOf(series).month);
}

/** The products of the same first word with a current price outside camps. Cost: that of judging them. */
function* findElsewhere(store: Store, code: ProductCode): Generator<number, PriceRow[]> {
  const uuids = alsoReportedAs(store, code).map(({ product }) => product.uuid);
  if (uuids.length === 0) return [];
  const question = { productUuids: uuids, level: "country", refugeeCamps: "exclude", measures: [] } as const;
  return splitOld(
    store,
    (yield* findJudged(store, question)).map((judged) => ({ judged })),
  ).current;
}

/** The price of the newest month in large, where it is from, its changes, and in other units. */
function renderHeadline(request: PageRequest, view: ProductView, series: SeriesFigures): Markup {
  const { store, words } = request;
  const { median, month, unit, currency, marketType, place, markets } = figureOf(series);
  const judged = judgedAs(view, series);
  const at = place.kind === "market" ? "" : `, ${words.say("atMarkets", { count: markets })}`;
  const where = `${words.titled(words.type(marketType))} ${whereText(store, words, place)}`;
  const changes = [judged?.yearBefore, judged?.previous].flatMap((change) =>
    change === undefined ? [] : markup`<p class="change">${showChange(store, words, change, month)}</p>`,
  );
  const usual = judged && usualText(store, words, judged, series);
  const perUnit = words.currencyPerUnit(currency, unit);
  return markup`<div class="headline"><p class="bigNumber"><strong>${words.price(median)}</strong> ${perUnit}</p>
<p>${where}, ${words.month(month)}${at}</p>
${renderOtherUnits(request, view, series)}
${changes}
${usual && renderParagraph(usual, "quiet")}${renderAlert(words, judged)}</div>`;
}

/** The alert level; undefined where it cannot be computed, and of an area with too few markets to speak of it. */
function renderAlert(words: Words, judged: JudgedSubject | undefined): Markup | undefined {
  const { alps, newest } = judged ?? {};
  if (alps === undefined || alps.month !== newest?.month) return undefined;
  if ((alps.measure.markets ?? placeMarketsMin) < placeMarketsMin) return undefined;
  const name = alps.measure.class;
  const level = markup`<strong class="class-${name}">${words.say(`class ${name}`)}</strong>`;
  return markup`<p class="quiet">${words.say("alertOf")} <a href="${docsPath}/anomalies#measures">${level}</a></p>`;
}

/** The price in the other units that the product is sold in; undefined without any. */
function renderOtherUnits({ store, words }: PageRequest, { product, units }: ProductView, series: SeriesFigures) {
  const { unit, currency } = series;
  const others = [...new Set([...units.slice(0, 1), ...product.commonUnits])].filter(
    (name) => name !== unit && units.includes(name),
  );
  const { median } = newestOf(series);
  const texts = others.map((name) => words.priceOf(convertUnit(store, median, unit, name), currency, name));
  return texts.length === 0 ? undefined : renderParagraph(texts.join(" · "));
}

/** The end of the prices of a place, and where there are newer ones: no change, no verdict. */
function renderOld(request: PageRequest, { place, related }: ProductView, series: SeriesFigures): Markup {
  const { store, words } = request;
  const figure = figureOf(series);
  const from = place.kind === "country" ? whereText(store, words, series.place) : place.name;
  const ended = words.say(place.kind === "country" ? "noPriceSinceAt" : "noPriceSince", {
    place: from,
    month: words.month(figure.month),
  });
  const links = [
    place.kind !== "country" && markup`<a href="#nearest">${words.say("nearestHeading")}</a>`,
    place.kind !== "country" && request.pageLink(words.say("pricesOfOtherPlaces"), request.path),
    ...related
      .filter(({ continues }) => continues)
      .map(({ product, newestRow }) => {
        const text = words.say("continuedBy", { product: words.product(product), last: request.recorded(newestRow) });
        return request.pageLink(text, productPath(product.uuid));
      }),
  ].filter((link) => link !== false);
  return markup`<p class="note">${ended}. ${joinMarkup(links, " · ")}</p>
${renderParagraph(`${figureSentence(store, words, figure)}.`)}`;
}

/** The price of another type of market or population in a line, with a link that shows it in full. */
function renderOther(request: PageRequest, { main }: ProductView, series: SeriesFigures): Markup {
  const { store, words } = request;
  const figure = figureOf(series);
  const { marketType, place } = series;
  const isShown = marketType === main?.marketType;
  const target = isShown ? (isInCamps(store, place) ? "#camps" : "#months") : request.linkWith({ type: marketType });
  const name = `${words.titled(words.type(marketType))} ${whereText(store, words, place)}`;
  const at = place.kind === "market" ? "" : ` ${words.say("atMarkets", { count: figure.markets })}`;
  const price = words.priceOf(figure.median, figure.currency, figure.unit);
  return markup`<li><a href="${target}">${name}</a>: ${price}, ${words.month(figure.month)}${at}</li>\n`;
}

/**
 * The newest price in a sentence, with its change on a year before: `Salt, retail outside refugee camps: 71.40 KES a kg
 * in March 2026 at 51 markets, 0% since March 2025 at 11 markets.`
 */
function summaryOf({ store, words }: PageRequest, view: ProductView, series: SeriesFigures): string {
  const figure = figureOf(series);
  const change = judgedAs(view, series)?.yearBefore;
  const compared =
    change !== undefined && !isOld(store, figure.month) && changeText(store, words, change, figure.month);
  return `${[figureSentence(store, words, figure), compared].filter(Boolean).join(", ")}.`;
}

/**
 * The price compared with the usual one: of a market in money, the median of named months; of an area, from five
 * markets on, in percent and by model.
 */
function usualText(
  store: Store,
  words: Words,
  { newest, fiveYears }: JudgedSubject,
  { unit, currency, isConverted }: SeriesFigures,
) {
  if (fiveYears === undefined) return undefined;
  const { percentOfUsual, markets, usualPrice, years } = fiveYears.measure;
  const values = { percent: words.percent(percentOfUsual / 100), month: words.month(fiveYears.month) };
  if (markets !== undefined) {
    return markets < placeMarketsMin ? undefined : words.say("usualByModel", { ...values, count: markets });
  }
  const own = store.statisticsUnits[newest.product] as UnitAndCurrency;
  if (isConverted) return undefined;
  const price = words.priceOf(convertUnit(store, usualPrice, own.unit, unit), currency, unit);
  return words.say("usualOfMarket", { ...values, price, count: years });
}

/** An entry for each month in which the product has figures, with a sentence for each series. */
function* productEntries(
  request: PageRequest,
  { code, product, place, figures }: ProductView,
): Generator<number, FeedEntry[]> {
  const { store, words } = request;
  const { from, to } = selectMarkets(store.catalogue, { ...place.conditions, refugeeCamps: undefined });
  const isThere = (row: number): boolean => {
    const market = store.prices.markets[row] as number;
    return market >= from && market < to;
  };
  const rows = rowsOf(store.rowsByProduct, code).filter(isThere);
  yield rows.length;
  return newestMonths(request, rows).flatMap(({ month, name, published, updated }): FeedEntry[] => {
    const sentences = figures.series.flatMap((series) => {
      const found = series.months.find((figures) => figures.month === month);
      if (found === undefined) return [];
      const figure = { ...series, month, median: found.median, markets: found.markets.length };
      return `${figureSentence(store, words, figure)}.`;
    });
    if (sentences.length === 0) return [];
    const title = `${productAtPlace(words, product, place)}, ${words.month(month)}`;
    return [{ name, title, text: sentences.join(" "), published, updated }];
  });
}

/** The prices of a series month by month, with the products that it continues or that continue it. */
function* pricesSection(request: PageRequest, view: ProductView, series: SeriesFigures): Generator<number, Section> {
  const { store, words } = request;
  const { code, figures, place } = view;
  const { marketType } = series;
  const span = view.span as MonthSpan;
  const isOfCamps = isInCamps(store, series.place);
  const label = `${words.type(series.marketType)} ${whereText(store, words, series.place)}`;
  const own: MonthlyLine = { ...series, label, colour: colourOf(store, series.place) };
  const { lines, breaks, notes } = continuedWithin(
    request,
    series,
    view.continued[view.shown.indexOf(series)] ?? [],
    span,
  );
  const types = new Set(figures.series.map(({ marketType }) => marketType));
  const isThere = ({ market }: SuspiciousPrice): boolean =>
    place.kind === "market" || (market.setting === "refugee_camp") === isOfCamps;
  return yield* monthsSection(request, [own, ...lines], {
    id: isOfCamps && place.kind !== "market" ? "camps" : "months",
    heading: words.say(isOfCamps && place.kind !== "market" ? "campsByMonth" : "byMonthHeading"),
    span,
    breaks,
    suspicious: figures.suspicious.filter(isThere),
    changes:
      place.kind === "market" ? [] : yield* changesByMonth(store, code, { marketType, ...series.place.conditions }),
    isOfPage: series === view.main,
    before: series === view.shown[0] ? renderTypes(request, "months", [...types], marketType) : undefined,
    after: notes,
  });
}

/** The lines of the other products that the chart has, and a note on each other product. */
export function continuedWithin(
  request: PageRequest,
  shown: SeriesFigures,
  continued: readonly ContinuedLine[],
  { from, to }: MonthSpan,
) {
  const { store, words } = request;
  const allMonths = `${request.linkWith({ period: "all", from: undefined, to: undefined })}#months`;
  const lines: MonthlyLine[] = [];
  const breaks: ChartBreak[] = [];
  const notes: Markup[] = [];
  for (const { judgement, atMarket, other, place, isEarlier, figures, colour } of continued) {
    const judged = atMarket ?? judgement;
    const name = atMarket === undefined ? words.product(other) : productAtPlace(words, other, place);
    const link = request.pageLink(name, productPath(other.uuid), atMarket && placeParameters(place.conditions));
    const [last, first] = [words.month(judged.lastMonth), words.month(judged.firstMonth)];
    const type = words.type(shown.marketType);
    if (figures?.months.some(({ month }) => month >= from && month <= to)) {
      const names = atMarket ? [place.name, shown.place.name] : [words.product(other), words.product(shown.product)];
      const [earlier = "", later = ""] = isEarlier ? names : names.reverse();
      const key = atMarket ? "continues place" : (`continues ${judgement.judgement}` as const);
      const reason = words.say(key, { later, earlier, type, last, first });
      const month = monthNumber(judged.firstMonth);
      if (month >= from && month <= to) breaks.push({ day: firstDayOf(month), reason });
      lines.push({ ...figures, label: nameOfSeries(store, words, figures), colour });
      notes.push(renderParagraph(markup`${reason} ${link}`, "quiet"));
    } else {
      // A line that is not drawn is only named.
      const named = words.say(isEarlier ? "earlierUnder" : "laterUnder", { month: isEarlier ? last : first, type });
      const toAll = markup`<a href="${allMonths}">${words.say("showAllMonths")}</a>`;
      notes.push(renderParagraph(markup`${named} ${link} · ${toAll}`, "quiet"));
    }
  }
  return { lines, breaks, notes: markup`${notes}` };
}

/** The markets of a series, the cheapest first; undefined for a market. */
function* marketsSection(
  request: PageRequest,
  { product, place, marketType }: SeriesFigures,
): Generator<number, Section | undefined> {
  const { store, words } = request;
  if (place.kind === "market") return undefined;
  const scope = { productUuid: product.uuid, marketType, ...place.conditions };
  const question = { productUuids: [product.uuid], marketType, ...place.conditions };
  const judged = yield* findJudged(store, { ...question, level: "market", measures: ["yearBefore", "previous"] });
  if (judged.length === 0) return undefined;
  const isOfCamps = place.conditions.refugeeCamps === "only";
  const rows = cheapestFirst(
    judged.map((judged) => ({ judged, population: place.conditions.refugeeCamps ?? "include" })),
  );
  return {
    id: isOfCamps ? "camp-markets" : "markets",
    heading: words.say(isOfCamps ? "campMarketsHeading" : "marketsHeading"),
    content: splitOld(store, rows).current.length > 1 ? renderParagraph(words.say("cheapestLead"), "quiet") : undefined,
    table: priceTable(request, rows, {
      by: ["market"],
      requests: anomalyRequests(store, { level: "market", ...scope }, judged),
    }),
  };
}

/** The related products as a table; undefined without any. */
function relatedSection(request: PageRequest, { related }: ProductView): Section | undefined {
  const { words } = request;
  if (related.length === 0) return undefined;
  const { text, recorded, count } = columnKinds<RelatedProduct>(request);
  const badge = (key: "continuesThis" | "continuedByThis"): Markup =>
    markup` <span class="badge">${words.say(key)}</span>`;
  const link = ({ product, continues, isContinued }: RelatedProduct): Markup =>
    markup`${request.productLink(product)}${[
      continues && badge("continuesThis"),
      isContinued && badge("continuedByThis"),
    ]}`;
  const table: DataTable<RelatedProduct> = {
    rows: related,
    requests: related.map(({ product }) => apiGet("/exports/series.csv", { product_uuid: product.uuid })),
    columns: [
      text(words.say("product"), link),
      fromTablet(recorded(words.say("first"), ({ oldestRow }) => oldestRow)),
      recorded(words.say("last"), ({ newestRow }) => newestRow),
      fromTablet(count(words.say("samples"), (row) => row.count)),
    ],
  };
  const lead = renderParagraph(words.say("relatedLead"));
  return { id: "related", heading: words.say("relatedHeading"), content: lead, table };
}

/** The form with the place, the period, the unit and the currency. */
function renderQuestion(request: PageRequest, view: ProductView): Markup {
  const { words } = request;
  const { unit, units, currency, currencies, type, period } = view;
  const unitOptions = units.map((name) => [name, words.unit(name)] as const);
  const currencyOptions = currencies.map((name) => [name, name] as const);
  const fields = markup`${renderPlaceChoice(request, view)}
${renderPeriodChoice(words, period)}
${units.length > 1 && renderSelect("unit", words.say("unit"), unitOptions, unit ?? "")}
${currencies.length > 1 && renderSelect("currency", words.say("currency"), currencyOptions, currency ?? "")}
${renderHidden("type", type)}`;
  return renderForm(request, request.linkTo(request.path), fields);
}

/** The field with the counties that have prices; or the market, which the form keeps, with a link to all places. */
function renderPlaceChoice(request: PageRequest, { code, place }: ProductView): Markup {
  const { store, words } = request;
  const { countyId, marketUuid } = place.conditions;
  if (marketUuid !== undefined) {
    const others = request.pageLink(words.say("pricesOfOtherPlaces"), request.path);
    return markup`${renderHidden("market", marketUuid)}
<span>${words.say("market")}: ${place.name} ${others}</span>`;
  }
  const { counties } = placesOfProduct(store, code);
  const ofCounties = counties.map((id) => [String(id), countyRecord(store.catalogue, id).name] as const);
  const options = [["", words.say("pricesOfOtherPlaces")] as const, ...ofCounties];
  return renderSelect("county", words.say("county"), options, String(countyId ?? ""));
}
