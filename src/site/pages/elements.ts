/** Elements that pages are made of. */
import { joinMarkup, Markup, type MarkupValue, markup } from "./markup.ts";

export function renderParagraph(content: MarkupValue, className?: string): Markup {
  return className === undefined ? markup`<p>${content}</p>` : markup`<p class="${className}">${content}</p>`;
}

/** A part of a page under a heading, which is its anchor. */
export function renderSection(id: string, heading: MarkupValue, content: MarkupValue): Markup {
  return markup`<section aria-labelledby="${id}">
<h2 id="${id}">${heading}</h2>
${content}
</section>
`;
}

/** A heading with a link to itself. */
export function renderHeading(level: 2 | 3, id: string, content: MarkupValue): Markup {
  const tag = new Markup(`h${level}`);
  return markup`<${tag} id="${id}"><a class="anchor" href="#${id}">${content}</a></${tag}>`;
}

export interface DetailsChoice {
  /** Those of one name are a group, of which one is open at a time. */
  readonly group?: string;
  readonly isOpen?: boolean;
}

/** What is shown only on request. */
export function renderDetails(
  summary: string,
  content: MarkupValue,
  { group, isOpen = false }: DetailsChoice = {},
): Markup {
  const attributes = markup`${group !== undefined && markup` name="${group}"`}${isOpen && markup` open`}`;
  return markup`<details${attributes}><summary>${summary}</summary>\n${content}</details>`;
}

/** A text of several lines as it is, in a box that scrolls; lines may end as in CSV. */
export function renderCodeBlock(text: string): Markup {
  // A value shows line ends as escapes, so those of the text come from the template.
  return markup`<pre tabindex="0"><code>${joinMarkup(text.split(/\r?\n/), "\n")}</code></pre>`;
}

/**
 * What a page says of its subject in JSON-LD (json-ld.org), for programs. It is data: browsers do not run it, and a
 * policy for scripts does not concern it.
 */
export function renderStructuredData(value: object): Markup {
  // Within a script element nothing is unescaped: no text may end it or begin a comment.
  const text = JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e");
  return new Markup(`<script type="application/ld+json">${text}</script>`);
}
