/** The frame that the pages of the documentation share. No scripts; nothing is loaded from elsewhere. */
import { type Contents, type NavigationLink, renderFrame, renderNavigation } from "../../pages/frame.ts";
import { type Markup, markup } from "../../pages/markup.ts";
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

const headerStyle = readStyle(new URL("header.css", import.meta.url));
const documentStyle = readStyle(new URL("text.css", import.meta.url));

interface Page {
  readonly path: string;
  readonly title: string;
  readonly content: Markup;
  readonly contents?: Contents;
}

/** A whole page of text. */
export function renderPage(page: Page): string {
  return renderDocument(page, renderStyle(frameStyle, textStyle, headerStyle, documentStyle));
}

/** A whole page with a viewer, which brings the style of its content. @param head What the viewer loads. */
export function renderViewerPage(page: Page, head: Markup): string {
  return renderDocument(page, markup`${renderStyle(frameStyle, headerStyle)}\n${head}`);
}

function renderDocument({ path, title, content, contents }: Page, head: Markup): string {
  return renderFrame({
    language: "en",
    title,
    head,
    header: renderNavigation(
      "Pages",
      pageLinks.map((link) => ({ ...link, isCurrent: link.target === path })),
    ),
    main: markup`<h1>${title}</h1>\n${content}`,
    contents,
  });
}
