import assert from "node:assert/strict";
import fc from "fast-check";
import { max, mean, min } from "simple-statistics";
import t from "tap";
import { type Day, dayFromText, monthNumber, monthText } from "../../../src/engine/model/calendar.ts";
import type { ExchangeRateRecord } from "../../../src/engine/model/records.ts";
import { type FoundGroups, listGroups } from "../../../src/engine/query/found-groups.ts";
import { type OverallFigures, priceStatistics, summarise } from "../../../src/engine/query/price-statistics.ts";
import type { PriceStatistics } from "../../../src/engine/query/questions.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { type Group, groupOf } from "../../../src/engine/store/figures.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { agree, naiveStatistics } from "../../support/naive-queries.ts";
import { askStatistics, type GroupedAnswer } from "../../support/statistics-groups.ts";
import { type TinyDatasetParts, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";
import { compareStatistics } from "./compare-statistics.ts";

const day = (text: string): Day => dayFromText(text) as Day;

function statistics(
  parts: TinyDatasetParts,
  question: Partial<PriceStatistics> = {},
): ReturnType<typeof askStatistics> {
  return askStatistics(buildStore(tinyDataset(parts)), {
    productUuid: uuidOf("product", 1),
    dayFirst: day("2000-01-01"),
    dayLast: day("2030-12-31"),
    grouping: "month",
    ...question,
  });
}

async function answer(parts: TinyDatasetParts, question: Partial<PriceStatistics> = {}): Promise<GroupedAnswer> {
  const result = await statistics(parts, question);
  if ("problem" in result) throw new Error(`expected an answer, found: ${result.problem}`);
  return result;
}

t.test("a unit may be asked for if it has the base unit of the answer", async (t) => {
  const prices = [{ price: 50 }, { price: 4999.99, unit: "90 kg bag" }];
  const perBag = await answer({ prices }, { unit: "90 kg bag" });
  t.match(perBag, { unit: "90 kg bag", convertedSamples: 1, overall: { min: 4500, max: 4999.99, count: 2 } });
  t.match(await answer({ prices }, { unit: "g" }), { unit: "g", convertedSamples: 2, overall: { min: 0.05 } });
  const wanted = { problem: "not convertible", field: "unit", allowed: ["kg", "90 kg bag", "g"] };
  for (const unit of ["litre", "cubit", ""]) {
    t.same(await statistics({ prices }, { unit }), wanted, `"${unit}"`);
  }
});

t.test("samples that stand for a longer time than a group are counted by that time", async (t) => {
  const prices = [{}, { source: "KAMIS" }, { source: "Farm" }, { source: "WFP", unit: "bunch" }];
  const snapshot = { periods: { WFP: "month", KAMIS: "week" } } as const;
  const coarser = async (grouping: PriceStatistics["grouping"]): Promise<object> =>
    (await answer({ prices, snapshot }, { grouping })).coarserSamples;
  t.same(await coarser("day"), { month: 1, week: 1 }, "the bunch is not in the figures");
  t.same(await coarser("week"), { month: 1 });
  for (const grouping of ["month", "market", "county"] as const) t.same(await coarser(grouping), {}, grouping);
  const alone = await answer({ prices: [{}, {}], snapshot }, { grouping: "week" });
  t.same(alone.coarserSamples, { month: 2 }, "one source alone");
  const unknown = await answer({ prices: [{ source: "constructor" }], snapshot }, { grouping: "day" });
  t.same(unknown.coarserSamples, {});
});

const rate = (month: string, rate: number, currency = "KES"): ExchangeRateRecord => {
  return { month, currency, rate, source: "implied by WFP" };
};

t.test("prices become dollars by the rates of their months, or are left out", async (t) => {
  const exchangeRates = [rate("2026-01", 125), rate("2026-02", 130)];
  const prices = [
    { price: 50, recordedAt: "2026-01-05T06:00:00Z" },
    { price: 9000, unit: "90 kg bag", recordedAt: "2026-01-31T20:59:59Z" },
    // In Nairobi it is February.
    { price: 65, recordedAt: "2026-01-31T21:00:00Z" },
    { price: 65, recordedAt: "2026-03-01T06:00:00Z" },
    { price: 66, recordedAt: "2026-04-01T06:00:00Z" },
    { price: 2, currency: "USD", recordedAt: "2026-03-01T06:00:00Z" },
    { price: 3000, currency: "UGX", recordedAt: "2026-01-05T06:00:00Z" },
    { price: 5, unit: "bunch", recordedAt: "2026-03-05T06:00:00Z" },
  ];
  const found = await answer({ exchangeRates, prices }, { currency: "USD" });
  t.match(found, { currency: "USD", convertedSamples: 1, excludedSamples: 4 });
  t.same(found.missingRates, { months: ["2026-03", "2026-04"], count: 2 });
  t.same(
    found.groups.map(({ label, figures }) => [label, figures.count, figures.min, figures.max]),
    [
      ["2026-01", 2, 0.4, 0.8],
      ["2026-02", 1, 0.5, 0.5],
      ["2026-03", 1, 2, 2],
    ],
  );
  t.match(await answer({ exchangeRates, prices }, { currency: "USD", unit: "90 kg bag" }), { overall: { min: 36 } });
  const own = await answer({ exchangeRates, prices }, { currency: "KES" });
  t.match(own, { currency: "KES", excludedSamples: 3, rates: undefined, missingRates: { months: [], count: 0 } });
});

t.test("no other currency may be asked for, and dollars only where there are rates", async (t) => {
  const problem = { problem: "not convertible", field: "currency" };
  t.same(await statistics({ prices: [{}] }, { currency: "USD" }), { ...problem, allowed: ["KES"] });
  const exchangeRates = [rate("2026-01", 125)];
  for (const currency of ["EUR", "usd", ""]) {
    t.same(await statistics({ exchangeRates, prices: [{}] }, { currency }), { ...problem, allowed: ["KES", "USD"] });
  }
  t.same(await statistics({}, { currency: "KES" }), { ...problem, allowed: [] });
});

const daysOf = (first: string, last: string) => ({
  dayFirst: dayFromText(first) as Day,
  dayLast: dayFromText(last) as Day,
});
const allDays = daysOf("2000-01-01", "2030-12-31");

const monthFirst = monthNumber("2022-01");

/**
 * Three usual prices a month for 40 months at two markets, the first of each type; one at each of 20 others; and in
 * some months a slip at the first one.
 */
function withSlips(slips: number) {
  const price = (at: number, day: number) => ({ recordedAt: `${monthText(monthFirst + at)}-${day}T06:00:00Z` });
  const usual = Array.from({ length: 40 }, (_, at) => [
    { ...price(at, 10), price: 100 + at },
    { ...price(at, 15), price: 101 + at },
    { ...price(at, 20), price: 102 + at, market: 1 },
  ]).flat();
  const others = Array.from({ length: 20 }, (_, at) => ({ ...price(1, 10), price: 100 + at, market: 2 + at }));
  const wrong = Array.from({ length: slips }, (_, at) => ({ ...price(2 + at, 21), price: 1 }));
  const types = ["Retail", "Wholesale", ...others.map(() => "Retail" as const)] as const;
  return tinyDataset({ markets: types.map((type) => ({ type })), prices: [...usual, ...others, ...wrong] });
}

t.test("suspicious prices are left out of their periods, few or many, and of no others", async (t) => {
  for (const slips of [0, 3, 36]) {
    const dataset = withSlips(slips);
    const store = buildStore(dataset);
    t.equal(store.suspicious.rows.length, slips);
    for (const grouping of ["day", "week", "month", "quarter"] as const) {
      for (const marketType of [undefined, "Retail", "Wholesale"] as const) {
        for (const within of [allDays, daysOf("2022-03-22", "2024-12-20"), daysOf("2022-03-21", "2022-03-21")]) {
          const question = { productUuid: uuidOf("product", 1), grouping, marketType, isSuspicious: false, ...within };
          compareStatistics(store, question, await askStatistics(store, question), naiveStatistics(dataset, question));
        }
      }
    }
  }
});

t.test("a rollup answers where suspicious prices are at another type of market or on other days", async (t) => {
  const store = buildStore(withSlips(3));
  const isOfRollup = (conditions: Partial<PriceStatistics>): boolean => {
    const question = { productUuid: uuidOf("product", 1), ...allDays, isSuspicious: false, ...conditions };
    const work = priceStatistics(store, { ...question, grouping: "month" });
    return !("problem" in work) && finish(work).found.rollup !== null;
  };
  t.ok(isOfRollup({ marketType: "Wholesale" }));
  t.ok(isOfRollup(daysOf("2023-01-01", "2024-12-31")));
  t.notOk(isOfRollup({ marketType: "Retail" }));
  t.notOk(isOfRollup({}));
});

const price = fc.oneof(
  fc.integer({ min: 1, max: 500_000 }).map((cents) => cents / 100),
  fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
);

const noSamples = { byType: [0, 0, 0, 0], converted: 0, excluded: 0 };

t.test("the figures over groups are those of all their records", async () => {
  const groups = fc.array(fc.array(price, { maxLength: 20 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(groups, (groups) => {
      const records = groups.flat();
      const overall = overallOf(listOf(groups));
      if (records.length === 0) {
        assert.equal(overall, null);
        return;
      }
      const { average, ...others } = overall ?? { average: Number.NaN };
      assert.ok(agree(average, mean(records), max(records)), `average ${average}`);
      const wanted = { min: min(records), max: max(records), count: records.length };
      assert.deepEqual(others, wanted);
    }),
    { numRuns: runsOf(300) },
  );
});

t.test("equal prices have their own overall average, in however many groups", async () => {
  const value = fc.oneof(price, fc.double({ min: 1e9, max: 1e39, noNaN: true }));
  fc.assert(
    fc.property(value, fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1 }), (value, counts) => {
      const overall = overallOf(listOf(counts.map((count) => new Array<number>(count).fill(value))));
      if (overall !== null) assert.equal(overall.average, overall.min);
    }),
  );
});

t.test("what was converted and left out is added up, and groups without figures are left out", async (t) => {
  const groups = [
    groupOf(3, Float64Array.of(4, 6), 0, 2, { byType: [1, 0, 0, 1], converted: 1, excluded: 0 }),
    groupOf(4, new Float64Array(0), 0, 0, { byType: [0, 0, 0, 0], converted: 0, excluded: 3 }),
    groupOf(5, Float64Array.of(3), 0, 1, { byType: [0, 0, 0, 1], converted: 1, excluded: 4 }),
  ];
  const found: FoundGroups = { before: groups, rollup: null, after: [] };
  t.same(summarise(found), {
    overall: { average: 13 / 3, min: 3, max: 6, count: 3 },
    convertedSamples: 2,
    excludedSamples: 7,
    samplesByType: { Wholesale: 1, Urban: 2 },
  });
  t.same(listGroups(found), [groups[0], groups[2]]);
});

function overallOf(groups: readonly Group[]): OverallFigures | null {
  // However they are divided: those of a rollup are compared with a scan in compare-statistics.ts.
  const middle = Math.floor(groups.length / 2);
  return summarise({ before: groups.slice(0, middle), rollup: null, after: groups.slice(middle) }).overall;
}

function listOf(groups: readonly (readonly number[])[]): Group[] {
  return groups.map((values, key) => groupOf(key, Float64Array.from(values), 0, values.length, noSamples));
}
