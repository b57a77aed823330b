/** A page of the explorer, and the frame that all of them share. */

import type { Chart } from "../charts/chart-frame.ts";
import { dayOfInstant } from "../domain/calendar-day.ts";
import { instantText } from "../domain/instant.ts";
import { renderParagraph, renderSection } from "../pages/elements.ts";
import { iconLink, renderFrame, type SiteHeader } from "../pages/frame.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { assetPath } from "./assets.ts";
import { type DataTable, renderDataTable, renderNumbers, renderSources } from "./data-table.ts";
import { explorerPath, linkTo, linkWith, type PageRequest } from "./request.ts";
import { siteOf } from "./site-header.ts";
import { languages, wordsOf } from "./words.ts";

/** A chart of a section, which is also a file of its own. */
export interface SectionChart {
  /** In the address of the file and in its name. */
  readonly name: string;
  /** What it shows, in which unit. */
  readonly subtitle: string;
  readonly draw: (width: number) => Chart;
}

export interface Section {
  /** Its anchor. */
  readonly id: string;
  readonly heading: string;
  /** What stands above the tables: text and chart. */
  readonly content?: Markup | undefined;
  /** Those that the content has. */
  readonly charts?: readonly SectionChart[];
  /** Its numbers. */
  readonly table?: DataTable | undefined;
  /** Whether the table is folded up, because a chart shows the numbers. */
  readonly foldsTable?: boolean;
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
    head: markup`${iconLink}
<link rel="stylesheet" href="${assetPath("style.css")}">
<script src="${assetPath("explorer.js")}" type="module"></script>`,
    site: siteHeader(request),
    header: renderSearchForm(request, searched),
    main: markup`<div id="results" aria-live="polite"></div>
<h1>${title}</h1>
${lead}
${sections.map((section) => renderDataSection(request, section))}`,
    footer: renderFooter(request),
  });
}

function siteHeader(request: PageRequest): SiteHeader {
  const { words, path, site } = request;
  const other = languages.find((language) => language !== words.language) ?? words.language;
  const [target, text] = [linkWith(request, { lang: other }), wordsOf(other).say("language")];
  const more = markup`<a class="language" lang="${other}" hreflang="${other}" href="${target}">${text}</a>`;
  return { ...siteOf(words, (page) => linkTo(request, page), site.docsUrl, path), more };
}

function renderSearchForm({ words, keepsLanguage }: PageRequest, searched: string | undefined): Markup {
  return markup`<form class="search" role="search" action="${explorerPath}">
<label for="q">${words.say("searchLabel")}</label>
<div><input id="q" name="q" type="search" value="${searched}" autocomplete="off" maxlength="100">
${keepsLanguage && renderHidden("lang", words.language)}
<button>${words.say("search")}</button></div>
</form>`;
}

function renderDataSection(request: PageRequest, { id, heading, content, table, foldsTable, footer }: Section): Markup {
  const numbers =
    table !== undefined &&
    (foldsTable === true
      ? renderNumbers(request, table)
      : markup`${renderDataTable(request, table)}${renderSources(request, table)}`);
  return renderSection(id, heading, markup`${content}\n${numbers}\n${footer}`);
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
