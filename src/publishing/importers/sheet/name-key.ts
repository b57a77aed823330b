/** What makes two names the same: neither case, accents, spaces nor punctuation count. */
import { foldText } from "../../../engine/model/folded-text.ts";

/** `Murang'a (Town)` and `MURANGA TOWN` have one key. Empty for a name without letters and digits. */
export function nameKey(name: string): string {
  return foldText(name).replace(/[^\p{L}\p{N}]+/gu, "");
}

/** The same for units, where the separator inside a number counts: 1.5 kg is not 15 kg. A comma there is a point. */
export function unitKey(unit: string): string {
  const parts = foldText(unit)
    .replace(/(?<=\d),(?=\d)/g, ".")
    .match(/\d+(?:\.\d+)*|[\p{L}\p{N}]/gu);
  return (parts ?? []).join("");
}
