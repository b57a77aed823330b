/** The headers of pages for people. */
import type { HeaderList } from "../../../contract/reply-body.ts";

/**
 * Style, script, pictures and requests are those of this service and no other; site/docs/page-policies.ts says why the
 * last three are there.
 */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/**
 * A page that others frame runs no script, sends nothing, and loads its style alone. Sandboxed, it has no cookies or
 * storage either; its links open pages that are not sandboxed.
 */
const framedPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src data:",
  "form-action 'none'",
  "frame-ancestors *",
  "base-uri 'none'",
  "sandbox allow-popups allow-popups-to-escape-sandbox",
].join("; ");

function headersOf(contentPolicy: string): HeaderList {
  return [
    ...["Content-Security-Policy", contentPolicy, "Referrer-Policy", "same-origin"],
    ...["Cache-Control", "private, no-cache", "Vary", "Accept-Encoding"],
  ];
}

export const pageHeaders: HeaderList = headersOf(policy);

/** The headers of a page that pages of other sites may frame. */
export const framedPageHeaders: HeaderList = headersOf(framedPolicy);
