import t from "tap";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { crop, tinyDataset } from "../support/tiny-dataset.ts";

const path = "/api/v1/crops/categories";
const endpointName = "GET /crops/categories";

t.test(
  "crop categories, sub-categories and crops are by folded name; a crop without sub-category is in none",
  async (t) => {
    const app = await startApp(
      t,
      tinyDataset({
        crops: [
          crop({ id: 1, name: "maize", category: "Food Crops", subCategory: "cereals" }),
          crop({ id: 2, name: "Éleusine", category: "Food Crops", subCategory: "cereals" }),
          crop({ id: 3, name: "Barley", category: "Food Crops", subCategory: "cereals" }),
          crop({ id: 4, name: "Cassava", category: "Food Crops", subCategory: "Áreal roots" }),
          crop({ id: 5, name: "Yam", category: "Food Crops", subCategory: null }),
          crop({ id: 6, name: "Rose", category: "Horticulture", subCategory: "Flowers" }),
          crop({ id: 7, name: "Tea", category: "Cash Crops", subCategory: null }),
        ],
      }),
    );
    t.strictSame(expectSuccess(t, endpointName, await app.get(path)), {
      data: [
        { category: "Cash Crops", sub_categories: [] },
        {
          category: "Food Crops",
          sub_categories: [
            { name: "Áreal roots", crops: ["Cassava"] },
            { name: "cereals", crops: ["Barley", "Éleusine", "maize"] },
          ],
        },
        { category: "Horticulture", sub_categories: [{ name: "Flowers", crops: ["Rose"] }] },
      ],
    });
    expectError(t, await app.get(`${path}?page=1`), { code: "VALIDATION_ERROR", fields: ["page"] });
    expectError(t, await app.post(path, {}), { code: "METHOD_NOT_ALLOWED" });
  },
);

t.test("without crops there are no categories", async (t) => {
  const app = await startApp(t, tinyDataset({ crops: [] }));
  t.strictSame(expectSuccess(t, endpointName, await app.get(path)), { data: [] });
});
