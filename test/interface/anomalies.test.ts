/** What `/prices/anomalies` and `/prices/seasonality` refuse; test/engine/query/measures has what they answer. */
import t from "tap";
import { expectError, expectSuccess } from "../support/expect-answer.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const dataset = tinyDataset({ prices: [{ recordedAt: "2025-04-20T06:00:00Z" }] });
const [product, market] = [uuidOf("product", 1), uuidOf("market", 1)];

t.test("questions for anomalies that contradict themselves or name what is not there are refused", async (t) => {
  const app = await startApp(t, dataset);
  const path = "/api/v1/prices/anomalies";
  for (const [query, ...fields] of [
    [`product_uuid=${product}&product_uuids=${product}`, "product_uuids"],
    [`market_uuid=${market}&level=county`, "market_uuid"],
    [`market_uuid=${market}&level=country`, "market_uuid"],
    ["county_id=47&level=country", "county_id"],
    ["level=region", "level"],
    ["class=severe", "class[0]"],
    ["class=alert&class=severe", "class[1]"],
    ["month=2025-13", "month"],
    ["month=2025-4", "month"],
    ["sort=name_desc", "sort"],
    ["page_size=1001", "page_size"],
  ]) {
    expectError(t, await app.signedGet(`${path}?${query}`), { code: "VALIDATION_ERROR", fields });
  }
  const { data } = expectSuccess<{ data: object[] }>(
    t,
    "GET /prices/anomalies",
    await app.signedGet(`${path}?month=2025-05`),
  );
  t.same(data, [], "a month after the newest");
});

t.test("a season is that of one market, one county or the country", async (t) => {
  const app = await startApp(t, dataset);
  const path = `/api/v1/prices/seasonality?product_uuid=${product}&market_type=Wholesale`;
  expectError(t, await app.signedGet(`${path}&market_uuid=${market}&county_id=47`), {
    code: "VALIDATION_ERROR",
    fields: ["county_id"],
  });
  expectError(t, await app.signedGet("/api/v1/prices/seasonality?market_type=Wholesale"), {
    code: "VALIDATION_ERROR",
    fields: ["product_uuid"],
  });
});
