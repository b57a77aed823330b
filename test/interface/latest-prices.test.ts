/** Latest prices, by POST and by GET; test/golden has every field of the specified form. */
import t from "tap";
import { type Instant, instantFromText } from "../../src/engine/model/calendar.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { endpointOf, numbersOf, startEndpoint } from "../support/ask-endpoint.ts";
import { expectSuccess } from "../support/expect-answer.ts";
import { valuesOf } from "../support/fields-of.ts";
import { publicKey } from "../support/signed-request.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const endpointName = "POST /prices/latest";

const instantOf = (text: string): Instant => instantFromText(text) as Instant;

interface Body {
  data: { product: { name: string }; prices: { uuid: string }[] }[];
}

const [maize, kale, tea] = [uuidOf("product", 1), uuidOf("product", 2), uuidOf("product", 3)];

/**
 * Kale (product 2) comes before Maize (product 1) by name; Tea (product 3) has no
 * prices. Prices 1 to 6 are Maize, each a day older than the one before; 5 and 6 are of one time.
 */
const latestDataset: Dataset = tinyDataset({
  products: [{ name: "Maize" }, { name: "kale" }, { name: "Tea" }],
  prices: [
    { market: 0, unit: "kg", price: 1, recordedAt: "2026-03-09T09:00:00+03:00" },
    { market: 0, unit: "90 kg bag", price: 2, recordedAt: "2026-03-08T09:00:00+03:00" },
    { market: 0, unit: "kg", price: 3, recordedAt: "2026-03-07T09:00:00+03:00" },
    { market: 1, unit: "kg", price: 4, recordedAt: "2026-03-06T09:00:00+03:00" },
    { market: 2, unit: "kg", price: 5, recordedAt: "2026-03-05T09:00:00+03:00" },
    { market: 1, unit: "kg", price: 6, recordedAt: "2026-03-05T09:00:00+03:00" },
    { product: 1, market: 2, unit: "bunch", price: 7, recordedAt: "2020-01-01T09:00:00+03:00" },
  ],
});

/** The names of products, each with the numbers of its prices. */
function groupsOf({ data }: Body): (string | number)[][] {
  return data.map(({ product, prices }) => [product.name, ...numbersOf(prices)]);
}

t.test("latest prices", async (t) => {
  const app = await startApp(t, latestDataset);
  const { ask: latest, refuseAll } = endpointOf<Body>(t, app, endpointName);
  const found = async (body: object) => groupsOf(await latest(body));

  t.test("an empty body asks the same", async (t) => {
    const path = "/api/v1/prices/latest";
    const answer = await app.send({ method: "POST", path, headers: { "X-API-Key": publicKey } });
    t.strictSame(expectSuccess(t, endpointName, answer), await latest({}));
  });

  t.test("of chosen products stay in order of names; repeated and unknown ones change nothing", async (t) => {
    const both = [
      ["kale", 7],
      ["Maize", 1],
    ];
    t.same(await found({ product_uuids: [maize, kale], limit: 1 }), both);
    t.same(await found({ product_uuids: [kale.toUpperCase(), maize, kale, maize.toUpperCase()], limit: 1 }), both);
    t.same(await found({ product_uuids: [uuidOf("product", 9), tea] }), []);
    t.same(await found({ product_uuids: Array(100).fill(kale) }), [["kale", 7]]);
  });

  t.test("by GET are those by POST with the same fields", async (t) => {
    const { ask: byGet, refuseAll } = endpointOf<Body>(t, app, "GET /prices/latest");
    const questions: [string, object][] = [
      ["", {}],
      ["?", {}],
      ["?limit=2", { limit: 2 }],
      [`?product_uuids=${maize},${kale}&limit=%31`, { product_uuids: [maize, kale], limit: 1 }],
      [`?product_uuids=${maize}%2C${kale}`, { product_uuids: [maize, kale] }],
      [`?product_uuids=${maize}&limit=1&product_uuids=${kale}`, { product_uuids: [maize, kale], limit: 1 }],
      ["?one_per_market=false&county_id=1", { one_per_market: false, county_id: 1 }],
      ["?one_per_market=true&limit=1000", { one_per_market: true, limit: 1000 }],
    ];
    for (const [query, body] of questions) t.strictSame(await byGet(query), await latest(body), query);
    const fifty = Array(50).fill(kale).join(",");
    await byGet(`?product_uuids=${fifty}&product_uuids=${fifty}`);
    await refuseAll([
      [`?product_uuids=${fifty}&product_uuids=${fifty},${kale}`, "product_uuids"],
      [`?product_uuids=${maize},`, "product_uuids[1]"],
      [`?product_uuids=${maize},%20${kale}`, "product_uuids[1]"],
      ["?limit=101", "limit"],
      ["?limit=101&one_per_market=false", "limit"],
      ["?limit=1001&one_per_market=true", "limit"],
    ]);
  });

  t.test("refuses a limit above 100 without one_per_market, and bad items by their place", () =>
    refuseAll([
      [{ limit: 101 }, "limit"],
      [{ limit: 101, one_per_market: false }, "limit"],
      [{ limit: 1001, one_per_market: true }, "limit"],
      [{ product_uuids: [maize, "x"] }, "product_uuids[1]"],
    ]),
  );
});

/** 1,005 prices of one product at one market, and one at each of 1,005 others that are older. */
function manyPricesDataset(): Dataset {
  const markets = Array.from({ length: 1006 }, () => ({}));
  const day = Date.parse("2026-01-01T06:00:00Z");
  return tinyDataset({
    markets,
    prices: [
      ...Array.from({ length: 1005 }, (_, at) => ({ recordedAt: new Date(day - at * 1000).toISOString() })),
      ...Array.from({ length: 1005 }, (_, at) => ({
        market: at + 1,
        recordedAt: new Date(day - (2000 + at) * 1000).toISOString(),
      })),
    ],
  });
}

t.test("limits of latest prices reach exactly 100, and 1000 with one_per_market", async (t) => {
  const { ask } = endpointOf<Body>(t, await startApp(t, manyPricesDataset()), endpointName);
  const counts = [];
  for (const limit of [{}, { limit: 1 }, { limit: 100 }]) {
    counts.push((await ask(limit)).data.map(({ prices }) => prices.length));
  }
  for (const limit of [{ limit: 1000 }, {}]) {
    counts.push((await ask({ ...limit, one_per_market: true })).data.map(({ prices }) => prices.length));
  }
  t.same(counts, [[10], [1], [100], [1000], [10]]);
});

t.test("detail adds what the export has of a price, and type and county of the market", async (t) => {
  const times = { createdAt: instantOf("2026-01-03T06:00:00Z"), updatedAt: instantOf("2026-01-04T06:00:00.250Z") };
  const { app, ask } = await startEndpoint<Body>(t, endpointName, {
    prices: [
      {
        ...{ price: 4500, unit: "90 kg bag", currency: "USD", recordedAt: "2026-01-02T06:00:00Z", ...times },
        ...{ notes: 'an "aggregate"', priceFlag: "actual_aggregate" },
      },
      { product: 1, market: 2, price: 7, unit: "bunch", recordedAt: "2026-01-01T06:00:00Z" },
    ],
  });
  const market = (number: number, name: string, county: object, county_pcode: string) => ({
    market: { uuid: uuidOf("market", number), name, type: "Wholesale", county, county_pcode, setting: null },
  });
  const unmarked = { suspicious: false, suspicious_reason: null };
  const kales = {
    ...{ uuid: uuidOf("price", 2), ...market(3, "Kongowea", { id: 1, name: "Mombasa" }, "KE001") },
    ...{ price: 7, unit: "bunch", recorded_at: "2026-01-01T06:00:00.000Z", currency: "KES" },
    ...{ age_days: 323, age_days_at_publication: 323, price_per_base_unit: 7, base_unit: "bunch" },
    ...{ notes: null, price_flag: null, ...unmarked },
    ...{ created_at: "2026-01-01T06:00:00.000Z", updated_at: "2026-01-01T06:00:00.000Z" },
  };
  const maizes = {
    ...{ uuid: uuidOf("price", 1), ...market(1, "Wakulima", { id: 47, name: "Nairobi" }, "KE047") },
    ...{ price: 4500, unit: "90 kg bag", recorded_at: "2026-01-02T06:00:00.000Z", currency: "USD" },
    ...{ age_days: 322, age_days_at_publication: 322, price_per_base_unit: 50, base_unit: "kg" },
    ...{ notes: 'an "aggregate"', price_flag: "actual_aggregate", ...unmarked },
    ...{ created_at: "2026-01-03T06:00:00.000Z", updated_at: "2026-01-04T06:00:00.250Z" },
  };
  const wanted = [
    { product: { uuid: kale, name: "Kale" }, prices: [kales] },
    { product: { uuid: maize, name: "Maize" }, prices: [maizes] },
  ];
  t.strictSame(await ask({ detail: true }), { data: wanted });
  const byGet = endpointOf(t, app, "GET /prices/latest");
  t.strictSame(await byGet.ask("?detail=true&recorded_since=2026-01-02"), { data: wanted.slice(1) });
  t.strictSame(await ask({ detail: false }), await ask());
  t.notSame(await ask(), { data: wanted });
});

t.test("ages are counted in Kenyan days before the publication, from 0", async (t) => {
  const dataset = manyPricesDataset();
  // 23:30 in Nairobi, so that the Kenyan day begins half an hour later.
  const ends = [
    instantOf("2025-06-30T20:30:00Z"),
    instantOf("2026-11-20T08:30:00Z"),
    instantOf("2026-11-20T21:00:00Z"),
  ];
  const kenyanDay = (instant: number): number => Math.floor((instant + 3 * 3_600_000) / 86_400_000);
  for (const createdAt of ends) {
    const app = await startApp(t, { ...dataset, snapshot: { ...dataset.snapshot, createdAt } });
    const { ask } = endpointOf<{ data: { prices: { recorded_at: string; age_days: number }[] }[] }>(
      t,
      app,
      endpointName,
    );
    const { data } = await ask({ detail: true, limit: 100 });
    const prices = data.flatMap((group) => group.prices);
    t.ok(prices.length > 0);
    t.strictSame(
      valuesOf(prices, "age_days"),
      prices.map(({ recorded_at }) => Math.max(0, kenyanDay(createdAt) - kenyanDay(Date.parse(recorded_at)))),
    );
  }
});
