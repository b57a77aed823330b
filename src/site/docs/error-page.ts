/** The page that a browser gets in place of an error; programs get the error of the interface. */

import type { Endpoint } from "../../contract/endpoint.ts";
import { docsPath, explorerPath } from "../../contract/paths.ts";
import type { RefusedAddress, RenderErrorPage, ShownError } from "../../contract/site-values.ts";
import { type Language, type WordKey, type Words, wordsOf } from "../../contract/words.ts";
import { renderSearchForm } from "../pages/elements.ts";
import { iconLink, languageOfPath, pathIn, preferredLanguage, renderFrame, siteOf } from "../pages/frame.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { frameStyle, renderStyle, textStyle } from "../pages/style.ts";
import { renderPage } from "./docs-page.ts";
import { documentPolicy } from "./page-policies.ts";
import { chosenCode } from "./snippets.ts";

/** Title and text by status. */
const errorTexts: ReadonlyMap<number, readonly [title: WordKey, text: WordKey]> = new Map([
  [400, ["badAddressTitle", "badAddress"]],
  [404, ["notFoundTitle", "notFoundPath"]],
  [414, ["badAddressTitle", "badAddress"]],
  [429, ["tooManyTitle", "tooMany"]],
  [500, ["failedTitle", "failed"]],
  [503, ["unavailableTitle", "unavailable"]],
]);

/**
 * Makes the page of an error: one of the documentation, with its menu, for an address below `/docs`; otherwise one of
 * the pages for people, in the language of the address or else of the reader. Statuses that browsers do not meet have
 * no page.
 */
export function errorPages(endpoints: readonly Endpoint[], hasExplorer: boolean): RenderErrorPage {
  return (error, address) => {
    const keys = errorTexts.get(error.status);
    if (keys === undefined) return undefined;
    const { path, queryText } = address;
    const isOfDocs = path === docsPath || path.startsWith(`${docsPath}/`);
    const words = wordsOf(isOfDocs ? "en" : languageOf(address));
    const [title, text] = keys.map((key) => words.say(key, { id: error.requestId }));
    const content = markup`<p>${text}</p>\n${renderRetry(words, error)}`;
    const page = { title: title as string, content };
    if (!isOfDocs)
      return { text: renderPlainPage(words, page, hasExplorer), policy: documentPolicy({ hasForm: hasExplorer }) };
    const context = { endpoints, attribution: [], sources: {}, hasExplorer, code: chosenCode(queryText) };
    const ofDocs = { ...page, path, description: text as string, isRefusal: true };
    return { text: renderPage(ofDocs, context), policy: documentPolicy() };
  };
}

/** The language of a page by its path; elsewhere that of the reader. */
function languageOf({ path, acceptLanguage }: RefusedAddress): Language {
  const asked = languageOfPath(path);
  const isOfPage = asked.path === explorerPath || asked.path.startsWith(`${explorerPath}/`);
  return isOfPage ? asked.language : preferredLanguage(acceptLanguage);
}

function renderRetry(words: Words, { retrySeconds }: ShownError): Markup | undefined {
  return retrySeconds === undefined ? undefined : markup`<p>${words.say("retryAfter", { count: retrySeconds })}</p>\n`;
}

function renderPlainPage(
  words: Words,
  { title, content }: { readonly title: string; readonly content: Markup },
  hasExplorer: boolean,
): string {
  const site = siteOf(words, hasExplorer ? (path) => pathIn(words.language, path) : undefined, "");
  const label = words.say(hasExplorer ? "toStart" : "documentation");
  const search = hasExplorer && renderSearchForm(words, pathIn(words.language, explorerPath));
  return renderFrame({
    language: words.language,
    title,
    head: markup`${iconLink}\n${renderStyle(frameStyle, textStyle)}`,
    site,
    main: markup`<h1>${title}</h1>\n${content}${search}<p><a href="${site.home}">${label}</a></p>`,
  });
}
