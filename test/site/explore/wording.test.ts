/** Sentences of the pages that depend on numbers: one of a kind, no change, months that are the same. */

import t from "tap";
import type { Language } from "../../../src/contract/words.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { wantedCards } from "../../../src/site/explore/cards.ts";
import { answerOf, nodesOf, targets } from "../../support/explorer-pages.ts";
import { findNodes, nodesOfClass, parseMarkup, textWithin } from "../../support/parse-markup.ts";
import { type TinyPrice, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const product = `/products/${uuidOf("product", 1)}`;

/** One of each type, in one county. */
const markets = [
  { name: "Shop", type: "Retail", countyId: 1 as CountyId },
  { name: "Yard", type: "Wholesale", countyId: 1 as CountyId },
] as const;

/** @param market Its position. */
function priceOn(day: string, price: number, market = 0): Partial<TinyPrice> {
  return { product: 0, market, recordedAt: `${day}T09:00:00Z`, price };
}

function storeOf(prices: readonly Partial<TinyPrice>[]): Store {
  return buildStore(tinyDataset({ markets, prices }));
}

/** The texts of a page by a class of its elements. */
async function textsOf(
  prices: readonly Partial<TinyPrice>[],
  target: string,
  name: string,
  language: Language = "en",
): Promise<string[]> {
  const nodes = await nodesOf(storeOf(prices), target, { language });
  return nodesOfClass(nodes, name).map((node) => textWithin([node]).replaceAll(/\s+/g, " ").trim());
}

const sameAfterYear = [priceOn("2025-03-10", 50), priceOn("2026-03-10", 50)];

t.test("a chart says which line has no price in its months, and names a single month once", async (t) => {
  const prices = [...sameAfterYear, priceOn("2020-08-10", 40, 1)];
  const series = [1, 2].map((id) => uuidOf("market", id));
  const own = uuidOf("product", 1);
  const target = `/compare?series=${own}:Retail:${series[0]}&series=${own}:Wholesale:${series[1]}`;
  const notes = await textsOf(prices, `${target}&period=1y`, "note");
  const expected = "Maize, wholesale at Yard has no price in this period: its prices are of August 2020.";
  t.ok(notes.includes(expected), `${notes}`);
});

t.test("one price is one price of one product at one market in one month", async (t) => {
  const [lead] = await textsOf([priceOn("2026-03-10", 50)], "/data", "sentence");
  t.match(lead, /^1 price of 1 product at 1 market, 10 Mar 2026\.$/);
});

t.test("the start page names itself once in its title", async (t) => {
  const { text } = await answerOf(storeOf(sameAfterYear), "");
  t.match(text, /<title>Food prices in Kenya<\/title>/);
  const { text: data } = await answerOf(storeOf([]), "/data");
  t.match(data, /<title>The data · Food prices in Kenya<\/title>/);
});

t.test("a page without charts expects none", async (t) => {
  const { status, text } = await answerOf(storeOf([]), `${product}?embed=1`);
  t.equal(status, 400);
  t.match(textWithin(parseMarkup(text, targets)), /chart is “”, expected –\./);
});

t.test("a product without prices in a county has none in it", async (t) => {
  const [sentence] = await textsOf(sameAfterYear, `${product}?county=47`, "sentence");
  t.equal(sentence, "There is no price of this product in Nairobi county.");
});

t.test("the title of a chart names a single month once", async (t) => {
  const { text } = await answerOf(storeOf([priceOn("2026-03-10", 50)]), `${product}?chart=months`);
  t.match(text, /retail outside refugee camps, 1 market, March 2026</);
});

t.test("the axis of a chart of two months names months and no days", async (t) => {
  const prices = [priceOn("2026-02-10", 50), priceOn("2026-03-10", 60)];
  const { text } = await answerOf(storeOf(prices), `${product}?chart=months`);
  t.match(text, />Feb 2026<.*>Mar</s);
  t.notMatch(text, />\d+ Feb</);
});

t.test("a start page without prices says so", async (t) => {
  t.strictSame(await textsOf([], "", "sentence"), ["This snapshot holds no prices."]);
});

t.test("a card has product, price, place, population and month", async (t) => {
  const store = storeOf(sameAfterYear);
  const cards = wantedCards(store, 100);
  const textsOf = (end: string): string => {
    const svg = cards.find(({ name }) => name.startsWith("en-") && name.endsWith(end))?.draw() ?? "";
    return findNodes(parseMarkup(svg, targets), ({ name }) => name === "text")
      .map((node) => textWithin([node]))
      .join("|");
  };
  t.match(textsOf("-Retail-kenya.png"), "Maize|Retail outside refugee camps|50.00|KES per kg|March 2026, at 1 market|");
  const county = cards.find(({ name }) => /^en-county-\d+/.test(name))?.name ?? "";
  t.match(textsOf(county), /county\|March 2026, in .*\|Maize, retail\|50\.00 KES a kg\|/);
});
