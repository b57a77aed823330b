import t from "tap";
import type { ContinuationRecord, MarketRecord } from "../../src/engine/model/records.ts";
import { startEndpoint } from "../support/ask-endpoint.ts";
import { type TinyPrice, uuidOf } from "../support/tiny-dataset.ts";

const endpointName = "GET /prices/series";

interface Body {
  data: { product: object; market: object; unit: string; currency: string; latest_price: number }[];
  meta: object;
}

const prices: Partial<TinyPrice>[] = [
  { price: 4500, unit: "90 kg bag", recordedAt: "2026-01-01T06:00:00Z" },
  { price: 4590, unit: "90 kg bag", recordedAt: "2026-03-01T06:00:00Z" },
  { price: 2, market: 1, recordedAt: "2026-01-31T20:59:59Z" },
  { price: 3, market: 2, currency: "USD", recordedAt: "2026-02-28T06:00:00Z" },
  { price: 4, market: 2, currency: "KES", recordedAt: "2026-02-01T06:00:00Z" },
  { price: 5, product: 1, unit: "bunch", recordedAt: "2026-03-01T06:00:00Z" },
];

t.test("list of series", async (t) => {
  const { ask: list, refuseAll } = await startEndpoint<Body>(t, endpointName, { prices });
  const pricesOf = async (query: string) => (await list(query)).data.map(({ latest_price: price }) => price);

  t.test("says from when to when a series goes, and its latest price", async (t) => {
    t.match((await list("?unit=90+kg+bag")).data, [
      {
        ...{ unit: "90 kg bag", base_unit: "kg", price_count: 2, latest_price: 4590, latest_price_per_base_unit: 51 },
        ...{ first_recorded_at: "2026-01-01T06:00:00.000Z", last_recorded_at: "2026-03-01T06:00:00.000Z" },
        ...{ longest_gap_days: 59, months_with_prices: 2, longest_gap_months: 1 },
        ...{ first_month: "2026-01", last_month: "2026-03" },
      },
    ]);
  });

  t.test("says how complete a series is, and finds those that are complete enough", async (t) => {
    t.same(await pricesOf("?months_with_prices_min=2"), [4590]);
    t.same(await pricesOf("?months_with_prices_min=1"), [5, 2, 4, 3, 4590]);
    t.same(await pricesOf("?longest_gap_months_max=0"), [5, 2, 4, 3], "February is missing");
    t.same(await pricesOf("?months_with_prices_min=2&longest_gap_months_max=1"), [4590]);
    t.same(await pricesOf("?months_with_prices_min=3"), []);
    t.same(await pricesOf("?county_ids=1&county_ids=47"), [5, 2, 4, 3, 4590]);
    t.same(await pricesOf("?unit=litre"), [], "a unit that no price is in");
    const { data } = await list(`?market_uuid=${uuidOf("market", 2)}&unit=kg`);
    t.match(data, [{ first_month: "2026-01", last_month: "2026-01" }], "a second before midnight");
  });

  t.test("refuses a list beside the field that it replaces, and bad items by their place", () =>
    refuseAll([
      [`?product_uuid=${uuidOf("product", 1)}&product_uuids=${uuidOf("product", 1)}`, "product_uuids"],
      [`?market_uuid=${uuidOf("market", 1)}&market_uuids=${uuidOf("market", 1)}`, "market_uuids"],
      ["?county_id=1&county_ids=1", "county_ids"],
      ["?county_ids=1,48", "county_ids[1]"],
      ["?unit=KG", "unit"],
    ]),
  );
});

t.test("detail adds what a product continues, and what continues it, at markets of the type", async (t) => {
  const [white, dry] = [uuidOf("product", 1), uuidOf("product", 2)];
  const judged = { lastMonth: "2020-03", firstMonth: "2021-01", overlapMonths: 0, ratio: null } as const;
  const continuation: ContinuationRecord = {
    ...{ ...judged, productUuid: dry, continuesUuid: white, marketType: "Wholesale" },
    ...{ judgement: "same goods", evidence: "One name for another." },
  };
  const products = [{ name: "Maize (white)" }, { name: "Maize (white, dry)" }];
  const markets: Partial<MarketRecord>[] = [
    { type: "Wholesale" },
    { type: "Retail", name: "Gikomba" },
    { type: "Retail", name: "Old" },
  ];
  const recorded = [{}, { market: 1 }, { product: 1 }];
  const [gikomba, former] = [uuidOf("market", 2), uuidOf("market", 3)];
  const months = { lastMonth: "2020-12", firstMonth: "2021-02", overlapMonths: 1 };
  const marketContinuations = [{ marketUuid: gikomba, continuesUuid: former, ...months, evidence: "One point." }];
  const parts = { products, markets, continuations: [continuation], marketContinuations };
  const { ask: list } = await startEndpoint<Body>(t, endpointName, { ...parts, prices: [...recorded, { market: 2 }] });
  const presented = {
    ...{ last_month: "2020-03", first_month: "2021-01", overlap_months: 0, ratio: null },
    ...{ judgement: "same goods", evidence: "One name for another." },
  };
  const { data } = await list("?detail=true");
  t.same(
    data.map((series) => {
      const { product, market, continues, continued_by } = series as Record<string, { name?: string }>;
      return [product?.name, market?.name, continues, continued_by];
    }),
    [
      ["Maize (white)", "Gikomba", [], []],
      ["Maize (white)", "Market 1", [], [{ product: { uuid: dry, name: "Maize (white, dry)" }, ...presented }]],
      ["Maize (white)", "Old", [], []],
      ["Maize (white, dry)", "Market 1", [{ product: { uuid: white, name: "Maize (white)" }, ...presented }], []],
    ],
  );
  const stated = { last_month: "2020-12", first_month: "2021-02", overlap_months: 1, evidence: "One point." };
  const places = (data as object[] as Record<string, object>[]).map((series) => {
    return [series["market_continues"], series["market_continued_by"]];
  });
  t.strictSame(places, [
    [{ market: { uuid: former, name: "Old" }, ...stated }, null],
    [null, null],
    [null, { market: { uuid: gikomba, name: "Gikomba" }, ...stated }],
    [null, null],
  ]);
  t.notOk((await list("")).data.some((series) => "continues" in series || "market_continues" in series));
});
