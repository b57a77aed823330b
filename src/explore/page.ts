/** A page of the explorer, and the frame that all of them share. */

import { dayOfInstant } from "../domain/calendar-day.ts";
import { instantText } from "../domain/instant.ts";
import { renderParagraph, renderSection } from "../pages/elements.ts";
import { type NavigationLink, renderFrame, renderNavigation } from "../pages/frame.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { assetPath } from "./assets.ts";
import { type DataTable, renderDataTable, renderNumbers, renderSources } from "./data-table.ts";
import { comparePath, dataPath, explorerPath, linkTo, linkWith, type PageRequest } from "./request.ts";
import { languages, wordsOf } from "./words.ts";

export interface Section {
  /** Its anchor. */
  readonly id: string;
  readonly heading: string;
  /** What stands above the tables: text and chart. */
  readonly content?: Markup | undefined;
  /** Its numbers. */
  readonly table?: DataTable | undefined;
  /** Whether the table is folded up, because a chart shows the numbers. */
  readonly foldsTable?: boolean;
  /** Whether the table stands beside the content where there is room. */
  readonly isBeside?: boolean;
  /** What stands below the table. */
  readonly footer?: Markup | undefined;
}

export interface Page {
  readonly title: string;
  /** What stands above the sections. */
  readonly lead: Markup;
  readonly sections: readonly Section[];
  /** The words in the field of the search. */
  readonly searched?: string | undefined;
}

/** Making a section takes about as long as looking at so many rows: a slice. Pages yield it behind each. */
export const sectionRows = 100_000;

/** A whole page. */
export function renderPage(request: PageRequest, { title, lead, sections, searched }: Page): string {
  const { words } = request;
  return renderFrame({
    language: words.language,
    title: `${title} · ${words.say("siteName")}`,
    head: markup`<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetPath("style.css")}">
<script src="${assetPath("explorer.js")}" type="module"></script>`,
    header: markup`${renderLinks(request)}
${renderSearchForm(request, searched)}`,
    main: markup`<div id="results" aria-live="polite"></div>
<h1>${title}</h1>
${lead}
${sections.map((section) => renderDataSection(request, section))}`,
    footer: renderFooter(request),
  });
}

function renderLinks(request: PageRequest): Markup {
  const { words, path, site } = request;
  const other = languages.find((language) => language !== words.language) ?? words.language;
  const pages = [
    { target: explorerPath, text: words.say("start") },
    { target: comparePath, text: words.say("compare") },
    { target: dataPath, text: words.say("theData") },
  ];
  const links = pages.map(({ target, text }) => ({
    target: linkTo(request, target),
    text,
    isCurrent: target === path,
  }));
  links.push({ target: site.docsUrl, text: words.say("documentation"), isCurrent: false });
  const [target, text] = [linkWith(request, { lang: other }), wordsOf(other).say("language")];
  const toOther = markup`<a class="language" lang="${other}" hreflang="${other}" href="${target}">${text}</a>`;
  return renderNavigation(words.say("pages"), links, toOther);
}

function renderSearchForm({ words, keepsLanguage }: PageRequest, searched: string | undefined): Markup {
  return markup`<form class="search" role="search" action="${explorerPath}">
<label for="q">${words.say("searchLabel")}</label>
<div><input id="q" name="q" type="search" value="${searched}" autocomplete="off" maxlength="100">
${keepsLanguage && renderHidden("lang", words.language)}
<button>${words.say("search")}</button></div>
</form>`;
}

function renderDataSection(request: PageRequest, section: Section): Markup {
  const { id, heading, content, table, foldsTable, isBeside = false, footer } = section;
  const numbers =
    table !== undefined &&
    (foldsTable === true
      ? renderNumbers(request, table)
      : markup`${renderDataTable(request, table)}${renderSources(request, table)}`);
  const both = isBeside
    ? markup`<div class="beside"><div>${content}</div><div><h3>${table?.title}</h3>${numbers}</div></div>`
    : markup`${content}\n${numbers}`;
  return renderSection(id, heading, markup`${both}\n${footer}`);
}

function renderFooter(request: PageRequest): Markup {
  const { words, store } = request;
  const { snapshot, prices } = store;
  const day = words.day(dayOfInstant(snapshot.createdAt, snapshot.utcOffset));
  const line =
    prices.rowCount === 0
      ? words.say("snapshotLineEmpty", { snapshot: snapshot.id, day })
      : words.say("snapshotLine", { snapshot: snapshot.id, day, last: words.newestRecorded(store) });
  const sources = snapshot.attribution.map((source) => markup`<li>${source}</li>`);
  const time = markup`<time datetime="${instantText(snapshot.createdAt)}">${line}</time>`;
  return markup`${renderParagraph([words.say("nothingEstimated"), " ", time])}
${sources.length > 0 && markup`<ul>${sources}</ul>`}`;
}

/** A choice of links, of which one is the page itself. */
export function renderChoice(label: string, links: readonly NavigationLink[]): Markup {
  const items = links.map(({ target, text, isCurrent = false }) => {
    return markup` <a href="${target}"${isCurrent && markup` aria-current="true"`}>${text}</a>`;
  });
  return markup`<p class="types">${label}:${items}</p>`;
}

/** A field that a form sends and does not show. */
export function renderHidden(name: string, value: string): Markup {
  return markup`<input type="hidden" name="${name}" value="${value}">`;
}

/** A choice of a form. @param options Value and text. */
export function renderSelect(
  name: string,
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  chosen: string,
): Markup {
  const choices = options.map(([value, text]) => {
    return markup`<option value="${value}"${value === chosen && markup` selected`}>${text}</option>`;
  });
  return markup`<label>${label} <select name="${name}">${choices}</select></label>`;
}
