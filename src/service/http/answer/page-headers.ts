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

export const pageHeaders: HeaderList = [
  ...["Content-Security-Policy", policy, "Referrer-Policy", "same-origin"],
  ...["Cache-Control", "private, no-cache", "Vary", "Accept-Encoding, Accept-Language"],
];
