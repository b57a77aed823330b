/**
 * Characters that do not show and change what is around them: a terminal executes some as commands, others reorder what
 * is read.
 */
import { type Fault, fieldFault, foundText } from "./problem.ts";

/** Source: Unicode UAX #44 (Cc) without tab and line ends, UAX #9, section 2 (Bidi_Control). */
const hidden = /(?![\t\n\r])\p{Cc}|\p{Bidi_Control}/u;

/** Returns whether a text has such a character. Published files may; files to be published must not. */
export function hasHiddenCharacter(text: string): boolean {
  return hidden.test(text);
}

/**
 * Finds such characters in a JSON value, also in the names of its fields.
 *
 * @param field Name of the value; empty for a record.
 * @returns A fault for each text that has one.
 */
export function* hiddenCharacterFaults(value: unknown, field = ""): Generator<Fault, void> {
  if (typeof value === "string") {
    const found = hidden.exec(value);
    if (found === null) return;
    const code = found[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
    const wanted = "text without control and bidirectional characters";
    yield fieldFault("value", field, `U+${code} in ${foundText(value)}`, wanted);
  } else if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) yield* hiddenCharacterFaults(item, `${field}[${at}]`);
  } else if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      yield* hiddenCharacterFaults(name, field);
      yield* hiddenCharacterFaults(member, field === "" ? name : `${field}.${name}`);
    }
  }
}
