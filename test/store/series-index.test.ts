import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { buildStore } from "../../src/store/build-store.ts";
import { buildSeriesIndex, findSeries, type SeriesIndex, seriesAt } from "../../src/store/series-index.ts";
import { randomDataset } from "../support/random-dataset.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

t.test("every product and market leads to its rows, in answer order", async () => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const { prices, catalogue } = buildStore(dataset);
      const series = buildSeriesIndex(prices, catalogue.markets.length);
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

t.test("the series at some markets are those of each of them, in the order of the markets", async () => {
  const question = randomDataset().chain((dataset) =>
    fc.tuple(fc.constant(dataset), fc.shuffledSubarray([...dataset.markets.keys()])),
  );
  fc.assert(
    fc.property(question, ([dataset, markets]) => {
      const { series, catalogue } = buildStore(dataset);
      const codes = Uint32Array.from(markets).sort();
      for (const product of catalogue.products.keys()) {
        const wanted = Array.from(codes, (market) => findSeries(series, product, market));
        assert.deepEqual(
          seriesAt(series, product, codes),
          wanted.filter((one) => one !== undefined),
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
  const series = buildSeriesIndex(prices, catalogue.markets.length);
  t.same(names(series.markets), ["Gikomba", "Kongowea", "Wakulima"], "Kale, then Maize");
  t.same([...series.seriesOffsets], [0, 1, 3]);
  t.same([...series.rowOffsets], [0, 1, 3, 4]);
});

t.test("products without prices have no series, wherever they stand", async (t) => {
  const products = ["A", "B", "C", "D"].map((name) => ({ name }));
  const dataset = tinyDataset({ products, prices: [{ product: 1 }, { product: 3, market: 2 }] });
  const { prices, catalogue } = buildStore(dataset);
  const series = buildSeriesIndex(prices, catalogue.markets.length);
  t.same([...series.seriesOffsets], [0, 0, 1, 1, 2]);
  for (const market of catalogue.markets.keys()) {
    t.equal(findSeries(series, 0, market), undefined);
    t.equal(findSeries(series, 2, market), undefined);
  }
});

t.test("a dataset without prices has no series", async (t) => {
  const { prices, catalogue } = buildStore(tinyDataset());
  const series = buildSeriesIndex(prices, catalogue.markets.length);
  t.same([series.markets.length, series.rows.length, [...series.rowOffsets]], [0, 0, [0]]);
  t.equal(findSeries(series, 0, 0), undefined);
});

function rowsOfSeries({ rowOffsets, rows }: SeriesIndex, one: number | undefined): number[] {
  return one === undefined ? [] : [...rows.subarray(rowOffsets[one], rowOffsets[one + 1])];
}
