import t from "tap";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

const path = "/api/v1/reference/market-types";

t.test("market types are in the order of the file with their characteristics", async (t) => {
  const marketTypes = [
    { type: "Wholesale", description: "Sold in bulk.", characteristics: ["Large lots", "Traders"] },
    { type: "Urban", description: "In towns.", characteristics: [] },
  ] as const;
  const app = await startApp(t, tinyDataset({ marketTypes }));
  t.strictSame(expectSuccess(t, "GET /reference/market-types", await app.get(path)), { data: marketTypes });
  expectError(t, await app.get(`${path}?type=Urban`), { code: "VALIDATION_ERROR", fields: ["type"] });
});
