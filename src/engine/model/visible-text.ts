/**
 * Text from files as it is shown to a person. Control characters move a terminal's cursor, bidirectional ones reorder
 * what is read, line separators forge lines, and lone surrogates are no text: each becomes the escape that JSON has for
 * it. A backslash stays as it is, for paths; what is shown is not meant to be read back.
 */

/** Source: Unicode UAX #9, section 2 (Bidi_Control), UAX #44 (Cc, Cs, Zl, Zp). All of them are single UTF-16 units. */
const unprintable = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;
const unprintableInLine = /(?!\n)[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** One value or line; line ends in it are escaped too. */
export function visibleText(text: string): string {
  return text.replace(unprintable, escaped);
}

/**
 * A text of several lines, whose line ends stay. Of JSON text the value does not change, because such characters stand
 * only inside its strings.
 */
export function visibleLines(text: string): string {
  return text.replace(unprintableInLine, escaped);
}

const shortEscapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function escaped(character: string): string {
  return shortEscapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
