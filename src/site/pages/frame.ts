/**
 * The frame of a page: its head, a header, the text with its contents beside it, and a footer; and its language, by its
 * path or as a browser prefers it.
 */
import Negotiator from "negotiator";
import { comparePath, dataPath, docsPath, explorerPath } from "../../contract/paths.ts";
import { type Language, languages, type Words } from "../../contract/words.ts";
import { joinMarkup, type Markup, type MarkupValue, markup } from "./markup.ts";

export interface PageFrame {
  /** The value of `lang`. */
  readonly language: string;
  /** The title of the document, which the head has; the page writes its own `h1`. */
  readonly title: string;
  /** Other elements of the head: style sheets, scripts, a policy. A policy comes before those that it is about. */
  readonly head: Markup;
  readonly site: SiteHeader;
  /** Follows the links of the site in the header. */
  readonly header?: MarkupValue;
  readonly main: Markup;
  /** Links to the sections of the page and to its neighbours, beside the text on wide screens. */
  readonly contents?: Contents | undefined;
  readonly footer?: Markup | undefined;
}

/** The beginning of all pages: a link to the text, the name of the site, and links to its parts. */
export interface SiteHeader {
  readonly name: string;
  /** The target of the name; without it the name is text. */
  readonly home?: string | undefined;
  /** The text of the link over the header, for readers with a keyboard. */
  readonly skip: string;
  /** The name of the list of links for screen readers. */
  readonly label: string;
  readonly links: readonly NavigationLink[];
  readonly more?: MarkupValue;
}

/** An ear of maize as the icon of pages, within the page: nothing is requested for it. */
export const iconText: string =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1b6b2f"/>' +
  '<path d="M8 2c3 3 3 8 0 11-3-3-3-8 0-11z" fill="#ffd34d"/>' +
  '<path d="M8 14C4 13 3 10 3 8c3 1 5 3 5 6z" fill="#fff"/></svg>';

export const iconLink: Markup = markup`<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(iconText)}">`;

export interface Contents {
  /** The name of the list for screen readers. */
  readonly label: string;
  readonly entries: readonly ContentsEntry[];
}

export interface ContentsEntry extends NavigationLink {
  readonly entries?: readonly ContentsEntry[];
}

/** A whole page. */
export function renderFrame({ language, title, head, site, header, main, contents, footer }: PageFrame): string {
  const text = markup`<main id="text" tabindex="-1">\n${main}\n</main>`;
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
<a class="skip" href="#text">${site.skip}</a>
<header>
${renderSite(site)}
${header}
</header>
${aside === undefined ? text : markup`<div class="withAside">\n${aside}\n${text}\n</div>`}
${footer && markup`<footer>\n${footer}\n</footer>`}
</body>
</html>
`.text;
}

function renderSite({ name, home, label, links, more }: SiteHeader): Markup {
  const brand =
    home === undefined
      ? markup`<span class="brand">${name}</span>`
      : markup`<a class="brand" href="${home}">${name}</a>`;
  const hasLinks = links.length > 0 || more !== undefined;
  return markup`<div class="site">${brand}\n${hasLinks && renderNavigation(label, links, more)}</div>`;
}

function renderContents({ label, entries }: Contents): Markup {
  return markup`<nav aria-label="${label}">${renderEntries(entries)}</nav>`;
}

function renderEntries(entries: readonly ContentsEntry[]): Markup {
  const items = entries.map(
    ({ entries: inner = [], ...link }) =>
      markup`<li>${renderLink(link)}${inner.length > 0 && renderEntries(inner)}</li>`,
  );
  return markup`<ul>\n${joinMarkup(items, "\n")}\n</ul>`;
}

export interface NavigationLink {
  readonly target: string;
  readonly text: string | Markup;
  /** True if it leads to its own page. */
  readonly isCurrent?: boolean;
}

/**
 * Links that the header has.
 *
 * @param label The name of the list for screen readers.
 * @param more Follows the links.
 */
export function renderNavigation(label: string, links: readonly NavigationLink[], more?: MarkupValue): Markup {
  return markup`<nav aria-label="${label}">${joinMarkup(links.map(renderLink), "\n")}${more}</nav>`;
}

function renderLink({ target, text, isCurrent = false }: NavigationLink): Markup {
  return markup`<a href="${target}"${isCurrent && markup` aria-current="page"`}>${text}</a>`;
}

/**
 * The header of the site in a language.
 *
 * @param pageLink Returns the address of a page of the explorer; undefined where the service has none: the header then
 * leads to the documentation alone.
 * @param path The path of the page that has the header.
 * @param service The address of the service, for a page that is a file of its own.
 */
export function siteOf(
  words: Words,
  pageLink: ((path: string) => string) | undefined,
  path: string,
  service = "",
): SiteHeader {
  const links = pageLink && [
    { target: pageLink(comparePath), text: words.say("compare"), isCurrent: path === comparePath },
    { target: pageLink(dataPath), text: words.say("theData"), isCurrent: path === dataPath },
    { target: `${service}${docsPath}`, text: words.say("documentation"), isCurrent: path === docsPath },
  ];
  return {
    name: words.say("siteName"),
    home: pageLink?.(explorerPath) ?? docsPath,
    skip: words.say("skip"),
    label: words.say("pages"),
    links: links ?? [],
  };
}

/** The path below which the pages of a language are; English has none. */
const pathPrefixes: Readonly<Record<Language, string>> = { en: "", sw: "/sw" };

/** The path of a page in a language. @param path That of the page in English. */
export function pathIn(language: Language, path: string): string {
  return pathPrefixes[language] + path;
}

/** The language of a path, and the path of the same page in English. */
export function languageOfPath(path: string): { readonly language: Language; readonly path: string } {
  const language = languages.find((one) => one !== "en" && path.startsWith(`${pathPrefixes[one]}/`)) ?? "en";
  return { language, path: path.slice(pathPrefixes[language].length) };
}

/** Longest header that is read; browsers send less than a hundred characters. */
const headerCharactersMax = 256;

/** The first of our languages that a browser takes; English where it takes none. */
export function preferredLanguage(header: string | undefined): Language {
  if (header === undefined || header.length > headerCharactersMax) return "en";
  const [preferred] = new Negotiator({ headers: { "accept-language": header } }).languages([...languages]);
  return languages.find((language) => language === preferred) ?? "en";
}
