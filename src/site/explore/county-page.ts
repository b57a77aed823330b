/** A county: what is sold there, its markets, and where to look for what has no current price there. */
import { type Day, dayText, monthText } from "../../engine/model/calendar.ts";
import type { CountyRecord, MarketRecord } from "../../engine/model/records.ts";
import { describeSubject, type JudgedSubject, marketTypeOf } from "../../engine/query/measures/find-judged.ts";
import {
  distance,
  type NearMarket,
  nearestMarkets,
  type SellingMarket,
  sellingMarkets,
} from "../../engine/query/places-of-product.ts";
import { recentMonths } from "../../engine/query/price-news.ts";
import { judgedInCounty, lastMonthOf, marketsBehind, stateOfPrices } from "../../engine/query/state-of-prices.ts";
import { type MarketCode, recordAt } from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import type { Store } from "../../engine/store/store.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { renderCountyMarkets } from "./county-map-section.ts";
import { courseOfJudged, renderCourse } from "./course.ts";
import {
  anomalyRequests,
  apiGet,
  columnKinds,
  type DataColumn,
  type DataTable,
  fromDesktop,
  fromTablet,
} from "./data-table.ts";
import { makeSections, type Page, type Section } from "./explorer-page.ts";
import { type FeedEntry, newestMonths } from "./feed.ts";
import { namedMarketsMax } from "./figures-by-market.ts";
import {
  dashNote,
  judgementColumns,
  knownMeasures,
  oldMonths,
  showNewest,
  showYearChange,
  subjectColumns,
} from "./judgement.ts";
import type { PageRequest } from "./request.ts";

/** Days up to the newest price of the data in which a price elsewhere is current. */
const currentDays = 90;

/** The most products above the table, and the most near counties. */
const mainMax = 4;
const nearMax = 4;

/** The measures of the products of a county. */
const soldMeasures = ["yearBefore", "alps"] as const;

/** A product at a type of market in the county. */
interface SoldRow {
  readonly judged: JudgedSubject;
  /** The markets behind its newest figure, where they are few enough to be named. */
  readonly marketNames: readonly string[] | undefined;
  readonly country: JudgedSubject | undefined;
  /** Undefined where the price in the county is recent, or no such market is known. */
  readonly nearest: NearMarket | undefined;
}

/** @throws {PageProblem} */
export function* countyPage(request: PageRequest, idText: string): Generator<number, Page> {
  const { store, words } = request;
  const county = request.county(idText);
  const judged = yield* judgedInCounty(store, county.id);
  const markets = sellingMarkets(store, county.id);
  const sections = yield* makeSections([
    () => (judged.length === 0 ? nearSection(request, county) : soldSection(request, county, judged)),
    () => (markets.length === 0 ? undefined : marketsSection(request, county, markets)),
  ]);
  const title = words.say("countyTitle", { county: county.name });
  const { id, pcode, iso_3166_2: iso } = county;
  const codes =
    pcode !== null &&
    iso !== null &&
    renderParagraph(words.say("countyCodes", { id: String(id), pcode, iso }), "quiet");
  const description = sentenceOf(request, county, markets);
  const lead = markup`${renderParagraph(description, "sentence")}${codes}`;
  return { title, lead, description, sections, entries: () => countyEntries(request, county) };
}

/** An entry for each month in which the county has prices, with how many of how many products. */
function* countyEntries({ store, words }: PageRequest, county: CountyRecord): Generator<number, FeedEntry[]> {
  const { prices } = store;
  const rows = rowsOf(store.rowsByCounty, county.id);
  yield rows.length;
  return newestMonths(store, rows).map(({ month, name, rows: ofMonth, published, updated }) => {
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

function* soldSection(
  request: PageRequest,
  county: CountyRecord,
  judged: readonly JudgedSubject[],
): Generator<number, Section> {
  const { store, words } = request;
  const { id: countyId, coordinates } = county;
  const last = lastMonthOf(store);
  const since = (store.periods.newestDay - currentDays + 1) as Day;
  const ofCountry = (yield* stateOfPrices(store))?.judged ?? [];
  const byKey = new Map(ofCountry.map((found) => [`${found.newest.product} ${found.newest.marketType}`, found]));
  const isLeftOut = (market: MarketRecord): boolean => market.countyId === countyId;
  const rows: SoldRow[] = [];
  for (const found of judged) {
    const { product, marketType, month } = found.newest;
    const isOld = last - month > oldMonths[0];
    const [nearest] =
      isOld && coordinates !== null
        ? nearestMarkets(store, product, coordinates, { marketType: marketTypeOf(found), since, isLeftOut })
        : [];
    const marketNames = yield* namesOfFew(store, found);
    rows.push({ judged: found, marketNames, country: byKey.get(`${product} ${marketType}`), nearest });
  }
  rows.sort((a, b) => b.judged.newest.month - a.judged.newest.month);
  const shown = rows.filter((row) => row.judged.newest.month > last - recentMonths);
  const older = rows.slice(shown.length);
  const measures = knownMeasures(judged, soldMeasures);
  const hasNearest = rows.some(({ nearest }) => nearest !== undefined);
  const table: DataTable<SoldRow> = {
    rows,
    shown,
    folded:
      older.length === 0 ? undefined : { summary: words.say("olderPrices", { count: older.length }), rows: older },
    requests: [
      ...anomalyRequests(store, { level: "county", countyId }, judged),
      ...anomalyRequests(store, { level: "country" }),
      ...(hasNearest ? [apiGet("/exports/series.csv", { recorded_since: dayText(since) })] : []),
    ],
    note: dashNote(words, judged, measures),
    columns: [...soldColumns(request, countyId, judged), ...(hasNearest ? nearestColumns(request) : [])],
  };
  const texts = [
    words.say("soldLead"),
    hasNearest && words.say("nearestLead", { months: oldMonths[0], count: currentDays }),
    measures.length === 0 && words.say("tooFewHere"),
  ];
  return {
    id: "sold",
    heading: words.say("soldHeading"),
    content: markup`${renderMain(request, countyId, shown)}${renderParagraph(texts.filter(Boolean).join(" "))}`,
    table,
  };
}

/** The names of the markets behind the newest figure of a county; undefined where these are too many. */
function* namesOfFew(store: Store, judged: JudgedSubject): Generator<number, string[] | undefined> {
  const count = judged.newest.area?.markets ?? 1;
  if (count > namedMarketsMax) return undefined;
  const markets = yield* marketsBehind(store, judged);
  return markets.map((market) => recordAt(store.catalogue.markets, market).name);
}

/**
 * The products of the county with most months of prices at its markets, each with its newest price, its change and a
 * small line.
 */
function renderMain(request: PageRequest, county: number, shown: readonly SoldRow[]): Markup | undefined {
  const { store, words } = request;
  const pricesOf = ({ judged: { comparable } }: SoldRow): number =>
    comparable?.marketCounts.reduce((sum, markets) => sum + markets, 0) ?? 0;
  const main = shown.toSorted((a, b) => pricesOf(b) - pricesOf(a)).slice(0, mainMax);
  const items = main.map(({ judged }) => {
    const { newest } = judged;
    const change = showYearChange(words, judged);
    const { product, marketType: type, currency, unit } = describeSubject(store, judged);
    return markup`<li>${request.productLink(product, { county, type })}
<p class="bigNumber"><strong>${words.price(newest.median)}</strong> ${words.currencyPerUnit(currency, unit)}</p>
<p class="quiet">${words.type(type)}, ${words.month(newest.month)}</p>
${change && markup`<p>${change}</p>`}
${renderCourse(words, newest.month, courseOfJudged(request, judged))}</li>\n`;
  });
  return items.length === 0 ? undefined : markup`<ul class="cards">${items}</ul>`;
}

/** A county with prices, and how far it is. */
interface NearCounty {
  readonly county: CountyRecord;
  readonly kilometres: number;
  readonly newestRow: number;
  readonly prices: number;
}

/** The nearest other counties with prices, for one without figures; undefined where its middle is not known. */
function nearSection(request: PageRequest, { id, coordinates }: CountyRecord): Section | undefined {
  const { store, words } = request;
  if (coordinates === null) return undefined;
  const rows = [...store.catalogue.counties.values()]
    .flatMap((county): NearCounty[] => {
      const found = rowsOf(store.rowsByCounty, county.id);
      const [newestRow] = found;
      if (county.id === id || county.coordinates === null || newestRow === undefined) return [];
      const kilometres = distance(coordinates, county.coordinates);
      return [{ county, kilometres, newestRow, prices: found.length }];
    })
    .sort((a, b) => a.kilometres - b.kilometres)
    .slice(0, nearMax);
  if (rows.length === 0) return undefined;
  const { county, count, recorded } = columnKinds<NearCounty>(request);
  const table: DataTable<NearCounty> = {
    rows,
    requests: [apiGet("/exports/series.csv", { sort: "last_recorded_at" }), apiGet("/counties")],
    columns: [
      ...county((row) => row.county),
      count("kilometres", "km", ({ kilometres }) => Math.round(kilometres)),
      recorded("last_day", words.say("last"), ({ newestRow }) => newestRow),
      fromTablet(count("price_count", words.say("samples"), ({ prices }) => prices)),
    ],
  };
  return {
    id: "near",
    heading: words.say("nearCounties"),
    content: renderParagraph(words.say("nearCountiesLead")),
    table,
  };
}

function soldColumns(request: PageRequest, county: number, all: readonly JudgedSubject[]): DataColumn<SoldRow>[] {
  const { words } = request;
  const { price, csv } = columnKinds<SoldRow>(request);
  const showCountry = ({ country }: SoldRow): Markup | undefined => country && showNewest(request, country);
  return [
    ...subjectColumns<SoldRow>(
      request,
      ({ judged }) => judged,
      { county },
      ({ marketNames }) => marketNames,
    ),
    ...judgementColumns<SoldRow>(request, ({ judged }) => judged, soldMeasures, all),
    fromTablet(
      price(
        "country_median_price",
        words.say("pricesOfOtherPlaces"),
        ({ country }) => country?.newest.median,
        showCountry,
      ),
    ),
    csv("country_month", ({ country }) => (country === undefined ? null : monthText(country.newest.month))),
    csv("country_sample_count", ({ country }) => country?.newest.sampleCount ?? null),
  ];
}

function nearestColumns(request: PageRequest): DataColumn<SoldRow>[] {
  const { store, words } = request;
  const { text, csv } = columnKinds<SoldRow>(request);
  const marketOf = ({ nearest }: SoldRow): MarketRecord | undefined =>
    nearest && recordAt(store.catalogue.markets, nearest.market);
  const show = (row: SoldRow): Markup | undefined => {
    const market = marketOf(row);
    if (market === undefined || row.nearest === undefined) return undefined;
    const { kilometres, row: newestRow } = row.nearest;
    return markup`${request.marketLink(market)}<br>
<span class="quiet">${words.integer(kilometres)} km, ${request.recorded(newestRow)}</span>`;
  };
  return [
    fromDesktop(text("nearest_market", words.say("nearestNewer"), (row) => marketOf(row)?.name ?? null, show)),
    csv("nearest_market_uuid", (row) => marketOf(row)?.uuid ?? null),
    csv("nearest_km", ({ nearest }) => (nearest === undefined ? null : Math.round(nearest.kilometres))),
  ];
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
