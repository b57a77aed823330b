import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { rowsOf } from "../../../src/engine/store/columns.ts";
import { buildNewestRows } from "../../../src/engine/store/newest-rows.ts";
import { type PlainPrice, plainPrices } from "../../support/plain-prices.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { uuidsOfRows } from "./stored-prices.ts";

t.test("each product has the newest price of every market and unit, newest first", async () => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      const newest = buildNewestRows(store.prices, store.runs, store.rowsByProduct);
      const all = plainPrices(dataset);
      for (const [product, { record }] of store.catalogue.products.entries()) {
        const ofProduct = all.filter((price) => price.product.uuid === record.uuid);
        const wanted = Map.groupBy(ofProduct, ({ market, unit }) => `${market.uuid} ${unit.name}`)
          .values()
          .map((prices) => prices.sort(newestFirst)[0] as PlainPrice)
          .toArray()
          .sort(newestFirst);
        assert.deepEqual(
          uuidsOfRows(store, rowsOf(newest, product)),
          wanted.map(({ uuid }) => uuid),
        );
      }
    }),
  );
});

function newestFirst(a: PlainPrice, b: PlainPrice): number {
  return b.recordedAt - a.recordedAt || (a.uuid < b.uuid ? -1 : 1);
}
