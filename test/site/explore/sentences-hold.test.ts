/** Sentences beside figures hold for exactly these figures: their publication, month, place, days and sources. */
import t from "tap";
import type { Publication } from "../../../src/contract/publications.ts";
import type { Language } from "../../../src/contract/words.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import type { ContinuationRecord } from "../../../src/engine/model/records.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { dataPage } from "../../../src/site/explore/data-page.ts";
import { answerOf, nodesOf, targets } from "../../support/explorer-pages.ts";
import { explorerRequest, finish } from "../../support/explorer-request.ts";
import { findNodes, parseMarkup, textWithin } from "../../support/parse-markup.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

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
