import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { mergeNewest } from "../../../src/engine/query/latest-prices.ts";
import { selectMarkets } from "../../../src/engine/query/select.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { dayCodesOf } from "../../../src/engine/store/periods.ts";
import { selectSegments } from "../../../src/engine/store/runs.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { naiveSearch } from "../../support/naive-queries.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { randomSearch } from "../../support/random-questions.ts";
import { uuidsOfRows } from "../store/stored-prices.ts";

t.test("segments hold the prices of a scan, and a merge of any number of them is in its order", async () => {
  const question = randomDataset().chain((dataset) => fc.tuple(fc.constant(dataset), randomSearch(dataset)));
  fc.assert(
    fc.property(question, ([dataset, search]) => {
      const store = buildStore(dataset);
      const { dayFirst, dayLast } = search.filter;
      for (const [product, { record }] of store.catalogue.products.entries()) {
        const ofAll = { priceMin: undefined, priceMax: undefined, priceFlag: undefined, isSuspicious: undefined };
        const filter = { ...search.filter, productUuid: record.uuid, ...ofAll };
        const markets = selectMarkets(store.catalogue, filter);
        const segments = selectSegments(store, product, markets, dayCodesOf(store.periods, dayFirst, dayLast));
        for (const count of new Set([0, 1, 3, segments.rowCount])) {
          const wanted = naiveSearch(dataset, { filter, page: 1, pageSize: Math.max(1, count) });
          assert.equal(segments.rowCount, wanted.total);
          if (count > wanted.total || count === 0) continue;
          assert.deepEqual(uuidsOfRows(store, mergeNewest(store.prices, segments, count)), wanted.uuids);
        }
      }
    }),
    { numRuns: runsOf(120, 300) },
  );
});
