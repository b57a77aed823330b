import t from "tap";
import type { CountyId } from "../../src/domain/ids.ts";
import { latestPrices } from "../../src/query/latest-prices.ts";
import type { LatestPrices } from "../../src/query/questions.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { uuidsOfRows } from "../store/stored-prices.ts";
import { type TinyPrice, tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const maize = uuidOf("product", 1);
const kale = uuidOf("product", 2);
const unknown = uuidOf("product", 9);

/** Names of the products with the numbers of their prices. */
function latest(
  prices: readonly Partial<TinyPrice>[],
  question: Partial<LatestPrices> = {},
): [string | undefined, number[]][] {
  const store = buildStore(tinyDataset({ prices }));
  return latestPrices(store, { limit: 10, onePerMarket: false, ...question }).map(({ product, rows }) => [
    store.catalogue.products[product]?.record.name,
    uuidsOfRows(store, rows).map((uuid) => Number(uuid.slice(-12))),
  ]);
}

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
