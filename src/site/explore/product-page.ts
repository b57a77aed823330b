/** A product: its price, and whether that is much, by month, over the year, over the counties, and at its markets. */

import { listItemsMax } from "../../contract/limits.ts";
import { comparePath, docsPath, productPath } from "../../contract/paths.ts";
import { firstDayOf, monthNumber, monthText } from "../../engine/model/calendar.ts";
import { readUuid } from "../../engine/model/ids.ts";
import { findSources } from "../../engine/query/describe-prices.ts";
import {
  describeSubject,
  type JudgedSubject,
  marketTypeOf,
  measureMonthsMax,
} from "../../engine/query/measures/find-judged.ts";
import { marketsMinDefaults, usualYears, usualYearsMin } from "../../engine/query/measures/judge-month.ts";
import type { SuspiciousPrice } from "../../engine/query/monthly-figures.ts";
import { placesOfProduct } from "../../engine/query/places-of-product.ts";
import type { RelatedProduct } from "../../engine/query/related-products.ts";
import { selectMarkets } from "../../engine/query/select.ts";
import { stateMeasures } from "../../engine/query/state-of-prices.ts";
import { countyRecord } from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import type { ChartBreak } from "../charts/line-chart.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { renderForm, renderHidden, renderSelect, renderTypes } from "./choices.ts";
import { countyMapSection } from "./county-map-section.ts";
import { anomalyRequests, apiGet, columnKinds, type DataTable, fromTablet, scopeParameters } from "./data-table.ts";
import { makeSections, type Page, type Section } from "./explorer-page.ts";
import { type FeedEntry, newestMonths } from "./feed.ts";
import { figuresAtMarkets } from "./figures-by-market.ts";
import { dashNote, judgementColumns, showNewest } from "./judgement.ts";
import {
  colourOf,
  figuresOf,
  type MonthlyLine,
  type MonthSpan,
  placeParameters,
  pricesOf,
  productAtPlace,
  seriesParameter,
} from "./monthly-series.ts";
import { fixedPeriod, monthsSection, renderPeriodChoice, shownLine } from "./months-section.ts";
import { nearestSection } from "./nearest-section.ts";
import { monthSentence, renderLead } from "./product-lead.ts";
import { type ProductView, viewProduct } from "./product-view.ts";
import type { PageRequest } from "./request.ts";
import { seasonSection } from "./season-section.ts";
import { seriesSection } from "./series-section.ts";

/** @throws {PageProblem} */
export function* productPage(request: PageRequest, uuidText: string): Generator<number, Page> {
  const { store, words } = request;
  const view = yield* viewProduct(request, uuidText);
  const { product, place, scope, figures, chosen, continued, span, series } = view;
  const types = figures.byType.map(({ marketType }) => marketType);
  const typesOf = (anchor: string) => renderTypes(request, anchor, types, chosen?.marketType);
  const sections = yield* makeSections([
    () => nearestSection(request, view),
    () => productMonths(request, view),
    () => chosen && unusualSection(request, view),
    () => chosen && seasonSection(request, chosen, typesOf("season")),
    () => {
      if (chosen === undefined || place.kind === "market") return undefined;
      const title = words.say("countiesHeading", { type: words.type(chosen.marketType) });
      return countyMapSection(request, chosen, title, typesOf("counties"));
    },
    () => (series.length === 0 ? undefined : seriesSection(request, scope, series)),
    () => suspiciousSection(request, view),
    () => relatedSection(request, view),
  ]);
  const toCompare =
    chosen && request.pageLink(words.say("compareThis"), comparePath, { series: seriesParameter(chosen) });
  const controls = markup`${renderQuestion(request, view)}\n${toCompare && markup`<p>${toCompare}</p>`}`;
  const lead = renderLead(request, view, controls);
  const lines = continued.flatMap(({ line }) => line ?? []);
  return {
    title: productAtPlace(words, product, place),
    subject: { kind: "product", uuid: product.uuid, name: words.product(product) },
    lead: lead.content,
    sections,
    // Beside the prices of a place stand those of other counties, of near markets and of all of Kenya.
    sources: yield* findSources(store, [{ productUuids: [product.uuid] }, ...lines.map(pricesOf)]),
    description: lead.summary,
    fixed: span && fixedPeriod(span),
    entries: () => productEntries(request, view),
  };
}

/** An entry for each month in which the product has figures, with a sentence for each type of market. */
function* productEntries(
  { store, words }: PageRequest,
  { code, product, place, figures }: ProductView,
): Generator<number, FeedEntry[]> {
  const { from, to } = selectMarkets(store.catalogue, place.conditions);
  const isThere = (row: number): boolean => {
    const market = store.prices.markets[row] as number;
    return market >= from && market < to;
  };
  const rows = rowsOf(store.rowsByProduct, code).filter(isThere);
  yield rows.length;
  const entries: FeedEntry[] = [];
  for (const { month, name, published, updated } of newestMonths(store, rows)) {
    const sentences: string[] = [];
    for (const ofType of figures.byType) {
      if (figuresOf(ofType, month) === undefined) continue;
      sentences.push(monthSentence(words, yield* figuresAtMarkets(store, ofType, month)));
    }
    if (sentences.length === 0) continue;
    const title = `${productAtPlace(words, product, place)}, ${words.month(month)}`;
    entries.push({ name, title, text: sentences.join(" "), published, updated });
  }
  return entries;
}

/**
 * The months of the product of a page, with those of the products and the market that it continues or that continue it;
 * undefined without prices.
 */
function productMonths(request: PageRequest, view: ProductView): Generator<number, Section> | undefined {
  const { words } = request;
  const { span, currency, inCurrency } = view;
  if (span === undefined) return undefined;
  const { byType, withoutRate } = inCurrency;
  const { lines, breaks, notes } = continuedWithin(request, view, span);
  const missing = words.say("withoutRate", { count: withoutRate, currency: currency ?? "" });
  const remarks = markup`${notes}${withoutRate > 0 && renderParagraph(missing, "note")}`;
  const own = byType.map((shown) => {
    return { ...shown, label: words.type(shown.marketType), colour: colourOf(shown.marketType) };
  });
  return monthsSection(request, [...own, ...lines], { span, breaks, remarks });
}

/** The lines of the other products that the chart has, and a note on each other product. */
function continuedWithin(
  request: PageRequest,
  { product: shown, place: shownPlace, continued }: ProductView,
  span: MonthSpan,
): { readonly lines: readonly MonthlyLine[]; readonly breaks: readonly ChartBreak[]; readonly notes: Markup } {
  const { words } = request;
  const { from, to } = span;
  const allMonths = `${request.linkWith({ period: "all", from: undefined, to: undefined })}#months`;
  const lines: MonthlyLine[] = [];
  const breaks: ChartBreak[] = [];
  const notes: Markup[] = [];
  for (const { judgement, atMarket, other, marketType, place, isEarlier, line, colour } of continued) {
    const judged = atMarket ?? judgement;
    const name = atMarket === undefined ? words.product(other) : productAtPlace(words, other, place);
    const link = request.pageLink(name, productPath(other.uuid), atMarket && placeParameters(place.conditions));
    const last = words.month(judged.lastMonth);
    const first = words.month(judged.firstMonth);
    const type = words.type(marketType);
    const label = `${name}, ${type}`;
    const labelled = line && { ...line, label, colour };
    if (labelled !== undefined && shownLine(labelled, span).isDrawn) {
      const names = atMarket ? [shownPlace.name, place.name] : [words.product(shown), words.product(other)];
      const [later = "", earlier = ""] = isEarlier ? names : names.reverse();
      const key = atMarket ? "continues place" : (`continues ${judgement.judgement}` as const);
      const reason = words.say(key, { later, earlier, type, last, first });
      const month = monthNumber(judged.firstMonth);
      if (month >= from && month <= to) breaks.push({ day: firstDayOf(month), reason });
      lines.push(labelled);
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

/** Returns whether the prices of a product at a location are unusual: a row for each type of market. */
function unusualSection(request: PageRequest, { scope, place, judged }: ProductView): Section {
  const { store, words } = request;
  const { marketType, price, csv } = columnKinds<JudgedSubject>(request);
  const shownNewest = (row: JudgedSubject): Markup => showNewest(request, row);
  const table: DataTable<JudgedSubject> = {
    rows: judged,
    requests: anomalyRequests(store, { level: place.kind, ...scope }, judged),
    note: dashNote(words, judged, stateMeasures),
    columns: [
      marketType(marketTypeOf),
      ...judgementColumns<JudgedSubject>(request, (row) => row, stateMeasures),
      csv("month", ({ newest }) => monthText(newest.month)),
      price("median_price", words.say("median"), ({ newest }) => newest.median, shownNewest),
      csv("sample_count", ({ newest }) => newest.sampleCount),
      csv("suspicious_left_out", ({ newest }) => newest.suspiciousLeftOut),
      csv("unit", (row) => describeSubject(store, row).unit),
      csv("currency", (row) => describeSubject(store, row).currency),
    ],
  };
  const bounds = { months: measureMonthsMax, least: usualYearsMin, years: usualYears };
  const same = place.kind !== "market" && [" ", words.say("sameMarkets", { count: marketsMinDefaults.country })];
  const explained = markup` <a href="${docsPath}/anomalies">${words.say("howComputed")}</a>`;
  const lead = renderParagraph([words.say("unusualLead", bounds), same, explained]);
  return { id: "unusual", heading: words.say("unusualHeading"), content: lead, table };
}

/** The suspicious prices of a product, and why each is suspicious; undefined without any. */
function suspiciousSection(request: PageRequest, { scope, figures }: ProductView): Section | undefined {
  const { suspicious } = figures;
  if (suspicious.length === 0) return undefined;
  const { store, words } = request;
  const { prices } = store;
  const { text, recorded, price, csv, market, marketType } = columnKinds<SuspiciousPrice>(request);
  const unitOf = ({ row }: SuspiciousPrice) => prices.unitNames[prices.units[row] as number] as string;
  const currencyOf = ({ row }: SuspiciousPrice) => prices.currencyCodes[prices.currencies[row] as number] as string;
  const priceOf = ({ row }: SuspiciousPrice) => prices.prices[row] as number;
  const reasonOf = ({ reason }: SuspiciousPrice) => reason;
  const table: DataTable<SuspiciousPrice> = {
    rows: suspicious,
    requests: [apiGet("/exports/prices.csv", { ...scopeParameters(scope), suspicious: "true" })],
    columns: [
      recorded("day", words.say("day"), ({ row }) => row),
      price("price", words.say("price"), priceOf, (row) => words.priceOf(priceOf(row), currencyOf(row), unitOf(row))),
      csv("unit", unitOf),
      csv("currency", currencyOf),
      ...market((row) => row.market),
      fromTablet(marketType((row) => row.market.type)),
      text("suspicious_reason", words.say("why"), reasonOf, ({ reason }) => words.say(`suspicious ${reason}`)),
      csv("price_uuid", ({ row }) => readUuid(prices.uuids, row)),
    ],
  };
  const lead = renderParagraph(words.say("suspiciousLead"));
  return { id: "suspicious", heading: words.say("suspiciousHeading"), content: lead, table };
}

/** The related products as a table; undefined without any. */
function relatedSection(request: PageRequest, { related }: ProductView): Section | undefined {
  const { words } = request;
  if (related.length === 0) return undefined;
  const { recorded, count, product } = columnKinds<RelatedProduct>(request);
  const badge = (key: "continuesThis" | "continuedByThis"): Markup =>
    markup` <span class="badge">${words.say(key)}</span>`;
  const link = ({ product, continues, isContinued }: RelatedProduct): Markup =>
    markup`${request.productLink(product)}${[
      continues && badge("continuesThis"),
      isContinued && badge("continuedByThis"),
    ]}`;
  const uuids = related.map(({ product: { uuid } }) => uuid);
  const lists = Array.from({ length: Math.ceil(uuids.length / listItemsMax) }, (_, at) =>
    uuids.slice(at * listItemsMax, (at + 1) * listItemsMax).join(","),
  );
  const table: DataTable<RelatedProduct> = {
    rows: related,
    requests: lists.map((list) => apiGet("/exports/series.csv", { product_uuids: list })),
    columns: [
      ...product((row) => row.product, link),
      fromTablet(recorded("first_day", words.say("first"), ({ oldestRow }) => oldestRow)),
      recorded("last_day", words.say("last"), ({ newestRow }) => newestRow),
      fromTablet(count("price_count", words.say("samples"), (row) => row.count)),
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
${currencies.length > 1 && renderSelect("currency", words.say("chartCurrency"), currencyOptions, currency ?? "")}
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
