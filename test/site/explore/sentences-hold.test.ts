/** Sentences beside figures hold for exactly these figures: their publication, month, place, days and sources. */
import t from "tap";
import type { Publication } from "../../../src/contract/publications.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import type { ContinuationRecord, MarketRecord } from "../../../src/engine/model/records.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { dataPage } from "../../../src/site/explore/data-page.ts";
import type { Language } from "../../../src/site/pages/words.ts";
import { answerOf, nodesOf, targets } from "../../support/explorer-pages.ts";
import { explorerRequest, finish } from "../../support/explorer-request.ts";
import { findNodes, nodesOfClass, parseMarkup, textWithin } from "../../support/parse-markup.ts";
import { county, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

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
  const csv = (await answerOf(store, "/data?table=history", { publications })).text.trimEnd().split("\r\n");
  const at = csv[0]?.split(",").indexOf("corrected_prices") ?? -1;
  t.strictSame(
    csv.slice(1).map((line) => line.split(",")[at]),
    ["0", "1", "2", "1", "", ""],
  );
});

/** Prices of 100 at two markets from January to September 2025, beside which a price of 1 is suspicious. */
const usual = Array.from({ length: 9 }, (_, at) => `2025-0${at + 1}-15T09:00:00+03:00`).flatMap((recordedAt) =>
  [2, 3].map((market) => ({ market, recordedAt })),
);

t.test("the headline counts the suspicious prices of its month, and no others", async (t) => {
  const storeOf = (months: readonly number[]): Store => {
    const slips = months.map((month) => ({ market: 0, price: 1, recordedAt: `2025-0${month}-15T09:00:00+03:00` }));
    const markets = [0, 1, 2, 3].map(() => ({ type: "Retail" as const }));
    const store = buildStore(tinyDataset({ markets, prices: [...usual, ...slips] }));
    t.equal(store.suspicious.rows.length, slips.length);
    return store;
  };
  const headlineOf = async (months: readonly number[], language: Language = "en"): Promise<string> =>
    textWithin(nodesOfClass(await nodesOf(storeOf(months), product, { language }), "headline"));
  t.notMatch(await headlineOf([3, 5]), /suspicious|left out/, "those of other months");
  t.match(await headlineOf([3, 9]), "1 suspicious price of September 2025 left out.");
  t.match(await headlineOf([3, 9], "sw"), "Bei 1 ya Septemba 2025 inayotiliwa shaka imeachwa.");
  t.match(await textOf(storeOf([3, 5]), product), "but no median, change or comparable price includes them.");
});

const middle = (longitude: number) => ({ coordinates: { latitude: 0, longitude } });
const at = (longitude: number) => ({ latitude: 0, longitude, address: null });

/** Nakuru has one ordinary price of February, and the suspicious one that a test adds. */
function nakuruBesideNairobi(prices: readonly { readonly market: number; readonly recordedAt: string }[]): Store {
  const markets: Partial<MarketRecord>[] = [
    { name: "Own", countyId: 32 as CountyId, location: at(36) },
    { name: "Odd", countyId: 32 as CountyId, location: at(36.1) },
    { name: "East", countyId: 47 as CountyId, location: at(37) },
    { name: "Far East", countyId: 47 as CountyId, location: at(38) },
  ];
  const slip = { market: 1, price: 1, recordedAt: "2025-08-15T09:00:00+03:00" };
  return buildStore(
    tinyDataset({
      counties: [county(32, { name: "Nakuru", ...middle(36) }), county(47, { name: "Nairobi", ...middle(37) })],
      markets,
      prices: [...usual, ...prices, slip],
    }),
  );
}

t.test("a county is not near to itself, and its newer price elsewhere is not at a market of its own", async (t) => {
  const alone = nakuruBesideNairobi([]);
  t.equal(alone.suspicious.rows.length, 1);
  const rows = (await answerOf(alone, "/counties/32?table=near")).text.trimEnd().split("\r\n").slice(1);
  t.match(rows, [/^Nairobi,47,111,/]);
  t.equal(rows.length, 1);
  const old = nakuruBesideNairobi([{ market: 0, recordedAt: "2025-02-15T09:00:00+03:00" }]);
  const [line] = (await answerOf(old, "/counties/32?table=sold")).text.split("\r\n").slice(1);
  t.match(line, `East,${uuidOf("market", 3)},111`);
  t.match(
    await textOf(old, "/counties/32"),
    "Beside a price of more than 3 months before the newest one stands the nearest market of the same type in another " +
      "county with a price of the last 90 days of the data",
  );
});

t.test(
  "the nearest markets say their type where one is chosen, and the days that they were looked for in",
  async (t) => {
    const storeOf = (day: string): Store =>
      buildStore(
        tinyDataset({
          counties: [
            county(32, { name: "Nakuru", ...middle(36) }),
            county(47, { name: "Nairobi" }),
            county(1, { name: "Mombasa", ...middle(39) }),
          ],
          markets: [
            { name: "Own", countyId: 32 as CountyId },
            { name: "East", countyId: 47 as CountyId, location: at(37) },
            { name: "Yard", countyId: 47 as CountyId, location: at(37), type: "Wholesale" },
          ],
          prices: ["2026-01-15", day, "2026-01-15"].map((date, market) => {
            return { market, recordedAt: `${date}T09:00:00+03:00` };
          }),
        }),
      );
    const inYear = storeOf("2025-01-16");
    const days = "with a price of this product in the last 365 days of its prices, as the crow flies";
    const ofNakuru = await textOf(inYear, `${product}?county=32`);
    t.match(ofNakuru, `Markets of the type retail ${days} from the middle of the county.`);
    t.match(await textOf(inYear, `${product}?county=1`), `Markets ${days} from the middle of the county.`);
    t.match(
      await textOf(inYear, `${product}?market=${uuidOf("market", 1)}`),
      `Markets of the type retail ${days} from the middle of the county.`,
      "the place of the market is not known",
    );
    t.match(
      await textOf(inYear, `${product}?county=32`, "sw"),
      "Masoko ya rejareja yenye bei ya bidhaa hii katika siku 365 za mwisho za bei zake, kwa umbali",
    );
    t.match((await answerOf(inYear, `${product}?county=32&table=nearest`)).text, /^East,/m);
    const before = storeOf("2025-01-15");
    t.equal((await answerOf(before, `${product}?county=32&table=nearest`)).status, 400, "the day before the 365");
  },
);

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

t.test("products without a recent change are those with prices since the first month that counts", async (t) => {
  const yearly = ["2025-03", "2026-03"].flatMap((month) =>
    [0, 1, 2].map((market) => ({ market, recordedAt: `${month}-15T09:00:00+03:00` })),
  );
  const later = (product: number) => ({ product, recordedAt: "2026-03-15T09:00:00+03:00" });
  const storeOf = (count: number): Store =>
    buildStore(
      tinyDataset({
        products: ["Maize", "Beans", "Salt"].map((name) => ({ name })),
        markets: [0, 1, 2].map(() => ({ type: "Retail" as const })),
        prices: [...yearly, ...[1, 2].slice(0, count).map(later)],
      }),
    );
  t.match(
    await textOf(storeOf(1), ""),
    "One more has prices since October 2025, but since then no change in a year can be computed within 3 months of its",
  );
  const two = await textOf(storeOf(2), "");
  t.match(two, "2 more have prices since October 2025, but since then no change in a year can be computed within 3");
  t.match(
    two,
    "the median of the changes at the markets that have a price in both months: at least one, for all of Kenya at least 3.",
  );
});

t.test("the pages of a long table are named after its section", async (t) => {
  const some = Array.from({ length: 31 }, (_, number) => ({ name: `Name ${number}` }));
  const recordedAt = "2026-01-15T09:00:00+03:00";
  const labelOf = async (store: Store, target: string) =>
    nodesOfClass(await nodesOf(store, target), "pager")[0]?.attributes["aria-label"];
  const products = buildStore(
    tinyDataset({ products: some, prices: some.map((_, code) => ({ product: code, recordedAt })) }),
  );
  const market = `/markets/${uuidOf("market", 1)}`;
  t.equal(await labelOf(products, market), "Pages: Its products");
  t.match(await textOf(products, market), "The latest price of each product in each unit and currency, and how many");
  const markets = buildStore(
    tinyDataset({ markets: some, prices: some.map((_, code) => ({ market: code, recordedAt })) }),
  );
  t.equal(await labelOf(markets, product), "Pages: Markets");
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
