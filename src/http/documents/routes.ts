/** The two documents that describe the service; they need no key. Rendered for the first request. */
import { acceptedCodings, type ContentCoding } from "../compress.ts";
import type { AppDependencies, Context } from "../context.ts";
import type { Endpoint } from "../endpoint.ts";
import { textTags } from "../etag.ts";
import { endpointName, type Route } from "../router.ts";
import { sendEmpty } from "../send.ts";
import { answerIfUnchanged } from "../serve-endpoint.ts";
import { writeAnswer } from "../write-answer.ts";
import { renderDocsPage } from "./docs-page.ts";
import { renderApiDescription } from "./openapi.ts";

/**
 * Nothing is loaded from anywhere, the page's own style apart. The last three do not fall back to `default-src`
 * (CSP Level 3, section 6.1): without them the page could be framed, and markup in it could send forms elsewhere.
 */
const pagePolicy = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const headers = ["Content-Security-Policy", pagePolicy, "Cache-Control", "no-cache", "Vary", "Accept-Encoding"];

const noAttribution: readonly string[] = [];

/** @param attribution Sources of the data, one a line. */
type Render = (endpoints: readonly Endpoint[], attribution: readonly string[]) => string;

interface Document {
  readonly attribution: readonly string[];
  readonly text: string;
  readonly etag: (coding: ContentCoding) => string;
}

const documents: readonly { readonly path: string; readonly type: string; readonly render: Render }[] = [
  { path: "/openapi.json", type: "application/json", render: renderApiDescription },
  { path: "/docs", type: "text/html; charset=utf-8", render: renderDocsPage },
];

/** Leads people who open the address of the service to the page for them. */
const startRoute: Route = {
  method: "GET",
  path: "/",
  name: endpointName({ method: "GET", path: "/" }),
  serve(ctx) {
    sendEmpty(ctx, 302, ["Location", "/docs", "Cache-Control", "no-cache", "Content-Length", "0"]);
    return undefined;
  },
};

export const documentPaths: readonly string[] = [startRoute.path, ...documents.map(({ path }) => path)];

export function documentRoutes(endpoints: readonly Endpoint[], { admission }: AppDependencies): Route[] {
  const routes = documents.map(({ path, type, render }): Route => {
    let newest: Document | undefined;
    return { method: "GET", path, name: endpointName({ method: "GET", path }), serve };

    function serve(ctx: Context): Promise<void> | undefined {
      const attribution = ctx.state.store?.snapshot.attribution ?? noAttribution;
      // Another attribution comes with another store.
      if (newest?.attribution !== attribution) {
        const text = render(endpoints, attribution);
        newest = { attribution, text, etag: textTags(text) };
      }
      const { text, etag } = newest;
      const codings = acceptedCodings(ctx.req.headers["accept-encoding"] as string | undefined);
      if (answerIfUnchanged(ctx, codings, etag, headers)) return undefined;
      const coding = codings[0] as ContentCoding;
      return writeAnswer(ctx, text, { type, headers, coding, etag }, admission);
    }
  });
  return [startRoute, ...routes];
}
