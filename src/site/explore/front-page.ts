/**
 * The first page: the search, what some products cost in a recent month, first in the county of the reader, a map of
 * one product, what moved most, and all products.
 */
import { apiPrefix } from "../../contract/paths.ts";
import { dayText, firstDayOf } from "../../engine/model/calendar.ts";
import { compareNames, searchWords } from "../../engine/model/folded-text.ts";
import { toUuid } from "../../engine/model/ids.ts";
import type { CountyRecord } from "../../engine/model/records.ts";
import { type JudgedSubject, measureMonthsMax } from "../../engine/query/measures/find-judged.ts";
import { marketsMinDefaults } from "../../engine/query/measures/judge-month.ts";
import {
  lastMonthOf,
  type MappedProduct,
  movedMost,
  type StateOfPrices,
  stateOfPrices,
} from "../../engine/query/state-of-prices.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { renderChoice, renderForm, renderHidden, renderSelect, renderTypes } from "./choices.ts";
import { countyMapSection } from "./county-map-section.ts";
import { courseColumn, courseOfJudged, courseRequest } from "./course.ts";
import { anomalyRequests, apiGet } from "./data-table.ts";
import { makeSections, type Page, type Section } from "./explorer-page.ts";
import { judgedTable } from "./judgement.ts";
import { countyNewsSection, newsSection, newsText } from "./news-section.ts";
import { renderCountyChoice } from "./own-county.ts";
import type { ApiRequest, PageRequest } from "./request.ts";
import { renderResults } from "./start-results.ts";

/** Rows of the tables that the page shows; the CSV has all. */
const movedShownMax = 8;
const productsShownMax = 16;
const categoryShownMax = 40;

export function* startPage(request: PageRequest): Generator<number, Page> {
  const { store, words } = request;
  const text = request.text("q");
  // A text of apostrophes or invisible characters alone has nothing to search for.
  const searched = text !== undefined && searchWords(text).length > 0 ? text : undefined;
  const countyText = request.text("county");
  const county = countyText === undefined ? undefined : request.county(countyText);
  const title = titleOf(request, county);
  // The script requests the results alone, while someone types.
  if (searched !== undefined || request.text("part") === "results") {
    const lead = searched === undefined ? markup`` : yield* renderResults(request, searched);
    return { title, lead, sections: [], searched };
  }
  const state = yield* stateOfPrices(store);
  const choice = renderCountyChoice(request, county);
  if (state === undefined) {
    return { title, lead: markup`${renderParagraph(words.say("dataEmpty"), "sentence")}${choice}`, sections: [] };
  }
  const sections = yield* makeSections([
    () => county && countyNewsSection(request, county),
    () => newsSection(request, state.news, renderNewestMonth(request, state)),
    () => mapSection(request, state),
    () => movedSection(request, state),
    () => productsSection(request, state),
  ]);
  const [first] = state.news;
  const description = first && newsText(words, store, first);
  const lead = first === undefined ? markup`${choice}\n${renderNewestMonth(request, state)}` : choice;
  return { title, lead, requests: newestMonthRequests(state), sections, description };
}

function titleOf({ words }: PageRequest, county: CountyRecord | undefined): string {
  return county === undefined ? words.say("siteName") : words.say("countyFrontTitle", { county: county.name });
}

/** One sentence on the newest month of the data. */
function renderNewestMonth(request: PageRequest, { newest }: StateOfPrices): Markup {
  const { words } = request;
  const sentence = words.say("newestMonth", {
    month: words.month(newest.month),
    prices: words.say("priceCount", { count: newest.prices }),
    products: words.say("productCount", { count: newest.products }),
    counties: words.say("countyCount", { count: newest.counties }),
  });
  return renderParagraph(sentence, "quiet");
}

/** The requests that give the numbers of that sentence. */
function newestMonthRequests({ newest }: StateOfPrices): ApiRequest[] {
  const since = dayText(firstDayOf(newest.month));
  return [
    { path: `${apiPrefix}/prices/search`, body: { start_date: since, page_size: 1 } },
    apiGet("/exports/series.csv", { recorded_since: since }),
  ];
}

/** @throws {PageProblem} */
function mapSection(
  request: PageRequest,
  { mapped }: StateOfPrices,
): Generator<number, Section | undefined> | undefined {
  const { words } = request;
  const uuid = toUuid(request.value("product") ?? "");
  const type = request.value("type");
  const isRequested = ({ product, marketType }: MappedProduct): boolean =>
    product.uuid === (uuid ?? product.uuid) && marketType === (type ?? marketType);
  const shown = mapped.find(isRequested) ?? mapped[0];
  if (shown === undefined) return undefined;
  const { product, marketType } = shown;
  const heading = words.say("mapHeading", { product: `${words.product(product)}, ${words.type(marketType)}` });
  return countyMapSection(request, shown, heading, renderMapChoice(request, mapped, shown));
}

/** A form with the products of the map, and links to the other types of market of the one that is shown. */
function renderMapChoice(request: PageRequest, mapped: readonly MappedProduct[], shown: MappedProduct): Markup {
  const { words } = request;
  const products = new Map(mapped.map(({ product }) => [product.uuid, words.product(product)] as const));
  const options = [...products].sort(([, a], [, b]) => compareNames(a, b));
  const kept = (["county", "map", "window"] as const).map((name) => renderHidden(name, request.text(name)));
  const select = renderSelect("product", words.say("product"), options, shown.product.uuid);
  const form = renderForm(request, `${request.linkTo(request.path)}#counties`, [select, kept]);
  const types = mapped.filter(({ product }) => product === shown.product).map(({ marketType }) => marketType);
  const changes = { product: shown.product.uuid };
  return markup`${form}${renderTypes(request, "counties", types, shown.marketType, changes)}`;
}

/** The greatest recent changes on a year before; undefined without any. */
function movedSection(request: PageRequest, { judged }: StateOfPrices): Section | undefined {
  const { store, words } = request;
  const { products: rows, unjudged, monthFirst } = movedMost(store, judged);
  if (rows.length === 0) return undefined;
  const months = rows.map(({ yearBefore }) => yearBefore.month);
  const [first, last] = [words.month(Math.min(...months)), words.month(Math.max(...months))];
  const values = { count: rows.length, months: words.span(first, last) };
  const shown = rows.slice(0, movedShownMax);
  const requests = anomalyRequests(store, { level: "country", recordedSince: firstDayOf(monthFirst) }, rows);
  const table = judgedTable(request, { rows, shown, requests, measures: ["yearBefore", "fiveYears"] });
  const content = renderParagraph(
    `${words.say("moversLead", values)} ${words.say("sameMarkets", { count: marketsMinDefaults.country })}`,
  );
  const others = { count: unjudged, first: words.month(monthFirst), months: measureMonthsMax };
  const footer = unjudged === 0 ? undefined : renderParagraph(words.say("moversUnjudged", others), "quiet");
  return { id: "unusual", heading: words.say("moversHeading"), content, table, footer };
}

/** The products, those with newer prices first, or those of the category that the address names. */
function productsSection(request: PageRequest, { judged }: StateOfPrices): Section {
  const { store, words } = request;
  const { products } = store.catalogue;
  const categoryOf = ({ newest }: JudgedSubject): string => recordAt(products, newest.product).category;
  const counts = Map.groupBy(judged, categoryOf);
  const category = request.choice("category", [...counts.keys()]);
  const rows = judged
    .filter((found) => category === undefined || categoryOf(found) === category)
    .sort((a, b) => b.newest.month - a.newest.month);
  const shown = rows.slice(0, category === undefined ? productsShownMax : categoryShownMax);
  const last = lastMonthOf(store);
  const requests = [...anomalyRequests(store, { level: "country" }, rows), courseRequest(last)];
  const judgements = judgedTable(request, { rows, shown, requests, measures: ["yearBefore", "alps"] });
  const course = courseColumn<JudgedSubject>(words, last, (row) => courseOfJudged(request, row));
  const table = { ...judgements, columns: [...judgements.columns, course] };
  const names = [undefined, ...[...counts.keys()].sort(compareNames)];
  const links = names.map((name) => ({
    changes: { category: name },
    text: name === undefined ? words.say("allCategories") : `${words.category(name)} (${counts.get(name)?.length})`,
    isCurrent: name === category,
  }));
  const choice = renderChoice(request, words.say("category"), "products", links);
  const lead = renderParagraph(words.say("newestPricesLead"), "quiet");
  const content = markup`${choice}${lead}`;
  const foldsTable = category === undefined && words.say("productsByCategory");
  return { id: "products", heading: words.say("newestPrices"), content, table, foldsTable };
}
