import { Markup } from "./markup.ts";

/**
 * What a page says of its subject in JSON-LD (json-ld.org), for programs. It is data: browsers do not run it, and a
 * policy for scripts does not concern it.
 */
export function renderStructuredData(value: object): Markup {
  // Within a script element nothing is unescaped: no text may end it or begin a comment.
  const text = JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
  return new Markup(`<script type="application/ld+json">${text}</script>`);
}
