import t from "tap";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";
import type { PageContext } from "../../../src/site/docs/docs-page.ts";
import { documentsOf } from "../../../src/site/docs/documents.ts";
import { inlineText, readSections } from "../../../src/site/docs/markdown.ts";
import { searchEntries } from "../../../src/site/docs/search-entries.ts";
import { renderSearchPage, requestedText, searchDocs } from "../../../src/site/docs/search-page.ts";
import words from "../../../src/site/docs/search-words.json" with { type: "json" };
import { hostileText, parseMarkup } from "../../support/parse-markup.ts";

const context: PageContext = { endpoints, attribution: [], sources: {}, hasExplorer: true, code: "curl" };
const entries = searchEntries(endpoints);

/** The addresses that a question finds, best first. */
function targetsOf(question: string): string[] {
  return searchDocs(question, endpoints).entries.map(({ target }) => target);
}

/** An answer to each question that must be among the first three results. */
const expected: readonly (readonly [question: string, target: string])[] = [
  ["outlier", "/docs/anomalies#suspicious-prices"],
  ["remove outliers", "/docs/anomalies#suspicious-prices"],
  ["wrong price", "/docs/anomalies#suspicious-prices"],
  ["vintage", "/docs/keep-a-copy#revisions-and-vintages"],
  ["vintage", "/docs/reference/downloads#listDownloads"],
  ["revision", "/docs/keep-a-copy#revisions-and-vintages"],
  ["revised", "/docs/keep-a-copy#revisions-and-vintages"],
  ["withdraw", "/docs/keep-a-copy#copy-only-what-you-use"],
  ["camp", "/docs/statistics#refugee-camps"],
  ["refugee", "/docs/statistics#refugee-camps"],
  ["inflation", "/docs/units#inflation-and-real-prices"],
  ["real price", "/docs/units#inflation-and-real-prices"],
  ["CPI", "/docs/units#inflation-and-real-prices"],
  ["index", "/docs/reference/prices#getPriceIndex"],
  ["drought", "/docs/anomalies#example-white-maize-in-may-2017"],
  ["exchange rate", "/docs/units#in-us-dollars"],
  ["dollar", "/docs/units#in-us-dollars"],
  ["currency", "/docs/units#in-us-dollars"],
  ["backup", "/docs/keep-a-copy#copy-everything"],
  ["csv", "/docs/reference/exports#exportPricesCsv"],
  ["excel", "/docs/spreadsheets#excel"],
  ["parquet", "/docs/exports#downloads"],
  ["python", "/docs/monthly-prices"],
  ["R", "/docs/spreadsheets#r"],
  ["quota", "/docs#everywhere"],
  ["429", "/docs/errors#RATE_LIMITED"],
  ["rate limit", "/docs/errors#RATE_LIMITED"],
  ["password", "/docs#key"],
  ["signature", "/docs/signing"],
  ["clock", "/docs/errors#TIMESTAMP_EXPIRED"],
  ["deprecated", "/docs/deprecation"],
  ["licence", "/docs/reference/dataset#getDataset"],
  ["how do I cite this?", "/docs/reference/dataset#getDataset"],
  ["weekly", "/docs/reference/prices#getPriceStatistics"],
  ["seasonal", "/docs/anomalies#seasons"],
  ["msimu", "/docs/anomalies#seasons"],
  ["ukame", "/docs/anomalies#example-white-maize-in-may-2017"],
  ["missing months", "/docs/monthly-prices"],
  ["compression", "/docs#everywhere"],
  ["what's new", "/docs/keep-a-copy#is-there-anything-new"],
  ["postman", "/openapi.json"],
  ["longest_gap_days", "/docs/reference/prices#listSeries"],
  ["listDownloads", "/docs/reference/downloads#listDownloads"],
  ["MISSING_API_KEY", "/docs/errors#MISSING_API_KEY"],
  ["SIGNING", "/docs/signing"],
  ["find márkets", "/docs/reference/markets#listMarkets"],
  ["/prices/latest", "/docs/reference/prices#getLatestPrices"],
];

t.test("a question in a reader's words leads to the section, operation or error that answers it", async (t) => {
  for (const [question, target] of expected) {
    const found = targetsOf(question).slice(0, 3);
    t.ok(found.includes(target), `${question}: ${found.join(", ")}`);
  }
});

t.test("every word of readers finds a part of the documentation, and every entry is found by its title", async (t) => {
  const unfound = Object.values(words.alsoCalled)
    .flat()
    .filter((name) => searchDocs(name, endpoints).entries.length === 0);
  t.strictSame(unfound, []);
  for (const { title, target } of entries) {
    if (/^(?:R|Start|Units|Series|Prices|Statistics|Example)\b/.test(title)) continue;
    t.ok(targetsOf(title).includes(target), `${title}: ${target}`);
  }
});

t.test("the other names of a word are single words, each once", async (t) => {
  for (const [group, names] of Object.entries(words.alsoCalled)) {
    const all = [...group.split(" "), ...names];
    for (const word of all) t.match(word, /^[a-z]+$/, `${group}: ${word}`);
    t.equal(new Set(all).size, all.length, group);
  }
  const lists = Object.values(words.alsoCalled).map(String);
  t.equal(new Set(lists).size, lists.length, "words with the same names share one list");
  const ofDocs = Object.keys(words.alsoCalled).flatMap((group) => group.split(" "));
  t.equal(new Set(ofDocs).size, ofDocs.length, "a word of the documentation has one list");
  t.equal(new Set(words.ignored).size, words.ignored.length);
  const ignored: readonly string[] = words.ignored;
  const named = [...ofDocs, ...Object.values(words.alsoCalled).flat()];
  t.strictSame(
    named.filter((word) => ignored.includes(word)),
    [],
  );
});

t.test("beginnings of words and misspelt words are found, and the answer says which they are", async (t) => {
  const matchOf = (question: string) => searchDocs(question, endpoints).match;
  t.strictSame([matchOf("depreca"), targetsOf("depreca")[0]], ["exact", "/docs/deprecation"]);
  t.strictSame([matchOf("infaltion"), targetsOf("infaltion")[0]], ["similar", targetsOf("inflation")[0]]);
  t.strictSame([matchOf("outlyer"), targetsOf("outlyer")[0]], ["similar", targetsOf("outlier")[0]]);
  t.strictSame(
    [matchOf("forecast of blizzards"), targetsOf("forecast of blizzards")],
    ["partial", targetsOf("forecast")],
  );
  t.match(renderSearchPage("infaltion", context), "these parts have similar words");
  t.match(renderSearchPage("forecast of blizzards", context), "these parts have some of them");
});

t.test("a word is found in singular and plural, and by each of its beginnings", async (t) => {
  const groups = [
    ["/docs/series", "serie", "series"],
    ["/docs/reference/counties#listCounties", "countie", "counties", "county"],
    ["/docs/units#in-us-dollars", "currencie", "currencies", "currency"],
    ["/docs/reference/crops#listCropCategories", "crop categorie", "crops categories", "crop category"],
    ["/docs/reference/downloads#listDownloads", "snapshot", "snapshots"],
    ["/docs/reference/prices#searchPrices", "search price", "searches prices"],
  ] as const;
  for (const [target, ...questions] of groups) {
    for (const question of questions) {
      t.equal(searchDocs(question, endpoints).match, "exact", question);
      t.ok(targetsOf(question).slice(0, 3).includes(target), `${question}: ${targetsOf(question).slice(0, 3)}`);
    }
  }
  const ignored: readonly string[] = words.ignored;
  const ofTitles = new Set(entries.flatMap(({ title }) => title.toLowerCase().match(/\p{L}{3,}/gu) ?? []));
  const unfound = [...ofTitles.difference(new Set(ignored))].flatMap((word) =>
    Array.from({ length: word.length - 2 }, (_, at) => word.slice(0, at + 3)).filter(
      (text) => !ignored.includes(text) && targetsOf(text).length === 0,
    ),
  );
  t.strictSame(unfound, []);
});

t.test("readers of other languages and of small programs find their page", async (t) => {
  t.ok(targetsOf("php").includes("/docs/price-now"));
  t.equal(targetsOf("sign php")[0], "/docs/signing#vector");
  for (const word of ["bot", "sms", "ussd", "nearest market"]) t.ok(targetsOf(word).includes("/docs/price-now"), word);
});

t.test("a question that nothing answers says so, and leads on", async (t) => {
  for (const question of ["foobarbaz", "xy", "the", "cook ugali recipe", "(a)"]) {
    t.strictSame(targetsOf(question), [], question);
    const page = renderSearchPage(question, context);
    t.match(page, "No part of the documentation has these words.", question);
    t.match(page, `href="/explore?${new URLSearchParams({ q: question })}"`, question);
    const withoutExplorer = renderSearchPage(question, { ...context, hasExplorer: false });
    t.match(withoutExplorer, '<a href="/docs/reference/products#listProducts">', question);
    t.notMatch(withoutExplorer, "/explore", question);
  }
  for (const question of ["", "?!", "\u200b"]) t.notMatch(renderSearchPage(question, context), "No part", question);
});

t.test("a result shows the passage with its words", async (t) => {
  const excerptOf = (question: string) => searchDocs(question, endpoints).entries[0]?.excerpt ?? "";
  t.match(excerptOf("inflation"), "Nothing is corrected for inflation");
  t.match(excerptOf("outlier"), /suspicious/);
  t.match(excerptOf("gzip"), /^Caching\. .*gzip/);
  // A word within another one is none: "own" is not in "known".
  for (const question of ["own", "end", "one", "series", "continues"]) {
    const isWord = new RegExp(`(?<![\\p{L}\\p{N}])${question}`, "iu");
    for (const { excerpt, target } of searchDocs(question, endpoints).entries) {
      const { passages = [] } = entries.find((entry) => entry.target === target) ?? {};
      t.equal(
        isWord.test(excerpt),
        passages.some((text) => isWord.test(text)),
        `${question}, ${target}: ${excerpt}`,
      );
    }
  }
  for (const [question] of expected) {
    for (const { excerpt, title } of searchDocs(question, endpoints).entries) {
      t.ok(excerpt.length <= 250, `${title}: ${excerpt}`);
      t.notMatch(excerpt, /\]\(|\{\{/, "plain text");
    }
  }
});

t.test("a section has its anchor, its text without markup, and what its list items are about", async (t) => {
  const text = [
    "Above `a` [b](/c).\n\n## Is it {{new}}? {#own}\n\n- **Keys.** One\n  two\n- three\n",
    "| A | B |\n| - | - |\n| `1` | {{new}} |\n\n| A |\n| - |\n| {{rows}} |\n",
    "```sh\ncurl {{new}}\n```\n\n## Next one\n",
  ].join("\n");
  t.strictSame(readSections(text, { new: "old", rows: [["x"]] }), [
    { title: "", id: "", passages: ["Above a b."], leads: [], code: [] },
    {
      title: "Is it old?",
      id: "own",
      passages: ["Keys. One two", "three", "1 · old"],
      leads: ["Keys."],
      code: ["curl old"],
    },
    { title: "Next one", id: "next-one", passages: [], leads: [], code: [] },
  ]);
  t.throws(() => readSections("{{nothing}}", {}), { name: "RangeError" });
  t.equal(inlineText("See [`x`](/y), **z**"), "See x, z");
});

t.test("a question is a text of the page, in the language of the address", async (t) => {
  for (const question of [hostileText, "signing"]) {
    const page = renderSearchPage(question, { ...context, code: "r" });
    t.doesNotThrow(() => parseMarkup(page, /^(?:[/#]|data:image\/svg)/));
    t.match(page, '<input type="hidden" name="code" value="r">');
  }
  t.match(renderSearchPage("signing", { ...context, code: "r" }), '<a href="/docs/signing?code=r">Signing</a>');
});

t.test("a question is cut to the length of the field", async (t) => {
  t.equal(requestedText(`q=${"z".repeat(300)}`).length, 100);
  t.strictSame([requestedText(""), requestedText("q=%20a+b%20&q=c")], ["", "a b"]);
});

t.test("a question takes less than five milliseconds of the processor once the index is made", async (t) => {
  searchDocs("price", endpoints);
  const questions = [...expected.map(([question]) => question), "a b c d e f g h i j k l m n o p", "pr".repeat(50)];
  const before = process.cpuUsage();
  for (const question of questions) searchDocs(question, endpoints);
  const { user, system } = process.cpuUsage(before);
  t.ok((user + system) / 1000 / questions.length < 5);
});

t.test("the documents render the search", async (t) => {
  const document = documentsOf(endpoints, true).find(({ path }) => path === "/docs/search");
  t.equal(document?.formOf("q=a"), undefined, "none is kept");
  t.match(
    document?.render({ attribution: [], sources: {} }, "q=outlier", undefined),
    "/docs/anomalies#suspicious-prices",
  );
});
