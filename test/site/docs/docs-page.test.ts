import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import t from "tap";
import { apiErrorCodes, fieldErrorCodes } from "../../../src/contract/errors.ts";
import { apiPrefix } from "../../../src/contract/paths.ts";
import type { Keywords } from "../../../src/engine/model/json-schema.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";
import type { PageContext } from "../../../src/site/docs/docs-page.ts";
import { renderStartPage } from "../../../src/site/docs/docs-start-page.ts";
import { documentsOf } from "../../../src/site/docs/documents.ts";
import { renderGuidePage, testVector } from "../../../src/site/docs/guides.ts";
import { inlineText, readSections, renderInline, renderMarkdown } from "../../../src/site/docs/markdown.ts";
import { groupOf, groupPaths, groupsOf, guideNames } from "../../../src/site/docs/menu.ts";
import { questions } from "../../../src/site/docs/reader-questions.ts";
import { renderReferencePage } from "../../../src/site/docs/reference-page.ts";
import { searchEntries } from "../../../src/site/docs/search-entries.ts";
import { renderSearchPage, requestedText, searchDocs } from "../../../src/site/docs/search-page.ts";
import words from "../../../src/site/docs/search-words.json" with { type: "json" };
import {
  type CodeLanguage,
  chosenCode,
  codeLanguages,
  codeNames,
  exampleRequest,
  parseRequest,
  snippetIn,
} from "../../../src/site/docs/snippets.ts";
import { hostileText, parseMarkup } from "../../support/parse-markup.ts";
import { structuredDataOf, withoutStructuredData } from "../../support/structured-data.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

const context: PageContext = {
  endpoints,
  attribution: ["Prices: <b>somebody</b> & others"],
  sources: {},
  hasExplorer: true,
  code: "curl",
};

/** All pages in a language of examples. */
function pagesIn(code: CodeLanguage): Readonly<Record<string, string>> {
  const chosen = { ...context, code };
  return {
    "/docs": renderStartPage(chosen),
    ...Object.fromEntries(groupPaths.map((path) => [path, renderReferencePage(path, chosen)])),
    ...Object.fromEntries(guideNames.map((name) => [`/docs/${name}`, renderGuidePage(name, chosen)])),
    "/docs/search": renderSearchPage("price", chosen),
    "/docs/changelog": renderGuidePage("changelog", chosen),
  };
}

const pages = pagesIn("curl");
const start = pages["/docs"] as string;
const reference = groupPaths.map((path) => pages[path]).join("\n");
const guides = guideNames.map((name) => [`/docs/${name}`, pages[`/docs/${name}`] as string] as const);

const store = buildStore(tinyDataset({}));

t.test("every endpoint with its fields, a snippet and an answer is on the page of its group", async (t) => {
  for (const group of groupsOf(endpoints)) {
    const page = pages[group.path] as string;
    for (const endpoint of group.endpoints) {
      const { path, params, query, body, answer, form } = endpoint;
      const { id } = endpoint;
      const [, section = ""] = page.split(`<h2 id="${id}">`);
      const [own = ""] = section.split("<h2 ");
      t.match(own, `<code>${apiPrefix}${path}</code>`);
      for (const schema of [params, query, body]) {
        for (const field of Object.keys(schema.properties)) t.match(own, `<code>${field}</code>`, `${id}: ${field}`);
      }
      for (const field of Object.keys((answer as Keywords).properties ?? {}))
        t.match(own, `<code>${field}`, `${id}: ${field}`);
      if (form.kind !== "table" && form.kind !== "file") {
        t.match(own, /<code>\{\n {2}&quot;data&quot;: [[{]/, `${id} has an answer`);
      }
    }
  }
  for (const code of apiErrorCodes) t.match(pages["/docs/errors"], `<td><code id="${code}">${code}</code></td>`);
  t.throws(() => renderReferencePage("/docs/reference/nothing", context), { name: "RangeError" });
});

t.test("the start page has the anchors that the whole reference had, each beside a link to its page", async (t) => {
  for (const endpoint of endpoints) {
    const { id } = endpoint;
    const group = groupOf(endpoint);
    const target = `/docs/reference/${group.toLowerCase()}`;
    t.match(start, `<li id="${id}"><a href="${target}#${id}">`);
    t.match(start, `<h3 id="${group}"><a href="${target}">`);
  }
  for (const code of apiErrorCodes) t.match(start, `<a id="${code}" href="/docs/errors#${code}">`);
  for (const id of ["start", "errors", "sources"]) t.match(start, `<h2 id="${id}">`);
});

t.test("a page has one row of navigation, and the name of the site in its title", async (t) => {
  for (const [path, text] of Object.entries(pages)) {
    const [, header = ""] = /<header>(.*?)<\/header>/s.exec(text) ?? [];
    t.equal(header.split("<nav ").length - 1, 1, path);
    t.match(text, / · Food prices in Kenya<\/title>/, path);
    t.match(header, /<a href="\/docs\/search[^"]*"/, path);
  }
});

t.test("no page is large", async (t) => {
  for (const [path, text] of Object.entries(pages)) t.ok(text.length < 190_000, `${path}: ${text.length}`);
});

t.test("each page says what it is, and has absolute addresses where the public one is known alone", async (t) => {
  const publicUrl = "https://prices.example";
  const known = Object.fromEntries(documentsOf(endpoints, true, publicUrl).map(({ path, render }) => [path, render]));
  const described = new Set<string>();
  for (const [path, text] of Object.entries(pages)) {
    const [, description = ""] = /<meta name="description" content="([^"]+)">/.exec(text) ?? [];
    t.ok(description.length > 10, path);
    t.match(text, `<meta property="og:description" content="${description}">`);
    t.notMatch(text, /rel="canonical"|property="og:url"/, path);
    described.add(description);
    const there = known[path]?.(store, "code=r") ?? "";
    t.match(there, `<link rel="canonical" href="${publicUrl}${path}">`);
    t.match(there, `<meta property="og:url" content="${publicUrl}${path}">`);
  }
  t.equal(described.size, Object.keys(pages).length, "no two describe themselves alike");
});

t.test("a page has its sections beside it, as the page writes them", async (t) => {
  for (const [path, text] of Object.entries(pages)) {
    const [, aside = ""] = /<aside>(.*?)<\/aside>/s.exec(text) ?? [];
    const sections = [...text.matchAll(/<h2 id="([^"]+)"><a class="anchor" href="[^"]+">(.+?)<\/a>/g)];
    for (const [, id, title] of sections) t.match(aside, `<a href="#${id}">${title}</a>`, path);
    t.equal(aside.split('href="#').length - 1, sections.length, path);
  }
  t.match(pages["/docs/anomalies"], '<a href="#measures">Measures</a>');
  t.match(pages["/docs/changelog"], '<a href="#0-1-0">0.1.0</a>');
});

t.test("questions are those of operations", async (t) => {
  const ids = endpoints.map(({ id }) => id);
  t.strictSame(
    Object.keys(questions).filter((id) => !ids.includes(id)),
    [],
  );
  t.equal(Object.keys(questions).length, 10);
});

t.test("examples are in one language, which the address chooses and all links keep", async (t) => {
  for (const [query, code] of [
    ["", "curl"],
    ["code=python", "python"],
    ["a=1&code=r", "r"],
    ["code=PYTHON", "curl"],
    ["code=constructor", "curl"],
    ["code=%ff", "curl"],
  ] as const)
    t.equal(chosenCode(query), code, query);
  const marks = {
    curl: "curl -sS",
    python: "urllib.request.Request(",
    r: "library(httr2)",
    javascript: "await fetch(",
    php: "stream_context_create(",
  };
  for (const code of codeNames) {
    const chosen = pagesIn(code);
    for (const path of groupPaths) {
      const page = chosen[path] as string;
      for (const name of codeNames) t.equal(page.includes(marks[name]), name === code, `${path} in ${code}: ${name}`);
      t.match(page, `" aria-current="true">${codeLanguages[code]}</a>`);
    }
    for (const [path, page] of Object.entries(chosen)) {
      const targets = [...page.matchAll(/<a [^>]*href="(\/docs[^"]*)"/g)].map(([, target = ""]) => target);
      const kept = targets.filter((target) => new RegExp(`\\?code=${code}(?:#|$)`).test(target));
      const others = targets.filter((target) => !kept.includes(target) && !/\?code=\w+#code-/.test(target));
      t.equal(others.length === 0, code !== "curl", `${path} in ${code}: ${others[0]}`);
    }
  }
});

t.test("a guide's request becomes a snippet with the access of its endpoint, or is refused", async (t) => {
  const [search] = endpoints.filter(({ id }) => id === "searchPrices");
  const request = parseRequest('POST /api/v1/prices/search\n{"page":1}', endpoints);
  t.strictSame(request, {
    method: "POST",
    path: "/api/v1/prices/search",
    body: '{"page":1}',
    isSigned: true,
    format: "json",
  });
  t.match(exampleRequest(search as (typeof endpoints)[number]), { isSigned: true, method: "POST" });
  t.equal(
    parseRequest("GET /api/v1/exports/series.csv?a=1\n&b=2", endpoints).path,
    "/api/v1/exports/series.csv?a=1&b=2",
  );
  t.match(snippetIn("javascript", request), 'method: "POST"');
  t.equal(parseRequest("POST /api/v1/products/search", endpoints).body, undefined, "a POST may have none");
  for (const text of ["GET /api/v1/products/search/a?b=1", "GET /api/v1/nothing", "nothing"]) {
    const message = `found the request ${text}`;
    t.throws(() => parseRequest(text, endpoints), { name: "RangeError", message });
  }
});

t.test("days, identifiers and texts are in a reader's words", async (t) => {
  for (const words of ["YYYY-MM-DD", "UUID", "list of UUID", "integer 1 to 100, default 20", "text or null"])
    t.match(reference, `<td>${words}`);
  t.notMatch(reference, "match-text");
});

t.test("the sources of the data are named as texts, and left out when is unknown them", async (t) => {
  t.match(start, "<li>Prices: &lt;b&gt;somebody&lt;/b&gt; &amp; others</li>");
  t.notMatch(renderStartPage({ ...context, attribution: [] }), /Sources of the data/);
});

t.test("the pages name no host, because they cannot know theirs; only code has a script", async (t) => {
  for (const [path, text] of Object.entries(pages)) {
    t.notMatch(withoutWorks(withoutStructuredData(text)), /https?:/, path);
    const scripts = [...withoutStructuredData(text).matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
    const copies = text.includes("<pre") ? ['<script src="/docs/copy.js" type="module">'] : [];
    t.strictSame(scripts, copies, path);
    const policy = policyOf(path);
    t.equal(policy.includes("script-src 'self'"), scripts.length > 0, path);
    t.equal(policy.includes("form-action 'self'"), text.includes("<form "), path);
    t.notMatch(text, /\bon\w+="|javascript:|undefined|\[object/, path);
  }
});

function policyOf(path: string): string {
  return documentsOf(endpoints, false).find((document) => document.path === path)?.policy ?? "";
}

/** A text without the addresses of cited works and licences, and of a service on the reader's own machine. */
function withoutWorks(text: string): string {
  return text.replaceAll(
    /https:\/\/(?:data\.humdata|creativecommons)\.org\/|http:\/\/127\.0\.0\.1:3000|https:\/\/prices\.example/g,
    "",
  );
}

t.test("the reference says in JSON-LD what the data is", async (t) => {
  t.match(structuredDataOf(start), [{ "@context": "https://schema.org", "@type": "Dataset", name: String }]);
});

t.test("every link leads to a page of the service, and to an anchor that is there once", async (t) => {
  let links = 0;
  for (const [path, text] of Object.entries(pages)) {
    for (const [, target = "", anchor] of text.matchAll(/href="([^"#?]*)(?:\?code=\w+)?(?:#([^"]*))?"/g)) {
      const other = target === "" ? path : target;
      if (["/openapi.json", "/llms.txt", "/docs/gaps"].includes(other)) continue;
      if (other.startsWith("data:image/svg+xml,") || /^\/explore(?:\/compare|\/data)?$/.test(other)) continue;
      links++;
      const found = pages[other];
      if (found === undefined) t.fail(`${path}: no page is at ${other}`);
      else if (anchor !== undefined)
        assert.equal(found.split(`id="${anchor}"`).length, 2, `${path}: ${other}#${anchor}`);
    }
  }
  t.ok(links > 200, `${links} links`);
});

t.test("the pages are markup that the page kit and the Markdown of the guides make, and nothing else", async (t) => {
  for (const [path, text] of Object.entries(pages)) {
    t.doesNotThrow(() => parseMarkup(text, /^(?:[/#]|data:image\/svg)/), path);
  }
});

t.test("the test vector is the HMAC-SHA256 of its parts", async (t) => {
  const { key, method, path, timestamp, body } = testVector;
  const signature = createHmac("sha256", key).update([method, path, timestamp, body].join("|")).digest("hex");
  t.match(pages["/docs/signing"], `<code>${signature}</code>`);
});

t.test("texts cannot become markup, whether written or filled in", async (t) => {
  t.equal(
    renderInline("`<b>` **a** [c](/docs) <b>d</b> <!-- e --> https://example.org & 'f'").text,
    '<code>&lt;b&gt;</code> <strong>a</strong> <a href="/docs">c</a> &lt;b&gt;d&lt;/b&gt; &lt;!-- e --&gt; ' +
      "https://example.org &amp; &#39;f&#39;",
  );
  const hostile = "<i>`*[a](/b)*`</i>|\u202e";
  const escaped = "&lt;i&gt;`*[a](/b)*`&lt;/i&gt;|\\u202e";
  const text =
    "<div>\n\nThe {{value}} and `{{value}}`\n\n```\n{{value}}\n```\n\n| A |\n| - |\n| {{value}} b |\n| {{rows}} |\n";
  const filled = renderMarkdown(text, { value: hostile, rows: [["<u>"], [1]] }).text;
  t.match(filled, `<p>&lt;div&gt;</p>\n<p>The ${escaped} and <code>${escaped}</code></p>\n`);
  t.match(filled, `<code>${escaped}</code></pre>`);
  t.match(filled, `<td>${escaped} b</td></tr>\n<tr><td>&lt;u&gt;</td></tr>\n<tr><td>1</td></tr>`);
});

t.test("a value that is not there, or of the wrong kind, is refused by its name", async (t) => {
  const table = "| A |\n| - |\n| {{value}} |\n";
  for (const text of ["{{value}}", "`{{value}}`", "```\n{{value}}\n```", "## {{value}}", table]) {
    t.throws(() => renderMarkdown(text), { name: "RangeError", message: /^A guide names \{\{value\}\}[^\n]*$/ }, text);
    t.throws(() => renderMarkdown(text.replace("value", "constructor")), { message: /\{\{constructor\}\}/ }, text);
  }
  t.throws(() => renderMarkdown("{{value}}", { value: [["a"]] }), /expected one of its texts/);
  t.throws(() => renderMarkdown(table, { value: "a" }), /expected a list/);
});

t.test("a guide has its title once, headings with ids, and code in one language", async (t) => {
  for (const [path, text] of guides) t.equal(text.match(/<h1>[^<]+<\/h1>/g)?.length, 1, path);
  t.equal(
    renderMarkdown("## A & {{b}} {#a}\n\n### C\n\n## Is `it` **new**?\n", { b: "B" }).text,
    '<h2 id="a"><a class="anchor" href="#a">A &amp; B</a></h2>\n<h3>C</h3>\n' +
      '<h2 id="is-it-new"><a class="anchor" href="#is-it-new">Is it new?</a></h2>\n',
  );
  const blocks = "```sh curl\na\n```\n\n```r R\nb\n```\n\nC\n\n```r R\nd\n```\n\n```js\ne\n```\n";
  const codeIn = (code: CodeLanguage): string[] =>
    [...renderMarkdown(blocks, {}, { path: "/docs/a", code, endpoints }).text.matchAll(/<code>(.)/g)].map(
      ([, text = ""]) => text,
    );
  t.strictSame(
    [codeIn("curl"), codeIn("r"), codeIn("python")],
    [
      ["a", "d", "e"],
      ["b", "d", "e"],
      ["a", "d", "e"],
    ],
  );
});

t.test("the addresses that the guides name are endpoints, and the errors of fields are all named", async (t) => {
  const known = endpoints.map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`));
  let addresses = 0;
  for (const [path, text] of guides) {
    for (const [, address = ""] of text.matchAll(/(\/api\/v[\w./-]+)/g)) {
      addresses++;
      const below = address.slice(apiPrefix.length);
      t.ok(address.startsWith(apiPrefix) && known.some((pattern) => pattern.test(below)), `${path}: ${address}`);
    }
  }
  t.ok(addresses >= 10, `${addresses} addresses`);
  for (const code of fieldErrorCodes) t.match(pages["/docs/errors"], `<code>${code}</code>`);
});

const searchContext: PageContext = { endpoints, attribution: [], sources: {}, hasExplorer: true, code: "curl" };
const entries = searchEntries(endpoints);

/** The addresses that a question finds, best first. */
function foundBy(question: string): string[] {
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
    const found = foundBy(question).slice(0, 3);
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
    t.ok(foundBy(title).includes(target), `${title}: ${target}`);
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
  t.strictSame([matchOf("depreca"), foundBy("depreca")[0]], ["exact", "/docs/deprecation"]);
  t.strictSame([matchOf("infaltion"), foundBy("infaltion")[0]], ["similar", foundBy("inflation")[0]]);
  t.strictSame([matchOf("outlyer"), foundBy("outlyer")[0]], ["similar", foundBy("outlier")[0]]);
  t.strictSame([matchOf("forecast of blizzards"), foundBy("forecast of blizzards")], ["partial", foundBy("forecast")]);
  t.match(renderSearchPage("infaltion", searchContext), "these parts have similar words");
  t.match(renderSearchPage("forecast of blizzards", searchContext), "these parts have some of them");
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
      t.ok(foundBy(question).slice(0, 3).includes(target), `${question}: ${foundBy(question).slice(0, 3)}`);
    }
  }
  const ignored: readonly string[] = words.ignored;
  const ofTitles = new Set(entries.flatMap(({ title }) => title.toLowerCase().match(/\p{L}{3,}/gu) ?? []));
  const unfound = [...ofTitles.difference(new Set(ignored))].flatMap((word) =>
    Array.from({ length: word.length - 2 }, (_, at) => word.slice(0, at + 3)).filter(
      (text) => !ignored.includes(text) && foundBy(text).length === 0,
    ),
  );
  t.strictSame(unfound, []);
});

t.test("readers of other languages and of small programs find their page", async (t) => {
  t.ok(foundBy("php").includes("/docs/price-now"));
  t.equal(foundBy("sign php")[0], "/docs/signing#vector");
  for (const word of ["bot", "sms", "ussd", "nearest market"]) t.ok(foundBy(word).includes("/docs/price-now"), word);
});

t.test("a question that nothing answers says so, and leads on", async (t) => {
  for (const question of ["foobarbaz", "xy", "the", "cook ugali recipe", "(a)"]) {
    t.strictSame(foundBy(question), [], question);
    const page = renderSearchPage(question, searchContext);
    t.match(page, "No part of the documentation has these words.", question);
    t.match(page, `href="/explore?${new URLSearchParams({ q: question })}"`, question);
    const withoutExplorer = renderSearchPage(question, { ...searchContext, hasExplorer: false });
    t.match(withoutExplorer, '<a href="/docs/reference/products#listProducts">', question);
    t.notMatch(withoutExplorer, "/explore", question);
  }
  for (const question of ["", "?!", "\u200b"])
    t.notMatch(renderSearchPage(question, searchContext), "No part", question);
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
    const page = renderSearchPage(question, { ...searchContext, code: "r" });
    t.doesNotThrow(() => parseMarkup(page, /^(?:[/#]|data:image\/svg)/));
    t.match(page, '<input type="hidden" name="code" value="r">');
  }
  t.match(renderSearchPage("signing", { ...searchContext, code: "r" }), '<a href="/docs/signing?code=r">Signing</a>');
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
  t.match(document?.render(store, "q=outlier"), "/docs/anomalies#suspicious-prices");
});
