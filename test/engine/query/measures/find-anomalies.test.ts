import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { monthNumber } from "../../../../src/engine/model/calendar.ts";
import type { Dataset } from "../../../../src/engine/model/dataset.ts";
import { marketTypes } from "../../../../src/engine/model/vocabulary.ts";
import {
  type Anomaly,
  type AnomalyAnswer,
  type AnomalyQuestion,
  anomalyLevels,
  anomalyOrders,
  findAnomalies,
} from "../../../../src/engine/query/measures/find-anomalies.ts";
import { alpsClasses, isComputed, type NotComputable } from "../../../../src/engine/query/measures/judge-month.ts";
import { buildStore } from "../../../../src/engine/store/build-store.ts";
import type { Store } from "../../../../src/engine/store/store.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import { type NaiveAnomaly, naiveAnomalies } from "../../../support/naive-measures.ts";
import { agree } from "../../../support/naive-queries.ts";
import { randomDataset } from "../../../support/random-dataset.ts";
import { randomSeriesDataset } from "../../../support/random-series-dataset.ts";
import { type TinyPrice, tinyDataset } from "../../../support/tiny-dataset.ts";

function answer(store: Store, question: AnomalyQuestion): AnomalyAnswer {
  const work = findAnomalies(store, question);
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/** An entry in the terms of the twin. */
function plain({ catalogue }: Store, entry: Anomaly): NaiveAnomaly {
  const { yearBefore, fiveYears, alps } = entry.measures;
  const figure = (computed: number | undefined, measure: object): number | string => computed ?? textOf(measure);
  return {
    product: catalogue.products[entry.product]?.record.uuid as NaiveAnomaly["product"],
    market: entry.market === undefined ? null : (catalogue.markets[entry.market]?.record.uuid ?? null),
    county: entry.countyId ?? null,
    marketType: marketTypes[entry.marketType] as string,
    month: entry.month,
    median: entry.median,
    sampleCount: entry.sampleCount,
    suspiciousLeftOut: entry.suspiciousLeftOut,
    yearBefore: figure(isComputed(yearBefore) ? yearBefore.changePercent : undefined, yearBefore),
    fiveYears: figure(isComputed(fiveYears) ? fiveYears.percentOfUsual : undefined, fiveYears),
    alps: figure(isComputed(alps) ? alps.value : undefined, alps),
  };
}

function textOf(measure: object): string {
  const { reason, found, needed } = measure as NotComputable;
  if (reason === "NO_VARIATION") return reason;
  return `${reason} ${reason === "TOO_MANY_GAPS" ? found.toFixed(6) : found} of ${needed}`;
}

function assertAgree(found: NaiveAnomaly, wanted: NaiveAnomaly): void {
  for (const [name, value] of Object.entries(wanted)) {
    const own = found[name as keyof NaiveAnomaly];
    if (typeof value !== "number" || name === "month") assert.equal(own, value, `${name} of ${JSON.stringify(wanted)}`);
    else assert.ok(agree(own as number, value, 1e6), `${name} is ${own}, expected ${value}`);
  }
}

function randomQuestion(dataset: Dataset): fc.Arbitrary<AnomalyQuestion> {
  const absent = fc.constant(undefined);
  return fc.record({
    level: fc.constantFrom(...anomalyLevels),
    order: fc.constant("name" as const),
    productUuids: fc.option(fc.subarray(dataset.products.map(({ uuid }) => uuid)), { nil: undefined }),
    countyId: fc.oneof(absent, fc.constantFrom(...dataset.counties.map(({ id }) => id))),
    marketType: fc.oneof(absent, fc.constantFrom(...marketTypes)),
    month: fc.oneof(absent, fc.integer({ min: 2015 * 12, max: 2026 * 12 })),
    classes: fc.option(fc.subarray([...alpsClasses], { minLength: 1 }), { nil: undefined }),
  });
}

for (const [name, datasets] of [
  ["random datasets", randomDataset()],
  ["series of months", randomSeriesDataset()],
] as const) {
  t.test(`the entries of ${name} are those of the twin`, async () => {
    fc.assert(
      fc.property(
        datasets.chain((dataset) =>
          fc.tuple(fc.constant(dataset), fc.array(randomQuestion(dataset), { minLength: 3 })),
        ),
        ([dataset, questions]) => {
          const store = buildStore(dataset);
          for (const given of questions) {
            const question = given.level === "country" ? { ...given, countyId: undefined } : given;
            const found = answer(store, question).entries.map((entry) => plain(store, entry));
            const wanted = naiveAnomalies(dataset, question);
            assert.equal(found.length, wanted.length);
            for (const [at, entry] of wanted.entries()) assertAgree(found[at] as NaiveAnomaly, entry);
          }
        },
      ),
      { numRuns: runsOf(60) },
    );
  });
}

/** Prices of each month, at markets by position. */
function monthlyPrices(count: number, priceOf: (month: number) => number, market = 0): Partial<TinyPrice>[] {
  return Array.from({ length: count }, (_, month) => ({
    market,
    price: priceOf(month),
    recordedAt: new Date(Date.UTC(2018, month, 15)).toISOString(),
  }));
}

const noise = (month: number): number => 100 + month + ((month * 37) % 11);

function only(dataset: Dataset, question: Partial<AnomalyQuestion> = {}): Anomaly {
  const { entries } = answer(buildStore(dataset), { level: "market", order: "name", ...question });
  assert.equal(entries.length, 1);
  return entries[0] as Anomaly;
}

t.test("a regression needs 36 months", async (t) => {
  t.match(only(tinyDataset({ prices: monthlyPrices(35, noise) })).measures.alps, {
    reason: "TOO_FEW_MONTHS",
    found: 35,
    needed: 36,
  });
  t.match(only(tinyDataset({ prices: monthlyPrices(36, noise) })).measures.alps, { months: 36 });
});

t.test("a regression needs a value in 70 % of the months", async (t) => {
  const withGap = (gap: number) => [
    ...monthlyPrices(35, noise),
    { price: 140, recordedAt: new Date(Date.UTC(2018, 35 + gap, 15)).toISOString() },
  ];
  t.match(only(tinyDataset({ prices: withGap(15) })).measures.alps, { months: 36 }, "36 of 51");
  t.match(only(tinyDataset({ prices: withGap(16) })).measures.alps, { reason: "TOO_MANY_GAPS", needed: 70 }, "of 52");
});

t.test("prices on a straight line have no variation", async (t) => {
  t.match(only(tinyDataset({ prices: monthlyPrices(48, () => 50) })).measures.alps, { reason: "NO_VARIATION" });
  t.match(only(tinyDataset({ prices: monthlyPrices(48, (month) => 50 + month) })).measures.alps, {
    reason: "NO_VARIATION",
  });
});

t.test("a price above its trend and season is a crisis", async (t) => {
  const { alps } = only(
    tinyDataset({ prices: monthlyPrices(60, (month) => (month === 59 ? 300 : noise(month))) }),
  ).measures;
  t.match(alps, { class: "crisis" });
});

t.test("the classes begin at 0.25, 1 and 2", async (t) => {
  const { alpsClassOf } = await import("../../../../src/engine/query/measures/judge-month.ts");
  t.strictSame([-3, 0.2499, 0.25, 0.999, 1, 1.999, 2].map(alpsClassOf), [
    ...["normal", "normal", "stress", "stress", "alert", "alert", "crisis"],
  ]);
});

t.test("a county is the median of at least three markets that have the measure", async (t) => {
  const markets = Array.from({ length: 4 }, () => ({ countyId: 1, type: "Retail" }) as const) as never;
  const at = (count: number): Anomaly =>
    only(
      tinyDataset({
        markets,
        // The last market has prices of the newest month alone.
        prices: [
          ...Array.from({ length: count }, (_, market) =>
            monthlyPrices(48, (month) => noise(month) * (1 + market * (month > 40 ? 1 : 0)), market),
          ).flat(),
          { market: 3, price: 300, recordedAt: new Date(Date.UTC(2018, 47, 16)).toISOString() },
        ],
      }),
      { level: "county" },
    );
  t.match(at(2).measures.yearBefore, { reason: "TOO_FEW_MARKETS", found: 2, needed: 3 });
  const three = at(3);
  t.match(three.measures.yearBefore, { markets: 3 });
  t.match(three.measures.alps, { markets: 3 });
  t.equal(three.sampleCount, 4, "all prices of the month count");
});

t.test("the orders put the highest first, and entries without the figure last", async () => {
  fc.assert(
    fc.property(randomSeriesDataset(), fc.constantFrom(...anomalyOrders), (dataset, order) => {
      const store = buildStore(dataset);
      const byName = answer(store, { level: "market", order: "name" }).entries;
      const figureOf = (entry: Anomaly): number => {
        if (order === "name") return 0;
        const { alps, fiveYears } = entry.measures;
        if (order === "alps") return isComputed(alps) ? alps.value : -Infinity;
        return isComputed(fiveYears) ? fiveYears.percentOfUsual : -Infinity;
      };
      const wanted = byName.toSorted((a, b) => (figureOf(a) === figureOf(b) ? 0 : figureOf(b) - figureOf(a)));
      assert.deepEqual(answer(store, { level: "market", order }).entries, wanted);
    }),
    { numRuns: runsOf(50) },
  );
});

t.test("entries are counted by class before a class is chosen", async (t) => {
  const store = buildStore(tinyDataset({ prices: monthlyPrices(60, noise) }));
  const { entries, classCounts } = answer(store, { level: "market", order: "name", classes: ["crisis"] });
  t.equal(entries.length, 0);
  t.equal(
    [...classCounts.values()].reduce((sum, count) => sum + count, 0),
    1,
  );
});

t.test("a month without a value, and one after the newest, leave the entry out", async (t) => {
  const store = buildStore(tinyDataset({ prices: monthlyPrices(3, noise) }));
  for (const [month, count] of [
    ["2017-12", 0],
    ["2018-02", 1],
    ["2018-04", 0],
  ] as const) {
    t.equal(answer(store, { level: "market", order: "name", month: monthNumber(month) }).entries.length, count, month);
  }
});

t.test("other requests can be let in after each market of an area", async (t) => {
  const markets = Array.from({ length: 4 }, () => ({ countyId: 1, type: "Retail" }) as const) as never;
  const prices = [0, 1, 2, 3].flatMap((market) => monthlyPrices(48, noise, market));
  const store = buildStore(tinyDataset({ markets, prices }));
  const productUuids = [...store.catalogue.productCodes.keys()];
  const pricesOfRun = 48;
  for (const level of anomalyLevels) {
    const steps = [...findAnomalies(store, { productUuids, level, order: "name" })];
    t.ok(steps.length >= 4, `${level}: ${steps.length} steps`);
    // The weight of a market, or of the entries of the last step.
    t.ok(Math.max(...steps) < 2 * 4 * pricesOfRun, `${level}: ${steps}`);
  }
});
