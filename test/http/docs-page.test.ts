import { createHmac } from "node:crypto";
import t from "tap";
import { renderDocsPage } from "../../src/http/documents/docs-page.ts";
import {
  renderExportsPage,
  renderSeriesPage,
  renderStatisticsPage,
  renderUnitsPage,
} from "../../src/http/documents/guides.ts";
import { renderInline } from "../../src/http/documents/html.ts";
import { renderSigningPage, testVector } from "../../src/http/documents/signing-page.ts";
import { renderTryPage } from "../../src/http/documents/try-page.ts";
import { apiPrefix, endpoints } from "../../src/http/endpoints.ts";
import { apiErrorCodes } from "../../src/http/errors.ts";
import type { Keywords } from "../../src/http/input/schema.ts";

const page = renderDocsPage(endpoints, ["Prices: <b>somebody</b> & others"]);
const guides = {
  "/docs/signing": renderSigningPage(),
  "/docs/units": renderUnitsPage(),
  "/docs/series": renderSeriesPage(),
  "/docs/statistics": renderStatisticsPage(),
  "/docs/exports": renderExportsPage(),
};
const pages: Readonly<Record<string, string>> = { "/docs": page, ...guides, "/docs/try": renderTryPage() };

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
  t.notMatch(renderDocsPage(endpoints, []), /Sources of the data/);
});

t.test(
  "the pages name no host, because they cannot know under which one they are read, and run no scripts",
  async (t) => {
    for (const [path, text] of Object.entries(pages)) {
      t.notMatch(withoutWorks(text), /https?:/, path);
      const scripts = [...text.matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
      t.ok(path === "/docs/try" ? scripts.every((tag) => tag.includes('src="/docs/try/')) : scripts.length === 0, path);
      t.notMatch(text, /\bon\w+="|javascript:|undefined|\[object/, path);
    }
  },
);

/** A text without the addresses of cited works and licences, which are not those of a service. */
function withoutWorks(text: string): string {
  return text.replaceAll(/https:\/\/(?:data\.humdata|creativecommons)\.org\//g, "");
}

t.test("every link leads to a page of the service, and to an anchor that is there once", async (t) => {
  let links = 0;
  for (const [path, text] of Object.entries(pages)) {
    for (const [, target = "", anchor] of text.matchAll(/href="([^"#]*)(?:#([^"]*))?"/g)) {
      const other = target === "" ? path : target;
      if (["/openapi.json", "/docs/try/swagger-ui.css", "data:,"].includes(other)) continue;
      links++;
      const found = pages[other];
      if (found === undefined) t.fail(`${path}: no page is at ${other}`);
      else if (anchor !== undefined) t.equal(found.split(`id="${anchor}"`).length, 2, `${path}: ${other}#${anchor}`);
    }
  }
  t.ok(links > 200, `${links} links`);
});

t.test("the test vector is the HMAC-SHA256 of its parts", async (t) => {
  const { key, method, path, timestamp, body } = testVector;
  const signature = createHmac("sha256", key).update([method, path, timestamp, body].join("|")).digest("hex");
  t.match(guides["/docs/signing"], `<code>${signature}</code>`);
});

t.test("texts cannot become markup", async (t) => {
  t.equal(
    renderInline("`<b>` **a** [c](/docs) [d](x)"),
    '<code>&lt;b&gt;</code> <strong>a</strong> <a href="/docs">c</a> [d](x)',
  );
});
