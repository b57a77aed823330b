/** The first page: the search, what the county of the reader pays, what moved most, and all products. */

import { figureSentence } from "../../contract/price-sentence.ts";
import { compareNames, searchWords } from "../../engine/model/folded-text.ts";
import type { CountyRecord } from "../../engine/model/records.ts";
import { findJudged, placeMarketsMin } from "../../engine/query/measures/find-judged.ts";
import { isOld } from "../../engine/query/measures/monthly-values.ts";
import { allInCountry } from "../../engine/query/state-of-prices.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import { rowsOf } from "../../engine/store/columns.ts";
import type { Store } from "../../engine/store/store.ts";
import { renderParagraph } from "../pages/elements.ts";
import { markup } from "../pages/markup.ts";
import { shownStore } from "../pages/shown-store.ts";
import { anomalyRequests } from "./data-table.ts";
import { makeSections, type Page, renderChoice, type Section } from "./explorer-page.ts";
import { populations, type ShownPopulation } from "./monthly-series.ts";
import { renderCountyChoice } from "./own-county.ts";
import { figureOf, type PriceRow, priceTable, splitOld } from "./place-prices.ts";
import type { PageRequest } from "./request.ts";
import { shortList } from "./short-list.ts";
import { renderResults } from "./start-results.ts";

/** Rows of the tables that the page shows; the CSV has all. */
const movedShownMax = 8;
const countyShownMax = 6;
const categoryShownMax = 40;

/** All products in the country, of each population. */
type CountryRows = Readonly<Record<ShownPopulation, readonly PriceRow[]>>;

/** Finds what the page shows of all products, once for a store. */
export function* prepareStartPage(store: Store): Generator<number, void> {
  for (const population of populations) yield* allInCountry(shownStore(store), population);
}

export function* startPage(request: PageRequest): Generator<number, Page> {
  const { store, words } = request;
  const text = request.text("q");
  // A text of apostrophes or invisible characters alone has nothing to search for.
  const searched = text !== undefined && searchWords(text).length > 0 ? text : undefined;
  const countyText = request.text("county");
  const county = countyText === undefined ? undefined : request.county(countyText);
  const title = county === undefined ? words.say("siteName") : words.say("countyFrontTitle", { county: county.name });
  // The script requests the results alone, while someone types.
  if (searched !== undefined || request.text("part") === "results") {
    const lead = searched === undefined ? markup`` : yield* renderResults(request, searched);
    return { title, lead, sections: [], searched };
  }
  const choice = renderCountyChoice(request, county);
  if (store.prices.rowCount === 0) {
    return { title, lead: markup`${renderParagraph(words.say("dataEmpty"), "sentence")}${choice}`, sections: [] };
  }
  const rows: Record<ShownPopulation, PriceRow[]> = { exclude: [], only: [] };
  for (const population of populations) {
    rows[population] = (yield* allInCountry(store, population)).map((judged) => ({ judged, population }));
  }
  const sections = yield* makeSections([
    () => county && countySection(request, county),
    () => shortListSection(request, rows.only),
    () => movedSection(request, rows.exclude, "exclude"),
    () => productsSection(request, rows),
    () => movedSection(request, rows.only, "only"),
  ]);
  const [first] = mostPriced(request, splitOld(store, rows.exclude).current);
  const description = first && `${figureSentence(store, words, figureOf(store, first))}.`;
  return { title, lead: markup``, sections, description, foot: choice };
}

/** Those with most prices in the data first. */
function mostPriced<Row extends PriceRow>({ store }: PageRequest, rows: readonly Row[]): Row[] {
  const count = ({ judged }: PriceRow): number => rowsOf(store.rowsByProduct, judged.newest.product).length;
  return rows.toSorted((a, b) => count(b) - count(a));
}

/** The current prices of the county of the reader, those of the most priced products first. */
function* countySection(request: PageRequest, { id, name }: CountyRecord): Generator<number, Section> {
  const { store, words } = request;
  const judged = yield* findJudged(store, { level: "market", countyId: id, measures: ["yearBefore", "previous"] });
  const { current } = splitOld(
    store,
    judged.map((judged) => ({ judged })),
  );
  const rows = mostPriced(request, current);
  const heading = words.say("countyNewsHeading", { county: name });
  const toCounty = request.countyLink({ id, name: words.say("allOfCounty", { county: name }) });
  const footer = markup`<p>${toCounty}</p>`;
  if (rows.length === 0) {
    return {
      id: "county",
      heading,
      content: renderParagraph(words.say("countyNoNews", { county: name }), "sentence"),
      footer,
    };
  }
  const requests = anomalyRequests(store, { level: "market", countyId: id }, judged);
  const table = priceTable(request, rows, { by: ["product", "market"], requests, shownMax: countyShownMax });
  return { id: "county", heading, table, footer };
}

/** The current prices of what most people buy, and how many there are in refugee camps. */
function* shortListSection(request: PageRequest, inCamps: readonly PriceRow[]): Generator<number, Section | undefined> {
  const { store, words } = request;
  const rows = yield* shortList(store);
  if (rows.length === 0) return undefined;
  const current = splitOld(store, inCamps).current.length;
  const products = words.say("productCount", { count: current });
  const footer =
    current > 0 &&
    markup`<p>${words.say("campsLine", { products })} <a href="#moved-in-camps">${words.say("moversInCamps")}</a></p>`;
  const judged = rows.map((row) => row.judged);
  const requests = anomalyRequests(store, { level: "country", refugeeCamps: "exclude" }, judged);
  const { columns, ...table } = priceTable(request, rows, { by: ["product"], requests });
  const shown = columns.map((column) =>
    column.heading !== words.say("price")
      ? column
      : {
          ...column,
          show: (row: PriceRow) => {
            const { month } = row.judged.newest;
            return isOld(store, month) ? words.say("noneSince", { month: words.month(month) }) : column.show(row);
          },
        },
  );
  return {
    id: "short-list",
    heading: words.say("shortListHeading"),
    table: { ...table, columns: shown, shown: rows, folded: [] },
    footer: footer || undefined,
  };
}

/** The greatest changes on a year before that are of enough markets; undefined without any. */
function movedSection(
  request: PageRequest,
  all: readonly PriceRow[],
  population: ShownPopulation,
): Section | undefined {
  const { store, words } = request;
  const distance = ({ judged }: PriceRow): number =>
    Math.abs(Math.log(1 + (judged.yearBefore?.measure.changePercent ?? 0) / 100));
  const rows = all
    .filter(({ judged: { newest, yearBefore } }) => {
      return !isOld(store, newest.month) && (yearBefore?.measure.matched?.count ?? 0) >= placeMarketsMin;
    })
    .sort((a, b) => distance(b) - distance(a));
  if (rows.length === 0) return undefined;
  const isOfCamps = population === "only";
  const judged = rows.map((row) => row.judged);
  const requests = anomalyRequests(store, { level: "country", refugeeCamps: population }, judged);
  return {
    id: isOfCamps ? "moved-in-camps" : "moved",
    heading: words.say(isOfCamps ? "moversInCamps" : "moversHeading"),
    content: renderParagraph(words.say("moversLead", { count: placeMarketsMin }), "quiet"),
    table: priceTable(request, rows, { by: ["product"], requests, shownMax: movedShownMax }),
  };
}

/** The products outside camps, those with newer prices first, or those of the category that the address names. */
function productsSection(request: PageRequest, all: CountryRows): Section {
  const { store, words } = request;
  const categoryOf = ({ judged }: PriceRow): string =>
    recordAt(store.catalogue.products, judged.newest.product).category;
  const outside = new Set(all.exclude.map(({ judged }) => judged.newest.product));
  const inCampsAlone = all.only.filter(({ judged }) => !outside.has(judged.newest.product));
  const every = [...all.exclude, ...inCampsAlone];
  const counts = Map.groupBy(every, categoryOf);
  const category = request.choice("category", [...counts.keys()]);
  const rows = every
    .filter((row) => category === undefined || categoryOf(row) === category)
    .sort((a, b) => b.judged.newest.month - a.judged.newest.month);
  const names = [undefined, ...[...counts.keys()].sort(compareNames)];
  const links = names.map((name) => ({
    changes: { category: name },
    text: name === undefined ? words.say("allCategories") : `${words.category(name)} (${counts.get(name)?.length})`,
    isCurrent: name === category,
  }));
  const requests = populations.flatMap((refugeeCamps) => {
    return anomalyRequests(
      store,
      { level: "country", refugeeCamps },
      all[refugeeCamps].map(({ judged }) => judged),
    );
  });
  return {
    id: "products",
    heading: words.say("newestPrices"),
    content: renderChoice(request, words.say("category"), "products", links),
    table: priceTable(request, rows, { by: ["product"], requests, shownMax: categoryShownMax }),
    foldsTable: category === undefined && words.say("productsByCategory"),
  };
}
