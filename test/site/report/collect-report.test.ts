import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { publicationReport } from "../../../src/publishing/publish/read-publication-report.ts";
import { collectCoverage, coverageMonthsMax, coverageProductsMax } from "../../../src/site/report/collect-coverage.ts";
import { collectFreshness } from "../../../src/site/report/collect-freshness.ts";
import { subjectKey } from "../../../src/site/report/collect-price-charts.ts";
import { collectReport } from "../../../src/site/report/collect-report.ts";
import { changeOnYear, shareOfUsual } from "../../../src/site/report/judgement-text.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { naiveSeries } from "../../support/naive-series.ts";
import { type PlainPrice, plainPrices } from "../../support/plain-prices.ts";
import { randomDataset } from "../../support/random-dataset.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const dayLength = 86_400_000;

function monthOf({ day }: PlainPrice): string {
  return new Date(day * dayLength).toISOString().slice(0, 7);
}

function seriesOf({ product, market, unit, currency }: PlainPrice): string {
  return [product.uuid, market.uuid, unit.name, currency].join(" ");
}

function countDistinct(prices: readonly PlainPrice[]): number {
  return new Set(prices.map(seriesOf)).size;
}

t.test("coverage equals the slow count, series by series and month by month", (t) => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const coverage = collectCoverage(buildStore(dataset));
      const prices = plainPrices(dataset);
      const newestDay = prices.reduce((newest, { day }) => Math.max(newest, day), -Infinity);
      const months = [...new Set(prices.map(monthOf))].sort();
      assert.equal(coverage.months.at(-1), months.at(-1));
      assert.ok(coverage.months.length <= coverageMonthsMax);
      assert.equal(coverage.earlierMonths, months.filter((month) => !coverage.months.includes(month)).length);
      assert.equal(coverage.products.length, new Set(prices.map(({ product }) => product.uuid)).size);
      for (const { uuid, prices: count, series, recentSeries, byMonth } of coverage.products) {
        const own = prices.filter(({ product }) => product.uuid === uuid);
        const recent = own.filter(({ day }) => newestDay - day <= 60);
        assert.deepEqual([count, series, recentSeries], [own.length, countDistinct(own), countDistinct(recent)]);
        const wanted = coverage.months.map((month) => countDistinct(own.filter((price) => monthOf(price) === month)));
        assert.deepEqual([...byMonth], wanted);
      }
      assert.equal(coverage.counties.length, dataset.counties.length);
      for (const { id, series, recentSeries, age } of coverage.counties) {
        const own = prices.filter(({ county }) => county.id === id);
        const recent = own.filter(({ day }) => newestDay - day <= 60);
        assert.deepEqual([series, recentSeries], [countDistinct(own), countDistinct(recent)]);
        assert.equal(age, own.length === 0 ? null : newestDay - Math.max(...own.map(({ day }) => day)));
      }
    }),
    { numRuns: runsOf(60) },
  );
  t.end();
});

t.test("freshness equals the slow count of markets by the age of their newest price", (t) => {
  fc.assert(
    fc.property(randomDataset(), (dataset) => {
      const { sources, marketAges, marketsWithoutPrices, silentMarkets } = collectFreshness(
        buildStore(dataset),
        undefined,
      );
      const ages = agesOfMarkets(dataset);
      const known = ages.filter((age) => age !== undefined);
      let above = -1;
      for (const { daysMax, markets } of marketAges) {
        assert.equal(markets, known.filter((age) => age > above && age <= daysMax).length);
        above = daysMax;
      }
      assert.equal(marketsWithoutPrices, ages.length - known.length);
      assert.deepEqual(
        silentMarkets.map(({ age }) => age).sort((a, b) => a - b),
        known.filter((age) => age > 60).sort((a, b) => a - b),
      );
      assert.equal(
        sources.reduce((sum, { prices }) => sum + prices, 0),
        dataset.prices.rowCount,
      );
    }),
    { numRuns: runsOf(60) },
  );
  t.end();
});

function agesOfMarkets(dataset: Dataset): (number | undefined)[] {
  const prices = plainPrices(dataset);
  const newest = Math.max(...prices.map(({ day }) => day));
  return dataset.markets.map(({ uuid }) => {
    const days = prices.filter(({ market }) => market.uuid === uuid).map(({ day }) => day);
    return days.length === 0 ? undefined : newest - Math.max(...days);
  });
}

t.test("a map of coverage is bounded: the newest months, the products with most series", (t) => {
  const products = Array.from({ length: coverageProductsMax + 3 }, (_, at) => ({ name: `Product ${100 + at}` }));
  const prices = products.flatMap((_, product) => [
    { product, recordedAt: "2026-01-15T06:00:00Z" },
    ...(product > 2 ? [{ product, market: 1, recordedAt: "1906-01-15T06:00:00Z" }] : []),
  ]);
  const coverage = collectCoverage(buildStore(tinyDataset({ products, prices })));
  t.equal(coverage.months.length, coverageMonthsMax);
  t.equal(coverage.months[0], "2006-02");
  t.equal(coverage.earlierMonths, 1);
  t.equal(coverage.products.length, coverageProductsMax);
  t.equal(coverage.products[0]?.name, "Product 103");
  t.equal(coverage.otherProducts, 3);
  t.end();
});

t.test(
  "charts show what moved between two snapshots first, then what looks suspicious, in the unit of the statistics",
  async (t) => {
    const products = [
      { name: "Maize", commonUnits: ["kg", "90 kg bag"] },
      { name: "Kale", commonUnits: ["kg"] },
      { name: "Beans", commonUnits: ["kg"] },
    ];
    const month = (number: number): string => `2025-${String(number).padStart(2, "0")}-15T06:00:00Z`;
    const history = Array.from({ length: 10 }, (_, at) => [
      { product: 0, price: 4500, unit: "90 kg bag", recordedAt: month(at + 1) },
      { product: 1, price: 40, recordedAt: month(at + 1) },
      { product: 2, price: 100, recordedAt: month(at + 1) },
    ]).flat();
    const before = buildStore(tinyDataset({ products, prices: history }));
    const added = [
      { product: 0, price: 45_000, unit: "90 kg bag", recordedAt: month(11) },
      { product: 1, price: 50, recordedAt: month(11) },
      { product: 2, price: 101, recordedAt: month(11) },
    ];
    const after = buildStore(tinyDataset({ products, prices: [...history, ...added] }));
    const { changes, charts, warnings, freshness } = await collectReport(publicationReport(after, before, ""));
    t.same(changes?.rows.prices, { added: 3, gone: 0, changed: 0 });
    t.match(charts, [
      {
        product: "Maize",
        unit: "kg",
        currency: "KES",
        move: { from: 4500, to: 45_000, unit: "90 kg bag" },
        suspicious: [{ price: 500, reason: "decimal_slip", recorded: { price: 45_000, uuid: uuidOf("price", 31) } }],
        isSuspiciousOnly: false,
      },
      { product: "Kale", move: { from: 40, to: 50 }, suspicious: [] },
    ]);
    t.equal(charts.length, 2);
    t.strictSame(
      charts[0]?.months.map(({ month, median, samples }) => [month, median, samples]),
      Array.from({ length: 10 }, (_, at) => [month(at + 1).slice(0, 7), 50, 1]),
    );
    t.equal(warnings.counts.get("decimal-slip"), 1);
    t.match(freshness.sources, [{ name: "WFP", prices: 33, pricesBefore: 30, age: 0 }]);

    const alone = await collectReport(publicationReport(after, undefined, "There is none before."));
    t.equal(alone.changes, undefined);
    t.equal(alone.uncompared, "There is none before.");
    t.match(alone.charts, [{ product: "Maize", isSuspiciousOnly: true, suspicious: [{ price: 500 }] }]);
  },
);

t.test(
  "without a snapshot to compare with, charts show what is furthest from usual, at the same markets",
  async (t) => {
    const history = [2022, 2023, 2024, 2025].flatMap((year) =>
      [0, 1, 2].flatMap((market) => [
        { product: 0, market, price: year === 2025 ? 50 : 40, recordedAt: `${year}-06-15T06:00:00Z` },
        { product: 1, market, price: year === 2025 ? 20 : 40, recordedAt: `${year}-06-15T06:00:00Z` },
      ]),
    );
    // Another market than those of the year before.
    const alone = { product: 2, market: 3, price: 500, recordedAt: "2025-06-15T06:00:00Z" };
    const before = { product: 2, market: 0, price: 100, recordedAt: "2024-06-15T06:00:00Z" };
    const store = buildStore(
      tinyDataset({
        products: ["Maize", "Kale", "Onions"].map((name) => ({ name })),
        markets: [0, 1, 2, 3].map(() => ({ type: "Retail" })),
        prices: [...history, alone, before],
      }),
    );
    const { charts, judged } = await collectReport(publicationReport(store, undefined, "There is none before."));
    t.match(charts, [
      { product: "Kale", judged: { yearBefore: { measure: { changePercent: -50, markets: 3 } } } },
      { product: "Maize", judged: { fiveYears: { measure: { percentOfUsual: 125, markets: 3 } } } },
    ]);
    t.equal(charts.length, 2);
    t.equal(judged.size, 3);
    t.equal(changeOnYear(judged.get(subjectKey(uuidOf("product", 2), "Retail"))), "−50 % (2025-06, at 3 same markets)");
    const ofOnions = judged.get(subjectKey(uuidOf("product", 3), "Retail"));
    t.equal(changeOnYear(ofOnions), "too few to judge (0 same markets, expected at least 3)");
    t.equal(shareOfUsual(undefined), "no price to judge");
  },
);

t.test("a suspicious price in another currency is listed, not drawn", async (t) => {
  const history = Array.from({ length: 12 }, (_, at) => ({
    price: 100,
    recordedAt: `2025-${String(at + 1).padStart(2, "0")}-15T06:00:00Z`,
  }));
  const dollars = history.slice(0, 6).map((price) => ({ ...price, price: 1, currency: "USD" }));
  const slip = { price: 1000, currency: "USD", recordedAt: "2025-12-20T06:00:00Z" };
  const { charts } = await collectReport(
    publicationReport(buildStore(tinyDataset({ prices: [...history, ...dollars, slip] })), undefined, ""),
  );
  t.match(charts, [
    { currency: "KES", suspicious: [{ price: undefined, recorded: { price: 1000, currency: "USD" } }] },
  ]);
});

t.test("a report is made of any data, also of none", async (t) => {
  await fc.assert(
    fc.asyncProperty(randomDataset(), randomDataset(), async (one, other) => {
      const report = await collectReport(publicationReport(buildStore(one), buildStore(other), ""));
      t.equal(report.counts.prices, one.prices.rowCount);
      t.equal(report.counts.series, naiveSeries(one, {}, "name").length);
    }),
    { numRuns: runsOf(30) },
  );
});
