/** The keys of names: two names are the same that differ only in case, accents, spaces and punctuation. */
import { foldText, searchKey } from "../../../engine/model/folded-text.ts";

/**
 * `Murang'a (Town)`, `MURANGA TOWN` and `Murang\u02bba\u200b Town` have one key. Empty for a name without letters and
 * digits. A fraction keeps its stroke: `½` is not `12`.
 */
export function nameKey(name: string): string {
  return lettersOf(searchKey(name));
}

function lettersOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}\u2044]+/gu, "");
}

/** The key that the identifiers of new products and markets are made from, which stay the same. */
export function identityKey(name: string): string {
  return lettersOf(foldText(name));
}

/** The key of a heading: headings are the same that differ in case and spaces. */
export function foldHeading(heading: string): string {
  return foldText(heading).replace(/\s+/g, " ").trim();
}
