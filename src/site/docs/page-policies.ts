/** The policies of pages: what they may load, and who may frame them. */

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
