import Router from "@koa/router";
import type { Admission } from "../admission.ts";
import type { Context, Middleware, RequestState } from "../context.ts";
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

interface Document {
  readonly text: string;
  readonly etag: string;
}

/** @param attribution Sources of the data, one a line. */
type Render = (endpoints: readonly Endpoint[], attribution: readonly string[]) => string;

/** The two documents that describe the service; they need no key. Made for the first request. */
export function routeDocuments(endpoints: readonly Endpoint[], admission: Admission): Middleware {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  const contents: Record<string, { type: string; render: Render }> = {
    "/openapi.json": { type: "application/json", render: renderApiDescription },
    "/docs": { type: "text/html; charset=utf-8", render: renderDocsPage },
  };
  for (const [path, { type, render }] of Object.entries(contents)) {
    const documentWith = rememberNewest((attribution) => {
      const text = render(endpoints, attribution);
      return { text, etag: tagOf(text) };
    });
    router.get(path, (ctx) => {
      ctx.state.endpoint = endpointName({ method: "GET", path });
      const document = documentWith(ctx.state.store?.snapshot.attribution ?? noAttribution);
      return answerDocument(ctx, type, document, admission);
    });
    router.all(path, () => {
      throw methodNotAllowed(documentMethods.get(path) ?? []);
    });
  }
  return router.routes() as Middleware;
}

/** Makes a document again only when the attribution is another than the last time: after a swap of stores. */
function rememberNewest(
  make: (attribution: readonly string[]) => Document,
): (attribution: readonly string[]) => Document {
  let newest: { readonly attribution: readonly string[]; readonly document: Document } | undefined;
  return (attribution) => {
    if (newest?.attribution !== attribution) newest = { attribution, document: make(attribution) };
    return newest.document;
  };
}

function answerDocument(
  ctx: Context,
  type: string,
  { text, etag }: Document,
  admission: Admission,
): Promise<void> | undefined {
  ctx.set({
    "Content-Type": type,
    "Content-Security-Policy": pagePolicy,
    ETag: etag,
    "Cache-Control": "no-cache",
  });
  if (!matchesTag(ctx.get("If-None-Match"), etag)) return writeAnswer(ctx, text, admission);
  ctx.status = 304;
  return undefined;
}
