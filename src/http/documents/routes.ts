import Router from "@koa/router";
import type { Admission } from "../admission.ts";
import type { Middleware, RequestState } from "../context.ts";
import type { Endpoint } from "../endpoint.ts";
import { endpointName, matchesTag, methodNotAllowed, tagOf } from "../router.ts";
import { writeAnswer } from "../write-answer.ts";
import { renderDocsPage } from "./docs-page.ts";
import { renderApiDescription } from "./openapi.ts";

/** Where the documents are, with their methods. */
export const documentMethods: ReadonlyMap<string, readonly string[]> = new Map([
  ["/openapi.json", ["GET", "HEAD", "OPTIONS"]],
  ["/docs", ["GET", "HEAD", "OPTIONS"]],
]);

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

const noAttribution: readonly string[] = [];

/** @param attribution Sources of the data, one a line. */
type Render = (endpoints: readonly Endpoint[], attribution: readonly string[]) => string;

/** The two documents that describe the service; they need no key. Rendered for the first request. */
export function routeDocuments(endpoints: readonly Endpoint[], admission: Admission): Middleware {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  routeDocument("/openapi.json", "application/json", renderApiDescription);
  routeDocument("/docs", "text/html; charset=utf-8", renderDocsPage);
  return router.routes() as Middleware;

  function routeDocument(path: string, type: string, render: Render): void {
    let newest: { readonly attribution: readonly string[]; readonly text: string; readonly etag: string } | undefined;
    router.get(path, (ctx) => {
      ctx.state.endpoint = endpointName({ method: "GET", path });
      const attribution = ctx.state.store?.snapshot.attribution ?? noAttribution;
      // Another attribution comes with another store.
      if (newest?.attribution !== attribution) {
        const text = render(endpoints, attribution);
        newest = { attribution, text, etag: tagOf(text) };
      }
      const { text, etag } = newest;
      ctx.set({
        "Content-Type": type,
        "Content-Security-Policy": pagePolicy,
        ETag: etag,
        "Cache-Control": "no-cache",
      });
      if (!matchesTag(ctx.get("If-None-Match"), etag)) return writeAnswer(ctx, text, admission);
      ctx.status = 304;
      return undefined;
    });
    router.all(path, () => {
      throw methodNotAllowed(documentMethods.get(path) ?? []);
    });
  }
}
