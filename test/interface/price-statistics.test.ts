/** Statistics by POST; test/golden has whole answers. */
import t, { type Test } from "tap";
import { type AskedEndpoint, startEndpoint } from "../support/ask-endpoint.ts";
import { type TinyDatasetParts, uuidOf } from "../support/tiny-dataset.ts";

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
  const overall = { average_price: 0.073333, min_price: 0.05, max_price: 0.1, total_samples: 3 };
  t.match(await ask({ unit: "g" }), { data: { product: { unit: "g" }, overall }, meta: { converted_samples: 2 } });
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

t.test("same_markets leaves the markets that have a price in each group, by time alone", async (t) => {
  const prices = [
    { price: 10, recordedAt: "2026-01-05T06:00:00Z" },
    { price: 30, recordedAt: "2026-02-05T06:00:00Z" },
    { price: 900, recordedAt: "2026-02-06T06:00:00Z", market: 1 },
  ];
  const { ask, refuse } = await start(t, { prices });
  t.match(await ask({ same_markets: true }), { data: { overall: { total_samples: 2 } }, meta: { same_markets: 1 } });
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
