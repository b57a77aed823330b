import t from "tap";
import type { Uuid } from "../../src/engine/model/ids.ts";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const path = "/api/v1/products";
const endpointName = "GET /products";

interface Body {
  data: { uuid: string; name: string }[];
  meta: object;
}

t.test("list of products", async (t) => {
  const app = await startApp(
    t,
    tinyDataset({
      products: [
        { name: "Maize", category: "Cereals", description: "Grain; Mahindi in Swahili." },
        { name: "élite beans", category: "Pulses", description: "Maharagwe.", isActive: false },
        { name: "Élite beans", category: "pulses", description: "Yellow." },
        { name: "apples", category: "Fruits", description: "Imported, mostly." },
        { name: "Éclair", category: "Fruits", subCategory: "Other", description: "100% butter & sugar?" },
        { name: "maize", category: "Cereals", description: "Yellow.", uuid: uuidOf("product", 0) },
      ],
    }),
  );
  const list = async (query: string) => expectSuccess<Body>(t, endpointName, await app.get(path + query));
  const namesOf = async (query: string) => (await list(query)).data.map(({ name }) => name);

  t.test("has every field of the list form and nothing of the detail form", async (t) => {
    t.strictSame((await list("?search=clair")).data, [
      {
        uuid: uuidOf("product", 5),
        name: "Éclair",
        category: "Fruits",
        sub_category: "Other",
        description: "100% butter & sugar?",
        common_units: ["kg"],
        is_active: true,
        created_at: "2026-01-01T00:00:00.000Z",
        updated_at: "2026-01-01T00:00:00.000Z",
      },
    ]);
  });

  t.test("with detail, what may be meant where nothing is found; inactive products are in the list", async (t) => {
    const page = { page: 1, page_size: 20, total: 1, total_pages: 1 };
    t.same((await list("?search=apples&detail=true")).meta, { ...page, inactive: 0 });
    const suggestions = [{ uuid: uuidOf("product", 4), name: "apples", matched: "apples", is_active: true }];
    const nothing = { ...page, total: 0, total_pages: 0 };
    t.same((await list("?search=aples&detail=true")).meta, { ...nothing, inactive: 0, suggestions });
    t.same((await list("?search=aples&category=Cereals&detail=true")).meta, { ...nothing, inactive: 0, suggestions });
    t.same((await list("?search=aples")).meta, nothing);
  });

  t.test("is by name without case and accents, equal names by uuid, active or not", async (t) => {
    const { data, meta } = await list("");
    t.same(
      data.map(({ uuid, name }) => [name, Number(uuid.slice(-3))]),
      [
        ["apples", 4],
        ["Éclair", 5],
        ["élite beans", 2],
        ["Élite beans", 3],
        ["maize", 0],
        ["Maize", 1],
      ],
    );
    t.strictSame(meta, { page: 1, page_size: 20, total: 6, total_pages: 1 });
  });

  t.test(
    "category is matched in any case, search by folded words of name or description, both must hold",
    async (t) => {
      t.same(await namesOf("?category=Cereals"), ["maize", "Maize"]);
      t.same(await namesOf("?category=PULSES"), ["élite beans", "Élite beans"]);
      t.same(await namesOf("?category=pulse"), []);
      t.same(await namesOf("?search=beans+yellow"), ["Élite beans"]);
      t.same(await namesOf("?search=butter+eclair+SUGAR"), ["Éclair"]);
      t.same(await namesOf("?search=MAHINDI"), ["Maize"]);
      t.same(await namesOf("?search=%C3%89LITE"), ["élite beans", "Élite beans"]);
      t.same(await namesOf("?search=elite+b"), ["élite beans", "Élite beans"]);
      t.same(await namesOf("?search=100%25+butter+%26+sugar%3F"), ["Éclair"], "encoded signs are signs");
      t.same(await namesOf("?search=yellow&category=Cereals"), ["maize"]);
      t.strictSame(await list("?search=nothing"), {
        data: [],
        meta: { page: 1, page_size: 20, total: 0, total_pages: 0 },
      });
    },
  );

  t.test("is cut into pages that repeat and lose nothing", async (t) => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`?page_size=2&page=${page}`)));
    t.same(
      pages.map(({ data }) => data.map(({ name }) => name)),
      [["apples", "Éclair"], ["élite beans", "Élite beans"], ["maize", "Maize"], []],
    );
    t.strictSame(pages[3]?.meta, { page: 4, page_size: 2, total: 6, total_pages: 3 }, "past the last page");
    t.strictSame((await list("?page_size=4")).meta, { page: 1, page_size: 4, total: 6, total_pages: 2 });
    t.strictSame((await list("?page=9007199254740991&page_size=100")).data, []);
  });

  t.test("refuses pages and sizes outside their bounds, and other spellings of numbers", async (t) => {
    for (const size of ["1", "100"]) expectSuccess(t, endpointName, await app.get(`${path}?page_size=${size}`));
    for (const size of ["0", "101", "-1", "2e1", "0x14", "+20", "%2020", "020", "20.0", "", "twenty", "NaN", "null"]) {
      const answer = await app.get(`${path}?page_size=${size}`);
      expectError(t, answer, { code: "VALIDATION_ERROR", fields: ["page_size"] }, size);
    }
    for (const page of ["0", "-1", "1.5", "9007199254740992", "99999999999999999999"]) {
      expectError(t, await app.get(`${path}?page=${page}`), { code: "VALIDATION_ERROR", fields: ["page"] }, page);
    }
  });
});

t.test("a hundred and one products are two pages of at most a hundred", async (t) => {
  const products = Array.from({ length: 101 }, (_, at) => ({ name: `P${String(at).padStart(3, "0")}` }));
  const app = await startApp(t, tinyDataset({ products }));
  const sizes = [];
  for (const query of ["", "?page_size=1", "?page_size=100", "?page_size=100&page=2", "?page=6"]) {
    const { data, meta } = expectSuccess<Body>(t, endpointName, await app.get(path + query));
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

t.test("ties of names are broken by uuid whatever the order of the file", async (t) => {
  const uuids = ["ffffffff-ffff-4fff-bfff-ffffffffffff", "0a000000-0000-1000-8000-000000000000"] as Uuid[];
  const app = await startApp(t, tinyDataset({ products: uuids.map((uuid) => ({ uuid, name: "Same" })) }));
  const { data } = expectSuccess<Body>(t, endpointName, await app.get(path));
  t.same(
    data.map(({ uuid }) => uuid),
    uuids.toReversed(),
  );
});
