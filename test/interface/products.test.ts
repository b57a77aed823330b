/** Lists of products and one product; test/golden has every field, and their categories. */
import t from "tap";
import type { Uuid } from "../../src/engine/model/ids.ts";
import { startEndpoint } from "../support/ask-endpoint.ts";
import { expectError } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

interface Body {
  data: { uuid: string; name: string }[];
  meta: object;
}

t.test("list of products", async (t) => {
  const { ask: list } = await startEndpoint<Body>(t, "GET /products", {
    products: [
      { name: "Maize", category: "Cereals", description: "Grain; Mahindi in Swahili." },
      { name: "élite beans", category: "Pulses", description: "Maharagwe.", isActive: false },
      { name: "Élite beans", category: "pulses", description: "Yellow." },
      { name: "apples", category: "Fruits", description: "Imported, mostly." },
      { name: "Éclair", category: "Fruits", subCategory: "Other", description: "100% butter & sugar?" },
      { name: "maize", category: "Cereals", description: "Yellow.", uuid: uuidOf("product", 0) },
    ],
  });
  const namesOf = async (query: string) => (await list(query)).data.map(({ name }) => name);

  t.test("with detail, what may be meant where nothing is found; inactive products are in the list", async (t) => {
    const page = { page: 1, page_size: 20, total: 1, total_pages: 1 };
    t.same((await list("?search=apples&detail=true")).meta, { ...page, inactive: 0 });
    const suggestions = [{ uuid: uuidOf("product", 4), name: "apples", matched: "apples", is_active: true }];
    const nothing = { ...page, total: 0, total_pages: 0 };
    t.same((await list("?search=aples&detail=true")).meta, { ...nothing, inactive: 0, suggestions });
    t.same((await list("?search=aples&category=Cereals&detail=true")).meta, { ...nothing, inactive: 0, suggestions });
    t.same((await list("?search=aples")).meta, nothing);
  });

  t.test("category is matched in any case, and encoded signs of a search are signs", async (t) => {
    t.same(await namesOf("?category=PULSES"), ["élite beans", "Élite beans"]);
    t.same(await namesOf("?search=100%25+butter+%26+sugar%3F"), ["Éclair"]);
    t.same(await namesOf("?search=yellow&category=Cereals"), ["maize"]);
    t.strictSame((await list("?page=9007199254740991&page_size=100")).data, []);
  });
});

t.test("a hundred and one products are two pages of at most a hundred", async (t) => {
  const products = Array.from({ length: 101 }, (_, at) => ({ name: `P${String(at).padStart(3, "0")}` }));
  const { ask } = await startEndpoint<Body>(t, "GET /products", { products });
  const sizes = [];
  for (const query of ["", "?page_size=1", "?page_size=100", "?page_size=100&page=2", "?page=6"]) {
    const { data, meta } = await ask(query);
    sizes.push([data.length, data[0]?.name, meta]);
  }
  t.strictSame(sizes, [
    [20, "P000", { page: 1, page_size: 20, total: 101, total_pages: 6 }],
    [1, "P000", { page: 1, page_size: 1, total: 101, total_pages: 101 }],
    [100, "P000", { page: 1, page_size: 100, total: 101, total_pages: 2 }],
    [1, "P100", { page: 2, page_size: 100, total: 101, total_pages: 2 }],
    [1, "P100", { page: 6, page_size: 20, total: 101, total_pages: 6 }],
  ]);
});

t.test("one product is found by its uuid in any spelling, and is nothing else", async (t) => {
  const uuid = "abcdefab-cdef-1bcd-0bcd-abcdefabcdef" as Uuid;
  const { ask, miss, send } = await startEndpoint<{ data: { uuid: string } }>(t, "GET /products/:uuid", {
    products: [{ uuid }, { metadata: {}, alternativeNames: [] }],
  });
  for (const spelled of [uuid, uuid.toUpperCase(), `%61${uuid.slice(1)}`])
    t.equal((await ask(spelled)).data.uuid, uuid);
  await miss("abcdefab-cdef-1bcd-0bcd-abcdefabcdee");
  for (const text of [`${uuid}%0A`, `urn:uuid:${uuid}`, uuid.replace("-", "_"), "1", "%ZZ", "%C0%AF"]) {
    expectError(t, await send(text), { code: "INVALID_UUID", fields: ["uuid"] }, text);
  }
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
