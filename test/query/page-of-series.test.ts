import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { pageOfSeries } from "../../src/query/page-of-series.ts";
import { seriesPartsOf } from "../../src/query/series-parts.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { uuidsOfRows } from "../store/stored-prices.ts";
import { naiveSearch } from "../support/naive-queries.ts";
import { randomDataset } from "../support/random-dataset.ts";
import { randomSearch } from "../support/random-questions.ts";

t.test("every page is that of a scan, for any product, markets and days", async () => {
  const question = randomDataset().chain((dataset) => fc.tuple(fc.constant(dataset), randomSearch(dataset)));
  fc.assert(
    fc.property(question, fc.constantFrom(1, 2, 3, 20), ([dataset, search], pageSize) => {
      const store = buildStore(dataset);
      for (const [product, { record }] of store.catalogue.products.entries()) {
        const filter = {
          ...search.filter,
          productUuid: record.uuid,
          marketUuid: undefined,
          priceMin: undefined,
          priceMax: undefined,
        };
        const parts = seriesPartsOf(store, product, filter);
        for (let page = 1; page <= Math.ceil(parts.rowCount / pageSize) + 1; page++) {
          const { entries, total } = pageOfSeries(store, product, parts, (page - 1) * pageSize, pageSize);
          const wanted = naiveSearch(dataset, { filter, page, pageSize });
          assert.deepEqual({ uuids: uuidsOfRows(store, entries), total }, wanted);
        }
      }
    }),
    { numRuns: 300 },
  );
});
