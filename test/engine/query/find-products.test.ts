import { readFile } from "node:fs/promises";
import { join } from "node:path";
import t from "tap";
import {
  findProducts,
  listProductCategories,
  listProducts,
  type ProductFilter,
} from "../../../src/engine/query/find-products.ts";
import { readCurrent } from "../../../src/engine/snapshots/current-snapshot.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

const store = buildStore(
  tinyDataset({
    products: [
      { name: "maize", category: "Cereals", subCategory: "Dry", description: "Mahindi.", isActive: false },
      { name: "Café", category: "cereals", description: "Kahawa." },
      { name: "Beans", category: "Cereals", subCategory: "Fresh", description: "Maharagwe." },
      { name: "Maize", category: "Cereals", subCategory: "Dry", description: "Meal." },
    ],
  }),
);

const numbers = (products: readonly { uuid: string }[]) => products.map(({ uuid }) => Number(uuid.slice(-12)));
const found = (filter: ProductFilter) => numbers(findProducts(store, filter));

t.test("products come by folded name, then uuid, active or not", async (t) => {
  t.same(found({}), [3, 2, 1, 4]);
});

t.test("a text is looked for in name and description, without case and accents", async (t) => {
  t.same(found({ text: "MAH" }), [3, 1]);
  t.same(found({ text: "cafe" }), [2]);
  t.same(found({ text: "CAFÉ" }), [2]);
  t.same(found({ text: "quinoa" }), []);
  t.same(found({ text: " mahindi  MAI " }), [1], "every word, in any order, in either field");
  t.same(found({ text: "maize quinoa" }), []);
});

t.test(
  "the best match comes first: words of names, then beginnings, then what is mentioned; and over all pages",
  async (t) => {
    const shop = buildStore(
      tinyDataset({
        products: [
          { name: "Bananas", description: "Their price and rice." },
          { name: "Brown rice-cakes", description: "A snack." },
          { name: "Pishori", alternativeNames: ["Mchele", "Rice (aromatic)"], description: "A kind of rice." },
          { name: "Ricestraw", description: "Fodder." },
          { name: "Rice", description: "Mchele." },
        ],
      }),
    );
    const search = (text: string): number[] => numbers(findProducts(shop, { text }));
    t.same(search("rice"), [2, 3, 5, 4, 1]);
    t.same(search("(rice)"), [], "what matches is a part of the text as it is typed");
    t.same(search("rice mchele"), [5], "an alternative name ranks, but does not match");
    const pages = [1, 2, 3].flatMap((page) => numbers(listProducts(shop, { text: "rice" }, page, 2).entries));
    t.same(pages, search("rice"));
  },
);

t.test("categories match in any case; every condition must hold", async (t) => {
  t.same(found({ categories: ["CEREALS"] }), [3, 2, 1, 4]);
  t.same(found({ categories: ["Cereal"] }), []);
  t.same(found({ categories: ["cereals", "Cereals"], subCategories: ["dry"] }), [1, 4]);
  t.same(found({ subCategories: ["Dry", "Fresh"], isActive: true }), [3, 4]);
  t.same(found({ isActive: false }), [1]);
});

t.test("a page of products has the total of all", async (t) => {
  const page = (number: number) => {
    const { entries, total } = listProducts(store, {}, number, 3);
    return [numbers(entries), total];
  };
  t.same(
    [page(1), page(2), page(3)],
    [
      [[3, 2, 1], 4],
      [[4], 4],
      [[], 4],
    ],
  );
});

t.test("categories count all their products, sub-categories those that have one", async (t) => {
  t.same(listProductCategories(store), [
    {
      name: "Cereals",
      productCount: 3,
      subCategories: [
        { name: "Dry", productCount: 2 },
        { name: "Fresh", productCount: 1 },
      ],
    },
    { name: "cereals", productCount: 1, subCategories: [] },
  ]);
});

t.test("each alternative name of the bundled products finds its product, as words of its description", async (t) => {
  const data = join(import.meta.dirname, "../../../data");
  const file = join(data, "snapshots", await readCurrent(data), "products.ndjson");
  const records = (await readFile(file, "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const bundled = buildStore(
    tinyDataset({
      products: records.map(({ uuid, name, description }) => ({ uuid, name, description })),
      prices: [],
    }),
  );
  const names = records.flatMap(({ name, alternative_names }) =>
    (alternative_names ?? []).map((other: string) => [name, other] as const),
  );
  t.equal(names.length, 100);
  for (const [name, other] of names) {
    t.ok(
      findProducts(bundled, { text: other }).some((product) => product.name === name),
      `${other} finds ${name}`,
    );
  }
  t.ok(records.every(({ description }) => /^[A-Z].*\.$/.test(description)));
});
