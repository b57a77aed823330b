/** Random questions about prices get the same answer from the indexes of the store and from a plain scan of the records. */
import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Dataset } from "../../src/domain/dataset.ts";
import type { Uuid } from "../../src/domain/ids.ts";
import { latestPrices } from "../../src/query/latest-prices.ts";
import { planPrices } from "../../src/query/plan-prices.ts";
import { priceStatistics, type StatisticsGroup } from "../../src/query/price-statistics.ts";
import type { PriceStatistics } from "../../src/query/questions.ts";
import { searchPrices } from "../../src/query/search-prices.ts";
import { buildStore } from "../../src/store/build-store.ts";
import type { Store } from "../../src/store/store.ts";
import { storedPrice, uuidsOfRows } from "../store/stored-prices.ts";
import {
  agree,
  type NaiveGroup,
  naiveLatest,
  naiveSearch,
  naiveStatistics,
  plainPrices,
} from "../support/naive-queries.ts";
import { randomDataset, randomUuid } from "../support/random-dataset.ts";
import { randomLatest, randomSearch, randomStatistics } from "../support/random-questions.ts";
import { questionRuns } from "./question-runs.ts";

t.test("a search answers the uuids and the total of a scan", async () => {
  fc.assert(
    fc.property(withQuestion(randomSearch), ([dataset, question]) => {
      const store = buildStore(dataset);
      const { entries, total } = searchPrices(store, question);
      assert.deepEqual({ uuids: uuidsOfRows(store, entries), total }, naiveSearch(dataset, question));
    }),
    questionRuns,
  );
});

t.test("the latest prices are the groups of a scan", async () => {
  fc.assert(
    fc.property(withQuestion(randomLatest), ([dataset, question]) => {
      const store = buildStore(dataset);
      const answered = latestPrices(store, question).map(({ product, rows }) => ({
        productUuid: store.catalogue.products[product]?.record.uuid,
        uuids: uuidsOfRows(store, rows),
      }));
      assert.deepEqual(answered, naiveLatest(dataset, question));
    }),
    questionRuns,
  );
});

t.test("statistics agree with those of a scan in unit, currency, counts, groups and figures", async () => {
  fc.assert(
    fc.property(withQuestion(randomStatistics), ([dataset, question]) => {
      compareStatistics(buildStore(dataset), dataset, question);
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
    fc.sample(withQuestion(randomSearch), { numRuns: 300, seed: 1 }).map(([dataset, { filter }]) => {
      const { walk, check } = planPrices(buildStore(dataset), filter);
      return check === null ? walk : `${walk}, then check`;
    }),
  );
  for (const walk of ["product", "market", "county", "time"]) {
    t.ok(walked.has(walk), walk);
    t.ok(walked.has(`${walk}, then check`), `${walk}, then check`);
  }
  t.ok(walked.has("nothing"), "nothing");
});

/** Throws where the two answers differ. */
function compareStatistics(store: Store, dataset: Dataset, question: PriceStatistics): void {
  const answer = priceStatistics(store, question);
  const wanted = naiveStatistics(dataset, question);
  if ("problem" in answer || wanted === undefined || wanted.unknownUnit) {
    const problem = wanted === undefined ? "unknown product" : wanted.unknownUnit ? "foreign unit" : "none";
    assert.equal("problem" in answer ? answer.problem : "none", problem);
    return;
  }
  const { unit, currency, convertedSamples, excludedSamples, overall } = answer;
  assert.deepEqual(
    {
      product: store.catalogue.products[answer.product]?.record.uuid,
      unit,
      currency,
      convertedSamples,
      excludedSamples,
    },
    {
      product: question.productUuid,
      unit: wanted.unit,
      currency: wanted.currency,
      convertedSamples: wanted.convertedSamples,
      excludedSamples: wanted.excludedSamples,
    },
  );
  assert.deepEqual(
    answer.groups.map((group) => identityOf(store, group)),
    wanted.groups.map(identityOfNaive),
  );
  for (const [at, { figures }] of answer.groups.entries()) {
    const group = wanted.groups[at] as NaiveGroup;
    for (const figure of ["average", "min", "max", "median"] as const) {
      assert.ok(
        agree(figures[figure], group[figure]),
        `${group.label}: ${figure} ${figures[figure]}, ${group[figure]}`,
      );
    }
    const { deviation, max } = group;
    assert.ok(agree(figures.deviation, deviation, max), `${group.label}: deviation ${figures.deviation}, ${deviation}`);
  }
  for (const figure of ["average", "min", "max", "count"] as const) {
    assert.ok(agree(overall?.[figure] ?? 0, wanted.overall[figure]), `overall ${figure} ${overall?.[figure]}`);
  }
}

function identityOf({ catalogue }: Store, { label, market, county, figures }: StatisticsGroup): object {
  return {
    label,
    count: figures.count,
    market: market === undefined ? undefined : catalogue.markets[market]?.record.uuid,
    county,
  };
}

function identityOfNaive({ label, market, county, count }: NaiveGroup): object {
  return { label, count, market: market?.uuid, county: county?.id };
}

/** All uuids of the dataset, some of another's and some with one digit changed. */
function uuidsToLookUp(dataset: Dataset): fc.Arbitrary<Uuid[]> {
  const present = plainPrices(dataset).map(({ uuid }) => uuid);
  const neighbours = present.map((uuid) => uuid.replace(/.$/, (digit) => (digit === "0" ? "1" : "0")) as Uuid);
  return fc.array(randomUuid, { maxLength: 5 }).map((others) => [...present, ...neighbours, ...others]);
}

function withQuestion<Question>(
  questionsAbout: (dataset: Dataset) => fc.Arbitrary<Question>,
): fc.Arbitrary<[Dataset, Question]> {
  return randomDataset().chain((dataset) => fc.tuple(fc.constant(dataset), questionsAbout(dataset)));
}
