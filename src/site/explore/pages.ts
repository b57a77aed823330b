/** All pages: what answers a path, with a page, a table or a problem. */

import { maskSecrets } from "../../contract/credentials.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { comparePath, dataPath, explorerPath } from "../../contract/paths.ts";
import {
  type PageAddress,
  type PagePath,
  PageRefusal,
  type Pages,
  type RequestedPage,
  type ShownDraft,
} from "../../contract/site-values.ts";
import { citationOf } from "../../engine/export/citation.ts";
import { allSources } from "../../engine/query/describe-prices.ts";
import { renderChartFile } from "../charts/chart-file.ts";
import { wideWidth } from "../charts/chart-frame.ts";
import { requestTo, snippetIn } from "../docs/snippets.ts";
import { renderParagraph } from "../pages/elements.ts";
import { markup } from "../pages/markup.ts";
import { languages, preferredLanguage, wordsOf } from "../pages/words.ts";
import { comparePage } from "./compare-page.ts";
import { countyPage } from "./county-page.ts";
import { dataPage } from "./data-page.ts";
import { tableAsCsv } from "./data-table.ts";
import { assets, type Page, renderPage, renderRequests, sectionRows } from "./explorer-page.ts";
import { startPage } from "./front-page.ts";
import { marketPage } from "./market-page.ts";
import { productPage } from "./product-page.ts";
import {
  type ApiRequest,
  badParameter,
  PageProblem,
  PageRequest,
  pageParameters,
  readParameters,
  type Site,
} from "./request.ts";

type PageMaker = (request: PageRequest, id: string) => Generator<number, Page>;

/** The parameters that a page reads, besides those of all pages. */
type ReadParameters = Parameters<typeof readParameters>[1];

/** All pages. @param endpoints The table of the requests that pages show. @param draft Undefined for published data. */
export function createPages(endpoints: readonly Endpoint[], draft?: ShownDraft): Pages {
  const curlOf = ({ path, body }: ApiRequest): string =>
    snippetIn("curl", requestTo({ method: body === undefined ? "GET" : "POST", path, body: jsonOf(body) }, endpoints));
  return { assets, paths: pagePaths({ curlOf, draft }) };
}

function jsonOf(body: ApiRequest["body"]): string | undefined {
  return body && JSON.stringify(body);
}

function pagePaths(around: Omit<Site, "publications">): readonly PagePath[] {
  return [
    pageAt(explorerPath, pageParameters.start, startPage),
    pageAt(comparePath, pageParameters.compare, comparePage),
    { ...pageAt(dataPath, [], dataPage), showsPublications: true },
    pageAt(`${explorerPath}/products/:id`, pageParameters.product, productPage),
    pageAt(`${explorerPath}/markets/:id`, pageParameters.market, marketPage),
    pageAt(`${explorerPath}/counties/:id`, [], countyPage),
  ];

  function pageAt(path: string, parameters: ReadParameters, make: PageMaker): PagePath {
    return { path, showsPublications: false, request: (address) => requestPage(address, parameters, make) };
  }

  function requestPage(address: PageAddress, names: ReadParameters, make: PageMaker): RequestedPage {
    // Masked here, an address can be repeated in titles, fields, links and messages of its page.
    const path = maskSecrets(address.path);
    const parameters = readParameters(maskSecrets(address.queryText), [...names, ...pageParameters.all]);
    const named = languages.find((language) => language === parameters.get("lang"));
    const language = named ?? preferredLanguage(address.acceptLanguage);
    return {
      // Addresses that differ in what the page does not read are one page.
      key: `page ${language} ${path}?${parameters}`,
      ...formOf(parameters, around.draft !== undefined),
      make(store, publications) {
        const site = { ...around, publications };
        const request = new PageRequest(store, wordsOf(language), path, parameters, site);
        return renderText(request, make(request, maskSecrets(address.id)));
      },
    };
  }
}

const htmlType = "text/html; charset=utf-8";
const csvType = "text/csv; charset=utf-8; header=present";

/**
 * The part of a page that its address requests: the results of a search, a chart or a table as a file, or all of it.
 */
function formOf(parameters: URLSearchParams, isDraft: boolean): Pick<RequestedPage, "type" | "file"> {
  const [part, chart, table] = ["part", "chart", "table"].map((name) => parameters.get(name)?.trim() || undefined);
  if (part !== undefined || (chart ?? table) === undefined) return { type: htmlType };
  // A name that no page has is refused when the page is made; it never stands in a header.
  const name = `${isDraft ? "draft-" : ""}${(chart ?? table ?? "").replace(/[^a-z0-9-]/g, "")}`;
  return chart === undefined
    ? { type: csvType, file: { name, extension: "csv" } }
    : { type: "image/svg+xml", file: { name, extension: "svg" } };
}

/** The requested text. @throws {PageRefusal} with a page that explains the error in the address. */
function* renderText(request: PageRequest, work: Generator<number, Page>): Generator<number, string> {
  try {
    const page = yield* work;
    yield sectionRows;
    return renderPart(request, page);
  } catch (error) {
    if (!(error instanceof PageProblem)) throw error;
    const { status, key, values } = error;
    const title = request.words.say(status === 404 ? "notFoundTitle" : "badAddressTitle");
    const lead = markup`${renderParagraph(request.words.say(key, values), "sentence")}
<p>${request.pageLink(request.words.say("toStart"), explorerPath)}</p>`;
    throw new PageRefusal(status, renderPage(request, { title, lead, sections: [] }), { cause: error });
  }
}

/** @throws {PageProblem} */
function renderPart(request: PageRequest, page: Page): string {
  const part = request.value("part");
  if (part === "results") return page.lead.text;
  if (part === "requests") return renderRequests(request, page);
  const chart = request.text("chart");
  if (chart !== undefined) return renderChart(request, page, chart);
  const table = request.text("table");
  if (table === undefined) return renderPage(request, page);
  const tables = new Map(page.sections.flatMap((section) => (section.table ? [[section.id, section.table]] : [])));
  const found = tables.get(table);
  if (found === undefined) throw badParameter("table", table, [...tables.keys()].join(", "));
  return tableAsCsv(request, found);
}

/** A chart of a page as a file. @throws {PageProblem} */
function renderChart(request: PageRequest, { title, sections, sources }: Page, name: string): string {
  const { store, words, site } = request;
  const charts = sections.flatMap((section) => section.charts ?? []);
  const found = charts.find((chart) => chart.name === name);
  if (found === undefined) throw badParameter("chart", name, charts.map((chart) => chart.name).join(", "));
  // A file does not know when its reader had it.
  const citation = citationOf(store.snapshot, sources ?? allSources(store)).replace(", accessed <date>", "");
  const source = `${words.say("source")}: ${citation}`;
  const mark = site.draft === undefined ? [] : [words.say("draftMark")];
  const file = { title, subtitle: found.subtitle, notes: [...mark, source, words.say("nothingEstimated")] };
  return renderChartFile(file, found.draw(wideWidth));
}
