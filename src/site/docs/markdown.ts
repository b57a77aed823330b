/**
 * Markdown of the guides and of descriptions as HTML. Values are filled in behind the parser, so that no text of an
 * example can become markup.
 */
import { Lexer, Marked, Parser, type RendererObject, type Token, type Tokens } from "marked";
import type { Endpoint } from "../../contract/endpoint.ts";
import { searchRuns } from "../../engine/model/folded-text.ts";
import { cellColumns, renderCodeBlock, renderHeading, renderTable } from "../pages/elements.ts";
import { joinMarkup, Markup, type MarkupValue, markup } from "../pages/markup.ts";
import { renderCodeChoice } from "./code-choice.ts";
import { type CodeLanguage, codeLanguages, codeNames, parseRequest, snippetIn } from "./snippets.ts";

/** The rows of a table, as lists of cells. */
export type TableRows = readonly (readonly MarkupValue[])[];

/**
 * The values that a text names as `{{name}}` or `{{name.field}}`. Numbers that are not whole have two decimals.
 * Rows (`TableRows`) stand for a row of a table that has nothing else: `| {{name}} |`.
 */
export type GuideValues = Readonly<Record<string, unknown>>;

/** Values that code blocks in several languages depend on. */
export interface CodeSource {
  /** Path of the page. */
  readonly path: string;
  readonly code: CodeLanguage;
  readonly endpoints: readonly Endpoint[];
}

/** A code block of those that say the same in several languages. */
interface ChosenBlock extends Tokens.Code {
  readonly shown: CodeLanguage;
  readonly offered: readonly CodeLanguage[];
}

/**
 * Paragraphs, lists, headings, tables and code blocks of a text. Each `## Heading` is the anchor of its section. Three
 * things are beyond GitHub's Markdown: `## Heading {#id}` chooses the name of the anchor, which is made of the words
 * otherwise; of code blocks one after the other with a language of `codeLanguages` behind that of the fence
 * (```` ```sh curl ````) the chosen one shows, or the first; a block of the language `request` becomes a snippet that
 * sends it.
 *
 * @param source For texts with requests or blocks to choose from.
 * @throws {RangeError} When the text names a value that is not there or of the wrong kind, or a request to no endpoint.
 */
export function renderMarkdown(text: string, values: GuideValues = {}, source?: CodeSource): Markup {
  const parser = createParser(values, source);
  // In two steps: `parse` adds a request to report the error to each message.
  const tokens = parser.lexer(text);
  return new Markup(parser.parser(source === undefined ? tokens : chooseBlocks(tokens, source.code)));
}

/** The tokens with one code block of each group of neighbours that have languages. */
function chooseBlocks(tokens: readonly Token[], code: CodeLanguage): Token[] {
  const chosen: Token[] = [];
  let group = new Map<CodeLanguage, Tokens.Code>();
  const endGroup = (): void => {
    const offered = [...group.keys()];
    const shown = group.has(code) ? code : offered[0];
    if (shown !== undefined) chosen.push({ ...(group.get(shown) as Tokens.Code), shown, offered } as ChosenBlock);
    group = new Map();
  };
  for (const token of tokens) {
    const language = codeNames.find((name) => token.type === "code" && titleOf(token.lang) === codeLanguages[name]);
    if (language !== undefined) group.set(language, token as Tokens.Code);
    else if (token.type !== "space") {
      endGroup();
      chosen.push(token);
    }
  }
  endGroup();
  return chosen;
}

/** Returns the words behind the language of a fence: `R` of ` ```r R `. */
function titleOf(fence = ""): string | undefined {
  return /^\w+ (.+)$/.exec(fence)?.[1];
}

/** The depth of the headings that begin a section. */
const sectionDepth = 2;

/** The title of a section in plain text, and the name of its anchor: `copy-everything`, unless the text chooses one. */
function sectionHeading({ tokens }: Tokens.Heading, values: GuideValues): { title: string; id: string } {
  const [, title = "", id = searchRuns(title).join("-")] =
    /^(.*?)(?: \{#([\w-]+)\})?$/s.exec(fillIn(plainText(tokens), values)) ?? [];
  return { title, id };
}

const plainParser = new Parser();

/** The words of inline tokens, without their markup. */
function plainText(tokens: Token[] = []): string {
  return plainParser.parseInline(tokens, plainParser.textRenderer);
}

/** The words of a text within a paragraph or a cell, without their markup. */
export function inlineText(text: string): string {
  return plainText(Lexer.lexInline(text));
}

/** A section of a text for a search. @param title Empty for the text above the first heading. */
function startSection(title: string, id: string) {
  return {
    title,
    id,
    /** Paragraphs, items of lists and rows of tables, in plain text. */
    passages: [] as string[],
    /** The strong words with which items of lists begin, which name their subjects. */
    leads: [] as string[],
    /** Its code blocks. */
    code: [] as string[],
  };
}

export type TextSection = ReturnType<typeof startSection>;

/**
 * The sections of a text, in its order. Rows that a table has from `TableRows` are left out.
 *
 * @throws {RangeError} When the text names a value that is not there.
 */
export function readSections(text: string, values: GuideValues): TextSection[] {
  const sections = [startSection("", "")];
  for (const token of withoutValues.lexer(text)) {
    const { passages, leads, code } = sections.at(-1) as TextSection;
    if (token.type === "heading" && token["depth"] === sectionDepth) {
      const { title, id } = sectionHeading(token as Tokens.Heading, values);
      sections.push(startSection(title, id));
    } else if (token.type === "code") code.push(fillIn((token as Tokens.Code).text, values));
    else {
      passages.push(...passagesOf(token, values));
      if (token.type === "list") leads.push(...(token as Tokens.List).items.flatMap(leadOf));
    }
  }
  return sections;
}

function leadOf({ tokens: [first] }: Tokens.ListItem): string[] {
  const lead = first !== undefined && "tokens" in first ? first.tokens?.[0] : undefined;
  return lead?.type === "strong" ? [plainText([lead])] : [];
}

function passagesOf(token: Token, values: GuideValues): string[] {
  if (token.type === "list") {
    return (token as Tokens.List).items.map(({ tokens }) =>
      tokens.flatMap((part) => passagesOf(part, values)).join(" "),
    );
  }
  if (token.type === "table") {
    return (token as Tokens.Table).rows
      .filter((row) => rowsNamed(row, values) === undefined)
      .map((row) => row.map(({ tokens }) => fillIn(plainText(tokens), values)).join(" · "));
  }
  return "tokens" in token ? [fillIn(plainText(token.tokens), values).replaceAll("\n", " ")] : [];
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
function createParser(values: GuideValues, source?: CodeSource): Marked {
  const none = (): undefined => undefined;
  return new Marked({
    tokenizer: { url: none, html: none, tag: none, lheading: none },
    renderer: createRenderer(values, source),
  });
}

/** Writes what depends on values, and what the page kit has a form for; the rest is as marked writes it. */
function createRenderer(values: GuideValues, source?: CodeSource): RendererObject {
  let choices = 0;
  const choose = (shown: CodeLanguage, offered?: readonly CodeLanguage[]): Markup => {
    choices++;
    return renderCodeChoice(source?.path ?? "", `code-${choices}`, shown, offered);
  };
  return {
    text: (token) => ("tokens" in token && token.tokens ? false : escapeLines(fillIn(token.text, values)).text),
    codespan: ({ text }) => markup`<code>${fillIn(text, values)}</code>`.text,
    link({ href, tokens }) {
      return markup`<a href="${href}">${new Markup(this.parser.parseInline(tokens))}</a>`.text;
    },
    heading(token) {
      if (token.depth !== sectionDepth) return false;
      const { title, id } = sectionHeading(token, values);
      return `${renderHeading(sectionDepth, id, title)}\n`;
    },
    code(token) {
      const { text, lang, shown, offered } = token as Tokens.Code & Partial<ChosenBlock>;
      const filled = fillIn(text, values);
      if (lang === "request" && source !== undefined) {
        const snippet = snippetIn(source.code, parseRequest(filled, source.endpoints));
        return `${choose(source.code)}${renderCodeBlock(snippet)}\n`;
      }
      return `${shown === undefined ? "" : choose(shown, offered)}${renderCodeBlock(filled)}\n`;
    },
    table({ header, rows }) {
      const showCell = ({ tokens }: Tokens.TableCell): Markup => new Markup(this.parser.parseInline(tokens));
      const cells = rows.flatMap((row) => rowsNamed(row, values) ?? [row.map(showCell)]);
      return `${renderTable(cellColumns(header.map(showCell)), cells)}\n`;
    },
  };
}

/**
 * A text with its values. Numbers that are not whole have two decimals.
 *
 * @throws {RangeError} When it names a value that is not there, or rows.
 */
export function fillIn(text: string, values: GuideValues): string {
  return text.replaceAll(/\{\{([\w.]+)\}\}/g, (_, name: string) => {
    const value = name.split(".").reduce<unknown>((of, field) => (of as GuideValues | undefined)?.[field], values);
    if (typeof value === "string") return value;
    if (typeof value === "number") return Number.isInteger(value) ? String(value) : value.toFixed(2);
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
