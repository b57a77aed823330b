/** The sentences of the start page, computed anew from what the interface answers, by their rule alone. */
import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import type { MarketType } from "../../../src/engine/model/vocabulary.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { startPage } from "../../../src/site/explore/front-page.ts";
import { wordsOf } from "../../../src/site/pages/words.ts";
import { bundledDataset } from "../../support/bundled-data.ts";
import { explorerRequest, finish } from "../../support/explorer-request.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { findNodes, nodesOfClass, parseMarkup, textWithin } from "../../support/parse-markup.ts";
import { type RunningApp, startApp } from "../../support/start-app.ts";
import { county, tinyDataset } from "../../support/tiny-dataset.ts";

interface Row {
  readonly [name: string]: string | number | null;
}

async function exportOf(app: RunningApp, table: string, query: string): Promise<Row[]> {
  const { status, text } = await app.signedGet(`/api/v1/exports/${table}.ndjson?${query}`);
  assert.equal(status, 200, text);
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Row]));
}

/** The month of a price, in the calendar of the snapshot. */
function monthOf(row: Row, offset: number): string {
  return new Date(Date.parse(row["recorded_at"] as string) + offset).toISOString().slice(0, 7);
}

function monthsBetween(from: string, to: string): number {
  const [a, b] = [from, to].map((month) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)));
  return (b as number) - (a as number);
}

/** The sentences, from the prices and the anomalies of the interface. */
async function naiveSentences(app: RunningApp, { snapshot }: Dataset): Promise<string[]> {
  const prices = await exportOf(app, "prices", "");
  const months = Map.groupBy(prices, (row) => monthOf(row, snapshot.utcOffset));
  const names = [...months.keys()].sort().reverse();
  const [last] = names;
  if (last === undefined) return [];
  const recent = names.filter((month) => monthsBetween(month, last) < 12);
  const countiesIn = (month: string): number => new Set(months.get(month)?.map((row) => row["county_id"])).size;
  const most = Math.max(...recent.map(countiesIn));
  const month = recent.find((name) => countiesIn(name) >= 10) ?? recent.find((name) => countiesIn(name) === most) ?? "";
  const countiesOf = (entry: Row): number => {
    const isOfEntry = (row: Row): boolean =>
      row["product_uuid"] === entry["product_uuid"] && row["market_type"] === entry["market_type"];
    return new Set((months.get(month) ?? []).filter(isOfEntry).map((row) => row["county_id"])).size;
  };
  const entries = (await exportOf(app, "anomalies", `level=country&refugee_camps=include&month=${month}`))
    .filter((entry) => entry["year_before_change_percent"] !== null)
    .map((entry) => ({ entry, counties: countiesOf(entry) }))
    .sort((a, b) => b.counties - a.counties);
  const news: Row[] = [];
  for (const { entry } of entries) {
    if (news.length < 3 && !news.some((one) => one["product_uuid"] === entry["product_uuid"])) news.push(entry);
  }
  return news.map((entry) => sentenceOf(entry));
}

/** @param place ` in Turkana county`, or nothing. */
function sentenceOf(entry: Row, place = ""): string {
  const price = entry["median_price"] as number;
  const text = price >= 10 && price < 1000 ? String(Math.round(price)) : wordsOf("en").price(price);
  const month = wordsOf("en").month(entry["month"] as string);
  const cost = `${entry["product"]} cost ${text} ${entry["currency"]} per ${entry["unit"]}${place} in ${month}`;
  const change = entry["year_before_change_percent"] as number | null;
  if (change === null) return `${cost}.`;
  const markets = entry["year_before_matched_markets"] as number;
  const percent = wordsOf("en").percent(Math.abs(change) / 100);
  const compared =
    Math.abs(change) < 0.5 ? "about the same as" : change > 0 ? `${percent} more than` : `${percent} less than`;
  const matched = `${markets} ${markets === 1 ? "market" : "markets"} in both months`;
  return `${cost}, ${compared} a year before by the median of ${matched}.`;
}

/** The sentences of the page, and the links that they are. */
function shownSentences(
  store: Store,
  target = "",
  name = "news",
): { readonly texts: string[]; readonly links: string[] } {
  const page = finish(startPage(explorerRequest(store, target)));
  const section = page.sections.find(({ id }) => id === name);
  const nodes = parseMarkup(section?.content?.text ?? "", /./);
  const links = findNodes(nodesOfClass(nodes, "sentence"), ({ name }) => name === "a");
  const arrows = nodesOfClass(nodes, "sentence").map(({ children }) => textWithin(children).trim().charAt(0));
  const texts = links.map(({ children }) => textWithin(children));
  for (const [at, text] of texts.entries()) {
    const wanted = / more than a year before/.test(text) ? "▲" : / less than/.test(text) ? "▼" : text.charAt(0);
    assert.equal(arrows[at], wanted, text);
  }
  return { texts, links: links.map(({ attributes }) => attributes["href"] ?? "") };
}

/** Up to 14 counties with a market each, and prices of four products in some months of 26 before February 2026. */
const scattered = fc
  .array(
    fc.record({
      product: fc.nat(3),
      markets: fc.uniqueArray(fc.nat(13), { minLength: 3 }),
      monthsAgo: fc.constantFrom(0, 0, 1, 1, 2, 11, 12, 13),
      price: fc.integer({ min: 1, max: 2000 }),
      before: fc.integer({ min: 1, max: 2000 }),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((series): Dataset => {
    const dayOf = (monthsAgo: number): string =>
      new Date(Date.UTC(2026, 1 - monthsAgo, 15, 9)).toISOString().replace(".000", "");
    const types: readonly MarketType[] = ["Retail", "Wholesale"];
    return tinyDataset({
      counties: Array.from({ length: 14 }, (_, at) => county(at + 1)),
      products: ["Maize", "Salt", "Beans (dry)", "Milk"].map((name) => ({ name })),
      markets: Array.from({ length: 14 }, (_, at) => ({
        countyId: (at + 1) as CountyId,
        type: types[at % 5 === 0 ? 1 : 0] as MarketType,
      })),
      prices: series.flatMap(({ product, markets, monthsAgo, price, before }) =>
        markets.flatMap((market) => [
          { product, market, price, recordedAt: dayOf(monthsAgo) },
          { product, market, price: before, recordedAt: dayOf(monthsAgo + 12) },
        ]),
      ),
    });
  });

t.test("the sentences of the start page are those that the interface's answers make", async (t) => {
  const app = await startApp(t);
  let sentences = 0;
  await fc.assert(
    fc.asyncProperty(scattered, async (dataset) => {
      app.swap(dataset);
      const wanted = await naiveSentences(app, dataset);
      assert.deepEqual(shownSentences(buildStore(dataset)).texts, wanted);
      sentences += wanted.length;
    }),
    { numRuns: runsOf(60) },
  );
  t.ok(sentences > runsOf(60), `${sentences} sentences`);
});

t.test("so are those of the bundled data, and each is a link to the page of its product", async (t) => {
  const dataset = await bundledDataset();
  const app = await startApp(t, dataset);
  const { texts, links } = shownSentences(buildStore(dataset));
  t.equal(texts.length, 3);
  t.strictSame(texts, await naiveSentences(app, dataset));
  for (const link of links) t.match(link, /^\/explore\/products\/[0-9a-f-]{36}\?type=[A-Z][a-z]+$/);
});

t.test("a county begins with a price of its last year, by the interface's entry of that county", async (t) => {
  const dataset = await bundledDataset();
  const store = buildStore(dataset);
  const app = await startApp(t, dataset);
  let without = 0;
  for (const { id, name } of dataset.counties) {
    const entries = await exportOf(
      app,
      "anomalies",
      `level=county&county_id=${id}&refugee_camps=include&recorded_since=2025-05-01`,
    );
    const { texts, links } = shownSentences(store, `?county=${id}`, "county");
    t.equal(texts.length, entries.length === 0 ? 0 : 1, name);
    without += entries.length === 0 ? 1 : 0;
    const sentences = entries.map((entry) => sentenceOf(entry, ` in ${name} county`));
    for (const text of texts) t.ok(sentences.includes(text), text);
    for (const link of links) t.match(link, `?county=${id}&type=`);
  }
  t.ok(without > 10 && without < 47, `${without} without a price`);
});
