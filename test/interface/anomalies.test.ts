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
    ["direction=down", "direction"],
    ["markets_min=2", "markets_min"],
    ["markets_min=2&level=market", "markets_min"],
    ["markets_min=0&level=county", "markets_min"],
    ["markets_min=51&level=country", "markets_min"],
    ["markets_min=1.5&level=country", "markets_min"],
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

t.test("an answer says which months are judged, and how many entries are not of now", async (t) => {
  const newer = { product: 1, recordedAt: "2026-04-20T06:00:00Z" };
  const app = await startApp(t, tinyDataset({ prices: [{ recordedAt: "2025-09-20T06:00:00Z" }, newer] }));
  const metaOf = async (query: string): Promise<object> => {
    const answer = await app.signedGet(`/api/v1/prices/anomalies?${query}`);
    return expectSuccess<{ meta: object }>(t, "GET /prices/anomalies", answer).meta;
  };
  const ofNow = { oldest_month: "2026-04", newest_month: "2026-04" };
  const method = { method: "anomalies-3", suspicious_rule: "suspicious-2" };
  for (const level of ["market", "county", "country"]) {
    t.match(await metaOf(`level=${level}`), { ...method, ...ofNow, total: 1, stale_left_out: 1 }, level);
    t.match(await metaOf(`level=${level}&recorded_since=1990-01-01`), {
      ...{ oldest_month: "2025-09", newest_month: "2026-04", total: 2, stale_left_out: 0 },
    });
  }
  const none = { oldest_month: null, newest_month: null, total: 0 };
  t.match(await metaOf(`product_uuid=${product}`), { ...none, stale_left_out: 1 }, "whatever the filters");
  t.match(await metaOf(`product_uuid=${product}&month=2025-09`), {
    oldest_month: "2025-09",
    total: 1,
    stale_left_out: 0,
  });
  t.match(await metaOf("month=2025-10"), { ...none, stale_left_out: 0 });
  const { text } = await app.signedGet("/api/v1/exports/anomalies.csv");
  t.equal(text.trimEnd().split("\r\n").length, 2, "the export is of now too");
});

t.test("a county and the country have comparable prices, markets and component; a market has none", async (t) => {
  const prices = ["2025-04", "2026-04"].flatMap((month, year) =>
    [0, 1].map((market) => ({ market, price: 100 + 20 * year, recordedAt: `${month}-20T06:00:00Z` })),
  );
  const markets = [0, 1].map(() => ({ type: "Retail" }) as const);
  const app = await startApp(t, tinyDataset({ markets, prices }));
  const first = async (query: string): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await app.signedGet(`/api/v1/prices/anomalies?${query}`);
    const { data } = expectSuccess<{ data: Readonly<Record<string, unknown>>[] }>(t, "GET /prices/anomalies", answer);
    return data[0] ?? {};
  };
  const yearBefore = {
    ...{ month: "2025-04", change_percent: 20, change_percent_min: 20, change_percent_max: 20, matched_markets: 2 },
  };
  const ofCounty = await first("level=county");
  t.match(ofCounty, { comparable_price: 120, markets: 2, refugee_camp_markets: 0, component: 1 });
  t.same(ofCounty["year_before"], yearBefore);
  const ofCountry = await first("level=country");
  t.equal(ofCountry["year_before"], null);
  const reason = { reason: "TOO_FEW_MARKETS", found: 2, needed: 3 };
  t.same(
    ofCountry["not_computable"],
    ["year_before", "previous", "five_years", "alps"].map((measure) => ({ measure, ...reason })),
  );
  t.same((await first("level=country&markets_min=2"))["year_before"], yearBefore);
  const ofMarket = await first("sort=year_before&direction=asc");
  t.same(ofMarket["year_before"], { month: "2025-04", median_price: 100, change_percent: 20 });
  t.notOk("comparable_price" in ofMarket || "component" in ofMarket || "markets" in ofMarket);
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
