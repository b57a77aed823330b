/**
 * Random questions about prices get the same answer from the indexes of the store and from a plain scan of the records.
 */

import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import { latestPrices } from "../../../src/engine/query/latest-prices.ts";
import { planPrices, searchPrices } from "../../../src/engine/query/search-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import { naiveLatest, naiveSearch, naiveStatistics } from "../../support/naive-queries.ts";
import { plainPrices } from "../../support/plain-prices.ts";
import { randomDataset, randomUuid } from "../../support/random-dataset.ts";
import { randomLatest, randomSearch, randomStatistics } from "../../support/random-questions.ts";
import { randomSeriesDataset } from "../../support/random-series-dataset.ts";
import { askStatistics } from "../../support/statistics-groups.ts";
import { storedPrice, uuidsOfRows } from "../store/stored-prices.ts";
import { compareStatistics } from "./compare-statistics.ts";
import { questionRuns } from "./question-runs.ts";

t.test("a search answers the uuids and the total of a scan", async () => {
  await fc.assert(
    fc.asyncProperty(withQuestion(randomSearch), async ([dataset, question]) => {
      const store = buildStore(dataset);
      const { entries, total } = finish(searchPrices(store, question));
      assert.deepEqual({ uuids: uuidsOfRows(store, entries), total }, naiveSearch(dataset, question));
    }),
    questionRuns,
  );
});

t.test("the latest prices are the groups of a scan", async () => {
  fc.assert(
    fc.property(withQuestion(randomLatest), ([dataset, question]) => {
      const store = buildStore(dataset);
      const answered = finish(latestPrices(store, question)).map(({ product, rows }) => ({
        productUuid: store.catalogue.products[product]?.record.uuid,
        uuids: uuidsOfRows(store, rows),
      }));
      assert.deepEqual(answered, naiveLatest(dataset, question));
    }),
    questionRuns,
  );
});

t.test("statistics agree with those of a scan in unit, currency, counts, groups and figures", async () => {
  await fc.assert(
    fc.asyncProperty(withQuestion(randomStatistics), async ([dataset, question]) => {
      const store = buildStore(dataset);
      compareStatistics(store, question, await askStatistics(store, question), naiveStatistics(dataset, question));
    }),
    questionRuns,
  );
});

t.test("a price is found by its uuid, and no price by any other", async () => {
  fc.assert(
    fc.property(withQuestion(uuidsToLookUp), ([dataset, uuids]) => {
      const store = buildStore(dataset);
      const known = new Map(plainPrices(dataset).map((price) => [price.uuid, price]));
      for (const uuid of uuids) {
        const wanted = known.get(uuid);
        const found = storedPrice(store, uuid);
        assert.deepEqual(
          [found?.uuid, found?.price, found?.recordedAt],
          [wanted?.uuid, wanted?.price, wanted?.recordedAt],
        );
      }
    }),
    questionRuns,
  );
});

t.test("the random searches walk every list, with conditions left to check and without", async (t) => {
  const walked = new Set(
    fc.sample(withQuestion(randomSearch), { numRuns: 600, seed: 1 }).map(([dataset, { filter }]) => {
      const { walk, check } = planPrices(buildStore(dataset), filter);
      return check === null ? walk : `${walk}, then check`;
    }),
  );
  for (const walk of ["run", "product", "market", "county", "time"]) {
    t.ok(walked.has(walk), walk);
    t.ok(walked.has(`${walk}, then check`), `${walk}, then check`);
  }
  t.ok(walked.has("nothing"), "nothing");
});

/** All uuids of the dataset, some of another's and some with one digit changed. */
function uuidsToLookUp(dataset: Dataset): fc.Arbitrary<Uuid[]> {
  const present = plainPrices(dataset).map(({ uuid }) => uuid);
  const neighbours = present.map((uuid) => uuid.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")) as Uuid);
  return fc.array(randomUuid, { maxLength: 5 }).map((others) => [...present, ...neighbours, ...others]);
}

function withQuestion<Question>(
  questionsAbout: (dataset: Dataset) => fc.Arbitrary<Question>,
): fc.Arbitrary<[Dataset, Question]> {
  const datasets = fc.oneof(
    { arbitrary: randomDataset(), weight: 5 },
    // Long series have suspicious prices.
    { arbitrary: randomSeriesDataset(), weight: 1 },
  );
  return datasets.chain((dataset) => fc.tuple(fc.constant(dataset), questionsAbout(dataset)));
}
