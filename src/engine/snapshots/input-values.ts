/**
 * Texts and lists that are refused in records that are handed in, and served where they are published already:
 * characters that do not show and change what is around them (a terminal executes some as commands, others reorder what
 * is read), and lengths beyond `lengthMax`.
 */

import { type Keywords, lengthMax } from "../model/json-schema.ts";
import { isLonger, lengthsMax } from "../model/text-lengths.ts";
import { type Fault, fieldFault, foundText } from "./problem.ts";

/** Source: Unicode UAX #44 (Cc) without tab and line ends, UAX #9, section 2 (Bidi_Control). */
const hidden = /(?![\t\n\r])\p{Cc}|\p{Bidi_Control}/u;

/** Returns whether a text has a character that does not show and changes what is around it. */
export function hasHiddenCharacter(text: string): boolean {
  return hidden.test(text);
}

const objectName: Keywords = { [lengthMax]: lengthsMax.name };
const anyValue: Keywords = {};

/**
 * Finds what is refused in a JSON value that fits its schema, also in the names of its fields.
 *
 * @param field Name of the value; empty for a record.
 * @returns A fault for each text, list or object.
 */
export function* inputFaults(schema: Keywords, value: unknown, field = ""): Generator<Fault, void> {
  const max = schema[lengthMax];
  if (typeof value === "string") {
    const found = hidden.exec(value);
    if (found !== null) {
      const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
      const wanted = "text without control and bidirectional characters";
      yield fieldFault("value", field, `U+${code} in ${foundText(value)}`, wanted);
    }
    if (max !== undefined && isLonger(value, max)) yield tooLong(field, value, [...value].length, max, "characters");
  } else if (Array.isArray(value)) {
    if (max !== undefined && value.length > max) yield tooLong(field, value, value.length, max, "entries");
    const { items = anyValue } = schema;
    for (const [at, item] of value.entries()) yield* inputFaults(items, item, `${field}[${at}]`);
  } else if (typeof value === "object" && value !== null) {
    const bytes = max === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
    if (max !== undefined && bytes > max) yield tooLong(field, value, bytes, max, "bytes as JSON");
    const { properties = {}, additionalProperties: others } = schema;
    const [name, member] = typeof others === "object" ? [objectName, others] : [anyValue, anyValue];
    for (const [key, inner] of Object.entries(value)) {
      yield* inputFaults(name, key, field);
      const known = Object.hasOwn(properties, key) ? properties[key] : undefined;
      yield* inputFaults(known ?? member, inner, field === "" ? key : `${field}.${key}`);
    }
  }
}

function tooLong(field: string, value: unknown, length: number, max: number, unit: string): Fault {
  return fieldFault("value", field, `${foundText(value)}, ${length} ${unit}`, `at most ${max} ${unit}`);
}
