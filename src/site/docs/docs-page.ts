/** The frame that the pages of the documentation share. Nothing is loaded from elsewhere; only code has a script. */

import type { Endpoint } from "../../contract/endpoint.ts";
import { docsPath } from "../../contract/paths.ts";
import type { SnapshotIdentity } from "../../engine/model/dataset.ts";
import { renderStructuredData } from "../pages/elements.ts";
import { iconLink, renderFrame, renderNavigation, type SiteHeader, siteOf } from "../pages/frame.ts";
import { type Markup, markup } from "../pages/markup.ts";
import { frameStyle, readStyle, renderStyle, textStyle } from "../pages/style.ts";
import { wordsOf } from "../pages/words.ts";
import { keepCodeChoice } from "./code-choice.ts";
import { menuOf, pageLinks } from "./menu.ts";
import type { CodeLanguage } from "./snippets.ts";

const copyScript = markup`\n<script src="/docs/copy.js" type="module"></script>`;

const documentStyle = readStyle(new URL("docs.css", import.meta.url));

/** Values that pages depend on beside their own text. */
export interface PageContext {
  readonly endpoints: readonly Endpoint[];
  /** Sources of the data, one a line. */
  readonly attribution: readonly string[];
  /** The details of each source in the snapshot. */
  readonly sources: SnapshotIdentity["sources"];
  /** True if the service has the pages for people, which are then linked. */
  readonly hasExplorer: boolean;
  /** The language of examples. */
  readonly code: CodeLanguage;
}

interface Page {
  readonly path: string;
  readonly title: string;
  readonly content: Markup;
  /** The JSON-LD of its head, for programs. */
  readonly structuredData?: object;
  /** Elements that load a viewer, which has the whole width and a style of its own. */
  readonly viewer?: Markup;
}

/** A whole page; one of text with the menu beside it. */
export function renderPage(
  { path, title, content, structuredData, viewer }: Page,
  { endpoints, hasExplorer, code }: PageContext,
): string {
  const hasCode = content.text.includes("<pre");
  const style = viewer ? renderStyle(frameStyle) : renderStyle(frameStyle, textStyle, documentStyle);
  const data = structuredData && renderStructuredData(structuredData);
  const page = renderFrame({
    language: "en",
    title,
    head: markup`${iconLink}\n${style}${viewer && markup`\n${viewer}`}${hasCode && copyScript}${data}`,
    site: siteHeader(hasExplorer),
    header: renderNavigation(
      "Documentation",
      pageLinks.map((link) => ({ ...link, isCurrent: link.target === path })),
    ),
    main: markup`<h1>${title}</h1>\n${content}`,
    contents: viewer ? undefined : menuOf(path, endpoints),
  });
  return keepCodeChoice(page, code);
}

function siteHeader(hasExplorer: boolean): SiteHeader {
  const site = siteOf(wordsOf("en"), (path) => path, docsPath);
  return hasExplorer ? site : { ...site, home: docsPath, links: [] };
}
