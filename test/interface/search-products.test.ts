import t from "tap";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { publicKey } from "../support/signed-request.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const path = "/api/v1/products/search";
const endpointName = "POST /products/search";

interface Body {
  data: { name: string }[];
  meta: object;
}

t.test("search of products", async (t) => {
  const app = await startApp(
    t,
    tinyDataset({
      products: [
        {
          ...{ name: "Maize", category: "Cereals", subCategory: "Grains", description: "Mahindi." },
          ...{ sourceIds: ["WFP:51"], scientificName: "Zea mays" },
        },
        { name: "Kale", category: "Vegetables", subCategory: "Leaves", description: "Sukuma wiki." },
        { name: "Ábaca", category: "Fibres", description: "A kale-green leaf." },
        { name: "Millet", category: "Cereals", isActive: false },
        { name: "Oats", category: "cereals", subCategory: null },
      ],
    }),
  );
  const search = async (body: unknown) => expectSuccess<Body>(t, endpointName, await app.post(path, body));
  const namesOf = async (body: unknown) => (await search(body)).data.map(({ name }) => name);

  t.test("has the list form without time stamps, the best match first, and the total alone as meta", async (t) => {
    t.strictSame(await search({ query: "kale" }), {
      data: [
        {
          uuid: uuidOf("product", 2),
          name: "Kale",
          category: "Vegetables",
          sub_category: "Leaves",
          description: "Sukuma wiki.",
          common_units: ["kg"],
          is_active: true,
        },
        {
          uuid: uuidOf("product", 3),
          name: "Ábaca",
          category: "Fibres",
          sub_category: null,
          description: "A kale-green leaf.",
          common_units: ["kg"],
          is_active: true,
        },
      ],
      meta: { total: 2 },
    });
  });

  t.test("with detail, what was left out and what may be meant", async (t) => {
    t.same((await search({ query: "kale", detail: true })).meta, { total: 2, inactive: 0 });
    t.same((await search({ categories: ["Cereals"], detail: true })).meta, { total: 2, inactive: 1 });
    t.same((await search({ is_active: false, detail: true })).meta, { total: 1, inactive: 0 });
    t.same((await search({ query: "qqqq", detail: true })).meta, { total: 0, inactive: 0, suggestions: [] });
    t.same((await search({ query: "qqqq" })).meta, { total: 0 });
    const millet = { uuid: uuidOf("product", 4), name: "Millet", matched: "Millet", is_active: false };
    t.same((await search({ query: "milet", detail: true })).meta, { total: 0, inactive: 0, suggestions: [millet] });
    t.same((await search({ query: "millet", detail: true })).meta, { total: 0, inactive: 1, suggestions: [millet] });
  });

  t.test("with detail, the codes of each product, which the specified form has not", async (t) => {
    const [maize] = (await search({ query: "maize", detail: true })).data;
    t.match(maize, { source_ids: ["WFP:51"], scientific_name: "Zea mays" });
    const [plain] = (await search({ query: "maize" })).data;
    t.notOk("source_ids" in (plain ?? {}) || "scientific_name" in (plain ?? {}));
  });

  t.test("finds active products unless asked otherwise", async (t) => {
    t.same(await namesOf({}), ["Ábaca", "Kale", "Maize", "Oats"]);
    t.same(await namesOf({ is_active: true }), ["Ábaca", "Kale", "Maize", "Oats"]);
    t.same(await namesOf({ is_active: false }), ["Millet"]);
  });

  t.test("matches categories in any case, any of those given; every condition must hold", async (t) => {
    t.same(await namesOf({ categories: ["Cereals"] }), ["Maize", "Oats"]);
    t.same(await namesOf({ categories: ["CEREALS", "vegetables", "Vegetables"] }), ["Kale", "Maize", "Oats"]);
    t.same(await namesOf({ sub_categories: ["Grains", "Leaves"] }), ["Kale", "Maize"]);
    t.same(await namesOf({ sub_categories: ["grains"] }), ["Maize"]);
    t.same(await namesOf({ query: "leaf green" }), ["Ábaca"]);
    t.same(await namesOf({ query: "kale wiki" }), ["Kale"]);
    t.same(await namesOf({ categories: ["Cereals"], sub_categories: ["Leaves"] }), []);
    t.same(await namesOf({ query: "ABACA", categories: ["Fibres"] }), ["Ábaca"]);
    t.strictSame(await search({ query: "nothing" }), { data: [], meta: { total: 0 } });
  });

  t.test("an empty body asks the same as an empty object, with or without a type", async (t) => {
    const expected = await search({});
    for (const headers of [{}, { "Content-Type": "application/json" }, { "Content-Type": "text/plain" }]) {
      const answer = await app.send({ method: "POST", path, headers: { "X-API-Key": publicKey, ...headers } });
      t.strictSame(expectSuccess(t, endpointName, answer), expected);
    }
  });

  t.test("refuses what is no filter", async (t) => {
    const bad: [object, string[]][] = [
      [{ query: "" }, ["query"]],
      [{ query: "  " }, ["query"]],
      [{ query: "\u0301" }, ["query"]],
      [{ query: "x".repeat(201) }, ["query"]],
      [{ query: null }, ["query"]],
      [{ query: ["maize"] }, ["query"]],
      [{ categories: "Cereals" }, ["categories"]],
      [{ categories: [] }, ["categories"]],
      [{ categories: [""] }, ["categories[0]"]],
      [{ categories: ["Cereals", null, 5] }, ["categories[1]", "categories[2]"]],
      [{ categories: Array(101).fill("Cereals") }, ["categories"]],
      [{ sub_categories: Array(101).fill("x") }, ["sub_categories"]],
      [{ is_active: "true" }, ["is_active"]],
      [{ is_active: 1 }, ["is_active"]],
      [{ is_active: null }, ["is_active"]],
      [{ page: 1, page_size: 20 }, ["page", "page_size"]],
      [{ category: "Cereals" }, ["category"]],
    ];
    for (const [body, fields] of bad) {
      expectError(
        t,
        await app.post(path, body),
        { code: "VALIDATION_ERROR", fields },
        JSON.stringify(body).slice(0, 60),
      );
    }
    t.same(await namesOf({ query: "x".repeat(200) }), []);
    t.same(await namesOf({ categories: Array(100).fill("Cereals") }), ["Maize", "Oats"]);
    expectError(t, await app.post(`${path}?query=kale`, {}), { code: "VALIDATION_ERROR", fields: ["query"] });
  });
});
