import t from "tap";
import { renderDocsPage } from "../../src/http/documents/docs-page.ts";
import { apiPrefix, endpoints } from "../../src/http/endpoints.ts";
import { apiErrorCodes } from "../../src/http/errors.ts";

const page = renderDocsPage(endpoints, ["Prices: <b>somebody</b> & others"]);

t.test("every endpoint with its fields and every error code is on the page", async (t) => {
  for (const { path, params, query, body } of endpoints) {
    t.match(page, `<code>${apiPrefix}${path}</code>`);
    for (const schema of [params, query, body]) {
      for (const field of Object.keys(schema.properties)) t.match(page, `<code>${field}</code>`);
    }
  }
  for (const code of apiErrorCodes) t.match(page, `<td><code>${code}</code></td>`);
});

t.test("days, identifiers and texts are told in a reader's words", async (t) => {
  for (const words of ["YYYY-MM-DD", "UUID", "list of UUID", "integer 1 to 100, default 20"])
    t.match(page, `<td>${words}`);
  t.notMatch(page, "match-text");
});

t.test("the sources of the data are named as texts, and left out when nobody knows them", async (t) => {
  t.match(page, "<li>Prices: &lt;b&gt;somebody&lt;/b&gt; &amp; others</li>");
  t.notMatch(renderDocsPage(endpoints, []), /Sources|<li>/);
});

t.test("the page speaks of no host, because it cannot know under which one it is read", async (t) => {
  t.notMatch(page, /https?:/);
});
