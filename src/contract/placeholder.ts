/** Texts that a client sends by mistake: a variable that its tool did not replace. */

import { excerptOf } from "./errors.ts";
import { optionalFields, text } from "./schema.ts";

/**
 * What programs make of a value that is not there, and how templates, shells, Postman, PowerShell, CMD, OpenAPI and
 * manuals write a variable.
 */
const placeholderForms = [
  /^(?:undefined|null|none|nil|nan|\[object \w+\])$/i,
  /^(?:\{{1,3}[^{}]*\}{1,3}|<[^<>]*>|%\w+%|@\w+@)$/,
  /^\$(?:\{[^{}]*\}|\([^()]*\)|(?:env:)?\w+)$/i,
];

/** Returns whether a text is the name of a variable, or of no value, rather than a value. */
export function isPlaceholder(sent: string): boolean {
  const plain = sent.trim();
  return placeholderForms.some((form) => form.test(plain));
}

/** Says of such a text what it is. */
export const placeholderText = "a variable that was not replaced";

/** The field of `hintOf`. */
export const hintField = optionalFields({
  hint: text("Only with detail, where nothing is found: that the text looks like a variable that was not replaced."),
});

/** The fields of an answer with `detail` to a search that found nothing. @param name The field with the text. */
export function hintOf(name: string, searched: string | undefined): { readonly hint?: string } {
  if (searched === undefined || !isPlaceholder(searched)) return {};
  return { hint: `${name} is ${JSON.stringify(excerptOf(searched))}, which looks like ${placeholderText}.` };
}
