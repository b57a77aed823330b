/** Words for units that mean the same in any language and number, for choosing candidates: `MT` is a tonne. */
import { compareTexts, searchRuns } from "../../../engine/model/folded-text.ts";

/** The word that the reference units have, with others for it. */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  kg: ["kgs", "kilo", "kilos", "kilogram", "kilograms", "kilogramme", "kilogrammes"],
  g: ["gm", "gms", "gr", "grm", "grms", "gram", "grams", "gramme", "grammes"],
  tonne: ["t", "mt", "mts", "ton", "tons", "tonnes", "tani"],
  litre: ["l", "lt", "lts", "ltr", "ltrs", "litres", "liter", "liters", "lita"],
  ml: ["mls", "millilitre", "millilitres", "milliliter", "milliliters"],
  piece: ["pc", "pcs", "pieces", "each", "kipande", "vipande"],
  packet: ["pkt", "pkts", "packets", "pack", "packs", "pakiti"],
  bag: ["bags", "sack", "sacks", "gunia", "magunia"],
  bunch: ["bunches", "fungu", "mafungu"],
  crate: ["crates", "kreti"],
  tin: ["tins", "mkebe"],
  head: ["heads", "kichwa", "vichwa"],
  loaf: ["loaves"],
  net: ["nets"],
};

const wordOf = new Map(Object.entries(otherWords).flatMap(([word, others]) => others.map((other) => [other, word])));

/** Words that say nothing of a unit: "per kg", "1 kg", "metric tonne". */
const fillers = new Set(["per", "a", "of", "1", "metric"]);

/** The words of a unit in alphabetical order: numbers apart from letters, and one word for all that mean the same. */
export function unitWords(unit: string): readonly string[] {
  const words = searchRuns(unit).flatMap((run) => run.match(/[\p{N}\u2044]+|\p{L}+/gu) ?? []);
  const meaningful = words.length === 1 ? words : words.filter((word) => !fillers.has(word));
  return meaningful.map((word) => wordOf.get(word) ?? word).sort(compareTexts);
}
