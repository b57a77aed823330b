import { findDuplicateKey } from "../domain/duplicate-key.ts";
import { type Fault, foundText } from "./problem.ts";

/** A JSON object nobody has looked into yet. */
export type UncheckedRecord = Readonly<Record<string, unknown>>;

/** A record, or why the text is none. */
export type ParsedRecord =
  | { readonly value: UncheckedRecord; readonly fault?: never }
  | { readonly value?: never; readonly fault: Fault };

/**
 * Reads one JSON object and refuses what `JSON.parse` lets pass: a key given twice, and half of a surrogate pair, which
 * no UTF-8 answer could carry.
 */
export function parseRecord(text: string): ParsedRecord {
  const parsed = parseJson(text, "one JSON object");
  if (parsed.fault !== undefined) return parsed;
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return broken(foundText(value), "one JSON object");
  }
  // Written again, a value has no key twice. So a text that comes out the same had none either, and only other texts
  // (spaced, escaped, or with a key dropped) need the slower look.
  if (JSON.stringify(value) !== text) {
    const key = findDuplicateKey(text);
    if (key !== undefined) return { fault: { kind: "line", field: key, found: "given twice", wanted: "it once" } };
  }
  // UTF-8 cannot hold half a pair, so it can only come in as an escape.
  if (text.includes("\\u") && hasLoneSurrogate(value)) {
    return broken("half of a surrogate pair", "whole characters");
  }
  return { value: value as UncheckedRecord };
}

/**
 * Reads JSON of any shape.
 *
 * @param wanted What the text should have been, for the message.
 */
export function parseJson(
  text: string,
  wanted: string,
): { readonly value: unknown; readonly fault?: never } | { readonly fault: Fault } {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The engine's message quotes the text, line ends included.
    const reason = error.message.replace(/[\s\p{Cc}]+/gu, " ");
    return { fault: { kind: "line", found: `text that is not JSON (${reason})`, wanted } };
  }
}

function broken(found: string, wanted: string): ParsedRecord {
  return { fault: { kind: "line", found, wanted } };
}

/** Whether any text or key in a JSON value is not well-formed. Keeps its own stack, for JSON may nest very deep. */
function hasLoneSurrogate(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === "string" && !value.isWellFormed()) return true;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, member] of Object.entries(value)) open.push(key, member);
  }
  return false;
}
