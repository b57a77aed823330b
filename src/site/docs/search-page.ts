/** `/docs/search`: the parts of the documentation that a question finds. It needs no script. */

import { maskSecrets } from "../../contract/credentials.ts";
import type { Endpoint } from "../../contract/endpoint.ts";
import { searchCharactersMax } from "../../contract/limits.ts";
import { explorerPath } from "../../contract/paths.ts";
import { searchRuns } from "../../engine/model/folded-text.ts";
import { getOrInsert } from "../../engine/model/get-or-insert.ts";
import { renderParagraph } from "../pages/elements.ts";
import { joinMarkup, type Markup, markup } from "../pages/markup.ts";
import { type PageContext, renderPage } from "./docs-page.ts";
import { operationTarget } from "./menu.ts";
import { type FoundEntries, type FoundEntry, SearchIndex } from "./search-index.ts";
import { defaultCode } from "./snippets.ts";

const description = "Finds operations, fields, guides and codes of errors of the documentation.";

/** The question of a query string, without keys, cut to the length of the field. */
export function requestedText(queryText: string): string {
  return maskSecrets(new URLSearchParams(queryText).get("q") ?? "")
    .trim()
    .slice(0, searchCharactersMax);
}

/** The indexes of tables of endpoints; each is made for its first question. */
const indexes = new WeakMap<readonly Endpoint[], SearchIndex>();

/** Finds the parts of the documentation that answer a question. Cost: the first question makes the index. */
export function searchDocs(question: string, endpoints: readonly Endpoint[]): FoundEntries {
  return getOrInsert(indexes, endpoints, () => new SearchIndex(endpoints)).find(question);
}

/** The page with the results of a question; with the form alone where it has no words. */
export function renderSearchPage(question: string, context: PageContext): string {
  const title = question === "" ? "Search" : `Search: ${question}`;
  const content = markup`${renderSearchForm(context, question)}
${searchRuns(question).length > 0 && renderResults(question, context)}`;
  return renderPage({ path: "/docs/search", title, description, content }, context);
}

const remarks: Readonly<Record<FoundEntries["match"], string | undefined>> = {
  exact: undefined,
  similar: "No part of the documentation has these words as they are written; these parts have similar words.",
  partial: "No part of the documentation has all of these words; these parts have some of them.",
};

function renderResults(question: string, context: PageContext): Markup {
  const { entries, match } = searchDocs(question, context.endpoints);
  const remark = remarks[match];
  const found =
    entries.length === 0
      ? renderParagraph(markup`No part of the documentation has these words.
<a href="/docs">The start page</a> lists its guides, operations and codes of errors.`)
      : markup`${remark !== undefined && renderParagraph(remark)}
<ul class="results">\n${entries.map(renderEntry)}</ul>`;
  return markup`${found}
${renderParagraph(renderOtherSearches(question, context), "quiet")}`;
}

function renderEntry({ target, title, kind, excerpt }: FoundEntry): Markup {
  return markup`<li><a href="${target}">${title}</a> <span class="quiet">${kind}</span>
${excerpt !== "" && markup`<br>${excerpt}\n`}</li>\n`;
}

/** Leads to what this search does not find: products, counties and markets. */
function renderOtherSearches(question: string, { hasExplorer, endpoints }: PageContext): Markup {
  if (hasExplorer) {
    const target = `${explorerPath}?${new URLSearchParams({ q: question })}`;
    return markup`Prices of a product, at a county or market: <a href="${target}">search the prices</a>.`;
  }
  const links = endpoints
    .filter(({ id }) => id === "listProducts" || id === "listMarkets")
    .map((endpoint) => markup`<a href="${operationTarget(endpoint)}">${endpoint.task}</a>`);
  return markup`Products and markets have searches of their own: ${joinMarkup(links, ", ")}.`;
}

/** The form that asks this page. */
export function renderSearchForm({ code }: PageContext, question = ""): Markup {
  return markup`<form class="search" role="search" action="/docs/search">
<label for="q">Search operations, fields and guides</label>
<div><input id="q" name="q" type="search" value="${question}" autocomplete="off" maxlength="${searchCharactersMax}">
${code !== defaultCode && markup`<input type="hidden" name="code" value="${code}">`}
<button>Search</button></div>
</form>`;
}
