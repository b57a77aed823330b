/** The documents that describe the service; they need no key. Each is rendered for its first request. */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import type { Endpoint } from "../../contract/endpoint.ts";
import type { PageContext } from "../../site/docs/docs-page.ts";
import { renderStartPage } from "../../site/docs/docs-start-page.ts";
import { renderGuidePage } from "../../site/docs/guides.ts";
import { renderLlmsText } from "../../site/docs/llms.ts";
import { groupPaths, guideNames, guideTarget } from "../../site/docs/menu.ts";
import { renderApiDescription } from "../../site/docs/openapi.ts";
import { documentPolicy, viewerPolicy } from "../../site/docs/policies.ts";
import { renderReferencePage } from "../../site/docs/reference-page.ts";
import { askedFor, renderSearchPage } from "../../site/docs/search-page.ts";
import { type CodeLanguage, chosenCode, defaultCode } from "../../site/docs/snippets.ts";
import { pageFiles, renderTryPage } from "../../site/docs/try-page.ts";
import { explorerPath } from "../../site/explore/request.ts";
import { iconText } from "../../site/pages/frame.ts";
import type { HeaderList } from "./answer/answer-body.ts";
import { FixedText, writeFixed } from "./answer/fixed-text.ts";
import { sendEmpty } from "./answer/send.ts";
import type { Context } from "./context.ts";
import type { AppDependencies } from "./dependencies.ts";
import { endpointName, type Route } from "./router.ts";

/** What documents say of the data. */
type DescribedData = Pick<PageContext, "attribution" | "sources">;

const noData: DescribedData = { attribution: [], sources: {} };

interface Document {
  readonly data: DescribedData;
  readonly text: FixedText;
  readonly headers: HeaderList;
}

interface DocumentSource {
  readonly path: string;
  readonly type: string;
  readonly render: (context: PageContext, queryText: string) => string;
  /** Whether it answers a question, and so is not kept: there are as many as questions. */
  readonly isAnswer?: true;
  /** Where it is not the one that the text needs. */
  readonly policy?: string;
}

const html = "text/html; charset=utf-8";
const plain = "text/plain; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";

/** Pages may be found; not the interface, and not each of the many addresses of a page. */
const robotsText = "User-agent: *\nDisallow: /api/\nDisallow: /explore/compare\nDisallow: /*?\n";

const documents: readonly DocumentSource[] = [
  {
    path: "/openapi.json",
    type: "application/json",
    render: ({ endpoints, attribution }) => renderApiDescription(endpoints, attribution),
  },
  pageAt("/docs", renderStartPage),
  ...groupPaths.map((path) => pageAt(path, (context) => renderReferencePage(path, context))),
  ...([...guideNames, "changelog"] as const).map((name) =>
    pageAt(guideTarget(name), (context) => renderGuidePage(name, context)),
  ),
  { ...pageAt("/docs/search", (context, queryText) => renderSearchPage(askedFor(queryText), context)), isAnswer: true },
  { ...pageAt("/docs/try", renderTryPage), policy: viewerPolicy },
  ...Object.entries(pageFiles).map(([path, address]) => ({
    path,
    type: path.endsWith(".css") ? style : script,
    render: () => readFileSync(new URL(address()), "utf8"),
  })),
  { path: "/favicon.ico", type: "image/svg+xml", render: () => iconText },
  { path: "/robots.txt", type: plain, render: () => robotsText },
  { path: "/llms.txt", type: plain, render: renderLlmsText },
];

function pageAt(path: string, render: DocumentSource["render"]): DocumentSource {
  return { path, type: html, render };
}

const startPath = "/";

/** Leads people who open the address of the service to the page for them. */
function startRoute(target: string): Route {
  return documentRoute(startPath, (ctx) => {
    sendEmpty(ctx, 302, ["Location", target, "Cache-Control", "no-cache", "Content-Length", "0"]);
    return undefined;
  });
}

function documentRoute(path: string, serve: Route["serve"]): Route {
  return { method: "GET", path, name: endpointName({ method: "GET", path: countedPath(path) }), serve };
}

/** Browsers, search engines and language models ask for them by themselves; they are counted as the start. */
const filesOfSite: readonly string[] = ["/favicon.ico", "/robots.txt", "/llms.txt"];

/** The paths under which requests for documents are counted: the pages of /docs and their files are one. */
export const countedDocumentPaths: readonly string[] = [
  ...new Set([startPath, ...documents.map(({ path }) => countedPath(path))]),
];

function countedPath(path: string): string {
  if (filesOfSite.includes(path)) return startPath;
  return path.startsWith("/docs/") ? "/docs" : path;
}

export function documentRoutes(
  endpoints: readonly Endpoint[],
  { admission, explorerRoutes }: AppDependencies,
): Route[] {
  const hasExplorer = explorerRoutes !== undefined;
  const routes = documents.map(({ path, type, render, isAnswer, policy }): Route => {
    // Pages differ by the language of their examples; the languages are a closed list, so these are few.
    const newest = new Map<CodeLanguage, Document>();
    return documentRoute(path, serve);

    function serve(ctx: Context): Promise<void> {
      const { queryText } = ctx.state;
      const code = type === html ? chosenCode(queryText) : defaultCode;
      const { attribution, sources } = ctx.state.store?.snapshot ?? noData;
      let document = newest.get(code);
      // Most stores have those of the one before.
      if (document === undefined || !isDeepStrictEqual(document.data, { attribution, sources })) {
        const data = { attribution, sources };
        const text = render({ endpoints, ...data, hasExplorer, code }, queryText);
        document = { data, text: new FixedText(text), headers: headersOf(policy ?? documentPolicy(text)) };
        if (isAnswer !== true) newest.set(code, document);
      }
      return writeFixed(ctx, document.text, { type, headers: document.headers }, admission);
    }
  });
  return [startRoute(hasExplorer ? explorerPath : "/docs"), ...routes];
}

function headersOf(policy: string): HeaderList {
  return ["Content-Security-Policy", policy, "Cache-Control", "no-cache", "Vary", "Accept-Encoding"];
}
