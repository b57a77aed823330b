/** The frame that all pages of the documentation share, and its pieces. No scripts; nothing is loaded from elsewhere. */

/** A page of the documentation. */
export interface PageLink {
  readonly path: string;
  /** In the navigation. */
  readonly label: string;
}

/** In the order of the navigation. */
export const pageLinks: readonly PageLink[] = [
  { path: "/docs", label: "Reference" },
  { path: "/docs/signing", label: "Signing" },
  { path: "/docs/units", label: "Units" },
  { path: "/docs/series", label: "Series" },
  { path: "/docs/statistics", label: "Statistics" },
  { path: "/docs/exports", label: "Exports and downloads" },
  { path: "/docs/try", label: "Try it" },
  { path: "/openapi.json", label: "openapi.json" },
];

const style = `
:root { color-scheme: light dark; --line: light-dark(#ccd4cc, #3a423c); --soft: light-dark(#f3f6f3, #1b201d);
  --back: light-dark(#fff, #121513); --link: light-dark(#1b6b2f, #7fd493); --quiet: light-dark(#56605a, #a3aea6); }
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; background: var(--back); overflow-wrap: break-word; }
a { color: var(--link); }
header { position: sticky; top: 0; z-index: 1; background: var(--back); border-bottom: 1px solid var(--line); }
header nav { display: flex; gap: .25rem 1.1rem; overflow-x: auto; padding: .7rem 1rem; white-space: nowrap; }
header a { text-decoration: none; } header a[aria-current] { font-weight: 700; text-decoration: underline; }
.sheet { display: grid; grid-template-columns: minmax(0, 1fr); max-width: 76rem; margin: 0 auto; padding: 0 1rem 4rem; }
aside { font-size: .9rem; padding-top: 1rem; }
aside ul { list-style: none; margin: 0; padding: 0; } aside li li { display: none; }
aside nav > ul { display: flex; flex-wrap: wrap; gap: .1rem 1rem; }
h1 { line-height: 1.2; }
.text {
  h2 { margin: 3rem 0 .5rem; padding-bottom: .2rem; border-bottom: 1px solid var(--line); }
  h3 { margin: 2.6rem 0 .3rem; } h4 { margin: 1.2rem 0 .2rem; }
  a.anchor { color: inherit; text-decoration: none; } a.anchor:hover::after { content: " #"; color: var(--quiet); }
  code, pre { font: .87rem/1.5 ui-monospace, monospace; }
  pre { margin: .5rem 0; padding: .7rem .9rem; overflow-x: auto; background: var(--soft); border: 1px solid var(--line);
    border-radius: .4rem; max-height: 28rem; }
  .method { font-weight: 700; } .quiet { color: var(--quiet); }
  .badge { font-size: .8rem; border: 1px solid var(--line); border-radius: 1em; padding: .05em .6em; color: var(--quiet);
    white-space: nowrap; }
  .wide { overflow-x: auto; margin: .4rem 0; }
  table { border-collapse: collapse; font-size: .93rem; min-width: 100%; }
  th, td { text-align: left; vertical-align: top; padding: .25rem 1.1rem .25rem 0; border-bottom: 1px solid var(--line); }
  td:first-child { white-space: nowrap; } td:last-child { min-width: 9rem; }
  details { margin: .3rem 0; } summary { cursor: pointer; }
}
@media (min-width: 62rem) {
  .sheet.withAside { grid-template-columns: 15rem minmax(0, 1fr); column-gap: 2.5rem; }
  aside { position: sticky; top: 3rem; align-self: start; max-height: calc(100vh - 3rem); overflow-y: auto; }
  aside nav > ul { display: block; } aside ul { margin-bottom: .6rem; } aside li li { display: list-item; padding-left: .8rem; } aside nav > ul > li > a { font-weight: 600; }
}
@media (max-width: 40rem) { .text { td, th { padding-right: .7rem; } table { font-size: .88rem; } td:last-child { min-width: 6.5rem; } } }
`;

interface Page {
  readonly path: string;
  readonly title: string;
  /** HTML. */
  readonly content: string;
  /** Lists of links beside the text; HTML. */
  readonly aside?: string;
}

/** A whole page of text. */
export function renderPage({ path, title, content, aside }: Page): string {
  const main = `<main class="text">\n<h1>${escapeText(title)}</h1>\n${content}\n</main>`;
  return renderPageFrame({ path, title, main, ...(aside === undefined ? {} : { aside }) });
}

interface PageFrame extends Omit<Page, "content"> {
  /** HTML of the page below its navigation. */
  readonly main: string;
  /** HTML of what its head loads from this service. */
  readonly head?: string;
}

/** A whole page. */
export function renderPageFrame({ path, title, main, aside, head = "" }: PageFrame): string {
  const links = pageLinks.map(
    (link) => `<a href="${link.path}"${link.path === path ? ' aria-current="page"' : ""}>${link.label}</a>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
<style>${style}</style>
${head}
</head>
<body>
<header><nav aria-label="Pages">${links.join("\n")}</nav></header>
<div class="sheet${aside === undefined ? "" : " withAside"}">
${aside === undefined ? "" : `<aside><nav aria-label="On this page">${aside}</nav></aside>`}
${main}
</div>
</body>
</html>
`;
}

/** A table in a box of its own that scrolls where the screen is too narrow. Cells are HTML. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = (tag: string, row: readonly string[]): string => row.map((cell) => `<${tag}>${cell}</${tag}>`).join("");
  const lines = rows.map((row) => `<tr>${cells("td", row)}</tr>`);
  return `<div class="wide" tabindex="0"><table>\n<tr>${cells("th", head)}</tr>\n${lines.join("\n")}\n</table></div>`;
}

/** A heading with a link to itself. @param content HTML. */
export function renderHeading(level: 2 | 3, id: string, content: string): string {
  return `<h${level} id="${id}"><a class="anchor" href="#${id}">${content}</a></h${level}>`;
}

/** A text as it is, in a box. */
export function renderBlock(text: string): string {
  return `<pre tabindex="0"><code>${escapeText(text)}</code></pre>`;
}

export function codeText(text: string): string {
  return `<code>${escapeText(text)}</code>`;
}

/** HTML of a text with `code`, **strong** words and [links](/docs/…), and of nothing else. */
export function renderInline(text: string): string {
  return escapeText(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replaceAll(/\[([^\]]+)\]\(([/#][^)]*)\)/g, '<a href="$2">$1</a>');
}

/** Paragraphs of such a text, an empty line between them; lines that begin with `- ` are a list. */
export function renderText(text: string): string {
  const blocks = text.trim().split(/\n\s*\n/);
  return blocks
    .map((block) => {
      const lines = block.split("\n").map((line) => line.trim());
      if (lines.every((line) => line.startsWith("- "))) {
        return `<ul>\n${lines.map((line) => `<li>${renderInline(line.slice(2))}</li>`).join("\n")}\n</ul>`;
      }
      return `<p>${renderInline(lines.join("\n"))}</p>`;
    })
    .join("\n");
}

export function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
