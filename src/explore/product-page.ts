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
import { compareParameter } from "./compare-series.ts";
import { continuedLines, continuedWithin } from "./continued-lines.ts";
import { countyMapSection } from "./county-map-section.ts";
import { figuresByType, type TypeFigures } from "./monthly-figures.ts";
import { monthsSection } from "./months-section.ts";
import { type Page, renderChoice, renderHidden, renderSelect, type Section, sectionRows } from "./page.ts";
import { fixedPeriod, parsePeriod, periodParameters, renderPeriodChoice, spanOf } from "./period.ts";
import { findPlace, type Place, type ProductAtPlace, placeQuery, productAtPlace } from "./place.ts";
import { renderLead } from "./product-lead.ts";
import { relatedProducts, relatedSection } from "./related-products.ts";
import {
  badParameter,
  comparePath,
  linkTo,
  linkWith,
  PageProblem,
  type PageRequest,
  type ParameterTexts,
  readTexts,
  requireChoice,
  requireUuid,
} from "./request.ts";
import { seasonSection } from "./season-section.ts";
import { seriesSection } from "./series-section.ts";
import { suspiciousSection } from "./suspicious-section.ts";
import { unusualSection } from "./unusual-section.ts";

/** @throws {PageProblem} */
export function* productPage(request: PageRequest, uuidText: string): Generator<number, Page> {
  const { store, words } = request;
  const uuid = requireUuid("product", uuidText);
  const code = store.catalogue.productCodes.get(uuid);
  if (code === undefined) throw new PageProblem(404, "notFoundProduct", { found: uuid });
  const texts = readTexts(request, ["county", "market", "unit", "currency", "type", ...periodParameters, "page"]);
  const place = findPlace(store, texts.county, texts.market);
  const record = recordAt(store.catalogue.products, code);
  const subject: ProductAtPlace = { code, record, place };
  const choices = readChoices(store, code, texts);
  const { unit, currency, type, period } = choices;
  const figures = yield* figuresByType(store, uuid, place, { unit });
  const { byType } = figures;
  // A link to another place keeps the type, which that place may not have.
  const chosen = byType.find(({ marketType }) => marketType === type) ?? byType[0];
  const asked = { productUuids: [uuid], level: place.kind, ...place.conditions, measures: stateMeasures };
  const judged = yield* findJudged(store, asked);
  const lead = yield* renderLead(request, subject, figures, judged, chosen);
  const inCurrency = currency === undefined ? figures : yield* figuresByType(store, uuid, place, { unit, currency });
  const continued = yield* continuedLines(request, subject, inCurrency.byType);
  const others = continued.flatMap(({ line }) => line ?? []);
  // Only where all months are asked for, so that the newest prices of this product stay in the chart.
  const span =
    chosen && spanOf(period, period.period === "all" ? [...byType, ...others.map((line) => line.figures)] : byType);
  const sections: Section[] = [];
  if (chosen !== undefined && span !== undefined) {
    const lineOf = (shown: TypeFigures) =>
      ({
        label: words.type(shown.marketType),
        product: record.name,
        productUuid: uuid,
        place,
        figures: shown,
        suspicious: inCurrency.suspicious.filter(({ market }) => market.type === shown.marketType),
      }) as const;
    const otherTypes = typeLinks(request, byType, chosen);
    const heading = words.say("byMonthHeading");
    const { lines, breaks, notes } = continuedWithin(request, continued, uuid, { span, index: period.index });
    const { withoutRate: count } = inCurrency;
    const unrated = count > 0 && renderParagraph(words.say("withoutRate", { count, currency: currency ?? "" }), "note");
    const remarks = markup`${notes}${unrated}`;
    const all = [...inCurrency.byType.map(lineOf), ...lines];
    sections.push(yield* monthsSection(request, heading, all, { span, index: period.index, breaks, remarks }));
    yield sectionRows;
    sections.push(unusualSection(request, subject, judged));
    yield sectionRows;
    sections.push(yield* seasonSection(request, lineOf(chosen), code, otherTypes("season")));
    yield sectionRows;
    if (place.kind !== "market") {
      const title = words.say("countiesHeading", { type: words.type(chosen.marketType) });
      const map = yield* countyMapSection(request, { ...chosen, productUuid: uuid }, title, otherTypes("counties"));
      if (map !== undefined) sections.push(map);
    }
    yield sectionRows;
  }
  const markets = yield* marketsOf(request, subject, texts.page);
  if (markets !== undefined) sections.push(markets);
  yield sectionRows;
  if (figures.suspicious.length > 0) sections.push(suspiciousSection(request, subject, figures.suspicious));
  const related = relatedProducts(store, code);
  if (related.length > 0) sections.push(relatedSection(request, code, related));
  const title = productAtPlace(words, record, place);
  return {
    title,
    lead: markup`${lead.content}\n${renderForm(request, subject, choices)}\n${compareLink(request, subject, chosen)}`,
    sections,
    sources: yield* findSources(store, {
      productUuids: [uuid, ...others.map((line) => line.productUuid)],
      ...place.conditions,
    }),
    description: lead.summary,
    fixed: span && fixedPeriod(span),
  };
}

/** The market prices of the product, page by page; undefined without any. @throws {PageProblem} */
function* marketsOf(
  request: PageRequest,
  { record: { uuid }, place }: ProductAtPlace,
  page: string | undefined,
): Generator<number, Section | undefined> {
  const { store, words } = request;
  const positions = findSeries(store, { productUuids: [uuid], ...place.conditions }, "last_recorded_at");
  if (positions.length === 0) return undefined;
  return yield* seriesSection(request, {
    heading: words.say("marketsHeading"),
    lead: words.say("marketsLead", { count: positions.length }),
    by: "market",
    positions,
    page,
    path: `/api/v1/prices/series?product_uuid=${uuid}${placeQuery(place)}&sort=last_recorded_at&page_size=1000`,
    scope: { productUuid: uuid, ...place.conditions },
  });
}

/**
 * What the form of the page asks for, and the units and currencies to choose from, the product's own first; undefined
 * is what the address leaves open, or the product's own currency.
 *
 * @throws {PageProblem}
 */
function readChoices(
  store: Store,
  code: ProductCode,
  texts: ParameterTexts<"unit" | "currency" | "type" | (typeof periodParameters)[number]>,
) {
  const [units, currencies] = [unitsOf(store, code), currenciesOf(store, code)];
  const { unit, type } = texts;
  if (unit !== undefined && !units.includes(unit)) throw badParameter("unit", unit, units.join(", "));
  const currency = texts.currency === undefined ? undefined : requireChoice("currency", texts.currency, currencies);
  return {
    ...{ unit, units, currencies, period: parsePeriod(texts) },
    currency: currency === currencies[0] ? undefined : currency,
    type: type === undefined ? undefined : requireChoice("type", type, marketTypes),
  };
}

/** The units that the statistics of a product convert to, their own first. */
function unitsOf({ catalogue, measures }: Store, code: ProductCode): string[] {
  const own = measures[code]?.unit as string;
  const base = catalogue.units.get(own)?.baseUnit;
  const same = [...catalogue.units.values()].filter(({ baseUnit }) => baseUnit === base);
  return [own, ...same.map(({ name }) => name).filter((name) => name !== own)];
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
  const counties = placesOfProduct(store, code).counties.map(
    (id) => [String(id), countyRecord(store.catalogue, id).name] as const,
  );
  const options = [["", words.say("pricesOfOtherPlaces")] as const, ...counties];
  return renderSelect("county", words.say("county"), options, String(conditions.countyId ?? ""));
}

/** The market that the form keeps, with a way out of it. */
function renderMarket(request: PageRequest, { name, conditions: { marketUuid } }: Place): Markup {
  const { words } = request;
  const others = markup`<a href="${linkTo(request, request.path)}">${words.say("pricesOfOtherPlaces")}</a>`;
  return markup`${renderHidden("market", marketUuid ?? "")}
<span>${words.say("market")}: ${name} ${others}</span>`;
}

function compareLink(
  request: PageRequest,
  { record, place }: ProductAtPlace,
  chosen: TypeFigures | undefined,
): Markup | undefined {
  if (chosen === undefined) return undefined;
  const series = compareParameter({ productUuid: record.uuid, marketType: chosen.marketType, place });
  const target = linkTo(request, comparePath, { series });
  return markup`<p><a href="${target}">${request.words.say("compareThis")}</a></p>`;
}

/** Links to the other types of market; undefined where there is one type only. */
function typeLinks(
  request: PageRequest,
  byType: readonly TypeFigures[],
  chosen: TypeFigures,
): (anchor: string) => Markup | undefined {
  const { words } = request;
  return (anchor) => {
    if (byType.length < 2) return undefined;
    const links = byType.map(({ marketType }) => ({
      target: `${linkWith(request, { type: marketType })}#${anchor}`,
      text: words.type(marketType),
      isCurrent: marketType === chosen.marketType,
    }));
    return renderChoice(words.say("typeOfMarket"), links);
  };
}
