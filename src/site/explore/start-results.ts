/** The results of a search on the start page: counties, products, products at counties and markets, markets. */

import { productPath } from "../../contract/paths.ts";
import type { CountyId } from "../../engine/model/ids.ts";
import { countyRecord, type MarketCode, type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import { renderParagraph } from "../pages/elements.ts";
import { Markup, markup } from "../pages/markup.ts";
import type { WordKey, Words } from "../pages/words.ts";
import {
  figuresByType,
  leftOutText,
  newestOf,
  placeParameters,
  productAtPlace,
  type SeriesFigures,
  wholeCountry,
} from "./monthly-series.ts";
import type { PageRequest } from "./request.ts";
import { type FoundProduct, searchCatalogue } from "./search.ts";

/** Results of each kind that the page shows. */
const resultsShownMax = 12;

/** @param searched The text of the search. */
export function* renderResults(request: PageRequest, searched: string): Generator<number, Markup> {
  const { store, words } = request;
  const found = yield* searchCatalogue(store, searched);
  const { counties, products, productsAtPlaces, markets, isPartial, suggestions } = found;
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
  return markup`<section class="results" aria-label="${words.say("searchResults", { text: searched })}">
${hasHeading && markup`<h2>${words.say("searchResults", { text: searched })}</h2>`}${problem}
${lists}</section>`;
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

/** A product, at a place or everywhere, with its newest median. */
function* productItem(request: PageRequest, { product: code, place }: FoundProduct): Generator<number, Markup> {
  const { store, words } = request;
  const record = recordAt(store.catalogue.products, code);
  const label = productAtPlace(words, record, place);
  const found = yield* figuresByType(store, { code, place });
  const [figures] = found.byType;
  const absence = leftOutText(words, found) ?? words.say("none");
  const note = figures === undefined ? absence : newestText(words, figures);
  const link = request.pageLink(label, productPath(record.uuid), placeParameters(place.conditions));
  return listItem(link, note);
}

/** `wholesale, October 2025: 46.39 KES per kg (from 3 prices)` */
function newestText(words: Words, figures: SeriesFigures): string {
  const { month, median, samples } = newestOf(figures);
  const price = words.priceOf(median, figures.currency, figures.unit);
  const count = words.say("fromPrices", { count: samples });
  return `${words.type(figures.marketType)}, ${words.month(month)}: ${price} (${count})`;
}
