import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { findSilent } from "../../../src/engine/query/find-silent.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { recordAt } from "../../../src/engine/store/catalogue.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { naiveSilent } from "../../support/naive-series.ts";
import { randomDataset } from "../../support/random-dataset.ts";

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
