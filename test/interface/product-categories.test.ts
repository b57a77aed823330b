import t from "tap";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

const path = "/api/v1/products/categories";
const endpointName = "GET /products/categories";

t.test("product categories count all products, active or not, by folded name", async (t) => {
  const app = await startApp(
    t,
    tinyDataset({
      products: [
        { category: "vegetables", subCategory: "Roots" },
        { category: "Vegetables", subCategory: "leaves" },
        { category: "Vegetables", subCategory: "Éarly roots", isActive: false },
        { category: "Vegetables", subCategory: "leaves" },
        { category: "Vegetables", subCategory: null },
        { category: "Céreals", isActive: false },
      ],
    }),
  );
  t.strictSame(expectSuccess(t, endpointName, await app.get(path)), {
    data: [
      { name: "Céreals", product_count: 1, sub_categories: [] },
      {
        name: "Vegetables",
        product_count: 4,
        sub_categories: [
          { name: "Éarly roots", product_count: 1 },
          { name: "leaves", product_count: 2 },
        ],
      },
      { name: "vegetables", product_count: 1, sub_categories: [{ name: "Roots", product_count: 1 }] },
    ],
  });
  expectError(t, await app.get(`${path}?search=x`), { code: "VALIDATION_ERROR", fields: ["search"] });
});

t.test("without products there are no categories", async (t) => {
  const app = await startApp(t, tinyDataset({ products: [] }));
  t.strictSame(expectSuccess(t, endpointName, await app.get(path)), { data: [] });
});
