/** The documents that describe the service; they need no key. Each is rendered for its first request. */
import { isDeepStrictEqual } from "node:util";
import { explorerPath } from "../../explore/request.ts";
import { iconText } from "../../pages/frame.ts";
import { FixedText, writeFixed } from "../answer/fixed-text.ts";
import { sendEmpty } from "../answer/send.ts";
import type { Context } from "../context.ts";
import type { AppDependencies } from "../dependencies.ts";
import type { Endpoint } from "../endpoint.ts";
import { endpointName, type Route } from "../router.ts";
import { renderChangelogPage, renderGuidePage } from "./guides.ts";
import { renderLlmsText } from "./llms.ts";
import { groupPaths, guideNames, guideTarget } from "./menu.ts";
import { renderApiDescription } from "./openapi.ts";
import type { PageContext } from "./page.ts";
import { pagePolicy, viewerPolicy } from "./policies.ts";
import { renderReferencePage } from "./reference-page.ts";
import { type CodeLanguage, chosenCode, defaultCode } from "./snippets.ts";
import { renderStartPage } from "./start-page.ts";
import { readViewerFile, renderTryPage } from "./try-page.ts";

/** What documents say of the data. */
type DescribedData = Pick<PageContext, "attribution" | "sources">;

const noData: DescribedData = { attribution: [], sources: {} };

interface Document {
  readonly data: DescribedData;
  readonly text: FixedText;
}

interface DocumentSource {
  readonly path: string;
  readonly type: string;
  readonly render: (context: PageContext) => string;
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
  { path: "/docs", type: html, render: renderStartPage },
  ...groupPaths.map((path) => ({
    path,
    type: html,
    render: (context: PageContext) => renderReferencePage(path, context),
  })),
  ...guideNames.map((name) => ({
    path: guideTarget(name),
    type: html,
    render: (context: PageContext) => renderGuidePage(name, context),
  })),
  { path: "/docs/changelog", type: html, render: renderChangelogPage },
  { path: "/docs/try", type: html, render: renderTryPage, policy: viewerPolicy },
  { path: "/docs/try/viewer.css", type: style, render: () => readViewerFile("viewer.css") },
  { path: "/docs/try/start.js", type: script, render: () => readViewerFile("start.js") },
  { path: "/docs/try/swagger-ui-bundle.js", type: script, render: () => readViewerFile("swagger-ui-bundle.js") },
  { path: "/docs/try/swagger-ui.css", type: style, render: () => readViewerFile("swagger-ui.css") },
  { path: "/favicon.ico", type: "image/svg+xml", render: () => iconText },
  { path: "/robots.txt", type: plain, render: () => robotsText },
  { path: "/llms.txt", type: plain, render: renderLlmsText },
];

const startPath = "/";

/** Leads people who open the address of the service to the page for them. */
function startRoute(target: string): Route {
  return {
    method: "GET",
    path: startPath,
    name: endpointName({ method: "GET", path: startPath }),
    serve(ctx) {
      sendEmpty(ctx, 302, ["Location", target, "Cache-Control", "no-cache", "Content-Length", "0"]);
      return undefined;
    },
  };
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
  const routes = documents.map(({ path, type, render, policy = pagePolicy }): Route => {
    const headers = ["Content-Security-Policy", policy, "Cache-Control", "no-cache", "Vary", "Accept-Encoding"];
    // Pages differ by the language of their examples; the languages are a closed list, so these are few.
    const newest = new Map<CodeLanguage, Document>();
    return { method: "GET", path, name: endpointName({ method: "GET", path: countedPath(path) }), serve };

    function serve(ctx: Context): Promise<void> {
      const code = type === html ? chosenCode(ctx.state.queryText) : defaultCode;
      const { attribution, sources } = ctx.state.store?.snapshot ?? noData;
      let document = newest.get(code);
      // Most stores have those of the one before.
      if (document === undefined || !isDeepStrictEqual(document.data, { attribution, sources })) {
        const data = { attribution, sources };
        document = { data, text: new FixedText(render({ endpoints, ...data, hasExplorer, code })) };
        newest.set(code, document);
      }
      return writeFixed(ctx, document.text, { type, headers }, admission);
    }
  });
  return [startRoute(hasExplorer ? explorerPath : "/docs"), ...routes];
}
