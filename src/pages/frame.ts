/** The frame of a page: its head, a header, the text with its contents beside it, and a footer. */
import { joinMarkup, type Markup, type MarkupValue, markup } from "./markup.ts";

export interface PageFrame {
  /** As `lang` writes it. */
  readonly language: string;
  /** The title of the document, which the head has; the page writes its own `h1`. */
  readonly title: string;
  /** What the head has beside it: style sheets, scripts, a policy. A policy comes before what it is about. */
  readonly head: Markup;
  readonly header: Markup;
  readonly main: Markup;
  /** Links to what the page has, beside the text where there is room. */
  readonly contents?: Contents | undefined;
  readonly footer?: Markup | undefined;
}

export interface Contents {
  /** The name of the list for screen readers. */
  readonly label: string;
  readonly entries: readonly ContentsEntry[];
}

export interface ContentsEntry {
  /** The `id` of what the entry leads to. */
  readonly id: string;
  readonly text: string;
  readonly entries?: readonly ContentsEntry[];
}

/** A whole page. */
export function renderFrame({ language, title, head, header, main, contents, footer }: PageFrame): string {
  const text = markup`<main>\n${main}\n</main>`;
  const aside = contents && markup`<aside>${renderContents(contents)}</aside>`;
  return markup`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
${head}
</head>
<body>
<header>
${header}
</header>
${aside === undefined ? text : markup`<div class="withAside">\n${aside}\n${text}\n</div>`}
${footer && markup`<footer>\n${footer}\n</footer>`}
</body>
</html>
`.text;
}

function renderContents({ label, entries }: Contents): Markup {
  return markup`<nav aria-label="${label}">${renderEntries(entries)}</nav>`;
}

function renderEntries(entries: readonly ContentsEntry[]): Markup {
  const items = entries.map(
    ({ id, text, entries: inner = [] }) =>
      markup`<li><a href="#${id}">${text}</a>${inner.length > 0 && renderEntries(inner)}</li>`,
  );
  return markup`<ul>\n${joinMarkup(items, "\n")}\n</ul>`;
}

export interface NavigationLink {
  readonly target: string;
  readonly text: string;
  /** Whether it leads to the page that it stands on. */
  readonly isCurrent?: boolean;
}

/**
 * Links that the header has.
 *
 * @param label The name of the list for screen readers.
 * @param more What follows the links.
 */
export function renderNavigation(label: string, links: readonly NavigationLink[], more?: MarkupValue): Markup {
  const items = links.map(
    ({ target, text, isCurrent = false }) =>
      markup`<a href="${target}"${isCurrent && markup` aria-current="page"`}>${text}</a>`,
  );
  return markup`<nav aria-label="${label}">${joinMarkup(items, "\n")}${more}</nav>`;
}
