/** Texts in the alphabet of text messages: GSM 03.38 (3GPP TS 23.038), the basic characters alone. */

/** Characters of one message. */
export const gsmCharactersMax = 160;

const alphabet = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§" +
    "¿abcdefghijklmnopqrstuvwxyzäöñüà",
);

/** What is written in place of characters that have no decomposition in the alphabet. */
const replacements: Readonly<Record<string, string>> = {
  "–": "-",
  "—": "-",
  "−": "-",
  "‘": "'",
  "’": "'",
  ʼ: "'",
  "“": '"',
  "”": '"',
  "…": "...",
  "[": "(",
  "]": ")",
};

/** A text in the alphabet: others become those they are made of, without marks; what remains is a question mark. */
export function gsmText(text: string): string {
  return Array.from(text, gsmCharacter).join("");
}

function gsmCharacter(character: string): string {
  if (alphabet.has(character)) return character;
  const plain = replacements[character] ?? character.normalize("NFKD").replace(/\p{M}/gu, "");
  return Array.from(plain, (one) => (alphabet.has(one) ? one : (replacements[one] ?? "?"))).join("");
}
