import fc from "fast-check";
import t from "tap";
import {
  compareNames,
  compareTexts,
  foldText,
  searchKey,
  searchRuns,
  searchWords,
} from "../../../src/engine/model/folded-text.ts";
import { processorMilliseconds } from "../../support/processor-time.ts";

t.test("texts that differ in case and accents fold alike", async (t) => {
  t.equal(foldText("MURANG'A"), foldText("Murang'a"));
  t.equal(foldText("Café"), "cafe");
  t.equal(foldText("CAFE\u0301"), "cafe", "accent as a mark of its own");
  t.equal(foldText("Élgeyo-Marakwet"), "elgeyo-marakwet");
  t.equal(foldText("ǅ Ṩ Å"), foldText("ǆ ṩ å"));
  t.equal(foldText("İstanbul"), "istanbul", "lower case brings no mark back");
});

t.test("apostrophes, digits, spaces and other letters stay", async (t) => {
  for (const text of ["murang'a", "90 kg bag", "ngano (wheat)", "mahindi – meupe", "øre", ""])
    t.equal(foldText(text), text);
});

t.test("folding twice is folding once, for every character", async (t) => {
  for (const fold of [foldText, searchKey]) {
    const changed: string[] = [];
    for (let code = 0; code <= 0x10ffff; code++) {
      const once = fold(String.fromCodePoint(code));
      if (fold(once) !== once) changed.push(code.toString(16));
    }
    t.same(changed, [], fold.name);
  }
});

t.test("texts that a reader takes for the same have one search key, and hyphens stay", async (t) => {
  for (const sign of "'`´‘’‛ʻʼʽʹʾˈ′‵＇｀ꞌ՚") t.equal(searchKey(`Murang${sign}a`), "muranga", sign);
  for (const code of [0xad, 0x34f, 0x61c, 0x115f, 0x180e, 0x200b, 0x200d, 0x200e, 0x202a, 0x202e, 0x2060, 0x2069]) {
    t.equal(searchKey(`ma${String.fromCodePoint(code)}ize`), "maize", code.toString(16));
  }
  for (const code of [0x3164, 0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xe0061, 0xe0100, 0x2800, 0x7f, 0x90]) {
    t.equal(searchKey(`ma${String.fromCodePoint(code)}ize`), "maize", code.toString(16));
  }
  t.equal(searchKey("ＭＡＩＺＥ ﬂour ５ ㎏ 𝐚 ⓑ"), "maize flour 5 kg a b");
  t.equal(searchKey("5´10\u00a0kg"), "510 kg", "an accent alone leaves no blank, a blank of any kind stays one");
  t.equal(searchKey("Elgeyo-Marakwet"), "elgeyo-marakwet");
  t.same(searchWords(" Ng’ombe\u200b\u3000 (Cow) ' "), ["ngombe", "(cow)"]);
  t.same(searchWords("’ \u200b ´ \u0301"), []);
  t.same(searchRuns("Murang'a (½ kg)"), ["muranga", "1\u20442", "kg"]);
});

t.test("letters, digits, blanks and hyphens have the search key that they sort by", async () => {
  const text = fc.string({ unit: fc.constantFrom(..."aBcZ09 -éÉöñ") });
  fc.assert(fc.property(text, (text) => searchKey(text) === foldText(text)));
});

t.test("the composed and the decomposed form fold alike", async () => {
  const text = fc.string({ unit: "grapheme" });
  fc.assert(fc.property(text, (text) => foldText(text.normalize("NFC")) === foldText(text.normalize("NFD"))));
});

t.test("texts are ordered by code unit", async (t) => {
  t.same(["b", "B", "a", "Z", "é", "ab", "", "10", "9"].sort(compareTexts), [
    "",
    "10",
    "9",
    "B",
    "Z",
    "a",
    "ab",
    "b",
    "é",
  ]);
  t.equal(compareTexts("\u{1f33d}", "\uff5e"), -1, "a surrogate is less than U+FF5E, though its character is greater");
});

t.test("a comparison is -1, 0 or 1 and turns round with its arguments", async (t) => {
  t.same([compareTexts("a", "b"), compareTexts("a", "a"), compareTexts("b", "a")], [-1, 0, 1]);
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => compareTexts(a, b) + compareTexts(b, a) === 0));
});

t.test("names are ordered by the key that finds them, without case and accents, then by code unit", async (t) => {
  t.same(["maïze", "Beans", "maize", "Café", "Maize", "cafe", "ant"].sort(compareNames), [
    "ant",
    "Beans",
    "Café",
    "cafe",
    "Maize",
    "maize",
    "maïze",
  ]);
  t.equal(compareNames("Maize", "Maize"), 0);
  t.same(["Mar'z", "Maraba"].sort(compareNames), ["Maraba", "Mar'z"], "an apostrophe counts only between equal names");
  const wide = ["Zzz", "Ｍaize", "ma\u00adize", "Nuts", "Maize", "Murang’a", "Muranga", "Murang'a"];
  t.same(wide.sort(compareNames), ["Maize", "ma\u00adize", "Ｍaize", "Murang'a", "Muranga", "Murang’a", "Nuts", "Zzz"]);
});

t.test("marks that a text has may go before its decomposition: a mark decomposes to marks alone", async (t) => {
  const others: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    const character = String.fromCodePoint(code);
    if (!/\p{M}/u.test(character)) continue;
    for (const form of ["NFD", "NFKD"]) if (!/^\p{M}+$/u.test(character.normalize(form))) others.push(character);
  }
  t.same(others, []);
});

t.test("a text of a hundred thousand marks costs no more than one of letters", async (t) => {
  const begun = processorMilliseconds();
  for (const fold of [foldText, searchKey]) t.equal(fold(`e${"\u0301\u0316".repeat(50_000)}`), "e");
  const milliseconds = processorMilliseconds() - begun;
  t.ok(milliseconds < 500, `${milliseconds} ms; sorting the marks takes seconds`);
});
