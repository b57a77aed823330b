import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { type Day, dayFromText } from "../../src/domain/calendar-day.ts";
import type { CountyId } from "../../src/domain/ids.ts";
import { countByMarkets } from "../../src/query/count-prices.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { naiveSearch } from "../support/naive-queries.ts";
import { randomDataset } from "../support/random-dataset.ts";
import { randomSearch } from "../support/random-questions.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

t.test("the count is that of a scan, for any conditions but those on price and market", async () => {
  const question = randomDataset().chain((dataset) => fc.tuple(fc.constant(dataset), randomSearch(dataset)));
  fc.assert(
    fc.property(question, ([dataset, search]) => {
      const filter = { ...search.filter, marketUuid: undefined, priceMin: undefined, priceMax: undefined };
      fc.pre(filter.productUuid === undefined || dataset.products.some(({ uuid }) => uuid === filter.productUuid));
      assert.equal(countByMarkets(buildStore(dataset), filter), naiveSearch(dataset, { ...search, filter }).total);
    }),
    { numRuns: 300 },
  );
});

t.test("lists of markets, of one product or of all, are cut at both ends of the days", async (t) => {
  const store = buildStore(
    tinyDataset({
      prices: [
        { market: 0, recordedAt: "2026-01-31T20:59:59.999Z" },
        { market: 0, recordedAt: "2026-01-31T21:00:00Z" },
        { market: 2, recordedAt: "2026-02-01T20:59:59.999Z" },
        { market: 2, recordedAt: "2026-02-01T21:00:00Z" },
        { market: 1, recordedAt: "2026-02-01T06:00:00Z" },
        { product: 1, market: 0, recordedAt: "2026-02-01T06:00:00Z" },
      ],
    }),
  );
  const [maize, february1] = [uuidOf("product", 1), dayFromText("2026-02-01") as Day];
  const wholesale = { marketType: "Wholesale" } as const;
  const onThatDay = { dayFirst: february1, dayLast: february1 };
  t.equal(countByMarkets(store, wholesale), 5);
  t.equal(countByMarkets(store, { ...wholesale, ...onThatDay }), 3);
  t.equal(countByMarkets(store, { ...wholesale, productUuid: maize }), 4);
  t.equal(countByMarkets(store, { ...wholesale, productUuid: maize, ...onThatDay }), 2);
  t.equal(countByMarkets(store, { ...wholesale, productUuid: maize, dayFirst: february1 }), 3);
  t.equal(countByMarkets(store, { ...wholesale, productUuid: maize, dayLast: february1 }), 3);
  t.equal(countByMarkets(store, { ...wholesale, countyId: 47 as CountyId, ...onThatDay }), 2);
  t.equal(countByMarkets(store, { countyId: 30 as CountyId }), 0);
});
