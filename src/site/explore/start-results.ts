/** The results of a search on the start page: counties, products, products at counties and markets, markets. */

import { productPath } from "../../contract/paths.ts";
import { whereText } from "../../contract/price-sentence.ts";
import type { WordKey } from "../../contract/words.ts";
import type { CountyId } from "../../engine/model/ids.ts";
import { wholeCountry } from "../../engine/query/place.ts";
import { type FoundProduct, searchCatalogue } from "../../engine/query/search-catalogue.ts";
import { countyRecord, type MarketCode, type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import { renderParagraph } from "../pages/elements.ts";
import { Markup, markup } from "../pages/markup.ts";
import { renderDataTable } from "./data-table.ts";
import { findFigures, leftOutText, newestOf, placeParameters, productAtPlace } from "./monthly-series.ts";
import { nearestSections } from "./nearest-section.ts";
import { chooseMain } from "./product-page.ts";
import type { PageRequest } from "./request.ts";

/** Results of each kind that the page shows. */
const resultsShownMax = 12;

/** @param searched The text of the search. */
export function* renderResults(request: PageRequest, searched: string): Generator<number, Markup> {
  const { store, words } = request;
  const found = yield* searchCatalogue(store, searched);
  const { counties, products, productsAtPlaces, markets, notFound, suggestions } = found;
  const isPartial = notFound.length > 0;
  // Without a heading of all results, each list has one of its level: no level is left out.
  const hasHeading = !isPartial && counties.length + products.length + productsAtPlaces.length + markets.length > 0;
  const level = hasHeading ? 3 : 2;
  const everywhere = (product: ProductCode): FoundProduct => ({ product, place: wholeCountry });
  const suggested = suggestions.map(({ product }) => everywhere(product));
  const lists = [
    yield* renderList(request, level, "inCounties", counties, countyItem),
    yield* renderList(request, level, "productsFound", products.map(everywhere), productItem),
    yield* renderList(request, level, "productsAtPlaces", productsAtPlaces, productItem),
    yield* renderList(request, level, "marketsFound", markets, marketItem),
    yield* renderList(request, 2, "didYouMean", suggested, productItem),
  ];
  const problem =
    lists.every((list) => list === undefined) || suggestions.length > 0
      ? renderParagraph(words.say("nothingFound", { text: searched }))
      : isPartial && renderParagraph(words.say("foundInPart", { text: searched }));
  const [best] = productsAtPlaces;
  const near = best === undefined ? [] : yield* nearestSections(request, best.product, best.place);
  const tag = new Markup(`h${level}`);
  const nearest = near.map(({ heading, content, table }) => {
    return markup`<${tag}>${heading}</${tag}>\n${content}\n${table && renderDataTable(request, table, heading)}`;
  });
  return markup`<section class="results" aria-label="${words.say("searchResults", { text: searched })}">
${hasHeading && markup`<h2>${words.say("searchResults", { text: searched })}</h2>`}${problem}
${lists}${nearest}</section>`;
}

/** The first of what was found; undefined without any. */
function* renderList<Found>(
  request: PageRequest,
  level: 2 | 3,
  key: WordKey,
  found: readonly Found[],
  itemOf: (request: PageRequest, found: Found) => Markup | Generator<number, Markup>,
): Generator<number, Markup | undefined> {
  const { words } = request;
  if (found.length === 0) return undefined;
  const items: Markup[] = [];
  for (const each of found.slice(0, resultsShownMax)) {
    const item = itemOf(request, each);
    items.push("next" in item ? yield* item : item);
  }
  const more = found.length - items.length;
  const tag = new Markup(`h${level}`);
  return markup`<${tag}>${words.say(key)}</${tag}>
<ul>
${items}</ul>
${more > 0 && renderParagraph(words.say("moreFound", { count: more }), "quiet")}`;
}

function countyItem(request: PageRequest, id: CountyId): Markup {
  const name = request.words.say("countyTitle", { county: countyRecord(request.store.catalogue, id).name });
  return markup`<li>${request.countyLink({ id, name })}</li>\n`;
}

function marketItem(request: PageRequest, code: MarketCode): Markup {
  const { store, words } = request;
  const market = recordAt(store.catalogue.markets, code);
  const county = countyRecord(store.catalogue, market.countyId).name;
  return listItem(request.marketLink(market), `${words.type(market.type)}, ${county}`);
}

function listItem(link: Markup, note: string): Markup {
  return markup`<li>${link} <span class="quiet">${note}</span></li>\n`;
}

/** A product, at a place or everywhere, with the price that its page begins with. */
function* productItem(request: PageRequest, { product: code, place }: FoundProduct): Generator<number, Markup> {
  const { store, words } = request;
  const record = recordAt(store.catalogue.products, code);
  const label = productAtPlace(words, record, place);
  const found = yield* findFigures(store, { code, place });
  const series = chooseMain(store, found.series);
  const link = request.pageLink(label, productPath(record.uuid), placeParameters(place.conditions));
  if (series === undefined) return listItem(link, leftOutText(words, found) ?? words.say("none"));
  const { median, month, markets } = newestOf(series);
  const where = `${words.type(series.marketType)} ${whereText(store, words, series.place)}`;
  const at = place.kind === "market" ? "" : `, ${words.say("marketsShort", { count: markets.length })}`;
  const price = words.priceOf(median, series.currency, series.unit);
  return listItem(link, `${where}: ${price}, ${words.month(month)}${at}`);
}
