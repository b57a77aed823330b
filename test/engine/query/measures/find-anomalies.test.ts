import assert from "node:assert/strict";
import fc from "fast-check";
import { median } from "simple-statistics";
import t from "tap";
import { dayFromText, monthNumber } from "../../../../src/engine/model/calendar.ts";
import type { Dataset } from "../../../../src/engine/model/dataset.ts";
import { marketTypes, populations } from "../../../../src/engine/model/vocabulary.ts";
import {
  type AnomalyAnswer,
  type AnomalyQuestion,
  anomalyOrders,
  directions,
  findAnomalies,
} from "../../../../src/engine/query/measures/find-anomalies.ts";
import {
  alpsClasses,
  isComputed,
  type NotComputable,
  type PriceChange,
} from "../../../../src/engine/query/measures/judge-month.ts";
import type { Anomaly } from "../../../../src/engine/query/measures/read-subject.ts";
import { anomalyLevels } from "../../../../src/engine/query/measures/subjects.ts";
import { buildStore } from "../../../../src/engine/store/build-store.ts";
import { roundSigned } from "../../../../src/engine/store/figures.ts";
import type { Store } from "../../../../src/engine/store/store.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import { type NaiveAnomaly, naiveAnomalies, naiveJudged } from "../../../support/naive-measures.ts";
import { agree } from "../../../support/naive-queries.ts";
import { randomDataset } from "../../../support/random-dataset.ts";
import { randomSeriesDataset } from "../../../support/random-series-dataset.ts";
import { pricesAt, type TinyPrice, tinyDataset } from "../../../support/tiny-dataset.ts";

function answer(store: Store, question: AnomalyQuestion): AnomalyAnswer {
  const work = findAnomalies(store, question);
  let step = work.next();
  while (step.done !== true) step = work.next();
  return step.value;
}

/** An entry in the terms of the twin. */
function plain({ catalogue }: Store, entry: Anomaly): NaiveAnomaly {
  const { yearBefore, previous, fiveYears, alps } = entry.measures;
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
    comparablePrice: entry.area?.comparablePrice ?? null,
    markets: entry.area?.markets ?? null,
    component: entry.area?.component ?? null,
    campMarkets: entry.area?.campMarkets ?? null,
    yearBefore: figure(isComputed(yearBefore) ? yearBefore.changePercent : undefined, yearBefore),
    yearBeforeOf: changeText(catalogue, yearBefore),
    previous: figure(isComputed(previous) ? previous.changePercent : undefined, previous),
    previousOf: changeText(catalogue, previous),
    fiveYears: figure(isComputed(fiveYears) ? fiveYears.percentOfUsual : undefined, fiveYears),
    alps: figure(isComputed(alps) ? alps.value : undefined, alps),
  };
}

/** A change as the twin has it: its month, least, greatest and matched markets, and the named ones. */
function changeText({ markets }: Store["catalogue"], change: PriceChange | NotComputable): string | null {
  if (!isComputed(change)) return null;
  if (change.matched === undefined) return String(change.month);
  const { count, changePercentMin, changePercentMax, changes } = change.matched;
  const named = changes.map(({ market, changePercent }) => {
    return `${markets[market]?.record.uuid}:${changePercent.toFixed(6)}`;
  });
  return [change.month, changePercentMin.toFixed(6), changePercentMax.toFixed(6), count, ...named.sort()].join(" ");
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
    recordedSince: fc.oneof(absent, absent, fc.constant(dayFromText("2010-01-01"))),
    marketsMin: fc.oneof(absent, fc.integer({ min: 1, max: 4 })),
    refugeeCamps: fc.constantFrom(undefined, ...populations),
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
          for (const drawn of questions) {
            const question = {
              ...drawn,
              countyId: drawn.level === "country" ? undefined : drawn.countyId,
              marketsMin: drawn.level === "market" ? undefined : drawn.marketsMin,
            };
            const { entries, staleLeftOut, campsLeftOut, months } = answer(store, question);
            const found = entries.map((entry) => plain(store, entry));
            const wanted = naiveAnomalies(dataset, question);
            const ofCamps = { ...question, classes: undefined, refugeeCamps: "only" } as const;
            const isLeftOut = question.refugeeCamps === "exclude";
            assert.equal(campsLeftOut, isLeftOut ? naiveAnomalies(dataset, ofCamps).length : 0);
            if (question.classes === undefined) {
              assert.equal(staleLeftOut, naiveJudged(dataset, question).length - wanted.length);
              const judged = wanted.map(({ month }) => month);
              assert.equal(months?.oldest, judged.length === 0 ? undefined : Math.min(...judged));
              assert.equal(months?.newest, judged.length === 0 ? undefined : Math.max(...judged));
            }
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

t.test("a regression needs 36 months, a value in 70 % of them, and variation", async (t) => {
  const withGap = (gap: number) => [
    ...monthlyPrices(35, noise),
    { price: 140, recordedAt: new Date(Date.UTC(2018, 35 + gap, 15)).toISOString() },
  ];
  const rows: readonly (readonly [claim: string, prices: readonly Partial<TinyPrice>[], alps: object])[] = [
    ["35 months", monthlyPrices(35, noise), { reason: "TOO_FEW_MONTHS", found: 35, needed: 36 }],
    ["36 months", monthlyPrices(36, noise), { months: 36 }],
    ["36 of 51 months", withGap(15), { months: 36 }],
    ["36 of 52 months", withGap(16), { reason: "TOO_MANY_GAPS", needed: 70 }],
    ["one price", monthlyPrices(48, () => 50), { reason: "NO_VARIATION" }],
    ["a straight line", monthlyPrices(48, (month) => 50 + month), { reason: "NO_VARIATION" }],
    ["far above trend", monthlyPrices(60, (month) => (month === 59 ? 300 : noise(month))), { class: "crisis" }],
  ];
  for (const [claim, prices, alps] of rows) t.match(only(tinyDataset({ prices })).measures.alps, alps, claim);
});

t.test("the classes begin at 0.25, 1 and 2", async (t) => {
  const { alpsClassOf } = await import("../../../../src/engine/query/measures/judge-month.ts");
  t.strictSame([-3, 0.2499, 0.25, 0.999, 1, 1.999, 2].map(alpsClassOf), [
    ...["normal", "normal", "stress", "stress", "alert", "alert", "crisis"],
  ]);
});

/** Four wholesale markets of a county. */
const fourMarkets = Array.from({ length: 4 }, () => ({ countyId: 1, type: "Wholesale" }) as const) as never;

function area(prices: readonly Partial<TinyPrice>[], question: Partial<AnomalyQuestion> = {}): Anomaly {
  return only(tinyDataset({ markets: fourMarkets, prices }), { level: "county", ...question });
}

t.test("a dear market that comes does not raise the change of a county", async (t) => {
  const steady = { "2024-01": 50, "2025-01": 60 };
  const entry = area(pricesAt(steady, steady, { "2025-01": 900 }));
  t.equal(entry.median, 60);
  t.equal(entry.area?.markets, 3);
  t.match(entry.measures.yearBefore, { matched: { count: 2 } });
  t.ok(isComputed(entry.measures.yearBefore) && agree(entry.measures.yearBefore.changePercent, 20));
});

t.test("the least and the greatest change are those of all markets, however many there are", async (t) => {
  for (const count of [2, 19, 20, 41, 127]) {
    // Multiplying by 37 mixes the order; 64ths are exact.
    const changes = Array.from({ length: count }, (_, at) => (100 * ((37 * at) % count)) / 64);
    const prices = pricesAt(...changes.map((change) => ({ "2024-01": 64, "2025-01": 64 + (change * 64) / 100 })));
    const markets = changes.map(() => ({}));
    const { yearBefore } = only(tinyDataset({ markets, prices }), { level: "county" }).measures;
    t.match(yearBefore, {
      changePercent: median(changes),
      matched: { count, changePercentMin: 0, changePercentMax: Math.max(...changes) },
    });
  }
});

t.test("a county of one market is judged as the market is", async (t) => {
  const dataset = tinyDataset({ prices: monthlyPrices(60, noise) });
  const ofMarket = only(dataset);
  const ofCounty = only(dataset, { level: "county" });
  t.equal(ofCounty.area?.comparablePrice, ofMarket.median);
  const { yearBefore, previous, fiveYears, alps } = ofMarket.measures;
  const alone = (change: PriceChange | NotComputable): object => {
    const { month, changePercent } = change as PriceChange;
    const changes = [{ market: ofMarket.market, changePercent }];
    const matched = { count: 1, changePercentMin: changePercent, changePercentMax: changePercent, changes };
    return { month, changePercent, matched };
  };
  t.strictSame(ofCounty.measures, {
    yearBefore: alone(yearBefore),
    previous: alone(previous),
    fiveYears: { ...fiveYears, markets: 1 },
    alps: { ...alps, markets: 1 },
  });
});

t.test("an entry with too few markets stays in the list and says so of each measure", async (t) => {
  const { measures } = area(pricesAt({ "2024-01": 50, "2025-01": 60 }), { marketsMin: 2 });
  for (const measure of Object.values(measures)) t.match(measure, { reason: "TOO_FEW_MARKETS", found: 1, needed: 2 });
});

t.test("the change on a year before says the first reason that holds", async (t) => {
  const reasonOf = (markets: readonly Readonly<Record<string, number>>[], marketsMin = 2): unknown =>
    area(pricesAt(...markets), { marketsMin }).measures.yearBefore;
  const now = { "2025-01": 60 };
  const tooFew = (found: number) => ({ reason: "TOO_FEW_MATCHED_MARKETS", found, needed: 2 });
  t.match(reasonOf([{ ...now, "2024-01": 50 }]), { reason: "TOO_FEW_MARKETS", found: 1, needed: 2 });
  t.match(reasonOf([now, now, { "2024-02": 50 }]), { reason: "NO_PRICE", found: 0, needed: 1 });
  t.match(reasonOf([now, now, { "2024-01": 50 }]), tooFew(0), "in another component");
  t.match(
    reasonOf([{ ...now, "2024-06": 50 }, now, { "2024-01": 50, "2024-06": 50 }]),
    tooFew(0),
    "in the same component",
  );
  const both = { "2024-01": 50, "2025-01": 60 };
  t.match(reasonOf([both, now]), tooFew(1));
  t.match(reasonOf([both, now], 1), { matched: { count: 1 } });
  t.match(reasonOf([both, both]), { matched: { count: 2 } });
});

t.test("previous is the newest of six months that enough of the judged markets have", async (t) => {
  const previousOf = (markets: readonly Readonly<Record<string, number>>[], marketsMin = 2): unknown =>
    area(pricesAt(...markets), { marketsMin, month: monthNumber("2025-07") }).measures.previous;
  const now = { "2025-07": 60 };
  const old = { ...now, "2024-12": 50 };
  t.match(previousOf([old, old]), { reason: "NO_PRICE", found: 0, needed: 1 }, "seven months before");
  const since = (month: string) => ({ ...now, [month]: 50 });
  t.match(previousOf([since("2025-01"), since("2025-01")]), { month: monthNumber("2025-01"), matched: { count: 2 } });
  t.match(previousOf([since("2025-06"), since("2025-03"), since("2025-03")]), { month: monthNumber("2025-03") });
  t.match(previousOf([since("2025-06"), since("2025-03"), since("2025-03")], 1), { month: monthNumber("2025-06") });
  t.match(
    previousOf([since("2025-06"), now, { "2025-05": 50 }]),
    { reason: "TOO_FEW_MATCHED_MARKETS", found: 1, needed: 2 },
    "a market that is not in the judged month does not count",
  );
});

t.test("the median of an even number of changes is the mean of the middle two", async (t) => {
  const at = (then: number, now: number) => ({ "2024-01": then, "2025-01": now });
  const { yearBefore } = area(pricesAt(at(100, 110), at(100, 120), at(100, 130), at(100, 280))).measures;
  t.match(yearBefore, { matched: { count: 4 } });
  t.ok(isComputed(yearBefore) && agree(yearBefore.changePercent, 25));
});

t.test("years and months of other components do not count", async (t) => {
  const early = { "2021-01": 1000, "2022-01": 1000, "2023-01": 1000 };
  const late = { "2024-01": 50, "2025-01": 60 };
  const entry = area(pricesAt(early, late));
  t.equal(entry.area?.component, 2);
  t.match(entry.measures.fiveYears, { reason: "TOO_FEW_YEARS", found: 1, needed: 3 });
  t.match(entry.measures.alps, { reason: "TOO_FEW_MONTHS", found: 2, needed: 36 });
});

t.test("the country needs three markets where the question does not say, a county one", async (t) => {
  const both = { "2024-01": 50, "2025-01": 60 };
  const two = pricesAt(both, both);
  t.match(area(two, { level: "country" }).measures.yearBefore, { reason: "TOO_FEW_MARKETS", found: 2, needed: 3 });
  t.match(area(two, { level: "country", marketsMin: 2 }).measures.yearBefore, { matched: { count: 2 } });
  t.match(area(two).measures.yearBefore, { matched: { count: 2 } });
});

t.test("without a month the list is of now: six months before the newest of the data", async (t) => {
  const store = buildStore(
    tinyDataset({
      products: [{}, {}],
      markets: fourMarkets,
      prices: [
        ...pricesAt({ "2025-09": 50 }, { "2025-10": 50 }),
        // Another product has the newest month.
        { product: 1, market: 2, recordedAt: "2026-04-15T09:00:00+03:00" },
      ],
    }),
  );
  const [first] = [...store.catalogue.productCodes.keys()];
  const productUuids = [first as NonNullable<typeof first>];
  for (const level of anomalyLevels) {
    const { entries, staleLeftOut, months } = answer(store, { level, order: "name", productUuids });
    const isMarket = level === "market";
    t.strictSame([entries.length, staleLeftOut], [1, isMarket ? 1 : 0], level);
    t.strictSame(months, { oldest: monthNumber("2025-10"), newest: monthNumber("2025-10") });
    const since = answer(store, { level, order: "name", productUuids, recordedSince: dayFromText("2025-09-01") });
    t.strictSame([since.entries.length, since.staleLeftOut], [isMarket ? 2 : 1, 0], "recorded since");
    const of = answer(store, { level, order: "name", productUuids, month: monthNumber("2025-09") });
    t.strictSame([of.entries.length, of.staleLeftOut], [1, 0], "of a month");
  }
});

t.test("a suspicious price or one in another currency is no newest month of the data", async (t) => {
  const store = buildStore(
    tinyDataset({
      prices: [...monthlyPrices(12, () => 50), { price: 60, currency: "USD", recordedAt: "2019-12-15T09:00:00+03:00" }],
    }),
  );
  const { entries, staleLeftOut } = answer(store, { level: "market", order: "name" });
  t.strictSame([entries.length, staleLeftOut], [1, 0]);
});

t.test("the orders go both ways, and entries without the figure stand last in both", async () => {
  const orders = fc.tuple(fc.constantFrom(...anomalyOrders), fc.constantFrom(undefined, ...directions));
  fc.assert(
    fc.property(randomSeriesDataset(), orders, (dataset, [order, direction]) => {
      const store = buildStore(dataset);
      const byName = answer(store, { level: "market", order: "name" }).entries;
      const figureOf = ({ measures: { alps, fiveYears, yearBefore, previous } }: Anomaly): number | undefined => {
        if (order === "alps") return isComputed(alps) ? roundSigned(alps.value) : undefined;
        if (order === "previous") return isComputed(previous) ? roundSigned(previous.changePercent) : undefined;
        if (order === "year_before") return isComputed(yearBefore) ? roundSigned(yearBefore.changePercent) : undefined;
        return isComputed(fiveYears) ? roundSigned(fiveYears.percentOfUsual) : undefined;
      };
      const compare = (a: Anomaly, b: Anomaly): number => {
        const [first, second] = [figureOf(a), figureOf(b)];
        if (first === undefined || second === undefined)
          return Number(first === undefined) - Number(second === undefined);
        return direction === "asc" ? first - second : second - first;
      };
      const byOrder = direction === "desc" ? byName.toReversed() : byName;
      const wanted = order === "name" ? byOrder : byName.toSorted(compare);
      assert.deepEqual(answer(store, { level: "market", order, direction }).entries, wanted);
    }),
    { numRuns: runsOf(90) },
  );
});

t.test("figures that are answered alike stay in the order of names", async (t) => {
  // 3.3 / 3 and 11 / 10 differ in the last bit.
  const store = buildStore(
    tinyDataset({ prices: pricesAt({ "2024-05": 3, "2025-05": 3.3 }, { "2024-05": 10, "2025-05": 11 }) }),
  );
  const byName = answer(store, { level: "market", order: "name" }).entries;
  t.equal(byName.length, 2);
  for (const direction of directions) {
    t.strictSame(answer(store, { level: "market", order: "year_before", direction }).entries, byName, direction);
  }
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
    // The weight of a market, of the months and values of an area, or of the entries of the last step.
    t.ok(Math.max(...steps) < 20 * pricesOfRun, `${level}: ${steps}`);
  }
});
