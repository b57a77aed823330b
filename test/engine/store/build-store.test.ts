import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { type Day, dayFromText, type Instant } from "../../../src/engine/model/calendar.ts";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { latestPrices } from "../../../src/engine/query/latest-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import { type Store, storeBytes } from "../../../src/engine/store/store.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { askStatistics } from "../../support/statistics-groups.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";
import { typedArraysIn } from "./shared-memory.ts";
import { allUuids, pricesOfDataset, storedPrice } from "./stored-prices.ts";

const day = (text: string): Day => dayFromText(text) as Day;

t.test("a store keeps every field of every price", async () => {
  await fc.assert(
    fc.asyncProperty(randomDataset(), async (dataset) => {
      const store = buildStore(dataset);
      const wanted = pricesOfDataset(dataset);
      assert.deepEqual(
        wanted.map(({ uuid }) => storedPrice(store, uuid)),
        wanted,
      );
      assert.equal((await allUuids(store)).length, wanted.length);
    }),
  );
});

t.test("columns that must be wider than a byte keep every code, and what is missing beside them", async (t) => {
  for (const count of [254, 255, 256, 257]) {
    const markets = Array.from({ length: count }, (_, at) => ({ name: `Market ${at}` }));
    const products = Array.from({ length: count }, (_, at) => ({ name: `Product ${at}` }));
    const prices = Array.from({ length: count + 1 }, (_, at) => {
      const text = at === count ? null : `text ${at}`;
      return { product: at % count, market: (at * 7) % count, notes: text, qualityGrade: text, source: `source ${at}` };
    });
    const dataset = tinyDataset({ markets, products, prices });
    const store = buildStore(dataset);
    const wanted = pricesOfDataset(dataset);
    t.same(
      wanted.map(({ uuid }) => storedPrice(store, uuid)),
      wanted,
      `${count} codes`,
    );
  }
});

t.test("building changes nothing in the dataset, and later changes there do not reach the store", async (t) => {
  const [dataset] = fc.sample(randomDataset({ priceCountMin: 20 }), { numRuns: 1, seed: 1 }) as [Dataset];
  const before = contentsOf(dataset);
  const store = buildStore(dataset);
  t.equal(contentsOf(dataset), before);

  const wanted = pricesOfDataset(dataset);
  for (const column of typedArraysIn(dataset.prices).values()) column.fill(0);
  t.same(
    wanted.map(({ uuid }) => storedPrice(store, uuid)),
    wanted,
  );
});

t.test("a store of nothing at all answers too", async (t) => {
  const store = buildStore(
    tinyDataset({ counties: [], crops: [], unitCategories: [], marketTypes: [], products: [], markets: [] }),
  );
  t.same(await allUuids(store), []);
  t.same(finish(latestPrices(store, { limit: 10, onePerMarket: true })), []);
  t.same(await statisticsOfMaize(store), { problem: "unknown product" });
});

t.test("a store cannot be given other tables", async (t) => {
  const store = buildStore(tinyDataset()) as { prices: unknown };
  t.throws(() => {
    store.prices = null;
  }, TypeError);
});

t.test("a dataset that breaks its word is refused rather than served wrongly", async (t) => {
  const twice = tinyDataset({ prices: [{}, {}] });
  twice.prices.uuids.copyWithin(4, 0, 4);
  t.throws(() => buildStore(twice), RangeError, "two prices of one uuid");

  const fractions = tinyDataset({ prices: [{ recordedAt: 0.25 as Instant }, { recordedAt: 0.5 as Instant }] });
  t.same(
    [...buildStore(fractions).prices.recordedAt],
    [0.5, 0.25],
    "times that are no whole milliseconds are in order",
  );
});

function statisticsOfMaize(store: Store): ReturnType<typeof askStatistics> {
  return askStatistics(store, {
    productUuid: uuidOf("product", 1),
    dayFirst: day("2000-01-01"),
    dayLast: day("2030-12-31"),
    grouping: "month",
  });
}

/** All columns and records as one text. */
function contentsOf(dataset: Dataset): string {
  return JSON.stringify(dataset, (_, value) => (ArrayBuffer.isView(value) ? Object.values(value) : value));
}

t.test("the size of a store is that of all its typed arrays", async (t) => {
  for (const prices of [[], [{}], Array.from({ length: 100 }, () => ({}))]) {
    const store = buildStore(tinyDataset({ prices }));
    const bytes = [...typedArraysIn(store).values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    t.equal(storeBytes(store), bytes);
  }
});
