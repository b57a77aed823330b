import t from "tap";
import { type Day, dayFromText } from "../../../src/engine/model/calendar.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import type { ExchangeRateRecord } from "../../../src/engine/model/records.ts";
import type { PriceStatistics } from "../../../src/engine/query/questions.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { askStatistics, type GroupedAnswer } from "../../support/statistics-groups.ts";
import { county, type TinyDatasetParts, tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

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

t.test("prices are brought to one unit and currency, the others are counted and left out", async (t) => {
  // Per kilogram: 40, 50, 70, 100. Mean 260 / 4; squares 625 + 225 + 25 + 1225 = 2100 over 3.
  const { groups, unit, currency, convertedSamples, excludedSamples } = await answer({
    prices: [
      { price: 100 },
      { price: 4500, unit: "90 kg bag" },
      { price: 0.07, unit: "g" },
      { price: 40 },
      { price: 30, unit: "bunch" },
      { price: 1, currency: "USD" },
    ],
  });
  t.same(groups, [
    {
      label: "2026-01",
      figures: { average: 65, min: 40, max: 100, median: 60, count: 4, deviation: 26.457513 },
    },
  ]);
  t.same([unit, currency, convertedSamples, excludedSamples], ["kg", "KES", 2, 2]);
});

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

t.test("an unknown product has no statistics", async (t) => {
  t.same(await statistics({}, { productUuid: uuidOf("product", 9), unit: "cubit" }), { problem: "unknown product" });
});

t.test("nothing selected gives no groups and no overall figures, but unit and currency", async (t) => {
  const none = await answer({ prices: [{}] }, { marketUuid: uuidOf("market", 3) });
  t.match(none, { unit: "kg", currency: "KES", groups: [], overall: null, convertedSamples: 0, excludedSamples: 0 });
  t.match(await answer({}), { unit: "kg", currency: null, groups: [], overall: null });
});

t.test("what is selected but cannot be converted is no group of its own", async (t) => {
  const { groups, overall, excludedSamples } = await answer(
    { prices: [{}, { unit: "bunch", market: 2 }] },
    { grouping: "market", countyId: 1 as CountyId },
  );
  t.same([groups, overall, excludedSamples], [[], null, 1]);
});

t.test("periods follow the clocks of the dataset across the ends of years, oldest first", async (t) => {
  const prices = [
    { recordedAt: "2021-01-03T21:00:00Z" },
    { recordedAt: "2020-12-31T20:59:59.999Z" },
    { recordedAt: "2020-12-31T21:00:00Z" },
    { recordedAt: "2021-01-03T20:59:59Z" },
    { recordedAt: "2024-02-28T21:00:00Z" },
  ];
  const labels = async (grouping: PriceStatistics["grouping"], utcOffset = 10_800_000) => {
    const { groups } = await answer({ snapshot: { utcOffset }, prices }, { grouping });
    return groups.map(({ label, figures }) => [label, figures.count]);
  };
  t.same(await labels("day"), [
    ["2020-12-31", 1],
    ["2021-01-01", 1],
    ["2021-01-03", 1],
    ["2021-01-04", 1],
    ["2024-02-29", 1],
  ]);
  t.same(await labels("week"), [
    ["2020-W53", 3],
    ["2021-W01", 1],
    ["2024-W09", 1],
  ]);
  t.same(await labels("month"), [
    ["2020-12", 1],
    ["2021-01", 3],
    ["2024-02", 1],
  ]);
  t.same(
    await labels("month", -18_000_000),
    [
      ["2020-12", 2],
      ["2021-01", 2],
      ["2024-02", 1],
    ],
    "five hours behind UTC",
  );
});

t.test("first and last day are included", async (t) => {
  const prices = [
    "2026-01-31T20:59:59.999Z",
    "2026-01-31T21:00:00Z",
    "2026-02-01T20:59:59.999Z",
    "2026-02-01T21:00:00Z",
  ];
  const { overall } = await answer(
    { prices: prices.map((recordedAt, at) => ({ recordedAt, price: at + 1 })) },
    { dayFirst: day("2026-02-01"), dayLast: day("2026-02-01") },
  );
  t.match(overall, { min: 2, max: 3, count: 2 });
});

t.test("groups of markets are distinguished by uuid and come by folded name", async (t) => {
  const markets = [{ name: "wakulima" }, { name: "Émali" }, { name: "Wakulima" }];
  const parts = { markets, prices: [{ market: 2, price: 3 }, { price: 1 }, { market: 1, price: 2 }, { price: 5 }] };
  const { catalogue } = buildStore(tinyDataset(parts));
  const { groups } = await answer(parts, { grouping: "market" });
  t.same(
    groups.map(({ label, market, county, figures }) => [
      label,
      catalogue.markets[market ?? -1]?.record.uuid,
      county,
      figures.average,
    ]),
    [
      ["Émali", uuidOf("market", 2), undefined, 2],
      ["wakulima", uuidOf("market", 1), undefined, 3],
      ["Wakulima", uuidOf("market", 3), undefined, 3],
    ],
  );
});

t.test("groups of counties are distinguished by id and come by folded name", async (t) => {
  const counties = [county(1, { name: "Zanzi" }), county(2, { name: "Élgeyo" }), county(3, { name: "elgeyo" })];
  const markets = [3, 2, 1].map((id) => ({ countyId: id as CountyId }));
  const prices = [{ market: 0 }, { market: 1 }, { market: 2 }, { market: 2 }];
  const { groups } = await answer({ counties, markets, prices }, { grouping: "county" });
  t.same(
    groups.map(({ label, market, county, figures }) => [label, market, county, figures.count]),
    [
      ["Élgeyo", undefined, 2, 1],
      ["elgeyo", undefined, 3, 1],
      ["Zanzi", undefined, 1, 2],
    ],
  );
});

t.test("the overall average is over records, not over groups", async (t) => {
  const prices = [{ price: 10 }, { price: 10 }, { price: 10 }, { price: 50, recordedAt: "2026-02-15T06:00:00Z" }];
  const { groups, overall } = await answer({ prices });
  t.same(
    groups.map(({ figures }) => figures.average),
    [10, 50],
  );
  t.match(overall, { average: 20, min: 10, max: 50, count: 4 });
});

t.test("with a price flag only prices that have it are in the figures, whatever else is asked for", async (t) => {
  const prices = [
    { price: 10, priceFlag: "actual" },
    { price: 20, priceFlag: "aggregate", market: 1 },
    { price: 30, priceFlag: "aggregate" },
    { price: 40, priceFlag: "aggregate", unit: "bunch" },
    { price: 50 },
  ] as const;
  for (const grouping of ["day", "month", "market", "county"] as const) {
    const found = await answer({ prices }, { priceFlag: "aggregate", grouping });
    t.match(found, { overall: { average: 25, min: 20, max: 30, count: 2 }, excludedSamples: 1 }, grouping);
    t.same(found.samplesByType, { Wholesale: 1, Retail: 1 }, grouping);
  }
  const none = await answer({ prices }, { priceFlag: "forecast" });
  t.same([none.groups, none.overall, none.samplesByType], [[], null, {}]);
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

t.test(
  "prices become dollars by the rates of their months, and those of months without one are left out",
  async (t) => {
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
  },
);

t.test("no other currency may be asked for, and dollars only where there are rates", async (t) => {
  const problem = { problem: "not convertible", field: "currency" };
  t.same(await statistics({ prices: [{}] }, { currency: "USD" }), { ...problem, allowed: ["KES"] });
  const exchangeRates = [rate("2026-01", 125)];
  for (const currency of ["EUR", "usd", ""]) {
    t.same(await statistics({ exchangeRates, prices: [{}] }, { currency }), { ...problem, allowed: ["KES", "USD"] });
  }
  t.same(await statistics({}, { currency: "KES" }), { ...problem, allowed: [] });
});
