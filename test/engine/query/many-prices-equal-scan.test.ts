/**
 * Random questions about tens of thousands of prices get the same answer from the indexes of the store and from a plain
 * scan of the records, also while other questions are answered. What tiny datasets cannot show: whole months looked up,
 * long months sorted in another way, lists put together where walking would take longer, work done in many slices.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { compareTexts } from "../../../src/engine/model/folded-text.ts";
import { latestPrices } from "../../../src/engine/query/latest-prices.ts";
import type { PriceFilter } from "../../../src/engine/query/questions.ts";
import { searchPrices } from "../../../src/engine/query/search-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import { largeDataset } from "../../support/large-dataset.ts";
import { naiveLatest, naiveSearch, naiveStatistics } from "../../support/naive-queries.ts";
import { plainPrices } from "../../support/plain-prices.ts";
import { dayRange, priceRange, randomLatest, randomSearch, randomStatistics } from "../../support/random-questions.ts";
import { runSliced } from "../../support/run-sliced.ts";
import { askStatistics } from "../../support/statistics-groups.ts";
import { storedPrice, uuidsOfRows } from "../store/stored-prices.ts";
import { compareStatistics } from "./compare-statistics.ts";
import { questionRuns } from "./question-runs.ts";

const dataset = largeDataset();
const store = buildStore(dataset);
/** In answer order, so that the scans have little to sort. */
const prices = plainPrices(dataset).toSorted((a, b) => b.recordedAt - a.recordedAt || compareTexts(a.uuid, b.uuid));
const rowCount = prices.length;

/** Each question is checked in several ways and its scan takes long, so there are fewer. */
const runs = { numRuns: Math.ceil(questionRuns.numRuns / 3) };

/** Every step of long work ends its slice. */
const shortSlices = 1;

t.test("the dataset has months, runs and products of very different lengths, down to none", async (t) => {
  const { monthOffsets } = store.priceOrder;
  const months = Array.from(monthOffsets.subarray(1), (end, month) => end - (monthOffsets[month] ?? 0));
  t.ok(Math.max(...months) > 8000, `longest month: ${Math.max(...months)}`);
  t.ok(Math.min(...months) < 600, `shortest month: ${Math.min(...months)}`);
  t.notOk(store.periods.month.labels.includes("2024-05"), "a month without prices");
  const { productOffsets } = store.prices;
  const products = Array.from(productOffsets.subarray(1), (end, product) => end - (productOffsets[product] ?? 0));
  t.ok(products.includes(0) && products.includes(1) && Math.max(...products) > 10_000, `products: ${products}`);
});

/** Throws where a page of a search differs from that of a scan; looks at first, middle and last pages and past them. */
async function compareSearch(filter: PriceFilter, pageSize: number): Promise<void> {
  const { uuids, total } = naiveSearch(dataset, { filter, page: 1, pageSize: rowCount }, prices);
  const pageLast = Math.ceil(total / pageSize);
  const pages = new Set([1, 2, Math.ceil(pageLast / 2), pageLast, pageLast + 1].filter((page) => page > 0));
  await Promise.all(
    [...pages].map(async (page) => {
      const wanted = { uuids: uuids.slice((page - 1) * pageSize, page * pageSize), total };
      const search = () => searchPrices(store, { filter, page, pageSize });
      for (const answer of [finish(search()), await runSliced(search(), shortSlices)]) {
        const found = { uuids: uuidsOfRows(store, answer.entries), total: answer.total };
        assert.deepEqual(found, wanted, `page ${page} of ${pageSize}`);
      }
    }),
  );
}

t.test("searches with any conditions answer the pages and totals of a scan", async () => {
  await fc.assert(
    fc.asyncProperty(randomSearch(dataset), ({ filter, pageSize }) => compareSearch(filter, pageSize)),
    runs,
  );
});

t.test("searches for prices alone, in narrow and wide ranges, answer the pages and totals of a scan", async () => {
  const question = fc.record({
    prices: priceRange(dataset),
    days: fc.option(dayRange(dataset), { nil: undefined }),
    ends: fc.constantFrom("both", "both", "least", "greatest"),
    pageSize: fc.constantFrom(1, 7, 100),
  });
  await fc.assert(
    fc.asyncProperty(question, ({ prices: [least, greatest], days, ends, pageSize }) => {
      const filter = {
        priceMin: ends === "greatest" ? undefined : least,
        priceMax: ends === "least" ? undefined : greatest,
        dayFirst: days?.[0],
        dayLast: days?.[1],
      };
      return compareSearch(filter, pageSize);
    }),
    runs,
  );
});

t.test("every page of a search, one after the other, is the list of a scan", async (t) => {
  const filters: PriceFilter[] = [{}, { marketType: "Rural" }, { priceMin: 20, priceMax: 400 }, { priceMax: 12 }];
  for (const filter of filters) {
    const wanted = naiveSearch(dataset, { filter, page: 1, pageSize: rowCount }, prices);
    const found: string[] = [];
    for (let page = 1; found.length < wanted.total; page++) {
      const { entries } = finish(searchPrices(store, { filter, page, pageSize: 100 }));
      if (entries.length === 0) break;
      found.push(...uuidsOfRows(store, entries));
    }
    t.equal(found.join(), wanted.uuids.join(), JSON.stringify(filter));
  }
});

t.test("the latest prices are the groups of a scan", async () => {
  fc.assert(
    fc.property(randomLatest(dataset), (question) => {
      const answered = finish(latestPrices(store, question)).map(({ product, rows }) => ({
        productUuid: store.catalogue.products[product]?.record.uuid,
        uuids: uuidsOfRows(store, rows),
      }));
      assert.deepEqual(answered, naiveLatest(dataset, question, prices));
    }),
    runs,
  );
});

t.test("statistics agree with those of a scan, also while others are made in between", async () => {
  const several = fc.array(randomStatistics(dataset), { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(several, async (questions) => {
      const sliced = await Promise.all(questions.map((question) => askStatistics(store, question, shortSlices)));
      for (const [at, question] of questions.entries()) {
        const wanted = naiveStatistics(dataset, question, prices);
        compareStatistics(store, question, await askStatistics(store, question), wanted);
        const answer = sliced[at];
        if (answer !== undefined) compareStatistics(store, question, answer, wanted);
      }
    }),
    { ...runs, numRuns: Math.ceil(runs.numRuns / 3) },
  );
});

t.test("every price is found by its uuid", async (t) => {
  t.ok(prices.every(({ uuid, price }) => storedPrice(store, uuid)?.price === price));
});
