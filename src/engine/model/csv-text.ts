/** Text of CSV (RFC 4180) that people open in spreadsheet programs, which take some texts for formulas. */

/** Matches characters in front of a formula that a program shows as nothing, or drops. Source: Unicode UAX #44. */
const invisibleStart = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}]+/u;

/** Characters that a formula begins with. U+2212 is the minus sign, which some programs take for a hyphen. */
const formulaSigns = ["=", "+", "-", "@", "\u2212"];

/**
 * A text that no spreadsheet program takes for a formula: an apostrophe stands in front of one that would be, also
 * where invisible characters stand before the sign, where the sign is a compatibility form (`＝`, `﹣`, `⁺`), and before
 * a tab or a line end at the beginning. Source: OWASP, CSV Injection; Unicode UAX #15 (NFKC).
 */
export function guardFormula(text: string): string {
  return isFormula(text) ? `'${text}` : text;
}

/** The text from which `guardFormula` made this one, if it did. */
export function unguardFormula(text: string): string {
  return text.startsWith("'") && isFormula(text) ? text.slice(1) : text;
}

function isFormula(text: string): boolean {
  // Most texts begin like this.
  if (/^[A-Za-z0-9]/.test(text)) return false;
  // Texts that have the apostrophe already get another one, so that the guard can be taken off again.
  const bare = text.replace(/^'+/, "");
  const start = invisibleStart.exec(bare)?.[0] ?? "";
  if (/[\t\r\n]/.test(start)) return true;
  const sign = String.fromCodePoint(bare.codePointAt(start.length) ?? 0);
  return formulaSigns.includes(sign.normalize("NFKC").charAt(0));
}

/** A text as a cell: in quotes where it needs them. @param delimiter One character. */
export function csvCell(text: string, delimiter = ","): string {
  return text.includes(delimiter) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Cells as a row, which ends with CR LF. @param delimiter As of `csvCell`. */
export function csvRow(cells: readonly string[], delimiter = ","): string {
  return `${cells.map((cell) => csvCell(cell, delimiter)).join(delimiter)}\r\n`;
}
