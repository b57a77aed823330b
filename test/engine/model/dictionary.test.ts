import t from "tap";
import { Dictionary } from "../../../src/engine/model/dictionary.ts";

t.test("codes count from 0 in order of first appearance", async (t) => {
  const dictionary = new Dictionary("units", 10);
  t.same(
    ["kg", "g", "kg", "litre", "g"].map((text) => dictionary.codeOf(text)),
    [0, 1, 0, 2, 1],
  );
  t.same(dictionary.texts, ["kg", "g", "litre"]);
});

t.test("texts that differ in anything have codes of their own", async (t) => {
  const texts = ["", " ", "kg", "KG", "kg ", "é", "e\u0301", "__proto__", "constructor"];
  const dictionary = new Dictionary("units", texts.length);
  t.same(
    texts.map((text) => dictionary.codeOf(text)),
    texts.map((_, code) => code),
  );
});

t.test("a full dictionary knows its texts and refuses a new one", async (t) => {
  const dictionary = new Dictionary("units of prices", 2);
  dictionary.codeOf("kg");
  dictionary.codeOf("g");
  t.equal(dictionary.codeOf("g"), 1);
  t.throws(() => dictionary.codeOf("litre"), { name: "RangeError", message: /units of prices.*2.*litre/ });
  t.same(dictionary.texts, ["kg", "g"], "the refused text left nothing behind");
});
