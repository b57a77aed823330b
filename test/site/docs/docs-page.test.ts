import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import t from "tap";
import { apiErrorCodes, fieldErrorCodes } from "../../../src/contract/errors.ts";
import { apiPrefix } from "../../../src/contract/paths.ts";
import type { Keywords } from "../../../src/engine/model/json-schema.ts";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";
import type { PageContext } from "../../../src/site/docs/docs-page.ts";
import { renderStartPage } from "../../../src/site/docs/docs-start-page.ts";
import { documentsOf } from "../../../src/site/docs/documents.ts";
import { renderGuidePage, testVector } from "../../../src/site/docs/guides.ts";
import { renderInline, renderMarkdown } from "../../../src/site/docs/markdown.ts";
import { groupOf, groupPaths, groupsOf, guideNames } from "../../../src/site/docs/menu.ts";
import { questions } from "../../../src/site/docs/reader-questions.ts";
import { renderReferencePage } from "../../../src/site/docs/reference-page.ts";
import { renderSearchPage } from "../../../src/site/docs/search-page.ts";
import {
  type CodeLanguage,
  chosenCode,
  codeLanguages,
  codeNames,
  exampleRequest,
  parseRequest,
  snippetIn,
} from "../../../src/site/docs/snippets.ts";
import { parseMarkup } from "../../support/parse-markup.ts";
import { structuredDataOf, withoutStructuredData } from "../../support/structured-data.ts";

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
    const there = known[path]?.({ attribution: [], sources: {} }, "code=r", undefined) ?? "";
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
