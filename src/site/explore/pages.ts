/** All pages: what answers a path, with a page, a table or a problem. */

import { maskSecrets } from "../../contract/credentials.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { comparePath, dataPath, explorerPath, gapsPath } from "../../contract/paths.ts";
import type { Publication, Publications } from "../../contract/publications.ts";
import {
  type PageAddress,
  type PagePath,
  type PageRedirect,
  PageRefusal,
  type Pages,
  type RequestedPage,
} from "../../contract/site-values.ts";
import { languages, wordsOf } from "../../contract/words.ts";
import { lengthsMax, shortened } from "../../engine/model/text-lengths.ts";
import { framedPageHeaders, pageHeaders } from "../docs/page-policies.ts";
import { requestTo, snippetIn } from "../docs/snippets.ts";
import { renderParagraph } from "../pages/elements.ts";
import { languageOfPath, pathIn } from "../pages/frame.ts";
import { markup } from "../pages/markup.ts";
import { shownStore } from "../pages/shown-store.ts";
import { chartAsFile, renderEmbed } from "./chart-forms.ts";
import { comparePage } from "./compare-page.ts";
import { countyPage } from "./county-page.ts";
import { dataPage } from "./data-page.ts";
import { type Page, renderPage, renderRequests, sectionRows } from "./explorer-page.ts";
import { renderFeed } from "./feed.ts";
import { prepareStartPage, startPage } from "./front-page.ts";
import { gapsPage } from "./gaps-page.ts";
import { marketPage } from "./market-page.ts";
import { redirectToCounty } from "./own-county.ts";
import { assets } from "./page-assets.ts";
import { productPage } from "./product-page.ts";
import {
  type ApiRequest,
  addressOf,
  badParameter,
  PageProblem,
  PageRequest,
  type ParameterName,
  pageParameters,
  readParameters,
  type Site,
} from "./request.ts";

type PageMaker = (request: PageRequest, id: string) => Generator<number, Page>;

/** The parameters that a page reads, besides those of all pages. */
type ReadParameters = Parameters<typeof readParameters>[1];

/** The parts of the service that pages show; each is optional. */
type PagesOptions = Partial<Pick<Site, "draft" | "publicUrl">>;

/** All pages. @param endpoints The table of the requests that pages show. */
export function createPages(endpoints: readonly Endpoint[], options: PagesOptions = {}): Pages {
  const curlOf = ({ path, body }: ApiRequest): string =>
    snippetIn(
      "curl",
      requestTo({ method: body === undefined ? "GET" : "POST", path, body: body && JSON.stringify(body) }, endpoints),
    );
  return { assets: Object.values(assets), paths: pagePaths({ ...options, curlOf }), prepare: prepareStartPage };
}

function pagePaths(around: Omit<Site, "publications">): readonly PagePath[] {
  return languages.flatMap((language) => [
    {
      ...pageAt(pathIn(language, explorerPath), pageParameters.start, startPage),
      redirect: (address, ...rest) => redirectToLanguage(address) ?? redirectToCounty(address, ...rest),
    },
    pageAt(pathIn(language, comparePath), pageParameters.compare, comparePage),
    pageAt(pathIn(language, dataPath), [], dataPage, true),
    pageAt(pathIn(language, gapsPath), [], gapsPage),
    pageAt(pathIn(language, `${explorerPath}/products/:id`), pageParameters.product, productPage),
    pageAt(pathIn(language, `${explorerPath}/markets/:id`), pageParameters.market, marketPage),
    pageAt(pathIn(language, `${explorerPath}/counties/:id`), pageParameters.county, countyPage),
  ]);

  function pageAt(path: string, parameters: ReadParameters, make: PageMaker, showsPublications = false): PagePath {
    return {
      path,
      // Entries of a feed are dated by them.
      request: (address) => {
        const requested = requestPage(address, parameters, make);
        return { ...requested, showsPublications: showsPublications || requested.type === feedType };
      },
      redirect: redirectToLanguage,
    };
  }

  function requestPage(
    address: PageAddress,
    names: ReadParameters,
    make: PageMaker,
  ): Omit<RequestedPage, "showsPublications"> {
    // Masked here, an address can be repeated in titles, fields, links and messages of its page.
    const { language, path } = languageOfPath(maskSecrets(address.path));
    const parameters = readParameters(maskSecrets(address.queryText), [...names, ...pageParameters.all]);
    return {
      // Addresses that differ in what the page does not read are one page.
      key: `page ${language} ${path}?${parameters}`,
      ...formOf(parameters, around.draft !== undefined),
      make(store, publications) {
        const site = { ...around, publications: shownPublications(publications) };
        const request = new PageRequest(shownStore(store), wordsOf(language), path, parameters, site);
        return renderText(request, make(request, maskSecrets(address.id)));
      },
    };
  }
}

/** Notes of snapshots are cut as all texts are. */
function shownPublications({ snapshots, ...others }: Publications): Publications {
  const cut = ({ note, ...publication }: Publication): Publication => ({
    ...publication,
    note: note && shortened(note, lengthsMax.text),
  });
  return { ...others, snapshots: snapshots?.map(cut) ?? null };
}

/**
 * Former addresses name the language by `lang`: they lead to the path of that language, with all their other
 * parameters. Undefined for addresses without it.
 */
function redirectToLanguage({ path, queryText }: PageAddress): PageRedirect | undefined {
  const parameters = new URLSearchParams(maskSecrets(queryText));
  if (!parameters.has("lang")) return undefined;
  const requested = languageOfPath(maskSecrets(path));
  const named = languages.find((language) => language === parameters.get("lang"));
  return { location: addressOf(pathIn(named ?? requested.language, requested.path), parameters, { lang: undefined }) };
}

const htmlType = "text/html; charset=utf-8";
const feedType = "application/atom+xml; charset=utf-8";
const csvType = "text/csv; charset=utf-8; header=present";

/**
 * The form of a page that its address requests: the results of a search, a feed, a frame, a chart or a table as
 * a file, or all of it.
 */
function formOf(parameters: URLSearchParams, isDraft: boolean): Pick<RequestedPage, "type" | "file" | "headers"> {
  const value = (name: ParameterName): string | undefined => parameters.get(name)?.trim() || undefined;
  // A name that no page has is refused when the page is made, before any header is written.
  const file = (name: string, extension: string) => {
    return { name: `${isDraft ? "draft-" : ""}${name.replace(/[^a-z0-9-]/g, "")}`, extension };
  };
  const [chart, table, headers] = [value("chart"), value("table"), pageHeaders];
  if (value("part") !== undefined) return { type: htmlType, headers };
  if (value("feed") !== undefined) return { type: feedType, headers };
  if (value("embed") !== undefined) return { type: htmlType, headers: framedPageHeaders };
  if (chart !== undefined) return { type: "image/svg+xml", headers, file: file(chart, "svg") };
  return table === undefined ? { type: htmlType, headers } : { type: csvType, headers, file: file(table, "csv") };
}

/** The requested text. @throws {PageRefusal} with a page that explains the error in the address. */
function* renderText(request: PageRequest, work: Generator<number, Page>): Generator<number, string> {
  try {
    const page = yield* work;
    yield sectionRows;
    return request.value("feed") === undefined ? renderPart(request, page) : yield* renderFeed(request, page);
  } catch (error) {
    if (!(error instanceof PageProblem)) throw error;
    const { status, key, values } = error;
    const title = request.words.say(status === 404 ? "notFoundTitle" : "badAddressTitle");
    const lead = markup`${renderParagraph(request.words.say(key, values), "sentence")}
<p>${request.pageLink(request.words.say("toStart"), explorerPath)}</p>`;
    const page = { title, lead, sections: [], isRefusal: true };
    throw new PageRefusal(status, { html: renderPage(request, page), headers: pageHeaders }, { cause: error });
  }
}

/** @throws {PageProblem} */
function renderPart(request: PageRequest, page: Page): string {
  const part = request.value("part");
  if (part === "results") return page.lead.text;
  if (part === "requests") return renderRequests(request, page);
  if (request.value("embed") !== undefined) return renderEmbed(request, page);
  const chart = request.text("chart");
  if (chart !== undefined) return chartAsFile(request, page, chart);
  const table = request.text("table");
  if (table === undefined) return renderPage(request, page);
  const tables = new Map(page.sections.flatMap(({ id, table }) => (table?.csv ? [[id, table.csv]] : [])));
  const found = tables.get(table);
  if (found === undefined) throw badParameter("table", table, [...tables.keys()].join(", "));
  return found.write(request.store);
}
