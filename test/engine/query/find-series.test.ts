import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { describePrices } from "../../../src/engine/query/describe-prices.ts";
import { findSeries, seriesFigures } from "../../../src/engine/query/find-series.ts";
import { pageOf } from "../../../src/engine/query/page.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { type NaiveSeries, naiveDescription, naiveSeries } from "../../support/naive-series.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { randomSeries } from "../../support/random-questions.ts";

/** A series of a store in the terms of the twin. */
function plainSeries(store: Store, at: number): NaiveSeries {
  const { catalogue, prices } = store;
  const { product, market, unit, currency, ...figures } = seriesFigures(store, at);
  return {
    productUuid: catalogue.products[product]?.record.uuid as NaiveSeries["productUuid"],
    marketUuid: catalogue.markets[market]?.record.uuid as NaiveSeries["marketUuid"],
    unit: prices.unitNames[unit] as string,
    currency: prices.currencyCodes[currency] as string,
    ...figures,
    latestPricePerBaseUnit: figures.latestPricePerBaseUnit as number,
  };
}

t.test("the pages of series are those of a scan", async () => {
  fc.assert(
    fc.property(
      randomDataset().chain((dataset) => fc.tuple(fc.constant(dataset), randomSeries(dataset))),
      ([dataset, { filter, order, page, pageSize }]) => {
        const store = buildStore(dataset);
        const { entries, total } = pageOf(findSeries(store, filter, order), page, pageSize);
        const wanted = naiveSeries(dataset, filter, order);
        assert.deepEqual(
          { entries: Array.from(entries, (at) => plainSeries(store, at)), total },
          { entries: wanted.slice((page - 1) * pageSize, page * pageSize), total: wanted.length },
        );
      },
    ),
    { numRuns: runsOf(120, 300) },
  );
});

t.test("the description of all prices is that of a scan", async () => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      const found = describePrices(store);
      const sources = found.sources.map(({ newestRow, ...source }) => {
        assert.equal(store.prices.recordedAt[newestRow], source.lastRecordedAt);
        assert.equal(store.prices.sourceNames[store.prices.sources[newestRow] as number], source.name);
        return source;
      });
      assert.deepEqual({ ...found, sources }, naiveDescription(dataset));
    }),
  );
});
