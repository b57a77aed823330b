/** The frame that the pages of the documentation share. Nothing is loaded from elsewhere; only code has a script. */

import type { Endpoint } from "../../contract/endpoint.ts";
import { docsPath } from "../../contract/paths.ts";
import type { PublicUrl } from "../../contract/site-values.ts";
import { wordsOf } from "../../contract/words.ts";
import type { SnapshotIdentity } from "../../engine/model/dataset.ts";
import { renderSharing, renderStructuredData } from "../pages/elements.ts";
import { type ContentsEntry, iconLink, renderFrame, siteOf } from "../pages/frame.ts";
import { Markup, markup } from "../pages/markup.ts";
import { frameStyle, readBeside, renderStyle, textStyle } from "../pages/style.ts";
import { keepCodeChoice } from "./code-choice.ts";
import { menuOf, pageLinks } from "./menu.ts";
import type { CodeLanguage } from "./snippets.ts";

const copyScript = markup`\n<script src="/docs/copy.js" type="module"></script>`;

const documentStyle = readBeside(new URL("docs.css", import.meta.url));

/** Values that pages depend on beside their own text. */
export interface PageContext {
  readonly endpoints: readonly Endpoint[];
  /** Sources of the data, one a line. */
  readonly attribution: readonly string[];
  /** The details of each source in the snapshot. */
  readonly sources: SnapshotIdentity["sources"];
  /** True if the service has the pages for people, which are then linked. */
  readonly hasExplorer: boolean;
  /** In absolute addresses; there are none when absent. */
  readonly publicUrl?: PublicUrl;
  /** The language of examples. */
  readonly code: CodeLanguage;
}

interface Page {
  readonly path: string;
  readonly title: string;
  /** Describes the page in plain text, for search engines and for services through which its address is shared. */
  readonly description: string;
  readonly content: Markup;
  /** The JSON-LD of its head, for programs. */
  readonly structuredData?: object;
  /** True if it says that nothing is at its address, which is then not to be shared. */
  readonly isRefusal?: boolean;
}

/** A whole page, with the menu beside it. */
export function renderPage(
  { path, title, description, content, structuredData, isRefusal = false }: Page,
  { endpoints, hasExplorer, publicUrl, code }: PageContext,
): string {
  const hasCode = content.text.includes("<pre");
  const data = structuredData && renderStructuredData(structuredData);
  const address = isRefusal || publicUrl === undefined ? undefined : publicUrl + path;
  const site = siteOf(wordsOf("en"), hasExplorer ? (path) => path : undefined, docsPath);
  const links = pageLinks.map((link) => ({ ...link, isCurrent: link.target === path }));
  const page = renderFrame({
    language: "en",
    title: `${title} · ${site.name}`,
    head: markup`${iconLink}
${renderSharing({ title, text: description, siteName: site.name, address })}
${renderStyle(frameStyle, textStyle, documentStyle)}${hasCode && copyScript}${data}`,
    site: { ...site, links: [...site.links, ...links] },
    main: markup`<h1>${title}</h1>\n${content}`,
    contents: menuOf(path, endpoints, sectionsOf(content)),
  });
  return keepCodeChoice(page, code);
}

/** Links to the sections of a page; their headings are written by `renderHeading`. */
function sectionsOf({ text }: Markup): ContentsEntry[] {
  const headings = text.matchAll(/<h2 id="([^"]+)"><a class="anchor" href="[^"]+">(.+?)<\/a><\/h2>/g);
  return Array.from(headings, ([, id, title = ""]) => ({ target: `#${id}`, text: new Markup(title) }));
}
