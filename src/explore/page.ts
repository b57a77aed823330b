/** A page of the explorer, and the frame that all of them share. */

import { dayOfInstant } from "../domain/calendar-day.ts";
import { instantText } from "../domain/instant.ts";
import { joinMarkup, type Markup, markup } from "../domain/markup.ts";
import { assetPath } from "./assets.ts";
import { type DataTable, renderNumbers, renderSources, renderTable } from "./data-table.ts";
import { newestRecordedText } from "./recorded-text.ts";
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
export function renderPage(request: PageRequest, page: Page): string {
  const { words } = request;
  const { title, lead, sections, searched } = page;
  const other = languages.find((language) => language !== words.language) ?? words.language;
  const links = [
    { path: explorerPath, label: words.say("start") },
    { path: comparePath, label: words.say("compare") },
    { path: dataPath, label: words.say("theData") },
  ];
  const navigation = links.map(({ path, label }) => {
    const current = path === request.path && markup` aria-current="page"`;
    return markup`<a href="${linkTo(request, path)}"${current}>${label}</a>`;
  });
  return markup`<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${words.say("siteName")}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetPath("style.css")}">
<script src="${assetPath("explorer.js")}" type="module"></script>
</head>
<body>
<header>
<nav aria-label="${words.say("pages")}">${navigation}<a href="${request.site.docsUrl}">${words.say("documentation")}</a>
<a class="language" lang="${other}" hreflang="${other}" href="${linkWith(request, { lang: other })}">${wordsOf(other).say("language")}</a></nav>
<form class="search" role="search" action="${explorerPath}">
<label for="q">${words.say("searchLabel")}</label>
<div><input id="q" name="q" type="search" value="${searched}" autocomplete="off" maxlength="100">${request.keepsLanguage && markup`<input type="hidden" name="lang" value="${words.language}">`}
<button>${words.say("search")}</button></div>
</form>
</header>
<main>
<div id="results" aria-live="polite"></div>
<h1>${title}</h1>
${lead}
${sections.map((section) => renderSection(request, section))}
</main>
${renderFooter(request)}
</body>
</html>
`.text;
}

function renderSection(request: PageRequest, { id, heading, content, table, foldsTable, footer }: Section): Markup {
  const numbers =
    table !== undefined &&
    (foldsTable === true
      ? renderNumbers(request, table)
      : markup`${renderTable(request, table)}${renderSources(request, table)}`);
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${content}
${numbers}
${footer}
</section>
`;
}

function renderFooter(request: PageRequest): Markup {
  const { words, store } = request;
  const { snapshot, prices } = store;
  const day = words.day(dayOfInstant(snapshot.createdAt, snapshot.utcOffset));
  const line =
    prices.rowCount === 0
      ? words.say("snapshotLineEmpty", { snapshot: snapshot.id, day })
      : words.say("snapshotLine", { snapshot: snapshot.id, day, last: newestRecordedText(request) });
  const sources = snapshot.attribution.map((source) => markup`<li>${source}</li>`);
  return markup`<footer>
<p>${words.say("nothingEstimated")} <time datetime="${instantText(snapshot.createdAt)}">${line}</time></p>
${sources.length > 0 && markup`<ul>${joinMarkup(sources)}</ul>`}
</footer>`;
}

/** A paragraph. */
export function paragraph(text: string, className?: string): Markup {
  return className === undefined ? markup`<p>${text}</p>` : markup`<p class="${className}">${text}</p>`;
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
