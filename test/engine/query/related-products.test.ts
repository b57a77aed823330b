import t from "tap";
import type { ContinuationRecord } from "../../../src/engine/model/records.ts";
import { nounOf, relatedProducts } from "../../../src/engine/query/related-products.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { bundledStore } from "../../support/bundled-data.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

t.test("the noun of a name is its last word before a bracket or a comma, singular and plural alike", async (t) => {
  const nouns = [
    ["Beans (dry)", "bean"],
    ["Potatoes (Irish, red)", "potato"],
    ["Sweet potatoes", "potato"],
    ["Sweet potato, yellow", "potato"],
    ["Maize flour (white)", "flour"],
    ["Cowpea leaves", "leave"],
    ["Black-eyed peas", "pea"],
    ["CAFÉ", "cafe"],
    ["Grass", "grass"],
    ["(white)", ""],
  ];
  for (const [name = "", noun] of nouns) t.equal(nounOf(name), noun, name);
});

t.test("products of one category with one noun are related; those that the data names continue", async (t) => {
  const cereals = "Cereals and Tubers";
  const products = [
    { name: "Milk (cow, fresh)", category: "Milk and Dairy" },
    { name: "Milk (camel, fresh)", category: "Milk and Dairy" },
    { name: "Milk powder", category: "Milk and Dairy" },
    { name: "Milk (soya)", category: "Pulses and Nuts" },
    { name: "Maize (white)", category: cereals },
    { name: "Maize", category: cereals },
    { name: "Maize flour", category: cereals },
    { name: "Wheat flour", category: cereals },
    { name: "Potatoes (Irish)", category: cereals },
    { name: "Sweet potatoes", category: cereals },
    { name: "Sweet corn", category: cereals },
    { name: "Grain of the year", category: "Miscellaneous Food" },
    { name: "Maize (without a price)", category: cereals },
    { name: "(white)", category: cereals },
    { name: "(red)", category: cereals },
  ];
  const continuation: ContinuationRecord = {
    productUuid: uuidOf("product", 12),
    continuesUuid: uuidOf("product", 5),
    marketType: "Wholesale",
    lastMonth: "2025-01",
    firstMonth: "2025-02",
    overlapMonths: 0,
    ratio: null,
    judgement: "similar goods",
    evidence: "A new name.",
  };
  const prices = products.flatMap(({ name }, product) => (name.includes("without") ? [] : [{ product }]));
  const store = buildStore(tinyDataset({ products, prices, continuations: [continuation] }));
  const namesOf = (name: string): string[] => {
    const code = store.catalogue.products.findIndex(({ record }) => record.name === name);
    return relatedProducts(store, code)
      .map(({ product, continues, isContinued }) => {
        return `${product.name}${continues ? " continues it" : ""}${isContinued ? " is continued" : ""}`;
      })
      .sort();
  };
  t.strictSame(namesOf("Milk (cow, fresh)"), ["Milk (camel, fresh)"]);
  t.strictSame(namesOf("Maize (white)"), ["Grain of the year continues it", "Maize"]);
  t.strictSame(namesOf("Grain of the year"), ["Maize (white) is continued"]);
  t.strictSame(namesOf("Maize flour"), ["Wheat flour"]);
  t.strictSame(namesOf("Sweet potatoes"), ["Potatoes (Irish)"]);
  t.strictSame(namesOf("Sweet corn"), []);
  t.strictSame(namesOf("(white)"), [], "a name without a noun is like no other");
});

t.test("of the bundled data, only what its continuations name is called a continuation", async (t) => {
  const store = await bundledStore();
  const { products, continuations } = store.catalogue;
  const named = new Set(continuations.map(({ productUuid, continuesUuid }) => `${productUuid} ${continuesUuid}`));
  const found = [...products.entries()].flatMap(([code, { record }]) =>
    relatedProducts(store, code).flatMap(({ product, continues }) =>
      continues ? `${product.uuid} ${record.uuid}` : [],
    ),
  );
  t.strictSame(new Set(found), named);
});
