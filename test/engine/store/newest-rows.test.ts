import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { rowsOf } from "../../../src/engine/store/columns.ts";
import { buildNewestRows } from "../../../src/engine/store/newest-rows.ts";
import { type PlainPrice, plainPrices } from "../../support/plain-prices.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";
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

t.test("the same unit at two markets, and two units at one, are three newest prices", async (t) => {
  const store = buildStore(
    tinyDataset({
      prices: [
        { market: 0, recordedAt: "2026-01-01T06:00:00Z" },
        { market: 0, unit: "g", recordedAt: "2026-01-02T06:00:00Z" },
        { market: 0, recordedAt: "2026-01-03T06:00:00Z" },
        { market: 1, recordedAt: "2020-01-01T06:00:00Z" },
      ],
    }),
  );
  const newest = buildNewestRows(store.prices, store.runs, store.rowsByProduct);
  const [kale, maize] = [0, 1].map((product) => uuidsOfRows(store, rowsOf(newest, product)));
  t.same(kale, []);
  t.same(
    maize,
    [3, 2, 4].map((number) => uuidOf("price", number)),
  );
});

t.test("without prices nothing is newest", async (t) => {
  const { prices, runs, rowsByProduct } = buildStore(tinyDataset());
  t.match(buildNewestRows(prices, runs, rowsByProduct), { offsets: new Uint32Array(3), rows: new Uint32Array() });
});

function newestFirst(a: PlainPrice, b: PlainPrice): number {
  return b.recordedAt - a.recordedAt || (a.uuid < b.uuid ? -1 : 1);
}
