/** The documents that describe the service, each at an address of its own. */
import type { Endpoint } from "../../contract/endpoint.ts";
import { comparePath, docsPath } from "../../contract/paths.ts";
import type { Document, PublicUrl } from "../../contract/site-values.ts";
import { languages } from "../../contract/words.ts";
import { iconText, pathIn } from "../pages/frame.ts";
import { shownStatements } from "../pages/shown-store.ts";
import { readBeside } from "../pages/style.ts";
import type { PageContext } from "./docs-page.ts";
import { renderStartPage } from "./docs-start-page.ts";
import { renderGuidePage } from "./guides.ts";
import { renderLlmsText } from "./llms-text.ts";
import { groupPaths, guideNames, guideTarget } from "./menu.ts";
import { renderApiDescription } from "./openapi.ts";
import { documentPolicy, type LoadedParts } from "./page-policies.ts";
import { renderReferencePage } from "./reference-page.ts";
import { renderSearchPage, requestedText } from "./search-page.ts";
import { renderSitemap } from "./sitemap.ts";
import { chosenCode, defaultCode } from "./snippets.ts";

const html = "text/html; charset=utf-8";
const plain = "text/plain; charset=utf-8";
const script = "text/javascript; charset=utf-8";

/** Pages may be found in each language; not the interface, and not the many addresses of a page. */
function robotsText(publicUrl: PublicUrl): string {
  const lines = [
    ...["User-agent: *", "Disallow: /api/"],
    ...languages.map((language) => `Disallow: ${pathIn(language, comparePath)}`),
    "Disallow: /*?",
    ...(publicUrl === undefined ? [] : [`Sitemap: ${publicUrl}${sitemapPath}`]),
  ];
  return `${lines.join("\n")}\n`;
}

const sitemapPath = "/sitemap.xml";

/** All guides, with the changelog, which is read like one. */
const guidePages = [...guideNames, "changelog"] as const;

const pagePaths = [docsPath, ...groupPaths, ...guidePages.map(guideTarget)];

/** Only code has a script, which copies it. */
const guidesWithoutCode: readonly string[] = ["units", "errors", "deprecation", "changelog"];

type RenderPage = (context: PageContext, queryText: string) => string;

const renderQuestion: RenderPage = (context, queryText) => renderSearchPage(requestedText(queryText), context);

/**
 * All documents.
 *
 * @param endpoints The table that they describe.
 * @param hasExplorer True if the service has the pages for people, which are then linked.
 */
export function documentsOf(
  endpoints: readonly Endpoint[],
  hasExplorer: boolean,
  publicUrl?: PublicUrl,
): readonly Document[] {
  /** A page differs by the language of its examples; the languages are a closed list. */
  const pageAt = (path: string, render: RenderPage, parts: LoadedParts = { hasScript: true }): Document => ({
    path,
    type: html,
    policy: documentPolicy(parts),
    formOf: chosenCode,
    render: ({ snapshot: data }, queryText) =>
      render({ endpoints, ...shownStatements(data), hasExplorer, publicUrl, code: chosenCode(queryText) }, queryText),
  });
  const textAt = (path: string, type: string, render: (context: PageContext) => string): Document => ({
    path,
    type,
    policy: documentPolicy(),
    formOf: () => "",
    render: ({ snapshot: data }) =>
      render({ endpoints, ...shownStatements(data), hasExplorer, publicUrl, code: defaultCode }),
  });
  const fileAt = (path: string, type: string, text: string): Document => ({
    ...textAt(path, type, () => text),
    isStatic: true,
  });
  /** It follows the products and markets of the store. */
  const sitemap = (publicUrl: string): Document => ({
    path: sitemapPath,
    type: "application/xml",
    policy: documentPolicy(),
    formOf: () => undefined,
    render: (store) => renderSitemap(publicUrl, pagePaths, hasExplorer ? store : undefined),
  });
  return [
    textAt("/openapi.json", "application/json", ({ attribution }) =>
      renderApiDescription(endpoints, attribution, publicUrl),
    ),
    pageAt(docsPath, renderStartPage, { hasScript: true, hasForm: true }),
    ...groupPaths.map((path) => pageAt(path, (context) => renderReferencePage(path, context))),
    ...guidePages.map((name) =>
      pageAt(guideTarget(name), (context) => renderGuidePage(name, context), {
        hasScript: !guidesWithoutCode.includes(name),
      }),
    ),
    { ...pageAt("/docs/search", renderQuestion, { hasForm: true }), formOf: () => undefined },
    fileAt("/docs/copy.js", script, readBeside(new URL("copy.js", import.meta.url))),
    fileAt("/favicon.ico", "image/svg+xml", iconText),
    fileAt("/robots.txt", plain, robotsText(publicUrl)),
    ...(publicUrl === undefined ? [] : [sitemap(publicUrl)]),
    textAt("/llms.txt", plain, renderLlmsText),
  ];
}
