import t from "tap";
import { type Day, dayFromText } from "../../../src/engine/model/calendar.ts";
import type { ExchangeRateRecord } from "../../../src/engine/model/records.ts";
import type { PriceStatistics } from "../../../src/engine/query/questions.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { askStatistics, type GroupedAnswer } from "../../support/statistics-groups.ts";
import { type TinyDatasetParts, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

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
