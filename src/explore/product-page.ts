/** A product: its price, and whether that is much, by month, over the year, over the counties, and at its markets. */
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { findSources } from "../query/find-sources.ts";
import { placesOfProduct } from "../query/places-of-product.ts";
import { countyRecord } from "../store/catalogue.ts";
import { continuedLines, continuedWithin } from "./continued-lines.ts";
import { countyMapSection } from "./county-map-section.ts";
import { figuresByType } from "./monthly-figures.ts";
import { monthsSection } from "./months-section.ts";
import { makeSections, type Page, renderChoice, renderHidden, renderSelect, type Section } from "./page.ts";
import { fixedPeriod, renderPeriodChoice, spanOf } from "./period.ts";
import { productAtPlace, seriesParameter } from "./place.ts";
import { renderLead } from "./product-lead.ts";
import { relatedSection, suspiciousSection, unusualSection } from "./product-sections.ts";
import { type ProductView, viewProduct } from "./product-view.ts";
import { comparePath, type PageRequest, pageLink } from "./request.ts";
import { seasonSection } from "./season-section.ts";
import { seriesSection } from "./series-section.ts";

/** @throws {PageProblem} */
export function* productPage(request: PageRequest, uuidText: string): Generator<number, Page> {
  const { store, words } = request;
  const view = yield* viewProduct(request, uuidText);
  const { product, place, scope, currency, period, figures, chosen, series } = view;
  const lead = yield* renderLead(request, view);
  const { byType, withoutRate } = currency === undefined ? figures : yield* figuresByType(store, view);
  const continued = yield* continuedLines(request, byType);
  const others = continued.flatMap(({ line }) => line ?? []);
  // Only where all months are asked for, so that the newest prices of this product stay in the chart.
  const span = chosen && spanOf(period, period.period === "all" ? [...figures.byType, ...others] : figures.byType);
  const byMonth = (): Generator<number, Section> | undefined => {
    if (span === undefined) return undefined;
    const choice = { span, index: period.index };
    const { lines, breaks, notes } = continuedWithin(request, continued, product, choice);
    const missing = words.say("withoutRate", { count: withoutRate, currency: currency ?? "" });
    const remarks = markup`${notes}${withoutRate > 0 && renderParagraph(missing, "note")}`;
    const own = byType.map((shown) => ({ ...shown, label: words.type(shown.marketType) }));
    return monthsSection(request, [...own, ...lines], { ...choice, breaks, remarks });
  };
  const sections = yield* makeSections([
    byMonth,
    () => chosen && unusualSection(request, view),
    () => chosen && seasonSection(request, chosen, renderTypes(request, view, "season")),
    () => {
      if (chosen === undefined || place.kind === "market") return undefined;
      const title = words.say("countiesHeading", { type: words.type(chosen.marketType) });
      return countyMapSection(request, chosen, title, renderTypes(request, view, "counties"));
    },
    () => {
      if (series.length === 0) return undefined;
      const texts = { heading: words.say("marketsHeading"), lead: words.say("marketsLead", { count: series.length }) };
      return seriesSection(request, { ...texts, by: "market", positions: series, scope });
    },
    () => suspiciousSection(request, view),
    () => relatedSection(request, view),
  ]);
  const toCompare =
    chosen && pageLink(request, words.say("compareThis"), comparePath, { series: seriesParameter(chosen) });
  const productUuids = [product.uuid, ...others.map((line) => line.product.uuid)];
  return {
    title: productAtPlace(words, product, place),
    lead: markup`${lead.content}\n${renderForm(request, view)}\n${toCompare && markup`<p>${toCompare}</p>`}`,
    sections,
    sources: yield* findSources(store, { productUuids, ...place.conditions }),
    description: lead.summary,
    fixed: span && fixedPeriod(span),
  };
}

/** The form with the place, the period, the unit and the currency. */
function renderForm(request: PageRequest, view: ProductView): Markup {
  const { words } = request;
  const { unit, units, currency, currencies, type, period } = view;
  const unitOptions = units.map((name) => [name, words.unit(name)] as const);
  const currencyOptions = currencies.map((name) => [name, name] as const);
  return markup`<form class="choices" action="${request.path}">
${renderPlaceChoice(request, view)}
${renderPeriodChoice(words, period)}
${units.length > 1 && renderSelect("unit", words.say("unit"), unitOptions, unit ?? "")}
${currencies.length > 1 && renderSelect("currency", words.say("chartCurrency"), currencyOptions, currency ?? "")}
${type !== undefined && renderHidden("type", type)}
${request.keepsLanguage && renderHidden("lang", words.language)}
<button>${words.say("show")}</button>
</form>`;
}

/** The field with the counties that have prices; or the market, which the form keeps, with a way out of it. */
function renderPlaceChoice(request: PageRequest, { code, place }: ProductView): Markup {
  const { store, words } = request;
  const { countyId, marketUuid } = place.conditions;
  if (marketUuid !== undefined) {
    const others = pageLink(request, words.say("pricesOfOtherPlaces"), request.path);
    return markup`${renderHidden("market", marketUuid)}
<span>${words.say("market")}: ${place.name} ${others}</span>`;
  }
  const { counties } = placesOfProduct(store, code);
  const ofCounties = counties.map((id) => [String(id), countyRecord(store.catalogue, id).name] as const);
  const options = [["", words.say("pricesOfOtherPlaces")] as const, ...ofCounties];
  return renderSelect("county", words.say("county"), options, String(countyId ?? ""));
}

/** Links to the other types of market; undefined where there is one type only. @param anchor Of the section. */
function renderTypes(request: PageRequest, { figures, chosen }: ProductView, anchor: string): Markup | undefined {
  const { words } = request;
  if (figures.byType.length < 2) return undefined;
  const types = figures.byType.map(({ marketType }) => {
    return {
      text: words.type(marketType),
      changes: { type: marketType },
      isCurrent: marketType === chosen?.marketType,
    };
  });
  return renderChoice(request, words.say("typeOfMarket"), anchor, types);
}
