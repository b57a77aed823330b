/** The changes and the season of a product at a place, beside the twins; populations with a path of their own. */
import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Dataset } from "../../../../src/engine/model/dataset.ts";
import { marketTypes, type Population, populations } from "../../../../src/engine/model/vocabulary.ts";
import { findChanges } from "../../../../src/engine/query/measures/find-changes.ts";
import { findSeasonality } from "../../../../src/engine/query/measures/find-seasonality.ts";
import { isComputed, type NotComputable, type PriceChange } from "../../../../src/engine/query/measures/judge-month.ts";
import { buildStore } from "../../../../src/engine/store/build-store.ts";
import { recordAt } from "../../../../src/engine/store/catalogue.ts";
import { finish } from "../../../../src/engine/store/steps.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import { naiveComparable } from "../../../support/naive-comparable.ts";
import { changeOf, type MarketValues, monthlyMedians, naiveSeasonality } from "../../../support/naive-measures.ts";
import { agree, isInPopulation } from "../../../support/naive-queries.ts";
import { converter, suspiciousReasonsOf } from "../../../support/naive-suspicious.ts";
import { plainPrices } from "../../../support/plain-prices.ts";
import { randomDataset } from "../../../support/random-dataset.ts";
import { randomSeriesDataset } from "../../../support/random-series-dataset.ts";

/** The monthly values of a product at the markets of a type and population, by market. */
function naiveValues(dataset: Dataset, uuid: string, type: string, population: Population): MarketValues[] {
  const ofProduct = plainPrices(dataset).filter(({ product }) => product.uuid === uuid);
  const convert = converter(dataset, ofProduct);
  const suspicious = suspiciousReasonsOf(dataset);
  const counted = ofProduct.filter((price) => {
    const isThere = price.market.type === type && isInPopulation(price.market, population);
    return isThere && convert(price) !== undefined && !suspicious.has(price.uuid);
  });
  const byMarket = Map.groupBy(counted, ({ market }) => market);
  return [...byMarket].map(([market, prices]): MarketValues => [market, monthlyMedians(prices, convert)]);
}

function plain(change: PriceChange | NotComputable): [number | string, number | null] {
  if (!isComputed(change)) return [`${change.reason} ${change.found} of ${change.needed}`, null];
  return [change.changePercent, change.month];
}

const questionsOf = (datasets: fc.Arbitrary<Dataset>) =>
  fc.tuple(
    datasets,
    fc.nat(),
    fc.constantFrom(...marketTypes),
    fc.constantFrom(...populations),
    fc.integer({ min: 1, max: 3 }),
  );

const datasets = fc.oneof(randomDataset(), randomSeriesDataset());

t.test("values and changes of each month are those of the twin", async () => {
  fc.assert(
    fc.property(questionsOf(datasets), ([dataset, choice, marketType, refugeeCamps, marketsMin]) => {
      const store = buildStore(dataset);
      const product = choice % store.catalogue.products.length;
      const { uuid } = recordAt(store.catalogue.products, product);
      const wanted = naiveValues(dataset, uuid, marketType, refugeeCamps);
      const { markets, months } = finish(findChanges(store, { product, marketType, refugeeCamps, marketsMin }));
      const valuesOf = ({ market, months: own, values }: (typeof markets)[number]): [string, ...unknown[]] => {
        return [recordAt(store.catalogue.markets, market).uuid, ...[...own].map((month, at) => [month, values[at]])];
      };
      const twin = wanted.map(([{ uuid: market }, medians]): [string, ...unknown[]] => {
        return [market, ...[...medians].sort(([a], [b]) => a - b)];
      });
      const byUuid = ([a]: [string, ...unknown[]], [b]: [string, ...unknown[]]): number => (a < b ? -1 : 1);
      assert.deepEqual(markets.map(valuesOf).sort(byUuid).map(rounded), twin.sort(byUuid).map(rounded));
      const known = [...new Set(wanted.flatMap(([, medians]) => [...medians.keys()]))].sort((a, b) => a - b);
      assert.deepEqual(
        months.map(({ month }) => month),
        known,
      );
      for (const { month, markets: count, campMarkets, yearBefore, previous } of months) {
        const there = wanted.filter(([, medians]) => medians.has(month));
        assert.equal(count, there.length);
        assert.equal(campMarkets, there.filter(([{ setting }]) => setting === "refugee_camp").length);
        const sixBefore = [1, 2, 3, 4, 5, 6].map((distance) => month - distance);
        for (const [found, earlier] of [
          [yearBefore, [month - 12]],
          [previous, sixBefore],
        ] as const) {
          const [figure, of] = changeOf(wanted, month, earlier, marketsMin);
          const [own, before] = plain(found);
          if (typeof figure === "number") assert.ok(agree(own as number, figure, 1e6), `${own}, not ${figure}`);
          else assert.equal(own, figure);
          assert.equal(before, of === null ? null : Number(of.split(" ")[0]));
        }
      }
    }),
    { numRuns: runsOf(150) },
  );
});

/** Figures to ten digits: medians of two are added up in another order. */
function rounded(list: readonly unknown[]): string {
  return JSON.stringify(list, (_, value) => (typeof value === "number" ? Number(value.toPrecision(10)) : value));
}

t.test("the season of a county or the country is that of comparable prices, each ratio of one component", async () => {
  let computed = 0;
  fc.assert(
    fc.property(questionsOf(randomSeriesDataset()), ([dataset, choice, , refugeeCamps]) => {
      const marketType = "Wholesale";
      const store = buildStore(dataset);
      const product = (choice % store.catalogue.products.length) as never;
      const { uuid } = recordAt(store.catalogue.products, product);
      const values = naiveValues(dataset, uuid, marketType, refugeeCamps).flatMap(([market, medians]) =>
        [...medians].map(([month, value]) => ({ market: market.uuid, month, value })),
      );
      const { months } = naiveComparable(values);
      const components = Map.groupBy(months, ([, { component }]) => component).values();
      const series = [...components].map((own) => new Map(own.map(([month, { price }]) => [month, price])));
      const { indexes, months: range } = finish(findSeasonality(store, { product, marketType, refugeeCamps }));
      const wanted = naiveSeasonality(series);
      const known = [...months.keys()];
      assert.deepEqual(range, known.length === 0 ? undefined : { first: Math.min(...known), last: Math.max(...known) });
      if (!isComputed<object>(indexes)) {
        const { reason, found } = indexes as NotComputable;
        assert.deepEqual([reason, found], known.length === 0 ? ["NO_PRICE", 0] : ["TOO_FEW_YEARS", wanted]);
        return;
      }
      computed++;
      for (const [at, { index }] of (indexes as readonly { index: number }[]).entries()) {
        assert.ok(agree(index, (wanted as number[])[at] as number, 1e5), `${index}, not ${(wanted as number[])[at]}`);
      }
    }),
    { numRuns: runsOf(300) },
  );
  assert.ok(computed > runsOf(10), `${computed} seasons`);
});
