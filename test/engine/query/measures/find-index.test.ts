/** The index of random datasets, from the prices alone by the twin; test/interface has examples. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { median } from "simple-statistics";
import t from "tap";
import { indexRows } from "../../../../src/engine/export/index-table.ts";
import type { Dataset } from "../../../../src/engine/model/dataset.ts";
import { marketTypes, type Population, populations } from "../../../../src/engine/model/vocabulary.ts";
import { findIndex, type IndexMonth } from "../../../../src/engine/query/measures/find-index.ts";
import { areaLevels } from "../../../../src/engine/query/measures/subjects.ts";
import { buildStore } from "../../../../src/engine/store/build-store.ts";
import type { ProductCode } from "../../../../src/engine/store/catalogue.ts";
import { finish } from "../../../../src/engine/store/steps.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import { naiveComparable } from "../../../support/naive-comparable.ts";
import { monthlyMedians } from "../../../support/naive-measures.ts";
import { isInPopulation } from "../../../support/naive-queries.ts";
import { converter, monthOf, suspiciousReasonsOf } from "../../../support/naive-suspicious.ts";
import { plainPrices } from "../../../support/plain-prices.ts";
import { randomDataset } from "../../../support/random-dataset.ts";
import { randomSeriesDataset } from "../../../support/random-series-dataset.ts";
import { tinyDataset } from "../../../support/tiny-dataset.ts";

interface NaiveIndex {
  readonly months: readonly Omit<IndexMonth, "index">[];
  readonly marketCount: number;
  readonly residualDeviation: number | undefined;
}

/** @param county Undefined for the country. */
function naiveIndex(
  dataset: Dataset,
  uuid: string,
  type: string,
  county: number | undefined,
  population: Population | undefined,
): NaiveIndex {
  const ofProduct = plainPrices(dataset).filter(({ product }) => product.uuid === uuid);
  const convert = converter(dataset, ofProduct);
  const suspicious = suspiciousReasonsOf(dataset);
  const counted = ofProduct.filter(
    (price) =>
      price.market.type === type &&
      isInPopulation(price.market, population) &&
      (county === undefined || price.county.id === county) &&
      convert(price) !== undefined &&
      !suspicious.has(price.uuid),
  );
  const values = [...Map.groupBy(counted, (price) => price.market.uuid)].flatMap(([market, ofMarket]) =>
    [...monthlyMedians(ofMarket, convert)].map(([month, value]) => ({ market, month, value })),
  );
  const { months, markets, residualDeviation } = naiveComparable(values);
  const campsOf = (month: number): number => {
    const there = counted.filter((price) => monthOf(price) === month && price.market.setting === "refugee_camp");
    return new Set(there.map(({ market }) => market.uuid)).size;
  };
  return {
    months: [...months].map(([month, { price, markets: there, component }]) => {
      const ofMonth = counted.filter((one) => monthOf(one) === month).map((one) => convert(one) as number);
      return {
        ...{ month, comparablePrice: price, markets: there, component, campMarkets: campsOf(month) },
        median: median(ofMonth),
        sampleCount: ofMonth.length,
      };
    }),
    marketCount: markets,
    residualDeviation,
  };
}

function assertNear(found: number, wanted: number): void {
  assert.ok(Math.abs(found - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted)), `${found}, expected ${wanted}`);
}

for (const [name, datasets] of [
  ["random datasets", randomDataset()],
  ["series of months", randomSeriesDataset()],
] as const) {
  t.test(`the index of ${name} is that of the twin, and exports have the same`, async () => {
    fc.assert(
      fc.property(datasets, fc.nat(), fc.constantFrom(undefined, ...populations), (dataset, choice, refugeeCamps) => {
        const store = buildStore(dataset);
        const product = choice % dataset.products.length;
        const uuid = dataset.products[product]?.uuid as string;
        const code = store.catalogue.productCodes.get(uuid as never) as ProductCode;
        for (const level of areaLevels) {
          const exported = [
            ...(indexRows(store, { level, refugeeCamps, productUuids: [uuid as never] }) as Iterable<never[]>),
          ].flat();
          let entries = 0;
          const counties = level === "country" ? [undefined] : dataset.counties.map(({ id }) => id);
          for (const marketType of marketTypes) {
            for (const countyId of counties) {
              const work = findIndex(store, { product: code, marketType, countyId, refugeeCamps });
              assert.ok(!("problem" in work));
              const { months, marketCount, residualDeviationPercent, campsLeftOut } = finish(work);
              const wanted = naiveIndex(dataset, uuid, marketType, countyId, refugeeCamps);
              const ofCamps = naiveIndex(dataset, uuid, marketType, countyId, "only");
              assert.equal(campsLeftOut, refugeeCamps === "exclude" && ofCamps.months.length > 0 ? 1 : 0);
              assert.equal(marketCount, wanted.marketCount);
              assert.equal(residualDeviationPercent === null, wanted.residualDeviation === undefined);
              assertNear(residualDeviationPercent ?? 0, 100 * Math.expm1(wanted.residualDeviation ?? 0));
              assert.deepEqual(months.map(plain), wanted.months.map(plain));
              for (const [at, { comparablePrice, median: ofMonth }] of months.entries()) {
                assertNear(comparablePrice, wanted.months[at]?.comparablePrice as number);
                assertNear(ofMonth, wanted.months[at]?.median as number);
              }
              entries += months.length;
            }
          }
          assert.equal(exported.length, entries);
        }
      }),
      { numRuns: runsOf(60) },
    );
  });
}

function plain({ month, markets, campMarkets, component, sampleCount }: Omit<IndexMonth, "index">): object {
  return { month, markets, campMarkets, component, sampleCount };
}

t.test("a price that is 0 in the unit of the product is no value, and spoils no other", async (t) => {
  const store = buildStore(
    tinyDataset({
      prices: [
        { price: Number.MIN_VALUE, unit: "90 kg bag", recordedAt: "2024-01-15T09:00:00+03:00" },
        { market: 1, price: 50, recordedAt: "2024-01-15T09:00:00+03:00" },
        { market: 1, price: 60, recordedAt: "2024-02-15T09:00:00+03:00" },
      ],
    }),
  );
  const answers = [...store.catalogue.products.keys()].flatMap((product) =>
    marketTypes.map((marketType) => {
      const work = findIndex(store, { product: product as ProductCode, marketType });
      assert.ok(!("problem" in work));
      return finish(work);
    }),
  );
  const prices = answers.flatMap(({ months }) => months.map(({ comparablePrice }) => comparablePrice));
  t.strictSame(prices, [50, 60]);
});
