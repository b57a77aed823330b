/** The changes and the season of a product at a place, beside the twins; populations with a path of their own. */
import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import type { Instant } from "../../../../src/engine/model/calendar.ts";
import type { Dataset } from "../../../../src/engine/model/dataset.ts";
import { marketTypes, type Population, populations } from "../../../../src/engine/model/vocabulary.ts";
import { changesByMonth } from "../../../../src/engine/query/measures/find-judged.ts";
import { findSeasonality } from "../../../../src/engine/query/measures/find-seasonality.ts";
import { isComputed, type NotComputable } from "../../../../src/engine/query/measures/judge-month.ts";
import { buildStore } from "../../../../src/engine/store/build-store.ts";
import { type ProductCode, recordAt } from "../../../../src/engine/store/catalogue.ts";
import { finish } from "../../../../src/engine/store/steps.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import { naiveComparable } from "../../../support/naive-comparable.ts";
import { changeOf, type MarketValues, monthlyMedians, naiveSeasonality } from "../../../support/naive-measures.ts";
import { agree, isInPopulation } from "../../../support/naive-queries.ts";
import { converter, suspiciousReasonsOf } from "../../../support/naive-suspicious.ts";
import { plainPrices } from "../../../support/plain-prices.ts";
import { randomDataset } from "../../../support/random-dataset.ts";
import { randomSeriesDataset } from "../../../support/random-series-dataset.ts";
import { tinyDataset } from "../../../support/tiny-dataset.ts";

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

const questionsOf = (datasets: fc.Arbitrary<Dataset>) =>
  fc.tuple(
    datasets,
    fc.nat(),
    fc.constantFrom(...marketTypes),
    fc.constantFrom(...populations),
    fc.integer({ min: 1, max: 3 }),
  );

const datasets = fc.oneof(randomDataset(), randomSeriesDataset());

/** A product at twelve markets, half of them in camps, in half a year and that of the next year. */
const twelveMarkets = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 144, maxLength: 144 }).map((draws) =>
  tinyDataset({
    products: [{}],
    markets: Array.from({ length: 12 }, (_, at) => {
      return { type: "Wholesale", setting: at % 2 === 0 ? null : "refugee_camp" } as const;
    }),
    prices: draws.flatMap((draw, at) => {
      const [market, month] = [at % 12, Math.floor(at / 12) + (at < 72 ? 0 : 6)];
      const recordedAt = Date.UTC(2024, month, 15) as Instant;
      return draw < 3 ? [] : [{ product: 0, market, recordedAt, price: 40 + draw }];
    }),
  }),
);

t.test("the changes of each month at five markets or more are those of the twin", async () => {
  let computed = 0;
  fc.assert(
    fc.property(questionsOf(fc.oneof(datasets, twelveMarkets)), ([dataset, choice, marketType, refugeeCamps]) => {
      const store = buildStore(dataset);
      const product = (choice % store.catalogue.products.length) as ProductCode;
      const { uuid } = recordAt(store.catalogue.products, product);
      const values = naiveValues(dataset, uuid, marketType, refugeeCamps);
      const found = finish(changesByMonth(store, product, { marketType, refugeeCamps }));
      const known = [...new Set(values.flatMap(([, medians]) => [...medians.keys()]))].sort((a, b) => a - b);
      const wanted = known
        .map((month) => [month, ...changeOf(values, month, [month - 12], 5)] as const)
        .filter(([, figure]) => typeof figure === "number");
      assert.deepEqual(
        found.map(({ month, measure }) => `${month} ${measure.month} ${measure.matched.count}`),
        wanted.map(([month, , of]) => [month, of?.split(" ")[0], of?.split(" ")[3]].join(" ")),
      );
      for (const [at, { measure }] of found.entries()) {
        assert.ok(agree(measure.changePercent, wanted[at]?.[1] as number, 1e6), `${measure.changePercent}`);
      }
      computed += found.length;
    }),
    { numRuns: runsOf(150) },
  );
  assert.ok(computed > runsOf(10), `${computed} changes`);
});

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
