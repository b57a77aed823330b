/**
 * Markdown of the guides and of descriptions as HTML. Values are filled in behind the parser, so that no text of an
 * example can become markup.
 */
import { Marked, type RendererObject, type Tokens } from "marked";
import { renderCodeBlock, renderDetails } from "../../pages/elements.ts";
import { joinMarkup, Markup, type MarkupValue, markup } from "../../pages/markup.ts";
import { cellColumns, renderTable } from "../../pages/table.ts";

/** The rows of a table, as lists of cells. */
export type TableRows = readonly (readonly MarkupValue[])[];

/** What a text names as `{{name}}`. Rows stand for a row of a table that has nothing else: `| {{name}} |`. */
export type GuideValues = Readonly<Record<string, string | number | TableRows>>;

/**
 * Paragraphs, lists, headings, tables and code blocks of a text. Two things are beyond GitHub's Markdown:
 * `## Heading {#id}` gives a heading its id, and code blocks with a title behind their language (```` ```sh Shell ````)
 * are folded up under their titles, the first one of a text open.
 *
 * @throws {RangeError} When the text names a value that is not there, or of the wrong kind.
 */
export function renderMarkdown(text: string, values: GuideValues = {}): Markup {
  const parser = createParser(values);
  // In two steps: `parse` adds a request to report the error to each message.
  return new Markup(parser.parser(parser.lexer(text)));
}

const withoutValues = createParser({});

/** A text within a paragraph or a cell: code, strong words, links. */
export function renderInline(text: string): Markup {
  return new Markup(withoutValues.parseInline(text, { async: false }));
}

/**
 * Addresses and tags in a text are text, because their tokenizers find none. Headings begin with `#`: to compile the
 * expression for underlined ones takes 15 ms. The others take 60 ms together, for the first text of a thread.
 */
function createParser(values: GuideValues): Marked {
  const none = (): undefined => undefined;
  return new Marked({
    tokenizer: { url: none, html: none, tag: none, lheading: none },
    renderer: createRenderer(values),
  });
}

/** Writes what depends on values, and what the page kit has a form for; the rest is as marked writes it. */
function createRenderer(values: GuideValues): RendererObject {
  let titledBlocks = 0;
  return {
    text: (token) => ("tokens" in token && token.tokens ? false : escapeLines(fillIn(token.text, values)).text),
    codespan: ({ text }) => markup`<code>${fillIn(text, values)}</code>`.text,
    link({ href, tokens }) {
      return markup`<a href="${href}">${new Markup(this.parser.parseInline(tokens))}</a>`.text;
    },
    heading({ depth, tokens }) {
      const [, words = "", id] = /^(.*?)(?: \{#([\w-]+)\})?$/s.exec(this.parser.parseInline(tokens)) ?? [];
      const tag = new Markup(`h${depth}`);
      return markup`<${tag}${id !== undefined && markup` id="${id}"`}>${new Markup(words)}</${tag}>\n`.text;
    },
    code({ text, lang = "" }) {
      const block = renderCodeBlock(fillIn(text, values));
      const [, title] = /^\w+ (.+)$/.exec(lang) ?? [];
      if (title === undefined) return `${block}\n`;
      titledBlocks++;
      return `${renderDetails(title, block, { group: "code", isOpen: titledBlocks === 1 })}\n`;
    },
    table({ header, rows }) {
      const showCell = ({ tokens }: Tokens.TableCell): Markup => new Markup(this.parser.parseInline(tokens));
      const cells = rows.flatMap((row) => rowsNamed(row, values) ?? [row.map(showCell)]);
      return `${renderTable(cellColumns(header.map(showCell)), cells)}\n`;
    },
  };
}

/** @throws {RangeError} When the text names a value that is not there, or rows. */
function fillIn(text: string, values: GuideValues): string {
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name];
    if (typeof value === "string" || typeof value === "number") return String(value);
    throw new RangeError(`A guide names {{${name}}} in a text, expected one of its texts and numbers`);
  });
}

/** The rows that a row of a table stands for; undefined when it stands for itself. */
function rowsNamed([first, ...others]: readonly Tokens.TableCell[], values: GuideValues): TableRows | undefined {
  const [, name] = /^\{\{(\w+)\}\}$/.exec(first?.text ?? "") ?? [];
  if (name === undefined || others.some(({ text }) => text !== "")) return undefined;
  const rows = values[name];
  if (Array.isArray(rows)) return rows as TableRows;
  throw new RangeError(`A guide names {{${name}}} as rows of a table, expected a list of its values`);
}

/** Text of several lines; a value of a template shows line ends as escapes. */
function escapeLines(text: string): Markup {
  return joinMarkup(text.split("\n"), "\n");
}
