import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { buildStore } from "../../src/store/build-store.ts";
import { buildSeriesIndex, findSeries, type SeriesIndex, seriesAt } from "../../src/store/series.ts";
import { randomDataset } from "../support/random-dataset.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

t.test("every product and market leads to its rows, in answer order", async () => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const { prices, catalogue } = buildStore(dataset);
      const series = buildSeriesIndex(prices);
      for (const product of catalogue.products.keys()) {
        for (const market of catalogue.markets.keys()) {
          const wanted = Array.from({ length: prices.rowCount }, (_, row) => row).filter(
            (row) => prices.products[row] === product && prices.markets[row] === market,
          );
          assert.deepEqual(rowsOfSeries(series, findSeries(series, product, market)), wanted);
        }
      }
    }),
  );
});

t.test("the series at a range of markets are those of each of them, in the order of the markets", async () => {
  const question = fc.tuple(randomDataset(), fc.nat(6), fc.nat(6));
  fc.assert(
    fc.property(question, ([dataset, from, length]) => {
      const { series, catalogue } = buildStore(dataset);
      const codes = Array.from({ length }, (_, at) => from + at);
      for (const product of catalogue.products.keys()) {
        const wanted = codes.map((market) => findSeries(series, product, market)).filter((one) => one !== undefined);
        const found = seriesAt(series, product, { from, to: from + length });
        assert.deepEqual(
          Array.from({ length: found.to - found.from }, (_, at) => found.from + at),
          wanted,
        );
      }
    }),
  );
});

t.test("only series that have prices are listed, each product's by market", async (t) => {
  const { prices, catalogue } = buildStore(
    tinyDataset({
      prices: [{ market: 2 }, { market: 0 }, { market: 2 }, { product: 1, market: 1 }],
    }),
  );
  const names = (codes: Iterable<number>) => Array.from(codes, (code) => catalogue.markets[code]?.record.name);
  const series = buildSeriesIndex(prices);
  t.same(names(series.markets), ["Gikomba", "Kongowea", "Wakulima"], "Kale, then Maize in Mombasa and Nairobi");
  t.same([...series.seriesOffsets], [0, 1, 3]);
  t.same([...series.rowOffsets], [0, 1, 3, 4]);
});

t.test("products without prices have no series, wherever they stand", async (t) => {
  const products = ["A", "B", "C", "D"].map((name) => ({ name }));
  const dataset = tinyDataset({ products, prices: [{ product: 1 }, { product: 3, market: 2 }] });
  const { prices, catalogue } = buildStore(dataset);
  const series = buildSeriesIndex(prices);
  t.same([...series.seriesOffsets], [0, 0, 1, 1, 2]);
  for (const market of catalogue.markets.keys()) {
    t.equal(findSeries(series, 0, market), undefined);
    t.equal(findSeries(series, 2, market), undefined);
  }
});

t.test("a dataset without prices has no series", async (t) => {
  const { prices } = buildStore(tinyDataset());
  const series = buildSeriesIndex(prices);
  t.same([series.markets.length, [...series.rowOffsets]], [0, [0]]);
  t.equal(findSeries(series, 0, 0), undefined);
});

function rowsOfSeries({ rowOffsets }: SeriesIndex, one: number | undefined): number[] {
  if (one === undefined) return [];
  const [from = 0, to = 0] = rowOffsets.subarray(one, one + 2);
  return Array.from({ length: to - from }, (_, at) => from + at);
}
