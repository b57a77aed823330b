/**
 * `/prices/anomalies` and `/prices/seasonality` over HTTP: what they refuse, and what an answer says of itself and of
 * its level; test/engine/query/measures has the figures.
 */
import t from "tap";
import { startEndpoint } from "../support/ask-endpoint.ts";
import { uuidOf } from "../support/tiny-dataset.ts";

interface Body {
  readonly data: Readonly<Record<string, unknown>>[];
  readonly meta: object;
}

const name = "GET /prices/anomalies";
const prices = [{ recordedAt: "2025-04-20T06:00:00Z" }];
const [product, market] = [uuidOf("product", 1), uuidOf("market", 1)];

t.test("questions for anomalies that contradict themselves are refused", async (t) => {
  const { ask, refuseAll } = await startEndpoint<Body>(t, name, { prices });
  await refuseAll([
    [`?product_uuid=${product}&product_uuids=${product}`, "product_uuids"],
    [`?market_uuid=${market}&level=county`, "market_uuid"],
    [`?market_uuid=${market}&level=country`, "market_uuid"],
    ["?county_id=47&level=country", "county_id"],
    ["?class=severe", "class[0]"],
    ["?class=alert&class=severe", "class[1]"],
    ["?markets_min=2", "markets_min"],
    ["?markets_min=2&level=market", "markets_min"],
  ]);
  t.same((await ask("?month=2025-05")).data, [], "a month after the newest");
});

t.test("an answer says which months are judged, and how many entries are not of now", async (t) => {
  const newer = { product: 1, recordedAt: "2026-04-20T06:00:00Z" };
  const older = { recordedAt: "2025-09-20T06:00:00Z" };
  const { app, ask } = await startEndpoint<Body>(t, name, { prices: [older, newer] });
  const metaOf = async (query: string): Promise<object> => (await ask(`?${query}`)).meta;
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
  const { ask } = await startEndpoint<Body>(t, name, { markets, prices });
  const first = async (query: string) => (await ask(`?${query}`)).data[0] ?? {};
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
  const { refuse } = await startEndpoint(t, "GET /prices/seasonality", { prices });
  await refuse(`?product_uuid=${product}&market_type=Wholesale&market_uuid=${market}&county_id=47`, "county_id");
  await refuse("?market_type=Wholesale", "product_uuid");
});
