import assert from "node:assert/strict";
import fc from "fast-check";
import { median } from "simple-statistics";
import t from "tap";
import { indexRows } from "../../../../src/engine/export/index-table.ts";
import { type Instant, monthNumber } from "../../../../src/engine/model/calendar.ts";
import type { Dataset } from "../../../../src/engine/model/dataset.ts";
import { marketTypes, type Population, populations } from "../../../../src/engine/model/vocabulary.ts";
import { findIndex, type IndexMonth } from "../../../../src/engine/query/measures/find-index.ts";
import { changesByMonth, findJudged, type JudgedSubject } from "../../../../src/engine/query/measures/find-judged.ts";
import { findSeasonality, seasonalIndexes } from "../../../../src/engine/query/measures/find-seasonality.ts";
import { isComputed, type NotComputable } from "../../../../src/engine/query/measures/judge-month.ts";
import { anomalyLevels, areaLevels } from "../../../../src/engine/query/measures/subjects.ts";
import { buildStore } from "../../../../src/engine/store/build-store.ts";
import { type ProductCode, recordAt } from "../../../../src/engine/store/catalogue.ts";
import { finish } from "../../../../src/engine/store/steps.ts";
import type { Store } from "../../../../src/engine/store/store.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import { naiveComparable } from "../../../support/naive-comparable.ts";
import {
  changeOf,
  type MarketValues,
  monthlyMedians,
  type NaiveAnomaly,
  naiveJudged,
  naiveSeasonality,
} from "../../../support/naive-measures.ts";
import { agree, isInPopulation } from "../../../support/naive-queries.ts";
import { converter, monthOf, suspiciousReasonsOf } from "../../../support/naive-suspicious.ts";
import { plainPrices } from "../../../support/plain-prices.ts";
import { randomDataset } from "../../../support/random-dataset.ts";
import { randomMonths, randomSeriesDataset } from "../../../support/random-series-dataset.ts";
import { tinyDataset } from "../../../support/tiny-dataset.ts";

const names = ["yearBefore", "fiveYears", "alps"] as const;

interface NaiveJudged {
  readonly newest: NaiveAnomaly;
  readonly latest: Record<(typeof names)[number], NaiveAnomaly | undefined>;
}

/** Judges every month, and takes the newest, at most three before: of a change one of five markets, else of any. */
function judgedTwin(dataset: Dataset, level: (typeof anomalyLevels)[number]): NaiveJudged[] {
  const months = Array.from({ length: 100 }, (_, at) => monthNumber("2015-01") + 99 - at);
  const judgedWith = (marketsMin?: number): NaiveAnomaly[] =>
    months.flatMap((month) => naiveJudged(dataset, { level, month, marketsMin }));
  const [byDefault, byFive, byOne] = [judgedWith(), judgedWith(5), judgedWith(1)];
  return naiveJudged(dataset, { level }).map((newest) => {
    const isOwn = (entry: NaiveAnomaly): boolean => {
      const isSame =
        entry.market === newest.market && entry.county === newest.county && entry.marketType === newest.marketType;
      return isSame && entry.month >= newest.month - 3;
    };
    const latest = (name: (typeof names)[number]) => {
      const has = (entry: NaiveAnomaly): boolean => isOwn(entry) && typeof entry[name] === "number";
      const ofFew = level === "market" ? byDefault : byOne;
      if (name === "yearBefore") return (level === "market" ? byDefault : byFive).find(has) ?? ofFew.find(has);
      return byDefault.find(has);
    };
    return {
      newest,
      latest: { yearBefore: latest("yearBefore"), fiveYears: latest("fiveYears"), alps: latest("alps") },
    };
  });
}

function figuresOf({ yearBefore, fiveYears, alps }: JudgedSubject): Record<(typeof names)[number], number | undefined> {
  return {
    yearBefore: yearBefore?.measure.changePercent,
    fiveYears: fiveYears?.measure.percentOfUsual,
    alps: alps?.measure.value,
  };
}

function subjectOf({ catalogue }: Store, { newest }: JudgedSubject): unknown[] {
  const { market, countyId, marketType } = newest;
  const uuid = market === undefined ? null : recordAt(catalogue.markets, market).uuid;
  return [uuid, countyId ?? null, marketTypes[marketType]];
}

t.test("each measure is that of the newest month that has it, within three months of the newest price", async (t) => {
  const question = fc.tuple(randomSeriesDataset(), fc.constantFrom(...anomalyLevels));
  let earlier = 0;
  fc.assert(
    fc.property(question, ([dataset, level]) => {
      const store = buildStore(dataset);
      const judged = finish(findJudged(store, { level, measures: names }));
      const expected = judgedTwin(dataset, level);
      t.strictSame(
        judged.map((found) => [subjectOf(store, found), found.newest.month]),
        expected.map(({ newest: { market, county, marketType, month } }) => [[market, county, marketType], month]),
      );
      for (const [at, found] of judged.entries()) {
        for (const name of names) {
          const twin = expected[at]?.latest[name];
          if (found[name]?.month !== twin?.month) throw new Error(`${name}: ${found[name]?.month}, not ${twin?.month}`);
          const figure = figuresOf(found)[name];
          if (figure !== undefined && !agree(figure, twin?.[name] as number, 100))
            throw new Error(`${name}: ${figure}`);
          if (twin !== undefined && twin.month < found.newest.month) earlier++;
        }
      }
    }),
    { numRuns: runsOf(150, 300) },
  );
  t.ok(earlier > 3, `${earlier} of an earlier month`);
});

/** The changes and the season of a product at a place, beside the twins; populations with a path of their own. */
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

/** The values of a list of months that begin in January 2015. */
function monthValues(months: readonly (number | undefined)[]): Map<number, number> {
  return new Map(
    months.flatMap((value, at) => (value === undefined ? [] : [[2015 * 12 + at, value] as [number, number]])),
  );
}

t.test("the indexes are those of the twin", async () => {
  fc.assert(
    fc.property(randomMonths, (months) => {
      const found = seasonalIndexes([monthValues(months)]);
      const wanted = naiveSeasonality([monthValues(months)]);
      if (Array.isArray(found)) {
        assert.ok(Array.isArray(wanted));
        for (const [at, { index }] of found.entries()) assert.ok(agree(index, wanted[at] as number));
      } else if (found.reason === "TOO_FEW_YEARS") assert.equal(found.found, wanted);
      else assert.equal(monthValues(months).size, 0);
    }),
    { numRuns: runsOf(300) },
  );
});

t.test("a season without trend comes back as it was made", async (t) => {
  const season = [120, 110, 100, 90, 80, 70, 80, 90, 100, 110, 120, 130];
  const found = seasonalIndexes([monthValues(Array.from({ length: 60 }, (_, month) => season[month % 12]))]);
  assert.ok(Array.isArray(found));
  for (const [at, { month, index, years, min, max }] of found.entries()) {
    t.equal(month, at + 1);
    t.ok(agree(index, season[at] as number), `month ${month} is ${index}`);
    t.equal(years, 4);
    t.ok(agree(min, index) && agree(max, index));
  }
});

t.test("each calendar month needs three ratios", async (t) => {
  const constant = (months: number) => monthValues(Array.from({ length: months }, () => 10));
  t.match(seasonalIndexes([constant(47)]), { reason: "TOO_FEW_YEARS", found: 2, needed: 3 });
  t.ok(Array.isArray(seasonalIndexes([constant(48)])));
  t.match(seasonalIndexes([]), { reason: "NO_PRICE" });
});

/** The index of random datasets, from the prices alone by the twin; test/interface has examples. */
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
