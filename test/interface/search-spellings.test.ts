/** What phones, word processors and other keyboards send for a name, through a real socket. */
import t, { type Test } from "tap";
import { explorerPath } from "../../src/contract/paths.ts";
import type { CountyId } from "../../src/engine/model/ids.ts";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { valuesOf } from "../support/fields-of.ts";
import { type RunningApp, startApp } from "../support/start-app.ts";
import { testPages } from "../support/test-pages.ts";
import { county, tinyDataset } from "../support/tiny-dataset.ts";

/** Texts, and the names that each finds among the products and markets below. */
const spellings: readonly (readonly [names: readonly string[], texts: readonly string[]])[] = [
  [
    ["Murang'a"],
    ["Murang'a", "MURANG’A", "murang‘a", "murangʼa", "murangʻa", "murang´a", "murang`a", "murang′a", "Muranga"],
  ],
  [
    ["Murang'a"],
    ["ＭＵＲＡＮＧ＇Ａ", "mu\u00adranga", "\u202amuranga\u202c", "murang\u200ba", "\ufeffMuranga", "Múranga"],
  ],
  [["Ng’ombe milk"], ["ng’ombe", "ng'ombe", "ngombe", "ombe", "NGʼOMBE milk", "milk ng`ombe", "ng' ombe", "ngombe ’"]],
  [["Maize flour"], ["maize\u200b", "maize\ufe0f", "ｍａｉｚｅ", "ﬂour", "maize\u00a0flour", "f\u2060lour", "𝐦𝐚𝐢𝐳𝐞"]],
  [["Elgeyo-Marakwet"], ["elgeyo-marakwet", "ELGEYO－MARAKWET", "o-m"]],
  [[], ["elgeyomarakwet", "ngo mbeni", "maize’s"]],
];

/** The search of pages finds words by their beginnings. */
const within = new Set(["ombe", "o-m"]);

/** Texts of which nothing is left. */
const empty = [
  "'",
  "’",
  "` ´",
  "\u200b",
  "\u00ad\ufeff",
  "\u202a\u202c",
  " ’ ",
  "\u0301",
  "\u3164",
  "\ufe0f",
  "\u2028",
];

const names = ["Murang'a", "Ng’ombe milk", "Maize flour", "Elgeyo-Marakwet", "Nazi"];

/** An app with the names above as products and as markets, and with pages. */
function startWithPages(t: Test): Promise<RunningApp> {
  const dataset = tinyDataset({
    counties: [county(47)],
    products: names.map((name) => ({ name, description: "Sold." })),
    markets: names.map((name) => ({ name, countyId: 47 as CountyId })),
    prices: names.map((_, at) => ({ product: at, market: at, recordedAt: "2026-01-15T09:00:00+03:00" })),
  });
  return startApp(t, dataset, { deps: { explorer: testPages() } });
}

t.test("a name is found however its apostrophes and letters are written", async (t) => {
  const app = await startWithPages(t);
  const foundBy = async (path: string): Promise<string[]> => {
    const { text, status } = await app.get(path);
    t.equal(status, 200, path);
    const isRows = path.includes(".ndjson");
    const lines = text.split("\n").filter((line) => line !== "");
    const found = isRows ? lines.map((line) => JSON.parse(line)) : JSON.parse(text).data;
    return found.map(({ name }: { name: string }) => name);
  };
  for (const [expected, texts] of spellings) {
    for (const text of texts) {
      const search = encodeURIComponent(text);
      for (const path of ["products", "markets", "exports/products.ndjson", "exports/markets.ndjson"]) {
        t.same(await foundBy(`/api/v1/${path}?search=${search}`), expected, `${path} ${search}`);
      }
      const answer = await app.post("/api/v1/products/search", { query: text });
      const { data } = expectSuccess<{ data: { name: string }[] }>(t, "POST /products/search", answer);
      t.same(valuesOf(data, "name"), expected, search);
      const page = await app.get(`${explorerPath}?q=${search}`);
      for (const name of expected) t.equal(linked(page.text).includes(name), !within.has(text), `page ${search}`);
    }
  }
});

t.test("a text of which nothing is left is 400, and on a page an empty search", async (t) => {
  const app = await startWithPages(t);
  const start = await app.get(explorerPath);
  for (const text of empty) {
    const search = encodeURIComponent(text);
    for (const path of ["products", "markets", "exports/products.csv", "exports/markets.ndjson"]) {
      const name = `${path} ${search}`;
      const answer = await app.get(`/api/v1/${path}?search=${search}`);
      expectError(t, answer, { code: "VALIDATION_ERROR", fields: ["search"] }, name);
    }
    expectError(t, await app.post("/api/v1/products/search", { query: text }), {
      code: "VALIDATION_ERROR",
      fields: ["query"],
    });
    const page = await app.get(`${explorerPath}?q=${search}`);
    t.same(headingsOf(page.text), headingsOf(start.text), search);
    t.notMatch(page.text, 'class="results"', search);
    t.notMatch((await app.get(`/docs/search?q=${search}`)).text, "No part of the documentation", search);
  }
});

function headingsOf(html: string): string[] {
  return [...html.matchAll(/<h[12][^>]*>([^<]*)/g)].map(([, text = ""]) => text);
}

/** The texts of the links of a page, as names. */
function linked(html: string): string[] {
  return [...html.matchAll(/<a [^>]*>([^<]*)/g)].map(([, text = ""]) => text.replaceAll("&#39;", "'"));
}
