/** A product: its price, and whether that is much, by month, over the year, over the counties, and at its markets. */
import { referenceCurrency } from "../domain/records.ts";
import { marketTypes } from "../domain/vocabulary.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { findSeries } from "../query/find-series.ts";
import { findSources } from "../query/find-sources.ts";
import { findJudged } from "../query/measures/find-judged.ts";
import { placesOfProduct } from "../query/places-of-product.ts";
import { stateMeasures } from "../query/state-of-prices.ts";
import { countyRecord, type ProductCode, recordAt } from "../store/catalogue.ts";
import { canConvertTo } from "../store/exchange-rates.ts";
import type { Store } from "../store/store.ts";
import { continuedLines, continuedWithin } from "./continued-lines.ts";
import { countyMapSection } from "./county-map-section.ts";
import { figuresByType, type MonthlyLine, type ProductFigures, type SeriesFigures } from "./monthly-figures.ts";
import { monthsSection } from "./months-section.ts";
import { makeSections, type Page, renderChoice, renderHidden, renderSelect, type Section } from "./page.ts";
import { fixedPeriod, readPeriod, renderPeriodChoice, spanOf } from "./period.ts";
import { findPlace, type Place, type ProductAtPlace, placeQuery, productAtPlace, seriesParameter } from "./place.ts";
import { renderLead } from "./product-lead.ts";
import { relatedSection, suspiciousSection, unusualSection } from "./product-sections.ts";
import {
  comparePath,
  linkTo,
  linkWith,
  PageProblem,
  type PageRequest,
  readChoice,
  readText,
  requireUuid,
} from "./request.ts";
import { seasonSection } from "./season-section.ts";
import { seriesSection } from "./series-section.ts";

/** @throws {PageProblem} */
export function* productPage(request: PageRequest, uuidText: string): Generator<number, Page> {
  const { store, words } = request;
  const productUuid = requireUuid("product", uuidText);
  const code = store.catalogue.productCodes.get(productUuid);
  if (code === undefined) throw new PageProblem(404, "notFoundProduct", { found: productUuid });
  const place = findPlace(store, readText(request, "county"), readText(request, "market"));
  const record = recordAt(store.catalogue.products, code);
  const subject: ProductAtPlace = { code, record, place };
  const choices = readChoices(request, code);
  const { unit, currency, type, period } = choices;
  const figures = yield* figuresByType(store, { productUuid, place, unit });
  const { byType, suspicious } = figures;
  // A link to another place keeps the type, which that place may not have.
  const chosen = byType.find(({ marketType }) => marketType === type) ?? byType[0];
  const asked = { productUuids: [productUuid], level: place.kind, ...place.conditions, measures: stateMeasures };
  const judged = yield* findJudged(store, asked);
  const lead = yield* renderLead(request, subject, figures, judged, chosen);
  const inCurrency =
    currency === undefined ? figures : yield* figuresByType(store, { productUuid, place, unit, currency });
  const continued = yield* continuedLines(request, inCurrency.byType);
  const others = continued.flatMap(({ line }) => line ?? []);
  // Only where all months are asked for, so that the newest prices of this product stay in the chart.
  const span = chosen && spanOf(period, period.period === "all" ? [...byType, ...others] : byType);
  const byMonth = (): Generator<number, Section> | undefined => {
    if (span === undefined) return undefined;
    const choice = { span, index: period.index };
    const { lines, breaks, notes } = continuedWithin(request, continued, productUuid, choice);
    const remarks = markup`${notes}${renderWithoutRate(request, inCurrency, currency)}`;
    const all = [...inCurrency.byType.map((shown) => lineOf(request, shown)), ...lines];
    return monthsSection(request, all, { ...choice, breaks, remarks });
  };
  const sections = yield* makeSections([
    byMonth,
    () => chosen && unusualSection(request, subject, judged),
    () => chosen && seasonSection(request, lineOf(request, chosen), renderTypes(request, byType, chosen, "season")),
    () => {
      if (chosen === undefined || place.kind === "market") return undefined;
      const title = words.say("countiesHeading", { type: words.type(chosen.marketType) });
      return countyMapSection(request, chosen, title, renderTypes(request, byType, chosen, "counties"));
    },
    () => marketsSection(request, subject),
    () => suspiciousSection(request, subject, suspicious),
    () => relatedSection(request, code),
  ]);
  const productUuids = [productUuid, ...others.map((line) => line.productUuid)];
  return {
    title: productAtPlace(words, record, place),
    lead: markup`${lead.content}\n${renderForm(request, subject, choices)}\n${renderCompare(request, chosen)}`,
    sections,
    sources: yield* findSources(store, { productUuids, ...place.conditions }),
    description: lead.summary,
    fixed: span && fixedPeriod(span),
  };
}

function lineOf({ words }: PageRequest, figures: SeriesFigures): MonthlyLine {
  return { ...figures, label: words.type(figures.marketType) };
}

/** Says how many prices have no rate of their month. */
function renderWithoutRate(
  { words }: PageRequest,
  { withoutRate: count }: ProductFigures,
  currency = "",
): Markup | false {
  return count > 0 && renderParagraph(words.say("withoutRate", { count, currency }), "note");
}

/** The market prices of the product, page by page; undefined without any. @throws {PageProblem} */
function marketsSection(
  request: PageRequest,
  { record: { uuid: productUuid }, place }: ProductAtPlace,
): Generator<number, Section> | undefined {
  const { store, words } = request;
  const positions = findSeries(store, { productUuids: [productUuid], ...place.conditions }, "last_recorded_at");
  if (positions.length === 0) return undefined;
  return seriesSection(request, {
    heading: words.say("marketsHeading"),
    lead: words.say("marketsLead", { count: positions.length }),
    by: "market",
    positions,
    path: `/api/v1/prices/series?product_uuid=${productUuid}${placeQuery(place)}&sort=last_recorded_at&page_size=1000`,
    scope: { productUuid, ...place.conditions },
  });
}

/**
 * What the form of the page asks for, and the units and currencies to choose from, the product's own first; undefined
 * is what the address leaves open, or the product's own currency.
 *
 * @throws {PageProblem}
 */
function readChoices(request: PageRequest, code: ProductCode) {
  const [units, currencies] = [unitsOf(request.store, code), currenciesOf(request.store, code)];
  const unit = readChoice(request, "unit", units);
  const currency = readChoice(request, "currency", currencies);
  return {
    ...{ unit, units, currencies, period: readPeriod(request), type: readChoice(request, "type", marketTypes) },
    currency: currency === currencies[0] ? undefined : currency,
  };
}

/** The units that the statistics of a product convert to, their own first. */
function unitsOf({ catalogue, measures }: Store, code: ProductCode): string[] {
  const own = measures[code]?.unit as string;
  const base = catalogue.units.get(own)?.baseUnit;
  const same = [...catalogue.units.values()].filter(({ baseUnit }) => baseUnit === base);
  return [...new Set([own, ...same.map(({ name }) => name)])];
}

/** The currencies that the prices of a product are shown in, their own first. */
function currenciesOf({ catalogue, measures }: Store, code: ProductCode): string[] {
  const own = measures[code]?.currency ?? referenceCurrency;
  return canConvertTo(catalogue, referenceCurrency) ? [...new Set([own, referenceCurrency])] : [own];
}

/** The form with the place, the period, the unit and the currency. */
function renderForm(
  request: PageRequest,
  { code, place }: ProductAtPlace,
  { unit, units, currency, currencies, type, period }: ReturnType<typeof readChoices>,
): Markup {
  const { words } = request;
  const unitOptions = units.map((name) => [name, words.unit(name)] as const);
  const currencyOptions = currencies.map((name) => [name, name] as const);
  return markup`<form class="choices" action="${request.path}">
${place.kind === "market" ? renderMarket(request, place) : renderCounties(request, code, place)}
${renderPeriodChoice(words, period)}
${units.length > 1 && renderSelect("unit", words.say("unit"), unitOptions, unit ?? "")}
${currencies.length > 1 && renderSelect("currency", words.say("chartCurrency"), currencyOptions, currency ?? "")}
${type !== undefined && renderHidden("type", type)}
${request.keepsLanguage && renderHidden("lang", words.language)}
<button>${words.say("show")}</button>
</form>`;
}

/** The field with the counties that have prices. */
function renderCounties({ store, words }: PageRequest, code: ProductCode, { conditions }: Place): Markup {
  const { counties } = placesOfProduct(store, code);
  const named = counties.map((id) => [String(id), countyRecord(store.catalogue, id).name] as const);
  const options = [["", words.say("pricesOfOtherPlaces")] as const, ...named];
  return renderSelect("county", words.say("county"), options, String(conditions.countyId ?? ""));
}

/** The market that the form keeps, with a way out of it. */
function renderMarket(request: PageRequest, { name, conditions: { marketUuid } }: Place): Markup {
  const { words } = request;
  const others = markup`<a href="${linkTo(request, request.path)}">${words.say("pricesOfOtherPlaces")}</a>`;
  return markup`${renderHidden("market", marketUuid ?? "")}
<span>${words.say("market")}: ${name} ${others}</span>`;
}

function renderCompare(request: PageRequest, chosen: SeriesFigures | undefined): Markup | undefined {
  if (chosen === undefined) return undefined;
  const target = linkTo(request, comparePath, { series: seriesParameter(chosen) });
  return markup`<p><a href="${target}">${request.words.say("compareThis")}</a></p>`;
}

/** Links to the other types of market; undefined where there is one type only. @param anchor Of the section. */
function renderTypes(
  request: PageRequest,
  byType: readonly SeriesFigures[],
  chosen: SeriesFigures,
  anchor: string,
): Markup | undefined {
  const { words } = request;
  if (byType.length < 2) return undefined;
  const links = byType.map(({ marketType }) => ({
    target: `${linkWith(request, { type: marketType })}#${anchor}`,
    text: words.type(marketType),
    isCurrent: marketType === chosen.marketType,
  }));
  return renderChoice(words.say("typeOfMarket"), links);
}
