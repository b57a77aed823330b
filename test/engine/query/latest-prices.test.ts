import t from "tap";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import { latestPrices } from "../../../src/engine/query/latest-prices.ts";
import type { LatestPrices } from "../../../src/engine/query/questions.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { type TinyPrice, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";
import { uuidsOfRows } from "../store/stored-prices.ts";

const maize = uuidOf("product", 1);
const kale = uuidOf("product", 2);
const unknown = uuidOf("product", 9);

/** Names of the products with the numbers of their prices. */
function latest(prices: readonly Partial<TinyPrice>[], question: Partial<LatestPrices> = {}): Answer {
  return latestOf(buildStore(tinyDataset({ prices })), question);
}

function latestOf(store: Store, question: Partial<LatestPrices>): Answer {
  return finish(latestPrices(store, { limit: 10, onePerMarket: false, ...question })).map(({ product, rows }) => [
    store.catalogue.products[product]?.record.name,
    uuidsOfRows(store, rows).map((uuid) => Number(uuid.slice(-12))),
  ]);
}

type Answer = [string | undefined, number[]][];

const prices = [
  { product: 0, market: 0, recordedAt: "2026-01-01T06:00:00Z" },
  { product: 0, market: 0, recordedAt: "2026-01-02T06:00:00Z" },
  { product: 0, market: 1, recordedAt: "2026-01-03T06:00:00Z" },
  { product: 1, market: 2, recordedAt: "2026-01-01T06:00:00Z" },
  { product: 0, market: 0, recordedAt: "2026-01-01T06:00:00Z", unit: "90 kg bag" },
];

t.test("products come by name, each with its newest prices first, equal times by uuid", async (t) => {
  t.same(latest(prices), [
    ["Kale", [4]],
    ["Maize", [3, 2, 1, 5]],
  ]);
});

t.test("the limit is per product", async (t) => {
  t.same(latest(prices, { limit: 1 }), [
    ["Kale", [4]],
    ["Maize", [3]],
  ]);
  t.same(latest(prices, { limit: 3 })[1], ["Maize", [3, 2, 1]]);
});

t.test("products asked for twice come once, unknown ones and those without a match not at all", async (t) => {
  t.same(latest(prices, { productUuids: [maize, unknown, maize, kale], limit: 1 }), [
    ["Kale", [4]],
    ["Maize", [3]],
  ]);
  t.same(latest(prices, { productUuids: [unknown] }), []);
  t.same(latest(prices, { productUuids: [] }), []);
  t.same(latest(prices, { countyId: 1 as CountyId }), [["Kale", [4]]]);
  t.same(latest(prices, { marketType: "Retail" }), [["Maize", [3]]]);
  t.same(latest(prices, { marketUuid: uuidOf("market", 1), limit: 2 }), [["Maize", [2, 1]]]);
});

t.test("one per market keeps the newest of each market and unit, and only then the limit applies", async (t) => {
  t.same(latest(prices, { onePerMarket: true })[1], ["Maize", [3, 2, 5]]);
  t.same(latest(prices, { onePerMarket: true, limit: 2 })[1], ["Maize", [3, 2]]);
  t.same(latest(prices, { onePerMarket: true, marketUuid: uuidOf("market", 1) }), [["Maize", [2, 5]]]);
});

t.test("the newest at some markets are the same whether most prices are there or hardly any", async (t) => {
  // 3000 prices: fifteen at Wakulima, thirty at Kongowea, the rest at Gikomba; each two have one time.
  const marketOf = (at: number) => (at % 200 === 7 ? 0 : at % 100 === 93 ? 2 : 1);
  const many = Array.from({ length: 3000 }, (_, at) => ({
    market: marketOf(at),
    recordedAt: new Date(Date.parse("2026-01-01T00:00:00Z") + Math.floor(at / 2) * 3_600_000).toISOString(),
  }));
  const store = buildStore(tinyDataset({ prices: many }));
  const newestFirst = many
    .map(({ market, recordedAt }, at) => ({ market, time: Date.parse(recordedAt), number: at + 1 }))
    .sort((a, b) => b.time - a.time || a.number - b.number);
  const questions: [Partial<LatestPrices>, markets: number[]][] = [
    [{ countyId: 1 as CountyId }, [2]],
    [{ countyId: 47 as CountyId }, [0, 1]],
    [{ marketType: "Wholesale" }, [0, 2]],
    [{ marketType: "Retail" }, [1]],
    [{ marketType: "Wholesale", countyId: 47 as CountyId }, [0]],
    [{ marketUuid: uuidOf("market", 3) }, [2]],
    [{}, [0, 1, 2]],
  ];
  for (const [question, markets] of questions) {
    const wanted = newestFirst.filter(({ market }) => markets.includes(market)).map(({ number }) => number);
    for (const limit of [1, 2, 5, 14, 15, 16, 45, 46, 1000]) {
      t.same(latestOf(store, { ...question, limit }), [["Maize", wanted.slice(0, limit)]]);
    }
  }
});

t.test("a market outside the county or of another type has no newest prices", async (t) => {
  const wakulima = { marketUuid: uuidOf("market", 1) };
  for (const onePerMarket of [false, true]) {
    t.same(latest(prices, { ...wakulima, countyId: 1 as CountyId, onePerMarket }), []);
    t.same(latest(prices, { ...wakulima, marketType: "Retail", onePerMarket }), []);
    t.same(latest(prices, { marketUuid: uuidOf("market", 9), onePerMarket }), []);
    t.same(latest(prices, { ...wakulima, countyId: 47 as CountyId, onePerMarket, limit: 1 }), [["Maize", [2]]]);
    t.same(latest(prices, { ...wakulima, productUuids: [kale], onePerMarket }), []);
  }
});

t.test("one per market keeps to a county and a type", async (t) => {
  const one = { onePerMarket: true };
  t.same(latest(prices, { ...one, countyId: 47 as CountyId }), [["Maize", [3, 2, 5]]]);
  t.same(latest(prices, { ...one, countyId: 47 as CountyId, marketType: "Wholesale", limit: 1 }), [["Maize", [2]]]);
  t.same(latest(prices, { ...one, countyId: 1 as CountyId }), [["Kale", [4]]]);
});
