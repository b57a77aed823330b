import t from "tap";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

const path = "/api/v1/reference/units";

t.test("units of measurement are in the order of the file, categories and units alike", async (t) => {
  const app = await startApp(
    t,
    tinyDataset({
      unitCategories: [
        {
          category: "weight",
          units: [
            { name: "kg", abbreviation: "kg", baseUnit: "kg", conversionFactor: 1 },
            { name: "90 kg bag", abbreviation: "bag", baseUnit: "kg", conversionFactor: 90 },
            { name: "g", abbreviation: "g", baseUnit: "kg", conversionFactor: 0.001 },
          ],
        },
        {
          category: "count",
          units: [{ name: "bunch", abbreviation: "bunch", baseUnit: "bunch", conversionFactor: 1 }],
        },
      ],
      products: [{}],
    }),
  );
  t.strictSame(expectSuccess(t, "GET /reference/units", await app.get(path)), {
    data: [
      {
        category: "weight",
        units: [
          { name: "kg", abbreviation: "kg", base_unit: "kg", conversion_factor: 1 },
          { name: "90 kg bag", abbreviation: "bag", base_unit: "kg", conversion_factor: 90 },
          { name: "g", abbreviation: "g", base_unit: "kg", conversion_factor: 0.001 },
        ],
      },
      {
        category: "count",
        units: [{ name: "bunch", abbreviation: "bunch", base_unit: "bunch", conversion_factor: 1 }],
      },
    ],
  });
  expectError(t, await app.get(`${path}?category=weight`), { code: "VALIDATION_ERROR", fields: ["category"] });
});
