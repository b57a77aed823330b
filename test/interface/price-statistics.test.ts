import t, { type Test } from "tap";
import type { CountyId } from "../../src/engine/model/ids.ts";
import { type AskedEndpoint, startEndpoint } from "../support/ask-endpoint.ts";
import { county, type TinyDatasetParts, type TinyPrice, uuidOf } from "../support/tiny-dataset.ts";

const endpointName = "POST /prices/statistics";

interface Body {
  data: {
    product: { unit: string };
    statistics: { period: string; average_price: number; sample_count: number }[];
    overall: Readonly<Record<string, number>>;
  };
  meta: Readonly<Record<string, unknown>>;
}

const maize = uuidOf("product", 1);
const everyDay = { product_uuid: maize, start_date: "1900-01-01", end_date: "2100-12-31" };

/** Statistics of maize over a dataset of its own, of all days where a question names none. */
async function start(t: Test, parts: TinyDatasetParts = {}): Promise<AskedEndpoint<Body>> {
  const { ask, refuse, ...others } = await startEndpoint<Body>(t, endpointName, parts);
  return {
    ...others,
    ask: (body: object = {}) => ask({ ...everyDay, ...body }),
    refuse: (body, ...fields) => refuse({ ...everyDay, ...(body as object) }, ...fields),
  };
}

/** Labels with the number of samples behind each. */
function labels({ data }: Body): [string, number][] {
  return data.statistics.map(({ period, sample_count }) => [period, sample_count]);
}

function pricesAt(...times: string[]): Partial<TinyPrice>[] {
  return times.map((recordedAt) => ({ recordedAt }));
}

t.test("the whole answer, worked out by hand", async (t) => {
  const { ask } = await start(t, {
    prices: [
      { price: 10, recordedAt: "2026-01-05T09:00:00+03:00" },
      { price: 20, recordedAt: "2026-01-06T09:00:00+03:00" },
      { price: 60, recordedAt: "2026-01-20T09:00:00+03:00" },
      { price: 3600, unit: "90 kg bag", recordedAt: "2026-01-31T09:00:00+03:00" },
      { price: 7, recordedAt: "2026-02-01T09:00:00+03:00" },
      { price: 5, unit: "bunch", recordedAt: "2026-02-01T09:00:00+03:00" },
      { price: 5, currency: "USD", recordedAt: "2026-02-01T09:00:00+03:00" },
      { price: 999, recordedAt: "2026-03-01T09:00:00+03:00" },
    ],
  });
  const question = { product_uuid: maize.toUpperCase(), start_date: "2026-01-05", end_date: "2026-02-28" };
  // January in kg: 10, 20, 40, 60 with mean 32.5; squares of differences 506.25 + 156.25 + 56.25 + 756.25 = 1475.
  const january = {
    ...{ average_price: 32.5, min_price: 10, max_price: 60, median_price: 30, sample_count: 4 },
    std_deviation: 22.173558,
  };
  const february = {
    ...{ average_price: 7, min_price: 7, max_price: 7, median_price: 7, sample_count: 1, std_deviation: 0 },
  };
  const whole = await ask(question);
  t.strictSame(whole, {
    data: {
      product: { uuid: maize, name: "Maize", unit: "kg" },
      period: { start_date: "2026-01-05", end_date: "2026-02-28" },
      statistics: [
        { period: "2026-01", ...january },
        { period: "2026-02", ...february },
      ],
      overall: { average_price: 27.4, min_price: 7, max_price: 60, total_samples: 5 },
    },
    meta: {
      ...{ converted_samples: 1, excluded_samples: 2, currency: "KES", time_zone: "Africa/Nairobi" },
      ...{ snapshot: "20261120T083000Z-0123456789ab", market_types: { Wholesale: 5 }, suspicious_samples: 0 },
      ...{ refugee_camps: "include", refugee_camp_samples: 0 },
    },
  });
  t.strictSame(await ask({ ...question, group_by: "month" }), whole);
});

t.test("medians of odd and even counts, and the mean over records, not over groups", async (t) => {
  const { ask } = await start(t, {
    prices: [9, 1, 5]
      .map((price) => ({ price, recordedAt: "2026-01-05T09:00:00+03:00" }))
      .concat([4, 2, 8, 3].map((price) => ({ price, recordedAt: "2026-01-06T09:00:00+03:00" }))),
  });
  const { data } = await ask({ group_by: "day" });
  t.match(data.statistics, [
    { period: "2026-01-05", median_price: 5, average_price: 5 },
    { period: "2026-01-06", median_price: 3.5, average_price: 4.25, std_deviation: 2.629956 },
  ]);
  t.strictSame(data.overall, { average_price: 4.571429, min_price: 1, max_price: 9, total_samples: 7 });
});

t.test("days begin at midnight in Nairobi", async (t) => {
  const { ask } = await start(t, {
    prices: pricesAt(
      "2026-01-31T20:59:59.999Z",
      "2026-01-31T21:00:00.000Z",
      "2024-02-28T21:00:00Z",
      "2024-02-29T20:59:59.999Z",
      "2024-02-29T21:00:00Z",
    ),
  });
  t.same(labels(await ask({ group_by: "day" })), [
    ["2024-02-29", 2],
    ["2024-03-01", 1],
    ["2026-01-31", 1],
    ["2026-02-01", 1],
  ]);
  t.same(labels(await ask({ group_by: "month" })), [
    ["2024-02", 2],
    ["2024-03", 1],
    ["2026-01", 1],
    ["2026-02", 1],
  ]);
  t.same(labels(await ask({ group_by: "quarter" })), [
    ["2024-Q1", 3],
    ["2026-Q1", 2],
  ]);
  t.same(labels(await ask({ group_by: "year" })), [
    ["2024", 3],
    ["2026", 2],
  ]);
  t.same(labels(await ask({ start_date: "2024-02-29", end_date: "2024-02-29" })), [["2024-02", 2]]);
  t.same(labels(await ask({ start_date: "2026-02-01" })), [["2026-02", 1]]);
  t.same(labels(await ask({ start_date: "2024-03-01", end_date: "2026-01-31" })), [
    ["2024-03", 1],
    ["2026-01", 1],
  ]);
});

t.test("weeks are those of ISO 8601, also around the ends of years", async (t) => {
  const { ask } = await start(t, {
    prices: pricesAt(
      "2020-12-28T06:00:00Z",
      "2021-01-03T20:59:59.999Z",
      "2021-01-03T21:00:00Z",
      "2018-12-31T06:00:00Z",
      "2019-01-06T06:00:00Z",
      "2022-01-01T06:00:00Z",
      "2024-12-29T20:59:59Z",
      "2024-12-29T21:00:00Z",
      "2026-01-26T06:00:00Z",
      "2026-02-01T06:00:00Z",
    ),
  });
  t.same(labels(await ask({ group_by: "week" })), [
    ["2019-W01", 2],
    ["2020-W53", 2],
    ["2021-W01", 1],
    ["2021-W52", 1],
    ["2024-W52", 1],
    ["2025-W01", 1],
    ["2026-W05", 2],
  ]);
});

t.test("places are grouped by identity and ordered by folded name, then identity", async (t) => {
  const { ask } = await start(t, {
    counties: [county(47, { name: "tana" }), county(1, { name: "Tána" }), county(21, { name: "Busia" })],
    markets: [
      { name: "Wakulima", countyId: 47 as CountyId },
      { name: "Wakulima", countyId: 21 as CountyId },
      { name: "gikomba", countyId: 1 as CountyId },
      { name: "Ákala", countyId: 47 as CountyId },
    ],
    prices: [0, 0, 1, 2, 3].map((market, at) => ({ market, price: 10 * (at + 1) })),
  });
  const byMarket = await ask({ group_by: "market" });
  t.match(byMarket.data.statistics, [
    { period: "Ákala", market: { uuid: uuidOf("market", 4), name: "Ákala" }, average_price: 50, sample_count: 1 },
    { period: "gikomba", market: { uuid: uuidOf("market", 3), name: "gikomba" }, average_price: 40, sample_count: 1 },
    { period: "Wakulima", market: { uuid: uuidOf("market", 1), name: "Wakulima" }, average_price: 15, sample_count: 2 },
    { period: "Wakulima", market: { uuid: uuidOf("market", 2), name: "Wakulima" }, average_price: 30, sample_count: 1 },
  ]);
  const byCounty = await ask({ group_by: "county" });
  t.match(byCounty.data.statistics, [
    { period: "Busia", county: { id: 21, name: "Busia" }, sample_count: 1 },
    { period: "Tána", county: { id: 1, name: "Tána" }, sample_count: 1 },
    { period: "tana", county: { id: 47, name: "tana" }, sample_count: 3, average_price: 26.666667 },
  ]);
  t.strictSame(
    byCounty.data.statistics.map((group) => Object.keys(group).includes("market")),
    [false, false, false],
  );
});

t.test("filters select what is counted, excluded samples among them", async (t) => {
  const { ask } = await start(t, {
    prices: [
      { market: 0, price: 1 },
      { market: 1, price: 2 },
      { market: 2, price: 3 },
      { market: 2, price: 4, unit: "bunch" },
      { market: 0, price: 5, product: 1, unit: "bunch" },
    ],
  });
  const samples = async (body: object) => {
    const { data, meta } = await ask(body);
    return [data.overall["total_samples"], meta["excluded_samples"]];
  };
  t.same(await samples({}), [3, 1]);
  t.same(await samples({ county_id: 47 }), [2, 0]);
  t.same(await samples({ county_id: 1 }), [1, 1]);
  t.same(await samples({ market_type: "Wholesale" }), [2, 1]);
  t.same(await samples({ market_uuid: uuidOf("market", 2).toUpperCase() }), [1, 0]);
  t.same(await samples({ market_uuid: uuidOf("market", 9) }), [0, 0]);
  t.same(await samples({ county_id: 2 }), [0, 0]);
  t.same(await samples({ market_uuid: uuidOf("market", 2), county_id: 1 }), [0, 0]);
});

t.test("samples are counted by type of market, after all filters and without those that are left out", async (t) => {
  const { ask } = await start(t, {
    prices: [
      { market: 0, recordedAt: "2026-01-15T06:00:00Z" },
      { market: 1, recordedAt: "2026-01-16T06:00:00Z" },
      { market: 2, recordedAt: "2026-02-15T06:00:00Z" },
      { market: 1, recordedAt: "2026-02-16T06:00:00Z", unit: "bunch" },
      { market: 1, recordedAt: "2026-03-15T06:00:00Z", unit: "90 kg bag" },
      { market: 2, recordedAt: "2026-03-16T06:00:00Z", currency: "USD" },
    ],
  });
  const types = async (body: object) => {
    const { data, meta } = await ask(body);
    const counts = meta["market_types"] as Record<string, number>;
    const sum = Object.values(counts).reduce((a, b) => a + b, 0);
    t.equal(sum, data.overall["total_samples"]);
    return counts;
  };
  for (const group_by of ["day", "week", "month", "quarter", "year", "market", "county"]) {
    t.strictSame(await types({ group_by }), { Wholesale: 2, Retail: 2 }, group_by);
    t.strictSame(await types({ group_by, start_date: "2026-01-16", end_date: "2026-03-15" }), {
      Wholesale: 1,
      Retail: 2,
    });
    t.strictSame(await types({ group_by, start_date: "2026-01-16", end_date: "2026-01-31" }), { Retail: 1 });
    t.strictSame(await types({ group_by, county_id: 47 }), { Wholesale: 1, Retail: 2 });
    t.strictSame(await types({ group_by, county_id: 1 }), { Wholesale: 1 });
    t.strictSame(await types({ group_by, market_type: "Retail" }), { Retail: 2 });
    t.strictSame(await types({ group_by, market_uuid: uuidOf("market", 3) }), { Wholesale: 1 });
    t.strictSame(await types({ group_by, unit: "g" }), { Wholesale: 2, Retail: 2 });
    t.strictSame(await types({ group_by, end_date: "2026-01-01" }), {});
  }
});

t.test("days and weeks of prices that stand for a month say so, months do not", async (t) => {
  const { ask } = await start(t, {
    snapshot: { periods: { WFP: "month" } },
    prices: [{}, { priceFlag: "aggregate" }, { source: "KAMIS" }],
  });
  const metaOf = async (body: object) => (await ask(body)).meta;
  t.same((await metaOf({ group_by: "day" }))["coarser_samples"], { month: 2 });
  t.same((await metaOf({ group_by: "week", price_flag: "aggregate" }))["coarser_samples"], { month: 1 });
  t.notOk("coarser_samples" in (await metaOf({ group_by: "month" })));
});

t.test("without records the figures are 0 and the count says so", async (t) => {
  const { ask } = await start(t, { prices: [{ recordedAt: "2026-01-05T09:00:00+03:00" }] });
  const overall = { average_price: 0, min_price: 0, max_price: 0, total_samples: 0 };
  const meta = { converted_samples: 0, excluded_samples: 0, time_zone: "Africa/Nairobi" };
  const past = await ask({ end_date: "2026-01-04" });
  t.match(past, { data: { product: { unit: "kg" }, statistics: [], overall }, meta: { ...meta, currency: "KES" } });
  const kale = await ask({ product_uuid: uuidOf("product", 2) });
  t.match(kale, { data: { product: { unit: "bunch" }, statistics: [], overall }, meta: { ...meta, currency: null } });
});

t.test("unit asks for another unit of the same base", async (t) => {
  const { ask, refuse } = await start(t, {
    products: [{ commonUnits: ["piece", "90 kg bag", "kg"] }, { commonUnits: ["bunch"] }],
    prices: [
      { price: 50, unit: "kg" },
      { price: 9000, unit: "90 kg bag" },
      { price: 0.07, unit: "g" },
      { price: 1, unit: "bunch" },
    ],
  });
  const figures = async (unit?: string) => {
    const { data, meta } = await ask(unit === undefined ? {} : { unit });
    return [data.product.unit, data.overall, meta];
  };
  const meta = { converted_samples: 2, excluded_samples: 1, currency: "KES", time_zone: "Africa/Nairobi" };
  const perKilogram = ["kg", { average_price: 73.333333, min_price: 50, max_price: 100, total_samples: 3 }, meta];
  t.match(await figures(), perKilogram);
  t.match(await figures("kg"), perKilogram);
  t.match(await figures("90 kg bag"), [
    "90 kg bag",
    { average_price: 6600, min_price: 4500, max_price: 9000, total_samples: 3 },
    meta,
  ]);
  t.match(await figures("g"), [
    "g",
    { average_price: 0.073333, min_price: 0.05, max_price: 0.1, total_samples: 3 },
    meta,
  ]);
  for (const unit of ["bunch", "litre", "KG", "tonne", "kg "]) {
    t.match((await refuse({ unit }, "unit")).message, /expected one of kg, 90 kg bag, g/);
  }
});

t.test("refuses what is no question", async (t) => {
  const { ask, refuse, refuseAll, miss } = await start(t);
  await refuseAll([
    [{}, "product_uuid", "start_date", "end_date"],
    [{ product_uuid: maize }, "start_date", "end_date"],
  ]);
  await refuse({ product_uuid: undefined }, "product_uuid");
  await refuse({ start_date: "2026-01-02", end_date: "2026-01-01" }, "start_date");
  await ask({ start_date: "2026-01-01", end_date: "2026-01-01" });
  await miss({ ...everyDay, product_uuid: uuidOf("product", 9) });
  await miss({ ...everyDay, product_uuid: uuidOf("market", 1), unit: "x" });
});

t.test("detail adds the months and markets behind each group, and meta has the months of longer groups", async (t) => {
  const prices = [
    { price: 10, recordedAt: "2026-01-05T06:00:00Z" },
    { price: 20, recordedAt: "2026-01-06T06:00:00Z", market: 1 },
    { price: 30, recordedAt: "2026-03-05T06:00:00Z" },
  ];
  const { ask } = await start(t, { prices });
  const days = { start_date: "2026-01-01", end_date: "2026-12-31" };
  const year = { period: "2026", average_price: 20, min_price: 10, max_price: 30, median_price: 20, sample_count: 3 };
  const covered = { months_with_prices: 2, months_in_period: 12, first_month: "2026-01", last_month: "2026-03" };
  const plain = await ask({ ...days, group_by: "year" });
  t.strictSame(plain.data.statistics, [{ ...year, std_deviation: 10 }]);
  t.match(plain.meta, { months_with_prices: 2, months_in_period: 12 });
  const { data, meta } = await ask({ ...days, group_by: "year", detail: true });
  t.strictSame(data.statistics, [{ ...year, std_deviation: 10, ...covered, markets: 2, refugee_camp_markets: 0 }]);
  t.strictSame(meta, plain.meta);
  for (const group_by of ["day", "week", "month", "quarter", "year", "market", "county"]) {
    const all = await ask({ group_by, detail: true });
    t.equal("months_with_prices" in all.meta, ["quarter", "year", "market", "county"].includes(group_by), group_by);
    t.ok(all.data.statistics.every((row) => "markets" in row && "months_in_period" in row));
    t.notOk("same_markets" in all.meta);
  }
  t.match((await ask({ group_by: "market", detail: true })).data.statistics, [
    { period: "Gikomba", months_with_prices: 1, months_in_period: 2412, markets: 1 },
    { months_with_prices: 2, months_in_period: 2412 },
  ]);
});

t.test("a long answer with detail leaves in pieces, as it is", async (t) => {
  const prices = Array.from({ length: 1200 }, (_, day) => ({
    price: 10 + (day % 7),
    recordedAt: new Date(Date.UTC(2022, 0, 1 + day, 9)).toISOString(),
  }));
  const { ask } = await start(t, { prices });
  const [plain, detailed] = [await ask({ group_by: "day" }), await ask({ group_by: "day", detail: true })];
  t.equal(detailed.data.statistics.length, 1200);
  t.match(detailed.data.statistics, plain.data.statistics);
});

t.test("same_markets leaves the markets that have a price in each group, by time alone", async (t) => {
  const prices = [
    { price: 10, recordedAt: "2026-01-05T06:00:00Z" },
    { price: 30, recordedAt: "2026-02-05T06:00:00Z" },
    { price: 900, recordedAt: "2026-02-06T06:00:00Z", market: 1 },
  ];
  const { ask, refuse } = await start(t, { prices });
  const { data, meta } = await ask({ same_markets: true });
  t.match(data, {
    statistics: [
      { period: "2026-01", median_price: 10 },
      { period: "2026-02", median_price: 30 },
    ],
    overall: { total_samples: 2, max_price: 30 },
  });
  t.match(meta, { same_markets: 1 });
  const plain = await ask();
  t.notOk("same_markets" in plain.meta);
  t.strictSame(await ask({ same_markets: false }), plain);
  for (const group_by of ["market", "county"]) {
    await refuse({ same_markets: true, group_by }, "same_markets");
    await ask({ same_markets: false, group_by });
  }
});

t.test("dollars by the rates of the months, which meta names, and 400 for what cannot be converted", async (t) => {
  const exchangeRates = [{ month: "2026-01", currency: "KES", rate: 125, source: "implied by WFP" }];
  const prices = [
    { price: 50, recordedAt: "2026-01-05T06:00:00Z" },
    { price: 60, recordedAt: "2026-02-05T06:00:00Z" },
  ];
  const { ask, refuse } = await start(t, { exchangeRates, prices });
  const { data, meta } = await ask({ currency: "USD" });
  t.match(data.statistics, [{ period: "2026-01", average_price: 0.4, sample_count: 1 }]);
  t.match(meta, {
    currency: "USD",
    excluded_samples: 1,
    exchange_rate: {
      from: ["KES"],
      sources: ["implied by WFP"],
      months_without_rate: ["2026-02"],
      samples_without_rate: 1,
    },
  });
  t.notOk("exchange_rate" in (await ask({ currency: "KES" })).meta);
  const details = [{ field: "currency", message: 'currency is "EUR", expected one of KES, USD for this product.' }];
  t.match(await refuse({ currency: "EUR" }, "currency"), { details });

  const unrated = await start(t, { prices });
  const message = 'currency is "USD", expected one of KES for this product.';
  t.match(await unrated.refuse({ currency: "USD" }, "currency"), { details: [{ field: "currency", message }] });
});
