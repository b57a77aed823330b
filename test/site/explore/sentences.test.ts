/**
 * Sentences beside figures hold for exactly these figures: their publication, month, place, days and sources; also
 * where there is one of a kind, no change, or a month that is the same.
 */
import t from "tap";
import type { Publication } from "../../../src/contract/publications.ts";
import type { Language } from "../../../src/contract/words.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import type { ContinuationRecord } from "../../../src/engine/model/records.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { wantedCards } from "../../../src/site/explore/cards.ts";
import { dataPage } from "../../../src/site/explore/data-page.ts";
import { answerOf, nodesOf, targets } from "../../support/explorer-pages.ts";
import { explorerRequest, finish } from "../../support/explorer-request.ts";
import { findNodes, nodesOfClass, parseMarkup, textWithin } from "../../support/parse-markup.ts";
import { type TinyPrice, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const product = `/products/${uuidOf("product", 1)}`;

async function textOf(store: Store, target: string, language: Language = "en"): Promise<string> {
  return textWithin(await nodesOf(store, target, { language })).replaceAll(/\s+/g, " ");
}

async function footOf(store: Store, target: string): Promise<string> {
  return textWithin(findNodes(await nodesOf(store, target), ({ name }) => name === "footer")).replaceAll(/\s+/g, " ");
}

/** The sources that the foot of a page lists. */
async function sourcesOf(store: Store, target: string): Promise<string> {
  return /Sources of the prices of this page:(.*)Cite as/.exec(await footOf(store, target))?.[1]?.trim() ?? "";
}

t.test("a publication is compared with the one that it followed where that is stored, and only there", async (t) => {
  const publication = (id: string, parent: string | null, prices: number, replacedPrices: number): Publication => {
    return { id, parent, rows: { prices }, replacedPrices, publishedAt: "2026-05-01T08:00:00Z", note: null };
  };
  const snapshots = [
    publication("E", "D", 1300, 9),
    publication("D", "C", 1100, 9),
    publication("C", "A", 95, 8),
    publication("B", "A", 100, 7),
    publication("A", "gone", 100, 6),
    publication("first", null, 1, 0),
  ];
  const publications = { snapshots, files: [], filesAreBeingMade: false };
  const store = buildStore(tinyDataset({ prices: [{}] }));
  const textsIn = (language: Language): string[] => {
    const page = finish(dataPage(explorerRequest(store, "/data", { language, publications })));
    return page.entries === undefined ? [] : finish(page.entries()).map(({ text }) => text);
  };
  t.strictSame(textsIn("en"), [
    "Edition E: 1,300 prices, 200 more than before, 0 corrected.",
    "Edition D: 1,100 prices, 1,005 more than before, 1 corrected.",
    "Edition C: 95 prices, 5 fewer than before, 2 corrected.",
    "Edition B: 100 prices, as many as before, 1 corrected.",
    "Edition A: 100 prices.",
    "Edition first: 1 price.",
  ]);
  t.strictSame(textsIn("sw").slice(1, 5), [
    "Toleo D: bei 1,100, 1,005 zaidi ya toleo lililotangulia, 1 imesahihishwa.",
    "Toleo C: bei 95, 5 pungufu ya toleo lililotangulia, 2 zimesahihishwa.",
    "Toleo B: bei 100, sawa na toleo lililotangulia, 1 imesahihishwa.",
    "Toleo A: bei 100.",
  ]);
});

t.test("pages and chart files say that no missing price is filled in, and not that nothing is estimated", async (t) => {
  const store = buildStore(tinyDataset({ prices: [{}] }));
  for (const [language, sentence] of [
    ["en", "No missing price is filled in: a month without a recorded price has no figure."],
    ["sw", "Bei zinazokosekana hazijazwi: mwezi usio na bei iliyorekodiwa hauna takwimu."],
  ] as const) {
    const page = await textOf(store, product, language);
    const { text } = await answerOf(store, `${product}?chart=months`, { language });
    const chart = textWithin(parseMarkup(text, targets)).replaceAll(/\s+/g, " ");
    const solid = (shown: string): string => shown.replaceAll(" ", "");
    for (const shown of [page, chart]) {
      t.ok(solid(shown).includes(solid(sentence)), language);
      t.notMatch(shown, /estimated|kinachokadiriwa/);
    }
  }
});

t.test("the sources of a page are those of its lines: of their product, place and type of market", async (t) => {
  const continuation: ContinuationRecord = {
    ...{ productUuid: uuidOf("product", 1), continuesUuid: uuidOf("product", 2), marketType: "Wholesale" },
    ...{ lastMonth: "2025-01", firstMonth: "2025-02", overlapMonths: 0, ratio: null },
    ...{ judgement: "same goods", evidence: "One name for another." },
  };
  const store = buildStore(
    tinyDataset({
      products: [{ name: "Maize (dry)" }, { name: "Maize (white)" }],
      markets: [
        { type: "Retail", countyId: 47 as CountyId },
        { type: "Wholesale", countyId: 47 as CountyId },
        { type: "Retail", countyId: 1 as CountyId },
      ],
      continuations: [continuation],
      prices: [
        ...["Alpha", "Beta", "Gamma"].map((source, market) => ({ market, source, recordedAt: "2025-02-15T06:00:00Z" })),
        ...[["Delta", 0] as const, ["Epsilon", 1] as const].map(([source, market]) => ({
          product: 1,
          market,
          source,
          recordedAt: "2025-01-15T06:00:00Z",
        })),
      ],
    }),
  );
  const own = uuidOf("product", 1);
  const compared = (...series: readonly string[]): string =>
    `/compare?${series.map((place) => `series=${own}:${place}`).join("&")}`;
  t.match(await sourcesOf(store, compared("Wholesale")), /^Beta$/);
  t.match(await sourcesOf(store, compared("Retail:47")), /^Alpha$/);
  t.match(await sourcesOf(store, compared(`Retail:${uuidOf("market", 3)}`)), /^Gamma$/);
  t.match(await sourcesOf(store, compared("Retail:47", "Wholesale")), /^Alpha\s*Beta$/);
  const all = /^Alpha\s*Beta\s*Gamma$/;
  t.match(await sourcesOf(store, `${product}?county=1`), all, "the map beside has all counties");
  t.match(await sourcesOf(store, `${product}?market=${uuidOf("market", 3)}`), all);
  t.notMatch(await sourcesOf(store, `${product}?period=all`), "Delta", "the line that it continues is wholesale");
  t.match(await sourcesOf(store, `${product}?period=all`), "Epsilon");
});

/** One of each type, in one county. */
const twoMarkets = [
  { name: "Shop", type: "Retail", countyId: 1 as CountyId },
  { name: "Yard", type: "Wholesale", countyId: 1 as CountyId },
] as const;

/** @param market Its position. */
function priceOn(day: string, price: number, market = 0): Partial<TinyPrice> {
  return { product: 0, market, recordedAt: `${day}T09:00:00Z`, price };
}

function storeOfMarkets(prices: readonly Partial<TinyPrice>[]): Store {
  return buildStore(tinyDataset({ markets: twoMarkets, prices }));
}

/** The texts of a page by a class of its elements. */
async function textsOfClass(
  prices: readonly Partial<TinyPrice>[],
  target: string,
  name: string,
  language: Language = "en",
): Promise<string[]> {
  const nodes = await nodesOf(storeOfMarkets(prices), target, { language });
  return nodesOfClass(nodes, name).map((node) => textWithin([node]).replaceAll(/\s+/g, " ").trim());
}

const sameAfterYear = [priceOn("2025-03-10", 50), priceOn("2026-03-10", 50)];

t.test("a chart says which line has no price in its months, and names a single month once", async (t) => {
  const prices = [...sameAfterYear, priceOn("2020-08-10", 40, 1)];
  const series = [1, 2].map((id) => uuidOf("market", id));
  const own = uuidOf("product", 1);
  const target = `/compare?series=${own}:Retail:${series[0]}&series=${own}:Wholesale:${series[1]}`;
  const notes = await textsOfClass(prices, `${target}&period=1y`, "note");
  const expected = "Maize, wholesale at Yard has no price in this period: its prices are of August 2020.";
  t.ok(notes.includes(expected), `${notes}`);
});

t.test("one price is one price of one product at one market in one month", async (t) => {
  const [lead] = await textsOfClass([priceOn("2026-03-10", 50)], "/data", "sentence");
  t.match(lead, /^1 price of 1 product at 1 market, 10 Mar 2026\.$/);
});

t.test("the start page names itself once in its title", async (t) => {
  const { text } = await answerOf(storeOfMarkets(sameAfterYear), "");
  t.match(text, /<title>Food prices in Kenya<\/title>/);
  const { text: data } = await answerOf(storeOfMarkets([]), "/data");
  t.match(data, /<title>The data · Food prices in Kenya<\/title>/);
});

t.test("a page without charts expects none", async (t) => {
  const { status, text } = await answerOf(storeOfMarkets([]), `${product}?embed=1`);
  t.equal(status, 400);
  t.match(textWithin(parseMarkup(text, targets)), /chart is “”, expected –\./);
});

t.test("a product without prices in a county has none in it", async (t) => {
  const [sentence] = await textsOfClass(sameAfterYear, `${product}?county=47`, "sentence");
  t.equal(sentence, "There is no price of this product in Nairobi county.");
});

t.test("the title of a chart names a single month once", async (t) => {
  const { text } = await answerOf(storeOfMarkets([priceOn("2026-03-10", 50)]), `${product}?chart=months`);
  t.match(text, /retail outside refugee camps, 1 market, March 2026</);
});

t.test("the axis of a chart of two months names months and no days", async (t) => {
  const prices = [priceOn("2026-02-10", 50), priceOn("2026-03-10", 60)];
  const { text } = await answerOf(storeOfMarkets(prices), `${product}?chart=months`);
  t.match(text, />Feb 2026<.*>Mar</s);
  t.notMatch(text, />\d+ Feb</);
});

t.test("a start page without prices says so", async (t) => {
  t.strictSame(await textsOfClass([], "", "sentence"), ["This snapshot holds no prices."]);
});

t.test("a card has product, price, place, population and month", async (t) => {
  const store = storeOfMarkets(sameAfterYear);
  const cards = wantedCards(store, 100);
  const textsOfClass = (end: string): string => {
    const svg = cards.find(({ name }) => name.startsWith("en-") && name.endsWith(end))?.draw() ?? "";
    return findNodes(parseMarkup(svg, targets), ({ name }) => name === "text")
      .map((node) => textWithin([node]))
      .join("|");
  };
  t.match(
    textsOfClass("-Retail-kenya.png"),
    "Maize|Retail outside refugee camps|50.00|KES per kg|March 2026, at 1 market|",
  );
  const county = cards.find(({ name }) => /^en-county-\d+/.test(name))?.name ?? "";
  t.match(textsOfClass(county), /county\|March 2026, in .*\|Maize, retail\|50\.00 KES a kg\|/);
});
