import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { rowsOf } from "../../../src/engine/store/columns.ts";
import { buildNewestRows } from "../../../src/engine/store/newest-rows.ts";
import { buildRunIndex, findRun, type RunIndex, runsAt } from "../../../src/engine/store/runs.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { type PlainPrice, plainPrices } from "../../support/plain-prices.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { uuidsOfRows } from "./stored-prices.ts";

t.test("every product and market leads to its rows, in answer order", async () => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const { prices, catalogue } = buildStore(dataset);
      const runs = buildRunIndex(prices);
      for (const product of catalogue.products.keys()) {
        for (const market of catalogue.markets.keys()) {
          const wanted = Array.from({ length: prices.rowCount }, (_, row) => row).filter(
            (row) => prices.products[row] === product && prices.markets[row] === market,
          );
          assert.deepEqual(rowsOfRun(runs, findRun(runs, product, market)), wanted);
        }
      }
    }),
  );
});

t.test("the runs at a range of markets are those of each of them, in the order of the markets", async () => {
  const question = fc.tuple(randomDataset(), fc.nat(6), fc.nat(6));
  fc.assert(
    fc.property(question, ([dataset, from, length]) => {
      const { runs, catalogue } = buildStore(dataset);
      const codes = Array.from({ length }, (_, at) => from + at);
      for (const product of catalogue.products.keys()) {
        const wanted = codes.map((market) => findRun(runs, product, market)).filter((one) => one !== undefined);
        const found = runsAt(runs, product, { from, to: from + length });
        assert.deepEqual(
          Array.from({ length: found.to - found.from }, (_, at) => found.from + at),
          wanted,
        );
      }
    }),
  );
});

function rowsOfRun({ rowOffsets }: RunIndex, one: number | undefined): number[] {
  if (one === undefined) return [];
  const [from = 0, to = 0] = rowOffsets.subarray(one, one + 2);
  return Array.from({ length: to - from }, (_, at) => from + at);
}

t.test("each product has the newest price of every market and unit, newest first", async () => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const store = buildStore(dataset);
      const newest = buildNewestRows(store.prices, store.runs);
      const all = plainPrices(dataset);
      for (const [product, { record }] of store.catalogue.products.entries()) {
        const ofProduct = all.filter((price) => price.product.uuid === record.uuid);
        const wanted = Map.groupBy(ofProduct, ({ market, unit }) => `${market.uuid} ${unit.name}`)
          .values()
          .map((prices) => prices.sort(newestFirst)[0] as PlainPrice)
          .toArray()
          .sort(newestFirst);
        assert.deepEqual(uuidsOfRows(store, rowsOf(newest, product)), valuesOf(wanted, "uuid"));
      }
    }),
  );
});

function newestFirst(a: PlainPrice, b: PlainPrice): number {
  return b.recordedAt - a.recordedAt || (a.uuid < b.uuid ? -1 : 1);
}
