/** The documents that describe the service; they need no key. Each is rendered for its first request. */
import { isDeepStrictEqual } from "node:util";
import type { SnapshotIdentity } from "../../domain/dataset.ts";
import { explorerPath } from "../../explore/request.ts";
import { iconText } from "../../pages/frame.ts";
import { FixedText, writeFixed } from "../answer/fixed-text.ts";
import { sendEmpty } from "../answer/send.ts";
import type { Context } from "../context.ts";
import type { AppDependencies } from "../dependencies.ts";
import type { Endpoint } from "../endpoint.ts";
import { endpointName, type Route } from "../router.ts";
import { renderDocsPage } from "./docs-page.ts";
import { type GuideName, guideNames, renderGuidePage } from "./guides.ts";
import { renderApiDescription } from "./openapi.ts";
import { pagePolicy, viewerPolicy } from "./policies.ts";
import { readViewerFile, renderTryPage } from "./try-page.ts";

/** What documents say of the data. */
type DescribedData = Pick<SnapshotIdentity, "attribution" | "sources">;

const noData: DescribedData = { attribution: [], sources: {} };

type Render = (endpoints: readonly Endpoint[], data: DescribedData, hasExplorer: boolean) => string;

interface Document {
  readonly data: DescribedData;
  readonly text: FixedText;
}

interface DocumentSource {
  readonly path: string;
  readonly type: string;
  readonly render: Render;
  readonly policy?: string;
}

const html = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const style = "text/css; charset=utf-8";

/** Pages may be found; not the interface, and not each of the many addresses of a page. */
const robotsText = "User-agent: *\nDisallow: /api/\nDisallow: /explore/compare\nDisallow: /*?\n";

function guideRenderer(name: GuideName): Render {
  return (_endpoints, _data, hasExplorer) => renderGuidePage(name, hasExplorer);
}

const documents: readonly DocumentSource[] = [
  {
    path: "/openapi.json",
    type: "application/json",
    render: (all, { attribution }) => renderApiDescription(all, attribution),
  },
  { path: "/docs", type: html, render: (all, data, has) => renderDocsPage(all, data.attribution, has, data.sources) },
  ...guideNames.map((name) => ({ path: `/docs/${name}`, type: html, render: guideRenderer(name) })),
  { path: "/docs/try", type: html, render: (_, __, hasExplorer) => renderTryPage(hasExplorer), policy: viewerPolicy },
  { path: "/docs/try/viewer.css", type: style, render: () => readViewerFile("viewer.css") },
  { path: "/docs/try/start.js", type: script, render: () => readViewerFile("start.js") },
  { path: "/docs/try/swagger-ui-bundle.js", type: script, render: () => readViewerFile("swagger-ui-bundle.js") },
  { path: "/docs/try/swagger-ui.css", type: style, render: () => readViewerFile("swagger-ui.css") },
  { path: "/favicon.ico", type: "image/svg+xml", render: () => iconText },
  { path: "/robots.txt", type: "text/plain; charset=utf-8", render: () => robotsText },
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

/** Browsers and search engines ask for them by themselves; they are counted as the start. */
const filesOfSite: readonly string[] = ["/favicon.ico", "/robots.txt"];

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
    let newest: Document | undefined;
    return { method: "GET", path, name: endpointName({ method: "GET", path: countedPath(path) }), serve };

    function serve(ctx: Context): Promise<void> {
      const { attribution, sources } = ctx.state.store?.snapshot ?? noData;
      // Most stores have those of the one before.
      if (newest === undefined || !isDeepStrictEqual(newest.data, { attribution, sources })) {
        const data = { attribution, sources };
        newest = { data, text: new FixedText(render(endpoints, data, hasExplorer)) };
      }
      return writeFixed(ctx, newest.text, { type, headers }, admission);
    }
  });
  return [startRoute(hasExplorer ? explorerPath : "/docs"), ...routes];
}
