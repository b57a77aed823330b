/** The first page: the search, the state of prices, a map of one product, what moved, and all products. */
import { apiPrefix } from "../../contract/paths.ts";
import { dayOfInstant, dayText, firstDayOf, monthOf, monthText } from "../../engine/model/calendar.ts";
import { compareNames, searchWords } from "../../engine/model/folded-text.ts";
import type { JudgedSubject } from "../../engine/query/measures/find-judged.ts";
import {
  lastMonthOf,
  type MappedProduct,
  movedMost,
  type StateOfPrices,
  stateOfPrices,
} from "../../engine/query/state-of-prices.ts";
import { recordAt } from "../../engine/store/catalogue.ts";
import type { UnitAndCurrency } from "../../engine/store/price-conversion.ts";
import type { Store } from "../../engine/store/store.ts";
import { renderParagraph } from "../pages/elements.ts";
import { markup } from "../pages/markup.ts";
import { comparableMonths } from "./comparable-months.ts";
import { countyMapSection } from "./county-map-section.ts";
import { anomalyRequests, apiGet, type DataColumn, type DataTable } from "./data-table.ts";
import { makeSections, type Page, renderChoice, type Section } from "./explorer-page.ts";
import { judgementColumns, subjectColumns } from "./judgement.ts";
import { type PageRequest, requireUuid } from "./request.ts";
import { type Course, courseColumn, courseSpan } from "./series-section.ts";
import { renderResults } from "./start-results.ts";

/** Rows of the tables that the page shows; the CSV has all. */
const movedShownMax = 12;
const productsShownMax = 16;
const categoryShownMax = 40;

/** Products that the map offers. */
const mappedShownMax = 8;

export function* startPage(request: PageRequest): Generator<number, Page> {
  const { store, words } = request;
  const text = request.text("q");
  // A text of apostrophes or invisible characters alone has nothing to search for.
  const searched = text !== undefined && searchWords(text).length > 0 ? text : undefined;
  const title = words.say("siteName");
  // The script requests the results alone, while someone types.
  if (searched !== undefined || request.text("part") === "results") {
    const lead = searched === undefined ? markup`` : yield* renderResults(request, searched);
    return { title, lead, sections: [], searched };
  }
  const state = yield* stateOfPrices(store);
  if (state === undefined) return { title, lead: markup``, sections: [] };
  const sections = yield* makeSections([
    () => mapSection(request, state),
    () => productsSection(request, state),
    () => movedSection(request, state),
  ]);
  return { title, ...renderNews(request, state), sections };
}

/** One sentence on the newest month of the data. */
function renderNews(request: PageRequest, { newest }: StateOfPrices): Pick<Page, "lead" | "description" | "requests"> {
  const { store, words, site } = request;
  const published = dayOfInstant(store.snapshot.createdAt, store.snapshot.utcOffset);
  const age = monthOf(published) - newest.month;
  // A draft was published on no day.
  const isOld = age > 0 && site.draft === undefined;
  const sentence = words.say("newsSentence", {
    month: words.month(newest.month),
    prices: words.say("priceCount", { count: newest.prices }),
    products: words.say("productCount", { count: newest.products }),
    counties: words.say("countyCount", { count: newest.counties }),
  });
  const ofAge = words.say("newsAge", { count: Math.max(0, age), day: words.day(published) });
  const since = dayText(firstDayOf(newest.month));
  return {
    lead: renderParagraph(isOld ? `${sentence} ${ofAge}` : sentence, "sentence"),
    description: sentence,
    requests: [
      { path: `${apiPrefix}/prices/search`, body: { start_date: since, page_size: 1 } },
      apiGet("/exports/series.csv", { recorded_since: since }),
    ],
  };
}

/** @throws {PageProblem} */
function mapSection(
  request: PageRequest,
  { mapped, staple }: StateOfPrices,
): Generator<number, Section | undefined> | undefined {
  const { words } = request;
  const text = request.text("product");
  const uuid = text === undefined ? undefined : requireUuid("product", text);
  const type = request.value("type");
  const isRequested = ({ product, marketType }: MappedProduct): boolean =>
    (uuid ?? type) !== undefined && product.uuid === (uuid ?? product.uuid) && marketType === (type ?? marketType);
  const shown = mapped.find(isRequested) ?? staple;
  if (shown === undefined) return undefined;
  const nameOf = ({ product, marketType }: MappedProduct): string =>
    `${words.product(product)}, ${words.type(marketType)}`;
  const offered = mapped.filter((each, at) => each === shown || each === staple || at < mappedShownMax);
  const links = offered.map((each) => {
    const changes = { product: each.product.uuid, type: each.marketType };
    return { text: nameOf(each), changes, isCurrent: each === shown };
  });
  const heading = words.say("mapHeading", { product: nameOf(shown) });
  const others = renderChoice(request, words.say("otherMaps"), "counties", links);
  return countyMapSection(request, shown, heading, others);
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
  const { from, to } = courseSpan(lastMonthOf(store));
  const table: DataTable<JudgedSubject> = {
    rows,
    shown: rows.slice(0, category === undefined ? productsShownMax : categoryShownMax),
    requests: [
      ...anomalyRequests(store, { level: "country" }, rows),
      apiGet("/exports/index.csv", { start_month: monthText(from), end_month: monthText(to) }),
    ],
    columns: productColumns(request, rows),
  };
  const names = [undefined, ...[...counts.keys()].sort(compareNames)];
  const links = names.map((name) => ({
    changes: { category: name },
    text: name === undefined ? words.say("allCategories") : `${words.category(name)} (${counts.get(name)?.length})`,
    isCurrent: name === category,
  }));
  const choice = renderChoice(request, words.say("category"), "products", links);
  const lead = renderParagraph(words.say("newestPricesLead"), "quiet");
  return { id: "products", heading: words.say("newestPrices"), content: markup`${choice}${lead}`, table };
}

function productColumns(request: PageRequest, all: readonly JudgedSubject[]): DataColumn<JudgedSubject>[] {
  const { store, words } = request;
  const { change, alps } = judgementColumns<JudgedSubject>(request, (row) => row, all);
  return [
    ...subjectColumns<JudgedSubject>(request, (row) => row),
    ...change,
    ...alps,
    courseColumn(words, lastMonthOf(store), (row) => courseOf(store, row)),
  ];
}

/** The comparable prices of a product in the country. */
function courseOf(store: Store, { newest: { product }, comparable }: JudgedSubject): Course {
  const { name } = recordAt(store.catalogue.products, product);
  const target = { ...(store.statisticsUnits[product] as UnitAndCurrency), isConverted: false };
  const months = [...comparableMonths(store, product, target, comparable)];
  return {
    ...target,
    name,
    months: months.map(([month, found]) => ({ month, price: found.price, comparable: found })),
  };
}

/** The greatest recent changes on a year before; undefined without any. */
function movedSection(request: PageRequest, { judged }: StateOfPrices): Section | undefined {
  const { store, words } = request;
  const { products: rows, unjudged, monthFirst } = movedMost(store, judged);
  if (rows.length === 0) return undefined;
  const months = rows.map(({ yearBefore }) => yearBefore.month);
  const [first, last] = [words.month(Math.min(...months)), words.month(Math.max(...months))];
  const values = { count: rows.length, first, last };
  const { change, usual } = judgementColumns<JudgedSubject>(request, (row) => row);
  const table: DataTable<JudgedSubject> = {
    rows,
    shown: rows.slice(0, movedShownMax),
    requests: anomalyRequests(request.store, { level: "country", recordedSince: firstDayOf(monthFirst) }, rows),
    columns: [...subjectColumns<JudgedSubject>(request, (row) => row), ...change, ...usual],
  };
  const content = renderParagraph(`${words.say("moversLead", values)} ${words.say("sameMarkets")}`);
  const footer =
    unjudged === 0 ? undefined : renderParagraph(words.say("moversUnjudged", { count: unjudged }), "quiet");
  return { id: "unusual", heading: words.say("moversHeading"), content, table, footer };
}
