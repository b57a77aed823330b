/**
 * HTML and SVG from templates. Every value is escaped unless it is markup itself, so no text from a file can become a
 * tag or end an attribute. Packages for it (escape-html-template-tag, escape-goat) leave control and bidirectional
 * characters as they are.
 */
import { visibleText } from "../../engine/model/visible-text.ts";

/**
 * Text that needs no escaping: what `markup` and `joinMarkup` make, and constants of the code, such as a style sheet.
 */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** A value of a template; nothing is written for undefined and false. */
export type MarkupValue = Markup | string | number | undefined | false | readonly MarkupValue[];

/** A template: markup`<td title="${name}">${name}</td>`. Attribute values stand in double quotes. */
export function markup(texts: TemplateStringsArray, ...values: readonly MarkupValue[]): Markup {
  let text = texts[0] as string;
  for (const [at, value] of values.entries()) text += writeValue(value) + texts[at + 1];
  return new Markup(text);
}

/** Values one after the other. @param separator Is not escaped. */
export function joinMarkup(values: readonly MarkupValue[], separator = ""): Markup {
  return new Markup(values.map(writeValue).join(separator));
}

function writeValue(value: MarkupValue): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === "string") return escapeText(value);
  if (typeof value === "number") return String(value);
  if (value === undefined || value === false) return "";
  return value.map(writeValue).join("");
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return visibleText(text).replace(/[&<>"']/g, (character) => escapes[character] as string);
}
