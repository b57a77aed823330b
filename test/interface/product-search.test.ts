/** Search of products; test/golden has every field. */
import t from "tap";
import { startEndpoint } from "../support/ask-endpoint.ts";
import { expectSuccess } from "../support/expect-answer.ts";
import { publicKey } from "../support/signed-request.ts";
import { uuidOf } from "../support/tiny-dataset.ts";

interface Body {
  data: { name: string }[];
  meta: object;
}

t.test("search of products", async (t) => {
  const endpointName = "POST /products/search";
  const {
    app,
    ask: search,
    refuse,
  } = await startEndpoint<Body>(t, endpointName, {
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
  });
  const namesOf = async (body: object) => (await search(body)).data.map(({ name }) => name);

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

  t.test("finds active products unless asked otherwise; every condition must hold", async (t) => {
    t.same(await namesOf({}), ["Ábaca", "Kale", "Maize", "Oats"]);
    t.same(await namesOf({ is_active: true }), ["Ábaca", "Kale", "Maize", "Oats"]);
    t.same(await namesOf({ is_active: false }), ["Millet"]);
    t.same(await namesOf({ categories: ["CEREALS", "vegetables", "Vegetables"] }), ["Kale", "Maize", "Oats"]);
    t.same(await namesOf({ categories: ["Cereals"], sub_categories: ["Leaves"] }), []);
    t.same(await namesOf({ query: "kale" }), ["Kale", "Ábaca"], "the best match first");
    t.same(await namesOf({ query: "ABACA", categories: ["Fibres"] }), ["Ábaca"]);
  });

  t.test("an empty body asks the same as an empty object, with or without a type", async (t) => {
    const expected = await search({});
    for (const headers of [{}, { "Content-Type": "application/json" }, { "Content-Type": "text/plain" }]) {
      const answer = await app.send({
        method: "POST",
        path: "/api/v1/products/search",
        headers: { "X-API-Key": publicKey, ...headers },
      });
      t.strictSame(expectSuccess(t, endpointName, answer), expected);
    }
  });

  t.test("each item of a list is refused by its place", async (t) => {
    await refuse({ categories: [""] }, "categories[0]");
    await refuse({ categories: ["Cereals", null, 5] }, "categories[1]", "categories[2]");
    t.same(await namesOf({ categories: Array(100).fill("Cereals") }), ["Maize", "Oats"]);
  });
});
