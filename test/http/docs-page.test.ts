import { createHmac } from "node:crypto";
import t from "tap";
import { renderDocsPage } from "../../src/http/documents/docs-page.ts";
import { guideNames, renderGuide, renderGuidePage, testVector } from "../../src/http/documents/guides.ts";
import { renderInline, renderMarkdown } from "../../src/http/documents/markdown.ts";
import { renderTryPage } from "../../src/http/documents/try-page.ts";
import { apiPrefix, endpoints } from "../../src/http/endpoints.ts";
import { apiErrorCodes, fieldErrorCodes } from "../../src/http/errors.ts";
import type { Keywords } from "../../src/http/input/schema.ts";
import { parseMarkup } from "../support/parse-markup.ts";
import { structuredDataOf, withoutStructuredData } from "../support/structured-data.ts";

const page = renderDocsPage(endpoints, ["Prices: <b>somebody</b> & others"], true);
const guides = guideNames.map((name) => [`/docs/${name}`, renderGuidePage(name, true)] as const);
const pages: Readonly<Record<string, string>> = {
  "/docs": page,
  ...Object.fromEntries(guides),
  "/docs/try": renderTryPage(true),
};

t.test(
  "every endpoint with its fields, four snippets and an answer, and every error code, is on the page",
  async (t) => {
    for (const endpoint of endpoints) {
      const { path, params, query, body, answer, exportForm } = endpoint;
      const { id } = endpoint.operation;
      t.match(page, `<code>${apiPrefix}${path}</code>`);
      const [, section = ""] = page.split(`<h3 id="${id}">`);
      const [own = ""] = section.split(/<h[23] /);
      for (const schema of [params, query, body]) {
        for (const field of Object.keys(schema.properties)) t.match(own, `<code>${field}</code>`, `${id}: ${field}`);
      }
      for (const language of ["curl", "Python", "R", "JavaScript"]) t.match(own, `<summary>${language}</summary>`);
      for (const field of Object.keys((answer as Keywords).properties ?? {}))
        t.match(own, `<code>${field}`, `${id}: ${field}`);
      if (exportForm === undefined && endpoint.operation.mediaTypes === undefined) {
        t.match(own, /<code>\{\n {2}&quot;data&quot;: [[{]/, `${id} has an answer`);
      }
    }
    for (const code of apiErrorCodes) t.match(page, `<td><code id="${code}">${code}</code></td>`);
  },
);

t.test("days, identifiers and texts are in a reader's words", async (t) => {
  for (const words of ["YYYY-MM-DD", "UUID", "list of UUID", "integer 1 to 100, default 20", "text or null"])
    t.match(page, `<td>${words}`);
  t.notMatch(page, "match-text");
});

t.test("the sources of the data are named as texts, and left out when is unknown them", async (t) => {
  t.match(page, "<li>Prices: &lt;b&gt;somebody&lt;/b&gt; &amp; others</li>");
  t.notMatch(renderDocsPage(endpoints, [], true), /Sources of the data/);
});

t.test(
  "the pages name no host, because they cannot know under which one they are read, and run no scripts",
  async (t) => {
    for (const [path, text] of Object.entries(pages)) {
      t.notMatch(withoutWorks(withoutStructuredData(text)), /https?:/, path);
      const scripts = [...withoutStructuredData(text).matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
      t.ok(path === "/docs/try" ? scripts.every((tag) => tag.includes('src="/docs/try/')) : scripts.length === 0, path);
      t.notMatch(text, /\bon\w+="|javascript:|undefined|\[object/, path);
    }
  },
);

/** A text without the addresses of cited works and licences, which are not those of a service. */
function withoutWorks(text: string): string {
  return text.replaceAll(/https:\/\/(?:data\.humdata|creativecommons)\.org\//g, "");
}

t.test("the reference says in JSON-LD what the data is", async (t) => {
  t.match(structuredDataOf(page), [{ "@context": "https://schema.org", "@type": "Dataset", name: String }]);
});

t.test("every link leads to a page of the service, and to an anchor that is there once", async (t) => {
  let links = 0;
  for (const [path, text] of Object.entries(pages)) {
    for (const [, target = "", anchor] of text.matchAll(/href="([^"#]*)(?:#([^"]*))?"/g)) {
      const other = target === "" ? path : target;
      if (["/openapi.json", "/docs/try/swagger-ui.css", "/docs/try/viewer.css"].includes(other)) continue;
      if (other.startsWith("data:image/svg+xml,") || /^\/explore(?:\/compare|\/data)?$/.test(other)) continue;
      links++;
      const found = pages[other];
      if (found === undefined) t.fail(`${path}: no page is at ${other}`);
      else if (anchor !== undefined) t.equal(found.split(`id="${anchor}"`).length, 2, `${path}: ${other}#${anchor}`);
    }
  }
  t.ok(links > 200, `${links} links`);
});

t.test("the pages are markup that the page kit and the Markdown of the guides make, and nothing else", async (t) => {
  for (const [path, text] of [["/docs", page], ...guides] as const) {
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

t.test("a guide has its title once, headings with ids, and titled code folded up behind the first", async (t) => {
  for (const [path, text] of guides) t.equal(text.match(/<h1>[^<]+<\/h1>/g)?.length, 1, path);
  t.equal(
    renderMarkdown("## [A & {{b}}](#a) {#a}\n\n### C\n", { b: "B" }).text,
    '<h2 id="a"><a href="#a">A &amp; B</a></h2>\n<h3>C</h3>\n',
  );
  const code = renderMarkdown("```sh First one\na\n```\n\n```js Second\nb\n```\n\n```sh\nc\n```\n").text;
  t.strictSame(
    [...code.matchAll(/<details[^>]*><summary>[^<]*/g)].map(([tag]) => tag),
    ['<details name="code" open><summary>First one', '<details name="code"><summary>Second'],
  );
});

t.test("the addresses that the guides name are endpoints, and the errors of fields are all named", async (t) => {
  const known = endpoints.map(({ path }) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`));
  let addresses = 0;
  const { content: start } = renderGuide("reference", { windowSeconds: 300 });
  for (const [path, text] of [["/docs", start.text], ...guides] as const) {
    for (const [, address = ""] of text.matchAll(/(\/api\/v[\w./-]+)/g)) {
      addresses++;
      const below = address.slice(apiPrefix.length);
      t.ok(address.startsWith(apiPrefix) && known.some((pattern) => pattern.test(below)), `${path}: ${address}`);
    }
  }
  t.ok(addresses >= 10, `${addresses} addresses`);
  for (const code of fieldErrorCodes) t.match(renderGuide("errors").content.text, `<code>${code}</code>`);
});
