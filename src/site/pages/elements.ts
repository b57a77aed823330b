/** Elements of pages: paragraphs, sections, headings, forms, code and tables. */
import { searchCharactersMax } from "../../contract/limits.ts";
import type { Words } from "../../contract/words.ts";
import { joinMarkup, Markup, type MarkupValue, markup } from "./markup.ts";

export function renderParagraph(content: MarkupValue, className?: string): Markup {
  return className === undefined ? markup`<p>${content}</p>` : markup`<p class="${className}">${content}</p>`;
}

/** A part of a page under a heading, which is its anchor. */
export function renderSection(id: string, heading: MarkupValue, content: MarkupValue): Markup {
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${content}
</section>
`;
}

/** A heading with a link to itself. */
export function renderHeading(level: 2 | 3, id: string, content: MarkupValue): Markup {
  const tag = new Markup(`h${level}`);
  return markup`<${tag} id="${id}"><a class="anchor" href="#${id}">${content}</a></${tag}>`;
}

/** The search for prices. @param action The start page, in the language of the words. */
export function renderSearchForm(words: Words, action: string, searched?: string): Markup {
  const label = words.say("searchLabel");
  const limits = markup`autocomplete="off" maxlength="${searchCharactersMax}"`;
  return markup`<form class="search" role="search" action="${action}">
<label for="q">${label}</label>
<div><input id="q" name="q" type="search" value="${searched}" placeholder="${label}" ${limits}>
<button>${words.say("search")}</button></div>
</form>`;
}

/** A form that requests its page again. @param after Follows its button. */
export function renderForm(
  { words }: { readonly words: Words },
  action: string,
  fields: MarkupValue,
  after?: Markup,
): Markup {
  return markup`<form class="choices" action="${action}">
${fields}
<button>${words.say("show")}</button>
${after}</form>`;
}

/** A field that a form sends and does not show; undefined without a value. */
export function renderHidden(name: string, value: string | undefined): Markup | undefined {
  return value === undefined ? undefined : markup`<input type="hidden" name="${name}" value="${value}">`;
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

/** Content that a reader unfolds. */
export function renderDetails(summary: string, content: MarkupValue): Markup {
  return markup`<details><summary>${summary}</summary>\n${content}</details>`;
}

/** A text of several lines as it is, in a box that scrolls; lines may end as in CSV. */
export function renderCodeBlock(text: string): Markup {
  // A value shows line ends as escapes, so those of the text come from the template.
  return markup`<pre tabindex="0"><code>${joinMarkup(text.split(/\r?\n/), "\n")}</code></pre>`;
}

/**
 * The subject of a page in JSON-LD (json-ld.org), for programs. It is data: browsers do not run it, and a
 * policy for scripts does not concern it.
 */
export function renderStructuredData(value: object): Markup {
  // Within a script element nothing is unescaped: no text may end it or begin a comment.
  const text = JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
  return new Markup(`<script type="application/ld+json">${text}</script>`);
}

export interface SharedPage {
  readonly title: string;
  /** Its description in plain text. */
  readonly text: string;
  readonly siteName: string;
  /** Its absolute address; undefined where the service does not know it, or the page is not to be shared. */
  readonly address?: string | undefined;
}

/** The elements of a head for search engines and for services through which an address is shared (ogp.me). */
export function renderSharing({ title, text, siteName, address }: SharedPage): Markup {
  const addresses =
    address !== undefined &&
    markup`
<link rel="canonical" href="${address}">
<meta property="og:url" content="${address}">`;
  return markup`<meta name="description" content="${text}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${text}">
<meta property="og:site_name" content="${siteName}">
<meta property="og:type" content="website">${addresses}`;
}

export interface TableColumn<Row> {
  readonly heading: MarkupValue;
  readonly show: (row: Row) => MarkupValue;
  /** Numbers are aligned right, days are on one line; text when absent. */
  readonly kind?: "number" | "day" | undefined;
  /** The narrowest screen that shows it; phones do when absent. */
  readonly from?: "tablet" | undefined;
  /** True if its cells name their rows. */
  readonly isRowHeading?: boolean;
}

export interface TableText {
  /** The name of the box in which the table scrolls. */
  readonly label?: string;
  /** The name of the table for screen readers alone. */
  readonly caption?: string;
  readonly className?: string | undefined;
}

/** A table in a box of its own, which scrolls where the page is too narrow. */
export function renderTable<Row>(
  columns: readonly TableColumn<Row>[],
  rows: readonly Row[],
  { label, caption, className }: TableText = {},
): Markup {
  const heads = columns.map((column) => markup`<th scope="col"${classOf(column)}>${column.heading}</th>`);
  const lines = rows.map((row) => markup`<tr>${columns.map((column) => renderCell(column, row))}</tr>\n`);
  const region = label !== undefined && markup` role="region" aria-label="${label}"`;
  return markup`<div class="wide" tabindex="0"${region}><table${className && markup` class="${className}"`}>
${caption !== undefined && markup`<caption class="unseen">${caption}</caption>`}
<thead><tr>${heads}</tr></thead>
<tbody>
${lines}</tbody></table></div>`;
}

function renderCell<Row>(column: TableColumn<Row>, row: Row): Markup {
  const content = column.show(row);
  if (column.isRowHeading === true) return markup`<th scope="row"${classOf(column)}>${content}</th>`;
  return markup`<td${classOf(column)}>${content}</td>`;
}

function classOf({ kind, from }: TableColumn<never>): Markup | undefined {
  const names = [kind, from && `from-${from}`].filter(Boolean).join(" ");
  return names === "" ? undefined : markup` class="${names}"`;
}

/** Columns of rows that are lists of cells, in the order of the headings. */
export function cellColumns(headings: readonly MarkupValue[]): TableColumn<readonly MarkupValue[]>[] {
  return headings.map((heading, at) => ({ heading, show: (cells) => cells[at] }));
}
