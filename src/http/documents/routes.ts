/** The documents that describe the service; they need no key. Each is rendered for its first request. */
import { explorerPath } from "../../explore/request.ts";
import { FixedText, writeFixed } from "../answer/fixed-text.ts";
import { sendEmpty } from "../answer/send.ts";
import type { Context } from "../context.ts";
import type { AppDependencies } from "../dependencies.ts";
import type { Endpoint } from "../endpoint.ts";
import { endpointName, type Route } from "../router.ts";
import { renderDocsPage } from "./docs-page.ts";
import { guideNames, renderGuidePage } from "./guides.ts";
import { renderApiDescription } from "./openapi.ts";
import { readViewerFile, renderTryPage } from "./try-page.ts";

/**
 * Nothing is loaded from anywhere, the page's own style apart. The last three do not fall back to `default-src`
 * (CSP Level 3, section 6.1): without them the page could be framed, and markup in it could send forms elsewhere.
 */
const noFrames = ["frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"];
const pagePolicy = ["default-src 'none'", "style-src 'unsafe-inline'", ...noFrames].join("; ");

/** The page with the viewer loads scripts of this service and sends requests to it, and to no other. */
const viewerPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  ...noFrames,
].join("; ");

const noAttribution: readonly string[] = [];

/** @param attribution Sources of the data, one a line. */
type Render = (endpoints: readonly Endpoint[], attribution: readonly string[]) => string;

interface Document {
  readonly attribution: string;
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

const documents: readonly DocumentSource[] = [
  { path: "/openapi.json", type: "application/json", render: renderApiDescription },
  { path: "/docs", type: html, render: renderDocsPage },
  ...guideNames.map((name) => ({ path: `/docs/${name}`, type: html, render: () => renderGuidePage(name) })),
  { path: "/docs/try", type: html, render: renderTryPage, policy: viewerPolicy },
  { path: "/docs/try/start.js", type: script, render: () => readViewerFile("start.js") },
  { path: "/docs/try/swagger-ui-bundle.js", type: script, render: () => readViewerFile("swagger-ui-bundle.js") },
  { path: "/docs/try/swagger-ui.css", type: "text/css; charset=utf-8", render: () => readViewerFile("swagger-ui.css") },
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

/** The paths under which requests for documents are counted: the pages of /docs and their files are one. */
export const countedDocumentPaths: readonly string[] = [
  ...new Set([startPath, ...documents.map(({ path }) => countedPath(path))]),
];

function countedPath(path: string): string {
  return path.startsWith("/docs/") ? "/docs" : path;
}

export function documentRoutes(
  endpoints: readonly Endpoint[],
  { admission, explorerRoutes }: AppDependencies,
): Route[] {
  const routes = documents.map(({ path, type, render, policy = pagePolicy }): Route => {
    const headers = ["Content-Security-Policy", policy, "Cache-Control", "no-cache", "Vary", "Accept-Encoding"];
    let newest: Document | undefined;
    return { method: "GET", path, name: endpointName({ method: "GET", path: countedPath(path) }), serve };

    function serve(ctx: Context): Promise<void> {
      const lines = ctx.state.store?.snapshot.attribution ?? noAttribution;
      const attribution = lines.join("\n");
      // Most stores have that of the one before.
      if (newest?.attribution !== attribution) {
        newest = { attribution, text: new FixedText(render(endpoints, lines)) };
      }
      return writeFixed(ctx, newest.text, { type, headers }, admission);
    }
  });
  return [startRoute(explorerRoutes === undefined ? "/docs" : explorerPath), ...routes];
}
