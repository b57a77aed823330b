import t from "tap";
import type { Uuid } from "../../src/engine/model/ids.ts";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const endpointName = "GET /products/:uuid";
const uuid = "abcdefab-cdef-1bcd-0bcd-abcdefabcdef" as Uuid;

t.test("one product", async (t) => {
  const metadata = { scientific_name: "Zea mays", varieties: ["H614"], nested: { altitude: null, "with space": 1.5 } };
  const app = await startApp(
    t,
    tinyDataset({
      products: [
        {
          uuid,
          name: "Maize",
          subCategory: "Grains",
          alternativeNames: ["Mahindi", "Corn"],
          season: "Long rains",
          storageRequirements: "Dry",
          isActive: false,
          metadata,
          commonUnits: ["90 kg bag", "kg"],
        },
        { uuid: "00000000-0000-0000-0000-000000000000" as Uuid, metadata: {}, alternativeNames: [] },
      ],
    }),
  );
  const get = (text: string) => app.get(`/api/v1/products/${text}`);

  t.test("has every field of the detail form", async (t) => {
    const body = {
      data: {
        uuid,
        name: "Maize",
        category: "Cereals",
        sub_category: "Grains",
        description: "A product.",
        common_units: ["90 kg bag", "kg"],
        is_active: false,
        alternative_names: ["Mahindi", "Corn"],
        season: "Long rains",
        storage_requirements: "Dry",
        metadata,
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:00.000Z",
      },
    };
    t.strictSame(expectSuccess(t, endpointName, await get(uuid)), body);
    t.strictSame(expectSuccess(t, endpointName, await get(uuid.toUpperCase())), body, "either case in, lower case out");
    t.strictSame(expectSuccess(t, endpointName, await get(`%61${uuid.slice(1)}`)), body, "percent-encoded");
  });

  t.test("has null for what is unknown, and empty for what is empty", async (t) => {
    t.match(expectSuccess(t, endpointName, await get("00000000-0000-0000-0000-000000000000")), {
      data: { sub_category: null, alternative_names: [], season: null, storage_requirements: null, metadata: {} },
    });
  });

  t.test("is not found under another uuid, and other texts are no uuids", async (t) => {
    expectError(t, await get("abcdefab-cdef-1bcd-0bcd-abcdefabcdee"), { code: "NOT_FOUND" });
    const bad = [
      uuid.slice(1),
      `${uuid}0`,
      uuid.replaceAll("-", ""),
      `{${uuid}}`,
      `${uuid}%20`,
      `${uuid}%0A`,
      `urn:uuid:${uuid}`,
      uuid.replace("a", "g"),
      uuid.replace("-", "_"),
      "1",
      "%ZZ",
      "%C0%AF",
    ];
    for (const text of bad) {
      expectError(t, await get(text), { code: "INVALID_UUID", fields: ["uuid"] }, text);
    }
    expectError(t, await get(`${uuid}?page=1`), { code: "VALIDATION_ERROR", fields: ["page"] });
  });
});

t.test(
  "detail names what a product may also be reported as, with the newest month in camps and elsewhere",
  async (t) => {
    const products = [
      { name: "Maize (white, dry)" },
      { name: "MAÏZE", category: "CEREALS" },
      { name: "Maize-meal" },
      { name: "Maize flour", category: "Flour" },
      { name: "Maizena" },
      { name: "White maize" },
    ];
    const markets = [{ setting: "refugee_camp" as const }, {}, {}];
    const prices = [
      { product: 1, market: 0, recordedAt: "2026-01-15T06:00:00Z" },
      { product: 1, market: 0, recordedAt: "2026-02-28T21:00:00Z", unit: "90 kg bag" },
      { product: 1, market: 1, recordedAt: "2025-06-15T06:00:00Z" },
      { product: 1, market: 2, recordedAt: "2025-09-15T06:00:00Z" },
      { product: 0, market: 1, recordedAt: "2025-12-15T06:00:00Z" },
    ];
    const app = await startApp(t, tinyDataset({ products, markets, prices }));
    const entry = (number: number, refugee_camps: string | null, other_markets: string | null) => ({
      product: { uuid: uuidOf("product", number), name: products[number - 1]?.name },
      newest_month: { refugee_camps, other_markets },
    });
    const [white, plain, meal] = [entry(1, null, "2025-12"), entry(2, "2026-03", "2025-09"), entry(3, null, null)];
    const wanted = [[plain, meal], [white, meal], [plain, white], [], [], []];
    for (const [at, names] of wanted.entries()) {
      const { text } = await app.get(`/api/v1/products/${uuidOf("product", at + 1)}?detail=true`);
      t.strictSame(JSON.parse(text).data.also_reported_as, names, String(products[at]?.name));
      const times = prices.filter(({ product }) => product === at).map(({ recordedAt }) => Date.parse(recordedAt));
      const newest = times.length === 0 ? null : new Date(Math.max(...times)).toISOString();
      t.equal(JSON.parse(text).data.last_recorded_at, newest);
    }
    const { text: list } = await app.get("/api/v1/products?detail=true&search=meal");
    t.strictSame(JSON.parse(list).data[0].also_reported_as, [plain, white]);
    const { text: found } = await app.post("/api/v1/products/search", { query: "meal", detail: true });
    t.strictSame(JSON.parse(found).data[0].also_reported_as, [plain, white]);
    t.notMatch((await app.get("/api/v1/products")).text, "also_reported_as");
  },
);

t.test("of many products that share a first word, the first hundred are named", async (t) => {
  const products = Array.from({ length: 130 }, (_, at) => ({ name: `Maize ${String(at).padStart(3, "0")}` }));
  const app = await startApp(t, tinyDataset({ products }));
  const { text } = await app.get(`/api/v1/products/${uuidOf("product", 1)}?detail=true`);
  const names = JSON.parse(text).data.also_reported_as.map(
    ({ product }: { product: { name: string } }) => product.name,
  );
  t.equal(names.length, 100);
  t.same([names[0], names.at(-1)], ["Maize 001", "Maize 100"]);
});
