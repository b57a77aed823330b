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

/** The same for units, where the separator inside a number counts: 1.5 kg is not 15 kg. A comma there is a point. */
export function unitKey(unit: string): string {
  const parts = searchKey(unit)
    .replace(/(?<=\d),(?=\d)/g, ".")
    .match(/\d+(?:[.\u2044]\d+)*|[\p{L}\p{N}]/gu);
  return (parts ?? []).join("");
}

/** The key of a heading: headings are the same that differ in case and spaces. */
export function foldHeading(heading: string): string {
  return foldText(heading).replace(/\s+/g, " ").trim();
}
