import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import texts from "../../src/contract/words.json" with { type: "json" };
import { languages, type WordKey, wordsOf } from "../../src/contract/words.ts";
import { bundledDataset } from "../support/bundled-data.ts";
import { projectFolder } from "../support/test-files.ts";

function formsOf(key: WordKey, language: (typeof languages)[number]): readonly string[] {
  return [texts[key][language]].flat();
}

t.test("every text is there in every language, in as many forms, with the same values", async () => {
  for (const key of Object.keys(texts) as WordKey[]) {
    assert.deepEqual(Object.keys(texts[key]), [...languages], key);
    assert.equal(new Set(languages.map((language) => formsOf(key, language).length)).size, 1, `${key}: forms`);
    const names = languages.map((language) => {
      // The singular may leave the number out.
      const plural = formsOf(key, language).at(-1) ?? "";
      return [...new Set(plural.match(/\{\w+\}/g) ?? [])].sort().join();
    });
    assert.equal(new Set(names).size, 1, `${key}: ${names.join(" and ")}`);
    for (const language of languages)
      for (const form of formsOf(key, language)) assert.doesNotMatch(form, /^\s|\s$|<|&/, key);
  }
});

t.test("every text is said by a page", async (t) => {
  const code = ["src/site/explore", "src/site/docs", "src/site/pages", "src/contract"]
    .map((folder) => join(projectFolder, folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".ts"))
        .map((name) => readFileSync(join(folder, name), "utf8")),
    )
    .join("\n");
  const keys = Object.keys(texts).filter(
    (key) => !/^(?:type|unit|category|periodChoice|view|class|suspicious|continues|container) /.test(key),
  );
  t.strictSame(
    keys.filter((key) => !code.includes(`"${key}"`)),
    [],
  );
});

t.test("a text has no number that code has as a value: it is passed in", async (t) => {
  const named = /^(?:periodChoice|unit|suspicious) |^(?:countyCodes|downloadsLead|seasonLead)$/;
  const digits = (Object.keys(texts) as WordKey[]).filter(
    (key) => !named.test(key) && languages.some((language) => formsOf(key, language).some((text) => /\d/.test(text))),
  );
  t.strictSame(digits, [], "names such as ISO 3166-2 and names of choices are none");
});

t.test("no article of English depends on a name or type", async (t) => {
  const uses = Object.entries(texts).filter(([, { en }]) => [en].flat().some((text) => /\b(?:a|an) \{/i.test(text)));
  t.strictSame(
    uses.map(([key]) => key),
    ["priceOf", "priceOfAn"],
  );
  const en = wordsOf("en");
  const priced = ["kg", "90 kg bag", "80 kg bag", "11 kg tin", "110 kg bag", "ounce"].map((unit) =>
    en.priceOf(2, "KES", unit),
  );
  t.strictSame(
    priced.map((text) => text.slice("2.00 KES ".length).split(" ")[0]),
    ["a", "a", "an", "an", "a", "an"],
  );
});

t.test("numbers, prices and days are written as people read them", async (t) => {
  const en = wordsOf("en");
  t.strictSame(
    [0, 0.0046, 46.388889, 5250.15 / 90, 999.999, 4175, 1e300].map((value) => en.price(value)),
    ["0.00", "0.0046", "46.39", "58.34", "1,000.00", "4,175", "1E300"],
  );
  t.equal(en.month("2025-10"), "October 2025");
  t.equal(wordsOf("sw").month("2025-10"), "Oktoba 2025");
  t.equal(en.priceOf(46.388889, "KES", "kg"), "46.39 KES a kg");
  t.equal(wordsOf("sw").priceOf(46.388889, "KES", "kg"), "KES 46.39 kwa kilo");
  t.equal(en.unit("90 kg bag"), "90 kg bag");
});

t.test("every category and unit of the bundled data has a name in Swahili", async (t) => {
  const { products, unitCategories } = await bundledDataset();
  const words = wordsOf("sw");
  for (const { category } of products) t.not(words.category(category), category);
  for (const { units } of unitCategories) for (const { name } of units) t.not(words.unit(name), name);
});

t.test("a unit that is a container is named with its amount, whatever that is", async (t) => {
  const words = wordsOf("sw");
  t.strictSame(
    ["90 kg bag", "110 kg bag", "12.5 kg crate", "2 kg tray", "2 kg tin", "17 kg tin", "250 ml packet"].map((name) =>
      words.unit(name),
    ),
    [
      ...["gunia la kilo 90", "gunia la kilo 110", "kreti ya kilo 12.5", "treyi ya kilo 2", "gorogoro ya kilo 2"],
      ...["mkebe wa kilo 17", "pakiti ya mililita 250"],
    ],
  );
  for (const name of ["3 pot", "big 90 kg bag", "90 kg basin", "constructor", "1 kg constructor"]) {
    t.equal(words.unit(name), name, "as in the data where a word is not known");
    t.equal(wordsOf("en").unit(name), name);
  }
});

t.test("singular and plural", async (t) => {
  const en = wordsOf("en");
  t.equal(en.say("atMarkets", { count: 1 }), "at 1 market");
  t.equal(en.say("atMarkets", { count: 1200 }), "at 1,200 markets");
  t.equal(wordsOf("sw").say("atMarkets", { count: 3 }), "katika masoko 3");
});

t.test("in Swahili a product has its first other name before its own", async (t) => {
  const maize = { name: "Maize (white)", alternativeNames: ["Mahindi meupe", "White corn"] };
  t.equal(wordsOf("en").product(maize), "Maize (white)");
  t.equal(wordsOf("sw").product(maize), "Mahindi meupe – Maize (white)");
  t.equal(wordsOf("sw").product({ name: "Sugar", alternativeNames: null }), "Sugar");
});
