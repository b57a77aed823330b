import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { dayText } from "../../../src/engine/model/calendar.ts";
import { marketTypes } from "../../../src/engine/model/vocabulary.ts";
import { describePrices } from "../../../src/engine/query/describe-prices.ts";
import { findSeries, seriesFigures } from "../../../src/engine/query/find-series.ts";
import { findSilent } from "../../../src/engine/query/find-silent.ts";
import { pageOf } from "../../../src/engine/query/page.ts";
import { newestDayAt, placesOfProduct } from "../../../src/engine/query/places-of-product.ts";
import { yearsWithPrices } from "../../../src/engine/query/years-with-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { recordAt } from "../../../src/engine/store/catalogue.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { finish } from "../../support/explorer-request.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { type NaiveSeries, naiveDescription, naiveSeries, naiveSilent } from "../../support/naive-series.ts";
import { type PlainPrice, plainPrices } from "../../support/plain-prices.ts";
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

t.test("silent products and markets are those of a scan", async () => {
  let silentCount = 0;
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      const { products, markets } = findSilent(store);
      const { catalogue } = store;
      const silentProducts = products.codes.map((code) => recordAt(catalogue.products, code).uuid);
      assert.deepEqual(
        silentProducts,
        naiveSilent(dataset, dataset.products, ({ product }) => product.uuid),
      );
      const silentMarkets = markets.codes.map((code) => recordAt(catalogue.markets, code).uuid);
      assert.deepEqual(
        silentMarkets,
        naiveSilent(dataset, dataset.markets, ({ market }) => market.uuid),
      );
      silentCount += products.newestRows.filter((row) => row !== undefined).length;
    }),
    { numRuns: runsOf(250, 400) },
  );
  assert.ok(silentCount > 3, `${silentCount} products with prices were silent`);
});

t.test("places are those of a plain count", async (t) => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      const prices = plainPrices(dataset);
      return store.catalogue.products.every(({ record }, code) => {
        const ofProduct = prices.filter(({ product }) => product.uuid === record.uuid);
        const { types, counties, markets } = placesOfProduct(store, code);
        const isSame =
          types.join() === marketTypes.filter((type) => ofProduct.some(({ market }) => market.type === type)).join() &&
          counties.length === new Set(ofProduct.map(({ county }) => county.id)).size &&
          markets.length === new Set(ofProduct.map(({ market }) => market.uuid)).size;
        const newest = counties.every((countyId) =>
          marketTypes.every((marketType) => {
            const there = ofProduct.filter(
              ({ county, market }) => county.id === countyId && market.type === marketType,
            );
            const day = there.length === 0 ? undefined : Math.max(...there.map((price) => price.day));
            return newestDayAt(store, code, { countyId, marketType }) === day;
          }),
        );
        return isSame && newest;
      });
    }),
    { numRuns: runsOf(60, 300) },
  );
  t.pass();
});

t.test("the months and counties of each year are those of a plain count", async (t) => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      const found = finish(yearsWithPrices(store)).map(({ marketType, product, year, outside, inCamps, counties }) => {
        const { uuid } = recordAt(store.catalogue.products, product);
        return [uuid, marketType, year, outside.size, inCamps.size, counties.size].join(" ");
      });
      const monthsOf = (prices: readonly PlainPrice[], isInCamps: boolean): number => {
        const some = prices.filter(({ market }) => (market.setting === "refugee_camp") === isInCamps);
        return new Set(some.map(({ day }) => dayText(day).slice(0, -"-31".length))).size;
      };
      const yearOf = ({ day }: PlainPrice): number => Number(dayText(day).slice(0, -"-12-31".length));
      const cells = Map.groupBy(plainPrices(dataset), (price) =>
        [price.product.uuid, price.market.type, yearOf(price)].join(" "),
      );
      const expected = [...cells].map(([key, prices]) =>
        [
          key,
          monthsOf(prices, false),
          monthsOf(prices, true),
          new Set(prices.map(({ county }) => county.id)).size,
        ].join(" "),
      );
      return found.sort().join("\n") === expected.sort().join("\n");
    }),
    { numRuns: runsOf(60, 300) },
  );
  t.pass();
});
