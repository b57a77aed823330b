/** The frame that the pages of the documentation share. No scripts; nothing is loaded from elsewhere. */
import { siteOf } from "../../explore/site-header.ts";
import { wordsOf } from "../../explore/words.ts";
import {
  type Contents,
  iconLink,
  type NavigationLink,
  renderFrame,
  renderNavigation,
  type SiteHeader,
} from "../../pages/frame.ts";
import { type Markup, markup } from "../../pages/markup.ts";
import { renderStructuredData } from "../../pages/structured-data.ts";
import { frameStyle, readStyle, renderStyle, textStyle } from "../../pages/style.ts";

/** In the order of the navigation. */
export const pageLinks: readonly NavigationLink[] = [
  { target: "/docs", text: "Reference" },
  { target: "/docs/signing", text: "Signing" },
  { target: "/docs/units", text: "Units" },
  { target: "/docs/series", text: "Series" },
  { target: "/docs/statistics", text: "Statistics" },
  { target: "/docs/anomalies", text: "Is it unusual?" },
  { target: "/docs/exports", text: "Exports and downloads" },
  { target: "/docs/try", text: "Try it" },
  { target: "/openapi.json", text: "openapi.json" },
];

const documentStyle = readStyle(new URL("text.css", import.meta.url));

interface Page {
  readonly path: string;
  readonly title: string;
  readonly content: Markup;
  readonly contents?: Contents;
  /** What the head says of it to programs. */
  readonly structuredData?: object;
}

/** A whole page of text. @param hasExplorer Whether the service has the pages for people, which are then linked. */
export function renderPage(page: Page, hasExplorer: boolean): string {
  return renderDocument(page, renderStyle(frameStyle, textStyle, documentStyle), hasExplorer);
}

/** A whole page with a viewer, which brings the style of its content. @param head What the viewer loads. */
export function renderViewerPage(page: Page, head: Markup, hasExplorer: boolean): string {
  return renderDocument(page, markup`${renderStyle(frameStyle)}\n${head}`, hasExplorer);
}

function renderDocument(
  { path, title, content, contents, structuredData }: Page,
  head: Markup,
  hasExplorer: boolean,
): string {
  return renderFrame({
    language: "en",
    title,
    head: markup`${iconLink}\n${head}${structuredData && renderStructuredData(structuredData)}`,
    site: siteHeader(hasExplorer),
    header: renderNavigation(
      "Documentation",
      pageLinks.map((link) => ({ ...link, isCurrent: link.target === path })),
    ),
    main: markup`<h1>${title}</h1>\n${content}`,
    contents,
  });
}

function siteHeader(hasExplorer: boolean): SiteHeader {
  const site = siteOf(wordsOf("en"), (path) => path, "/docs", "/docs");
  return hasExplorer ? site : { ...site, home: "/docs", links: [] };
}
