/** The first page: the search, what is furthest from usual, the newest price of each source, and all products. */

import { dayOfInstant, dayText } from "../domain/calendar-day.ts";
import { firstDayOf, monthText } from "../domain/calendar-month.ts";
import { compareNames } from "../domain/folded-text.ts";
import type { ProductRecord } from "../domain/records.ts";
import { renderParagraph } from "../pages/elements.ts";
import { Markup, markup } from "../pages/markup.ts";
import { describePrices, type SourceDescription } from "../query/describe-prices.ts";
import {
  findJudged,
  type JudgedSubject,
  type UnusualProducts,
  unusualProducts,
} from "../query/measures/find-judged.ts";
import { countyRecord, type MarketCode, type ProductCode, recordAt } from "../store/catalogue.ts";
import type { Store } from "../store/store.ts";
import type { ProductMeasure } from "../store/unit-conversion.ts";
import { columnKinds, type DataTable } from "./data-table.ts";
import { anomalyRequests, judgementColumns, marketTypeOf } from "./judgement.ts";
import { figuresByType, newestOf, type TypeFigures } from "./monthly-figures.ts";
import { type Page, type Section, sectionRows } from "./page.ts";
import { type Place, productAtPlace, wholeCountry } from "./place.ts";
import { leftOutText } from "./product-lead.ts";
import {
  linkTo,
  marketPath,
  type PageRequest,
  placeParameters,
  productLink,
  productPath,
  readText,
} from "./request.ts";
import { type FoundProduct, newestDayCode, searchCatalogue } from "./search.ts";
import type { WordKey, Words } from "./words.ts";

const shownMeasures = ["yearBefore", "fiveYears"] as const;

/** Unusual products that the page shows; the CSV has all. */
const unusualShownMax = 12;

/** Results of each kind that the page shows. */
const resultsShownMax = 12;

/** Products of the list of all. */
const productsShownMax = 300;

export function* startPage(request: PageRequest): Generator<number, Page> {
  const { store, words } = request;
  const searched = readText(request, "q");
  const title = words.say("siteName");
  if (searched !== undefined) return { title, lead: yield* renderResults(request, searched), sections: [], searched };
  const sections: Section[] = [];
  const unusual = yield* unusualOf(store);
  if (unusual !== undefined) sections.push(unusualProductsSection(request, unusual));
  yield sectionRows;
  sections.push(allProductsSection(request));
  yield sectionRows;
  sections.push(sourcesSection(request));
  return { title, lead: markup``, sections };
}

/** The results of a search alone, for the script that asks while someone types. */
export function* startResults(request: PageRequest): Generator<number, Markup> {
  const searched = readText(request, "q");
  return searched === undefined ? markup`` : yield* renderResults(request, searched);
}

function* renderResults(request: PageRequest, searched: string): Generator<number, Markup> {
  const { store, words } = request;
  const { products, productsAtPlaces, markets, isPartial, suggestions } = yield* searchCatalogue(store, searched);
  // Without a heading of all results, each list has one of its level: no level is left out.
  const hasHeading = !isPartial && products.length + productsAtPlaces.length + markets.length > 0;
  const level = hasHeading ? 3 : 2;
  const everywhere = (product: ProductCode): FoundProduct => ({ product, place: wholeCountry });
  const lists = [
    yield* productList(request, level, "productsFound", products.map(everywhere)),
    yield* productList(request, level, "productsAtPlaces", productsAtPlaces),
    marketList(request, level, markets),
    yield* productList(
      request,
      2,
      "didYouMean",
      suggestions.map(({ product }) => everywhere(product)),
    ),
  ];
  const problem =
    lists.every((list) => list === undefined) || suggestions.length > 0
      ? renderParagraph(words.say("nothingFound", { text: searched }))
      : isPartial && renderParagraph(words.say("foundInPart", { text: searched }));
  return markup`<section class="results" aria-label="${words.say("searchResults", { text: searched })}">
${hasHeading && markup`<h2>${words.say("searchResults", { text: searched })}</h2>`}${problem}
${lists}</section>`;
}

/** The first of the products that were found; undefined without one. */
function* productList(
  request: PageRequest,
  level: 2 | 3,
  key: WordKey,
  found: readonly FoundProduct[],
): Generator<number, Markup | undefined> {
  const items: Markup[] = [];
  for (const { product, place } of found.slice(0, resultsShownMax)) {
    items.push(yield* productItem(request, product, place));
  }
  return items.length === 0 ? undefined : renderList(request, level, key, items, found.length);
}

function marketList(request: PageRequest, level: 2 | 3, markets: readonly MarketCode[]): Markup | undefined {
  if (markets.length === 0) return undefined;
  const { store, words } = request;
  const items = markets.slice(0, resultsShownMax).map((code) => {
    const { uuid, name, type, countyId } = recordAt(store.catalogue.markets, code);
    const link = markup`<a href="${linkTo(request, marketPath(uuid))}">${name}</a>`;
    return listItem(link, `${words.type(type)}, ${countyRecord(store.catalogue, countyId).name}`);
  });
  return renderList(request, level, "marketsFound", items, markets.length);
}

/** @param count How many were found, with those that are not shown. */
function renderList({ words }: PageRequest, level: 2 | 3, key: WordKey, items: Markup[], count: number): Markup {
  const more = count - items.length;
  const tag = new Markup(`h${level}`);
  return markup`<${tag}>${words.say(key)}</${tag}>
<ul>
${items}</ul>
${more > 0 && renderParagraph(words.say("moreFound", { count: more }), "quiet")}`;
}

function listItem(link: Markup, note: string): Markup {
  return markup`<li>${link} <span class="quiet">${note}</span></li>\n`;
}

/** A product, at a place or everywhere, with its newest median. */
function* productItem(request: PageRequest, code: ProductCode, place: Place): Generator<number, Markup> {
  const { store, words } = request;
  const record = recordAt(store.catalogue.products, code);
  const label = productAtPlace(words, record, place);
  const found = yield* figuresByType(store, record.uuid, place);
  const [figures] = found.byType;
  const absence = leftOutText(store, words, code, found) ?? words.say("none");
  const note = figures === undefined ? absence : newestText(words, figures);
  const target = linkTo(request, productPath(record.uuid), placeParameters(place.conditions));
  return listItem(markup`<a href="${target}">${label}</a>`, note);
}

/** `wholesale, October 2025: 46.39 KES per kg (from 3 prices)` */
function newestText(words: Words, figures: TypeFigures): string {
  const { month, median, samples } = newestOf(figures);
  const price = words.priceOf(median, figures.currency, figures.unit);
  const count = words.say("fromPrices", { count: samples });
  return `${words.type(figures.marketType)}, ${words.month(monthText(month))}: ${price} (${count})`;
}

/** The unusual products of a store are the same for every request. */
const knownUnusual = new WeakMap<Store, { readonly unusual: UnusualProducts | undefined }>();

function* unusualOf(store: Store): Generator<number, UnusualProducts | undefined> {
  let known = knownUnusual.get(store);
  if (known === undefined) {
    known = {
      unusual: unusualProducts(store, yield* findJudged(store, { level: "country", measures: shownMeasures })),
    };
    knownUnusual.set(store, known);
  }
  return known.unusual;
}

function unusualProductsSection(request: PageRequest, { monthFirst, products, unjudged }: UnusualProducts): Section {
  const { store, words } = request;
  const section = { id: "unusual", heading: words.say("moversHeading") };
  const values = { first: words.month(monthText(monthFirst)), same: words.say("sameMarkets") };
  const lead = renderParagraph(words.say("moversLead", values));
  const others = unjudged > 0 && renderParagraph(words.say("moversUnjudged", { count: unjudged }), "quiet");
  if (products.length === 0) return { ...section, content: markup`${lead}${renderParagraph(words.say("noMovers"))}` };
  const recordOf = ({ newest }: JudgedSubject): ProductRecord => recordAt(store.catalogue.products, newest.product);
  const measureOf = ({ newest }: JudgedSubject): ProductMeasure => store.measures[newest.product] as ProductMeasure;
  const link = (row: JudgedSubject): Markup => productLink(request, recordOf(row), { type: marketTypeOf(row) });
  const { text, count, price, csv } = columnKinds<JudgedSubject>(words);
  const { change, usual } = judgementColumns<JudgedSubject>(words, (row) => row);
  const recordedSince = firstDayOf(monthFirst);
  const table: DataTable<JudgedSubject> = {
    name: "unusual",
    title: words.say("moversHeading"),
    rows: products,
    shown: products.slice(0, unusualShownMax),
    requests: anomalyRequests({ level: "country", recordedSince }, products, shownMeasures),
    columns: [
      text("product", words.say("product"), (row) => recordOf(row).name, link),
      csv("product_uuid", (row) => recordOf(row).uuid),
      text("market_type", words.say("type"), marketTypeOf, (row) => words.type(marketTypeOf(row))),
      ...change,
      ...usual,
      csv("month", ({ newest }) => monthText(newest.month)),
      price(
        "median_price",
        words.say("median"),
        ({ newest }) => newest.median,
        (row) =>
          markup`${words.priceOf(row.newest.median, measureOf(row).currency, measureOf(row).unit)}<br>
<span class="quiet">${words.month(monthText(row.newest.month))}</span>`,
      ),
      count("sample_count", words.say("samples"), ({ newest }) => newest.sampleCount),
      csv("suspicious_left_out", ({ newest }) => newest.suspiciousLeftOut),
      csv("currency", (row) => measureOf(row).currency),
      csv("unit", (row) => measureOf(row).unit),
    ],
  };
  return { ...section, content: lead, table, footer: others || undefined };
}

function sourcesSection(request: PageRequest): Section {
  const { store, words } = request;
  const { utcOffset } = store.snapshot;
  const { text, day, count } = columnKinds<SourceDescription>(words);
  const table: DataTable<SourceDescription> = {
    name: "sources",
    title: words.say("newestBySource"),
    rows: describePrices(store).sources.toSorted((a, b) => b.lastRecordedAt - a.lastRecordedAt),
    requests: [{ method: "GET", path: "/api/v1/dataset" }],
    columns: [
      text("source", words.say("source"), ({ name }) => name),
      day(
        "day",
        words.say("day"),
        ({ lastRecordedAt }) => dayText(dayOfInstant(lastRecordedAt, utcOffset)),
        ({ newestRow }) => words.recorded(store, newestRow),
      ),
      count("price_count", words.say("samples"), (source) => source.count),
    ],
  };
  return { id: "sources", heading: table.title, table };
}

function allProductsSection(request: PageRequest): Section {
  const { store, words } = request;
  const { catalogue, periods, rowsByProduct } = store;
  const { offsets, rows } = rowsByProduct;
  const newest = Uint32Array.from(catalogue.products.keys(), (code) => newestDayCode(store, code));
  const codes = [...catalogue.products.keys()]
    .filter((code) => (newest[code] as number) < periods.ages.length)
    .sort((a, b) => (newest[a] as number) - (newest[b] as number));
  const shown = codes.slice(0, productsShownMax);
  const byCategory = [...Map.groupBy(shown, (code) => recordAt(catalogue.products, code).category)];
  const groups = byCategory
    .sort(([a], [b]) => compareNames(a, b))
    .map(([category, members]) => {
      const items = members.map((code) => {
        const day = words.recorded(store, rows[offsets[code] as number] as number);
        return listItem(productLink(request, recordAt(catalogue.products, code)), day);
      });
      return markup`<div><h3>${words.category(category)}</h3><ul>${items}</ul></div>\n`;
    });
  const more = codes.length - shown.length;
  return {
    id: "products",
    heading: words.say("allProducts"),
    content: markup`${renderParagraph(words.say("allProductsLead", { count: codes.length }))}
<div class="columns">${groups}</div>
${more > 0 && renderParagraph(words.say("moreFound", { count: more }), "quiet")}`,
  };
}
