/** The policies of pages: what they may load, who may frame them, and how long they may be kept. */
import type { HeaderList } from "../../contract/reply-body.ts";

function headersOf(policy: readonly string[]): HeaderList {
  return [
    ...["Content-Security-Policy", policy.join("; "), "Referrer-Policy", "same-origin"],
    ...["Cache-Control", "private, no-cache", "Vary", "Accept-Encoding"],
  ];
}

/**
 * The headers of a page of the explorer: style, script, pictures and requests are those of this service and no other.
 * `documentPolicy` says why the last three are there.
 */
export const pageHeaders: HeaderList = headersOf([
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
]);

/**
 * The headers of a page that pages of other sites may frame: it runs no script, sends nothing, and loads its style
 * alone. Sandboxed, it has no cookies or storage either; its links open pages that are not sandboxed.
 */
export const framedPageHeaders: HeaderList = headersOf([
  "default-src 'none'",
  "style-src 'self'",
  "img-src data:",
  "form-action 'none'",
  "frame-ancestors *",
  "base-uri 'none'",
  "sandbox allow-popups allow-popups-to-escape-sandbox",
]);

/** The parts of a page that need a permission. */
export interface LoadedParts {
  readonly hasScript?: boolean;
  readonly hasForm?: boolean;
}

/**
 * The policy of a page of the documentation: nothing is loaded from anywhere, the page's own style and icon apart. A
 * script and a form, both of this service, are allowed where the page has them; texts of a page cannot hold either tag,
 * because they are escaped. The last three do not fall back to `default-src` (CSP Level 3, section 6.1): without them
 * the page could be framed, and markup in it could send forms elsewhere.
 */
export function documentPolicy({ hasScript = false, hasForm = false }: LoadedParts = {}): string {
  return [
    "default-src 'none'",
    ...(hasScript ? ["script-src 'self'"] : []),
    "style-src 'unsafe-inline'",
    "img-src data:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    `form-action ${hasForm ? "'self'" : "'none'"}`,
  ].join("; ");
}
