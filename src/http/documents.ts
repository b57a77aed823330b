import { hash } from "node:crypto";
import Router from "@koa/router";
import type { Context, Middleware, RequestState } from "./context.ts";
import { renderDocsPage } from "./docs-page.ts";
import type { Endpoint } from "./endpoint.ts";
import { matchesTag } from "./etag.ts";
import { describeApi } from "./openapi.ts";
import { methodNotAllowed } from "./router.ts";

/** Where the documents are, with their methods. */
export const documentMethods: ReadonlyMap<string, readonly string[]> = new Map([
  ["/openapi.json", ["GET", "HEAD", "OPTIONS"]],
  ["/docs", ["GET", "HEAD", "OPTIONS"]],
]);

/** Nothing is loaded from anywhere, the page's own style apart. */
const pagePolicy = "default-src 'none'; style-src 'unsafe-inline'";

/** The two documents that describe the service; they need no key. Made once, at start. */
export function routeDocuments(endpoints: readonly Endpoint[]): Middleware {
  const router = new Router<RequestState>({ strict: true, sensitive: true });
  const contents = {
    "/openapi.json": { type: "application/json", text: JSON.stringify(describeApi(endpoints)) },
    "/docs": { type: "text/html; charset=utf-8", text: renderDocsPage(endpoints) },
  };
  for (const [path, { type, text }] of Object.entries(contents)) {
    const etag = `"${hash("sha256", text, "base64url").slice(0, 27)}"`;
    router.get(path, (ctx) => answerDocument(ctx, type, text, etag));
    router.all(path, () => {
      throw methodNotAllowed(documentMethods.get(path) ?? []);
    });
  }
  return router.routes() as Middleware;
}

function answerDocument(ctx: Context, type: string, text: string, etag: string): void {
  ctx.set({
    "Content-Type": type,
    "Content-Security-Policy": pagePolicy,
    "X-Content-Type-Options": "nosniff",
    ETag: etag,
    "Cache-Control": "no-cache",
  });
  if (matchesTag(ctx.get("If-None-Match"), etag)) ctx.status = 304;
  else ctx.body = text;
}
