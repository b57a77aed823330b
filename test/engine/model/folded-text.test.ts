import fc from "fast-check";
import t from "tap";
import { compareNames, compareTexts, foldText } from "../../../src/engine/model/folded-text.ts";

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
  const changed: string[] = [];
  for (let code = 0; code <= 0xffff; code++) {
    const once = foldText(String.fromCharCode(code));
    if (foldText(once) !== once) changed.push(code.toString(16));
  }
  t.same(changed, []);
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

t.test("names are ordered without case and accents, and those that fold alike by code unit", async (t) => {
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
});
