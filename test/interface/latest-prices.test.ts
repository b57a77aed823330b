import t from "tap";
import { type Instant, instantFromText } from "../../src/engine/model/calendar.ts";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { latestDataset, manyPricesDataset } from "../support/latest-dataset.ts";
import { publicKey } from "../support/signed-request.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const path = "/api/v1/prices/latest";
const endpointName = "POST /prices/latest";

const instantOf = (text: string): Instant => instantFromText(text) as Instant;

interface Body {
  data: { product: { name: string }; prices: { uuid: string }[] }[];
}

t.test("latest prices", async (t) => {
  const app = await startApp(t, latestDataset);
  const latest = async (body: unknown) => expectSuccess<Body>(t, endpointName, await app.post(path, body));
  const groupsOf = async (body: unknown) =>
    (await latest(body)).data.map(({ product, prices }) => [
      product.name,
      ...prices.map(({ uuid }) => Number(uuid.slice(-3))),
    ]);
  const maize = uuidOf("product", 1);
  const kale = uuidOf("product", 2);
  const tea = uuidOf("product", 3);

  t.test("have every field of the group and no others", async (t) => {
    t.strictSame(await latest({ product_uuids: [kale] }), {
      data: [
        {
          product: { uuid: kale, name: "kale" },
          prices: [
            {
              uuid: uuidOf("price", 7),
              market: { uuid: uuidOf("market", 3), name: "Kongowea" },
              price: 7,
              unit: "bunch",
              recorded_at: "2020-01-01T06:00:00.000Z",
            },
          ],
        },
      ],
    });
  });

  t.test("are of all products by name, newest first, ties by uuid; products without prices are left out", async (t) => {
    t.same(await groupsOf({}), [
      ["kale", 7],
      ["Maize", 1, 2, 3, 4, 5, 6],
    ]);
  });

  t.test("an empty body asks the same", async (t) => {
    const answer = await app.send({ method: "POST", path, headers: { "X-API-Key": publicKey } });
    t.strictSame(expectSuccess(t, endpointName, answer), await latest({}));
  });

  t.test("of chosen products stay in order of names; repeated and unknown ones change nothing", async (t) => {
    const both = [
      ["kale", 7],
      ["Maize", 1],
    ];
    t.same(await groupsOf({ product_uuids: [maize, kale], limit: 1 }), both);
    t.same(await groupsOf({ product_uuids: [kale.toUpperCase(), maize, kale, maize.toUpperCase()], limit: 1 }), both);
    t.same(await groupsOf({ product_uuids: [uuidOf("product", 9), tea] }), []);
    t.same(await groupsOf({ product_uuids: Array(100).fill(kale) }), [["kale", 7]]);
  });

  t.test("limit counts per product", async (t) => {
    t.same(await groupsOf({ limit: 2 }), [
      ["kale", 7],
      ["Maize", 1, 2],
    ]);
    t.same(await groupsOf({ limit: 100, product_uuids: [maize] }), [["Maize", 1, 2, 3, 4, 5, 6]]);
  });

  t.test("filters by market, county and type; products without a match are left out", async (t) => {
    t.same(await groupsOf({ market_uuid: uuidOf("market", 2) }), [["Maize", 4, 6]]);
    t.same(await groupsOf({ market_uuid: uuidOf("market", 2).toUpperCase(), limit: 1 }), [["Maize", 4]]);
    t.same(await groupsOf({ county_id: 1 }), [
      ["kale", 7],
      ["Maize", 5],
    ]);
    t.same(await groupsOf({ market_type: "Retail" }), [["Maize", 4, 6]]);
    t.same(await groupsOf({ market_type: "Urban" }), []);
    t.same(await groupsOf({ market_uuid: uuidOf("market", 9) }), []);
    t.same(await groupsOf({ county_id: 21 }), []);
    t.same(await groupsOf({ county_id: 2 }), []);
  });

  t.test("one_per_market keeps the newest of each market and unit", async (t) => {
    t.same(await groupsOf({ one_per_market: true, product_uuids: [maize] }), [["Maize", 1, 2, 4, 5]]);
    t.same(await groupsOf({ one_per_market: true, limit: 3, product_uuids: [maize] }), [["Maize", 1, 2, 4]]);
    t.same(await groupsOf({ one_per_market: false, limit: 3, product_uuids: [maize] }), [["Maize", 1, 2, 3]]);
    t.same(await groupsOf({ one_per_market: true, limit: 1000, county_id: 47 }), [["Maize", 1, 2, 4]]);
  });

  t.test("refuses what is no question", async (t) => {
    const bad: [object, string[]][] = [
      [{ limit: 0 }, ["limit"]],
      [{ limit: 101 }, ["limit"]],
      [{ limit: 101, one_per_market: false }, ["limit"]],
      [{ limit: 1001, one_per_market: true }, ["limit"]],
      [{ limit: "10" }, ["limit"]],
      [{ limit: 1.5 }, ["limit"]],
      [{ limit: null }, ["limit"]],
      [{ one_per_market: "true" }, ["one_per_market"]],
      [{ product_uuids: [] }, ["product_uuids"]],
      [{ product_uuids: maize }, ["product_uuids"]],
      [{ product_uuids: [maize, "x"] }, ["product_uuids[1]"]],
      [{ product_uuids: Array(101).fill(maize) }, ["product_uuids"]],
      [{ market_uuid: "" }, ["market_uuid"]],
      [{ county_id: 0 }, ["county_id"]],
      [{ county_id: 48 }, ["county_id"]],
      [{ product_uuid: maize }, ["product_uuid"]],
      [{ start_date: "2026-01-01" }, ["start_date"]],
      [{ page: 1 }, ["page"]],
    ];
    for (const [body, fields] of bad) {
      const answer = await app.post(path, body);
      expectError(t, answer, { code: "VALIDATION_ERROR", fields }, JSON.stringify(body).slice(0, 60));
    }
    expectError(t, await app.post(`${path}?limit=1`, {}), { code: "VALIDATION_ERROR", fields: ["limit"] });
  });

  t.test("a secret key must sign here too", async (t) => {
    expectSuccess(t, endpointName, await app.signedPost(path, { limit: 1 }));
  });
});

t.test("limits of latest prices reach exactly 100, and 1000 with one_per_market", async (t) => {
  const app = await startApp(t, manyPricesDataset());
  const counts = [];
  for (const body of [
    {},
    { limit: 1 },
    { limit: 100 },
    { limit: 1000, one_per_market: true },
    { one_per_market: true },
  ]) {
    const { data } = expectSuccess<Body>(t, endpointName, await app.post(path, body));
    counts.push(data.map(({ prices }) => prices.length));
  }
  t.same(counts, [[10], [1], [100], [1000], [10]]);
});

t.test(
  "detail adds currency, price per base unit, notes, flag, times of entry, and type and county of the market",
  async (t) => {
    const app = await startApp(
      t,
      tinyDataset({
        prices: [
          {
            price: 4500,
            unit: "90 kg bag",
            currency: "USD",
            notes: 'an "aggregate"',
            priceFlag: "actual_aggregate",
            recordedAt: "2026-01-02T06:00:00Z",
            createdAt: instantOf("2026-01-03T06:00:00Z"),
            updatedAt: instantOf("2026-01-04T06:00:00.250Z"),
          },
          { product: 1, market: 2, price: 7, unit: "bunch", recordedAt: "2026-01-01T06:00:00Z" },
        ],
      }),
    );
    const wanted = [
      {
        product: { uuid: uuidOf("product", 2), name: "Kale" },
        prices: [
          {
            uuid: uuidOf("price", 2),
            market: {
              uuid: uuidOf("market", 3),
              name: "Kongowea",
              type: "Wholesale",
              county: { id: 1, name: "Mombasa" },
              county_pcode: "KE001",
              setting: null,
            },
            price: 7,
            unit: "bunch",
            recorded_at: "2026-01-01T06:00:00.000Z",
            currency: "KES",
            age_days: 323,
            age_days_at_publication: 323,
            price_per_base_unit: 7,
            base_unit: "bunch",
            notes: null,
            price_flag: null,
            suspicious: false,
            suspicious_reason: null,
            created_at: "2026-01-01T06:00:00.000Z",
            updated_at: "2026-01-01T06:00:00.000Z",
          },
        ],
      },
      {
        product: { uuid: uuidOf("product", 1), name: "Maize" },
        prices: [
          {
            uuid: uuidOf("price", 1),
            market: {
              uuid: uuidOf("market", 1),
              name: "Wakulima",
              type: "Wholesale",
              county: { id: 47, name: "Nairobi" },
              county_pcode: "KE047",
              setting: null,
            },
            price: 4500,
            unit: "90 kg bag",
            recorded_at: "2026-01-02T06:00:00.000Z",
            currency: "USD",
            age_days: 322,
            age_days_at_publication: 322,
            price_per_base_unit: 50,
            base_unit: "kg",
            notes: 'an "aggregate"',
            price_flag: "actual_aggregate",
            suspicious: false,
            suspicious_reason: null,
            created_at: "2026-01-03T06:00:00.000Z",
            updated_at: "2026-01-04T06:00:00.250Z",
          },
        ],
      },
    ];
    t.strictSame(expectSuccess(t, endpointName, await app.post(path, { detail: true })), { data: wanted });
    const byGet = await app.get(`${path}?detail=true&recorded_since=2026-01-02`);
    t.strictSame(expectSuccess(t, "GET /prices/latest", byGet), { data: wanted.slice(1) });
    const plain = expectSuccess(t, endpointName, await app.post(path, { detail: false }));
    t.strictSame(plain, expectSuccess(t, endpointName, await app.post(path, {})));
    t.notSame(plain, { data: wanted });
  },
);

t.test("recorded_since leaves out prices of days before, and products that have no other", async (t) => {
  const app = await startApp(
    t,
    tinyDataset({
      prices: [
        { recordedAt: "2026-01-31T20:59:59Z" },
        { recordedAt: "2026-01-31T21:00:00Z", market: 1 },
        { recordedAt: "2026-02-02T06:00:00Z" },
        { recordedAt: "2026-01-01T06:00:00Z", product: 1 },
      ],
    }),
  );
  const since = async (day: string, others: object = {}) => {
    const { data } = expectSuccess<Body>(t, endpointName, await app.post(path, { recorded_since: day, ...others }));
    return data.map(({ product, prices }) => [product.name, ...prices.map(({ uuid }) => Number(uuid.slice(-3)))]);
  };
  t.same(await since("2026-01-01"), [
    ["Kale", 4],
    ["Maize", 3, 2, 1],
  ]);
  t.same(await since("2026-02-01"), [["Maize", 3, 2]]);
  t.same(await since("2026-02-01", { limit: 1 }), [["Maize", 3]]);
  t.same(await since("2026-02-02", { one_per_market: true }), [["Maize", 3]]);
  t.same(await since("2026-02-02", { market_type: "Retail" }), []);
  t.same(await since("2026-02-03"), []);
  for (const [field, value] of Object.entries({ recorded_since: "2026-02-30", detail: "true" })) {
    expectError(t, await app.post(path, { [field]: value }), { code: "VALIDATION_ERROR", fields: [field] });
  }
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
    const { data } = expectSuccess<{ data: { prices: { recorded_at: string; age_days: number }[] }[] }>(
      t,
      endpointName,
      await app.post(path, { detail: true, limit: 100 }),
    );
    const prices = data.flatMap((group) => group.prices);
    t.ok(prices.length > 0);
    t.strictSame(
      prices.map(({ age_days }) => age_days),
      prices.map(({ recorded_at }) => Math.max(0, kenyanDay(createdAt) - kenyanDay(Date.parse(recorded_at)))),
    );
  }
});
