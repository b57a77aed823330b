/** A county: what its markets and its refugee camps sell, and where to look where it has no prices. */

import { noPriceSince } from "../../contract/price-sentence.ts";
import { monthOf } from "../../engine/model/calendar.ts";
import type { CountyRecord } from "../../engine/model/records.ts";
import { findJudged } from "../../engine/query/measures/find-judged.ts";
import { isOld } from "../../engine/query/measures/monthly-values.ts";
import { countyPlace } from "../../engine/query/place.ts";
import { type SellingMarket, sellingMarkets } from "../../engine/query/places-of-product.ts";
import { judgedInCounty } from "../../engine/query/state-of-prices.ts";
import { type MarketCode, type ProductCode, recordAt } from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import { dayOfRow } from "../../engine/store/periods.ts";
import { renderForm, renderParagraph, renderSelect } from "../pages/elements.ts";
import { markup } from "../pages/markup.ts";
import { renderCountyMarkets } from "./county-map-section.ts";
import { anomalyRequests, apiGet } from "./data-table.ts";
import { makeSections, type Page, type Section } from "./explorer-page.ts";
import { type FeedEntry, newestMonths } from "./feed.ts";
import { isOfPlace } from "./figure-text.ts";
import { populations, type ShownPopulation } from "./monthly-series.ts";
import { nearestSections } from "./nearest-section.ts";
import { cheapestFirst, type PriceRow, priceTable } from "./place-prices.ts";
import type { PageRequest } from "./request.ts";
import { shortList } from "./short-list.ts";

/** The measures of a table of prices. */
const changes = ["yearBefore", "previous"] as const;

/** @throws {PageProblem} */
export function* countyPage(request: PageRequest, idText: string): Generator<number, Page> {
  const { store, words } = request;
  const county = request.county(idText);
  const markets = sellingMarkets(store, county.id);
  const near = yield* nearestOfProduct(request, county);
  const newestRow = markets[0]?.newestRow;
  const newestMonth = newestRow === undefined ? undefined : monthOf(dayOfRow(store.periods, newestRow));
  const isCurrent = !isOld(store, newestMonth);
  const own = yield* makeSections([
    ...populations.flatMap((population) => [
      () => areaSection(request, county, population),
      () => soldSection(request, county, population),
    ]),
    () => (markets.length === 0 ? undefined : marketsSection(request, county, markets)),
  ]);
  const sections = isCurrent ? [...own, ...near] : [...near, ...own];
  const title = words.say("countyTitle", { county: county.name });
  const { id, pcode, iso_3166_2: iso } = county;
  const codes = pcode !== null && iso !== null && words.say("countyCodes", { id: String(id), pcode, iso });
  const sentence = sentenceOf(request, county, markets);
  const description =
    newestMonth === undefined || isCurrent ? sentence : `${noPriceSince(words, county.name, newestMonth)} ${sentence}`;
  return {
    title,
    lead: renderParagraph(description, "sentence"),
    description,
    sections,
    card: newestRow === undefined ? undefined : { countyId: county.id },
    foot: codes ? renderParagraph(codes, "quiet") : undefined,
    entries: () => countyEntries(request, county),
  };
}

/**
 * The nearest markets of the product that the address names, or else of the first of the short list, with the choice.
 *
 * @throws {PageProblem}
 */
function* nearestOfProduct(request: PageRequest, county: CountyRecord): Generator<number, Section[]> {
  const { store, words } = request;
  const { products } = store.catalogue;
  const text = request.text("product");
  const [first] = yield* shortList(store);
  const code = text === undefined ? first?.judged.newest.product : request.productCode(text, "parameter");
  if (code === undefined) return [];
  const [section, ...others] = yield* nearestSections(request, code as ProductCode, countyPlace(county));
  if (section === undefined) return [];
  const priced = products.filter((_, at) => rowsOf(store.rowsByProduct, at).length > 0);
  const options = priced.map(({ record }) => [record.uuid as string, words.product(record)] as const);
  const select = renderSelect("product", words.say("nearestProduct"), options, recordAt(products, code).uuid);
  const choice = renderForm(request, `${request.linkTo(request.path)}#${section.id}`, select);
  return [{ ...section, content: markup`${choice}${section.content}` }, ...others];
}

/** An entry for each month in which the county has prices, with how many of how many products. */
function* countyEntries(request: PageRequest, county: CountyRecord): Generator<number, FeedEntry[]> {
  const { store, words } = request;
  const { prices } = store;
  const rows = rowsOf(store.rowsByCounty, county.id);
  yield rows.length;
  return newestMonths(request, rows).map(({ month, name, rows: ofMonth, published, updated }) => {
    const products = new Set(ofMonth.map((row) => prices.products[row])).size;
    const markets = new Set(ofMonth.map((row) => prices.markets[row])).size;
    const title = `${words.say("countyTitle", { county: county.name })}, ${words.month(month)}`;
    const text = words.say("countyMonth", {
      county: county.name,
      month: words.month(month),
      products: words.say("productCount", { count: products }),
      markets: words.say("atMarkets", { count: markets }),
      prices: words.say("priceCount", { count: ofMonth.length }),
    });
    return { name, title, text, published, updated };
  });
}

function sentenceOf(request: PageRequest, { name: county }: CountyRecord, markets: readonly SellingMarket[]): string {
  const { words } = request;
  const newest = markets[0]?.newestRow;
  if (newest === undefined) return words.say("countyWithoutPrices", { county });
  const products = new Set(markets.flatMap((market) => [...market.products])).size;
  const selling = markets.filter(({ newestRow }) => newestRow !== undefined).length;
  return words.say("countySentence", {
    county,
    products: words.say("productCount", { count: products }),
    markets: words.say("atMarkets", { count: selling }),
    day: request.recorded(newest),
  });
}

/** The products of which enough markets of the county have a change, so that it is one of the county. */
function* areaSection(
  request: PageRequest,
  { id: countyId, name }: CountyRecord,
  population: ShownPopulation,
): Generator<number, Section | undefined> {
  const { store, words } = request;
  const scope = { countyId, refugeeCamps: population };
  const judged = yield* judgedInCounty(store, countyId, population);
  const rows = judged
    .filter((found) =>
      changes.some((measure) => found[measure] !== undefined && isOfPlace(found[measure].measure.matched)),
    )
    .map((judged): PriceRow => ({ judged, population }));
  if (rows.length === 0) return undefined;
  const isOfCamps = population === "only";
  const requests = anomalyRequests(
    store,
    { level: "county", ...scope },
    rows.map(({ judged }) => judged),
  );
  return {
    id: isOfCamps ? "camps-area" : "area",
    heading: words.say(isOfCamps ? "countyCampsHeading" : "countyAreaHeading", { county: name }),
    table: priceTable(request, rows, { by: ["product"], requests }),
  };
}

/** What the markets of the county sell: each product at each market, its cheapest first. */
function* soldSection(
  request: PageRequest,
  { id: countyId }: CountyRecord,
  population: ShownPopulation,
): Generator<number, Section | undefined> {
  const { store, words } = request;
  const scope = { countyId, refugeeCamps: population };
  const judged = yield* findJudged(store, { ...scope, level: "market", measures: changes });
  if (judged.length === 0) return undefined;
  const rows = cheapestFirst(judged.map((judged) => ({ judged, population }))).sort(
    (a, b) => a.judged.newest.product - b.judged.newest.product,
  );
  const isOfCamps = population === "only";
  return {
    id: isOfCamps ? "camps" : "sold",
    heading: words.say(isOfCamps ? "campMarketsHeading" : "soldHeading"),
    content: renderParagraph(words.say("soldLead"), "quiet"),
    table: priceTable(request, rows, {
      by: ["product", "market"],
      foldsOthers: true,
      requests: anomalyRequests(store, { level: "market", ...scope }, judged),
    }),
  };
}

/** The markets on the map of the county, and as a list. */
function marketsSection(request: PageRequest, { id, name }: CountyRecord, rows: readonly SellingMarket[]): Section {
  const { store, words } = request;
  const codes = rows.map(({ market }) => store.catalogue.marketCodes.get(market.uuid) as MarketCode);
  const items = rows.map(({ market, products, newestRow }) => {
    const count = words.say("productCount", { count: products.size });
    const newest = newestRow === undefined ? words.say("none") : `${count}, ${request.recorded(newestRow)}`;
    const note = `${words.type(market.type)}: ${newest}`;
    return markup`<li>${request.marketLink(market)} <span class="quiet">${note}</span></li>\n`;
  });
  const requests = [
    apiGet("/exports/markets.csv", { county_id: id }),
    apiGet("/exports/series.csv", { county_id: id, sort: "last_recorded_at" }),
  ];
  const lead = renderParagraph(words.say("countyMarketsLead", { county: name }));
  const map = renderCountyMarkets(request, id, codes);
  const content = markup`${lead}<div class="beside">${map}<ul>${items}</ul></div>`;
  return { id: "markets", heading: words.say("marketsHeading"), content, requests };
}
