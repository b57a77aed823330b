import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { mergeNewest } from "../../../src/engine/query/latest-prices.ts";
import { selectMarkets } from "../../../src/engine/query/select.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { dayCodesOf } from "../../../src/engine/store/periods.ts";
import { allDays, selectSegments } from "../../../src/engine/store/runs.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { naiveSearch } from "../../support/naive-queries.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { randomSearch } from "../../support/random-questions.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";
import { uuidsOfRows } from "../store/stored-prices.ts";

t.test(
  "segments hold the prices of a scan, and a merge of them is in its order, however many are asked for",
  async () => {
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
  },
);

t.test("many segments are merged, and few ones after them", async (t) => {
  const markets = Array.from({ length: 200 }, (_, at) => ({ name: `Market ${at}` }));
  const dataset = tinyDataset({
    markets,
    // Equal times, so that only the uuid orders the prices of different markets.
    prices: Array.from({ length: 600 }, (_, at) => ({
      market: (at * 7) % 200,
      recordedAt: `2026-01-0${1 + (at % 3)}T06:00:00Z`,
    })),
  });
  const store = buildStore(dataset);
  for (const conditions of [{}, { marketUuid: uuidOf("market", 3) }, {}]) {
    const segments = selectSegments(store, 0, selectMarkets(store.catalogue, conditions), allDays);
    const { rowCount } = segments;
    const { uuids } = naiveSearch(dataset, { filter: conditions, page: 1, pageSize: rowCount });
    t.same(uuidsOfRows(store, mergeNewest(store.prices, segments, rowCount)), uuids, `${rowCount} rows`);
  }
});
