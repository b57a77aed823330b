/** `/docs/search`: operations and guides that have all words of a question. It needs no script. */

import type { Endpoint } from "../../contract/endpoint.ts";
import { searchCharactersMax } from "../../contract/limits.ts";
import { apiPrefix } from "../../contract/paths.ts";
import { searchKey, searchRuns } from "../../engine/model/folded-text.ts";
import { renderParagraph } from "../pages/elements.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { describeFields } from "./describe-fields.ts";
import { type PageContext, renderPage } from "./docs-page.ts";
import { readGuide } from "./guides.ts";
import { guides, guideTarget, operationTarget } from "./menu.ts";
import { questions } from "./reader-questions.ts";
import { defaultCode } from "./snippets.ts";

/** What can be found. */
interface SearchEntry {
  readonly target: string;
  readonly title: string;
  readonly note: string;
  /** Texts as `searchKey` has them, the weightiest first: title, what it is about, everything else. */
  readonly texts: readonly [string, string, string];
}

const weights = [10, 4, 1] as const;

/** Results on a page. */
const resultsMax = 20;

/** All operations and guides. Cost: some milliseconds, for the files of the guides and the fields of all schemas. */
export function searchEntries(endpoints: readonly Endpoint[]): SearchEntry[] {
  const ofGuides = Object.entries(guides).map(([name, title]) =>
    entryOf(guideTarget(name), title, "Guide", readGuide(name)),
  );
  return [...ofGuides, ...endpoints.map(entryOfEndpoint)];
}

function entryOfEndpoint(endpoint: Endpoint): SearchEntry {
  const { id, method, path, task, summary, description, params, query, body, answer } = endpoint;
  const fields = [params, query, body, answer].flatMap((schema) => describeFields(schema));
  const texts = fields.map((field) => `${field.name} ${field.description}`);
  const about = `${summary} ${id} ${path} ${questions[id] ?? ""}`;
  const note = `${method} ${apiPrefix}${path}: ${summary}`;
  return entryOf(operationTarget(endpoint), task, note, [description, ...texts].join("\n"), about);
}

/** @param about What it is about, beside its title. */
function entryOf(target: string, title: string, note: string, text: string, about = ""): SearchEntry {
  return { target, title, note, texts: [searchKey(title), searchKey(about), searchKey(text)] };
}

/** The entries that have all words of a question, best first; entries alike in the order given. */
export function findEntries(entries: readonly SearchEntry[], question: string): SearchEntry[] {
  const words = searchRuns(question);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, scores: words.map((word) => scoreOf(entry, word)) }))
    .filter(({ scores }) => scores.every((score) => score > 0))
    .map(({ entry, scores }) => ({ entry, score: scores.reduce((sum, score) => sum + score, 0) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, resultsMax)
    .map(({ entry }) => entry);
}

function scoreOf({ texts }: SearchEntry, word: string): number {
  return weights[texts.findIndex((text) => text.includes(word))] ?? 0;
}

/** What a query string asks for, cut to the length of a question. */
export function requestedText(queryText: string): string {
  return (new URLSearchParams(queryText).get("q") ?? "").trim().slice(0, searchCharactersMax);
}

const entriesOfTables = new WeakMap<readonly Endpoint[], SearchEntry[]>();

/** The page with the results of a question; with the form alone where it is empty. */
export function renderSearchPage(question: string, context: PageContext): string {
  const found = findEntries(entriesOfTables.getOrInsertComputed(context.endpoints, searchEntries), question);
  const title = question === "" ? "Search" : `Search: ${question}`;
  const content = markup`${renderSearchForm(context, question)}
${searchKey(question).trim() !== "" && renderResults(found)}`;
  return renderPage({ path: "/docs/search", title, content }, context);
}

function renderResults(found: readonly SearchEntry[]): Markup {
  if (found.length === 0) {
    return renderParagraph(markup`No operation and no guide has all these words. <a href="/docs">The start page</a> has
a list of all.`);
  }
  const items = found.map(
    ({ target, title, note }) =>
      markup`<li><a href="${target}">${title}</a><br>\n<span class="quiet">${note}</span></li>\n`,
  );
  return markup`<ul class="results">\n${items}</ul>`;
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
