/** All pages: what answers a path, with a page, a table or a problem. */

import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { citationOf } from "../../engine/export/citation.ts";
import { allSources } from "../../engine/query/find-sources.ts";
import { renderChartFile } from "../charts/chart-file.ts";
import { wideWidth } from "../charts/chart-frame.ts";
import { renderParagraph } from "../pages/elements.ts";
import { markup } from "../pages/markup.ts";
import { comparePage } from "./compare-page.ts";
import { countyPage } from "./county-page.ts";
import { dataPage } from "./data-page.ts";
import { tableAsCsv } from "./data-table.ts";
import { type Page, renderPage, sectionRows } from "./explorer-page.ts";
import { startPage } from "./front-page.ts";
import { marketPage } from "./market-page.ts";
import { productPage } from "./product-page.ts";
import {
  badParameter,
  comparePath,
  dataPath,
  explorerPath,
  PageProblem,
  type PageRequest,
  pageParameters,
  readParameters,
} from "./request.ts";

/** What is sent to the browser. */
export interface PageAnswer {
  readonly status: 200 | 400 | 404;
  readonly type: string;
  readonly text: string;
  /** Name of the file where it is one to keep. */
  readonly fileName?: string;
}

/** A path with what answers it. */
export interface PagePath {
  /** From the root; `:id` is a parameter. */
  readonly path: string;
  /** The parameters that the page reads, besides those of all pages. */
  readonly parameters: Parameters<typeof readParameters>[1];
  /** Whether the answer follows from the publications as well, not from address and store alone. */
  readonly showsPublications: boolean;
  /** Work for `runInSlices`. */
  readonly answer: (request: PageRequest, id: string) => Generator<number, PageAnswer>;
}

type PageMaker = (request: PageRequest, id: string) => Generator<number, Page>;

export const pagePaths: readonly PagePath[] = [
  pageAt(explorerPath, pageParameters.start, startPage),
  pageAt(comparePath, pageParameters.compare, comparePage),
  { ...pageAt(dataPath, [], dataPage), showsPublications: true },
  pageAt(`${explorerPath}/products/:id`, pageParameters.product, productPage),
  pageAt(`${explorerPath}/markets/:id`, pageParameters.market, marketPage),
  pageAt(`${explorerPath}/counties/:id`, [], countyPage),
];

function pageAt(path: string, parameters: PagePath["parameters"], make: PageMaker): PagePath {
  const answer = (request: PageRequest, id: string) => answerPage(request, make(request, id));
  return { path, parameters, showsPublications: false, answer };
}

/** The parameters of an address that a page reads. */
export function parametersOf(page: PagePath, queryText: string): URLSearchParams {
  return readParameters(queryText, [...page.parameters, ...pageParameters.all]);
}

const htmlType = "text/html; charset=utf-8";

/** A page, or what of it the address asks for; a problem as a page. */
function* answerPage(request: PageRequest, work: Generator<number, Page>): Generator<number, PageAnswer> {
  try {
    const page = yield* work;
    yield sectionRows;
    return answerPart(request, page);
  } catch (error) {
    if (!(error instanceof PageProblem)) throw error;
    const { status, key, values } = error;
    const title = request.words.say(status === 404 ? "notFoundTitle" : "badAddressTitle");
    const lead = markup`${renderParagraph(request.words.say(key, values), "sentence")}
<p>${request.pageLink(request.words.say("toStart"), explorerPath)}</p>`;
    return { status, type: htmlType, text: renderPage(request, { title, lead, sections: [] }) };
  }
}

/** The results of a search, a chart, a table, or the whole page. @throws {PageProblem} */
function answerPart(request: PageRequest, page: Page): PageAnswer {
  if (request.text("part") === "results") return { status: 200, type: htmlType, text: page.lead.text };
  const chart = request.text("chart");
  if (chart !== undefined) return answerChart(request, page, chart);
  const table = request.text("table");
  if (table === undefined) return { status: 200, type: htmlType, text: renderPage(request, page) };
  const tables = new Map(page.sections.flatMap((section) => (section.table ? [[section.id, section.table]] : [])));
  const found = tables.get(table);
  if (found === undefined) throw badParameter("table", table, [...tables.keys()].join(", "));
  const fileName = `${table}-${request.store.snapshot.id}.csv`;
  return { status: 200, type: "text/csv; charset=utf-8; header=present", text: tableAsCsv(request, found), fileName };
}

/** A chart of a page as a file. @throws {PageProblem} */
function answerChart(request: PageRequest, { title, sections, sources }: Page, name: string): PageAnswer {
  const { store, words } = request;
  const charts = sections.flatMap((section) => section.charts ?? []);
  const found = charts.find((chart) => chart.name === name);
  if (found === undefined) throw badParameter("chart", name, charts.map((chart) => chart.name).join(", "));
  // A file does not know when its reader had it.
  const citation = citationOf(store.snapshot, sources ?? allSources(store)).replace(", accessed <date>", "");
  const source = `${words.say("source")}: ${citation}`;
  const file = { title, subtitle: found.subtitle, notes: [source, words.say("nothingEstimated")] };
  const text = renderChartFile(file, found.draw(wideWidth));
  return { status: 200, type: "image/svg+xml", text, fileName: `${name}-${store.snapshot.id}.svg` };
}

/** A hash of the code and words that pages are made of: part of their tags, which so change with either. */
export const pagesVersion: string = hash(
  "sha256",
  [
    ...filesOf("./"),
    ...filesOf("../charts/"),
    ...filesOf("../pages/"),
    new URL("../../../data/county-shapes/county-shapes.json", import.meta.url),
    new URL("../../../data/reference/explorer-words.json", import.meta.url),
  ]
    .map((file) => readFileSync(file, "utf8"))
    .join("\n"),
  "base64url",
).slice(0, 12);

function filesOf(folder: string): URL[] {
  const url = new URL(folder, import.meta.url);
  return readdirSync(url)
    .filter((name) => /\.(?:ts|css|js|svg)$/.test(name))
    .sort()
    .map((name) => new URL(name, url));
}
