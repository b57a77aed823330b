/** Every filter of prices, at every endpoint that has it, selects the prices that it names. */
import t from "tap";
import type { CountyId } from "../../src/engine/model/ids.ts";
import { endpointNamed, endpointOf } from "../support/ask-endpoint.ts";
import { startApp } from "../support/start-app.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

/** Five prices that say their number, each a series of its own; 1 and 2 lie at both sides of midnight in Nairobi. */
const dataset = tinyDataset({
  markets: [
    { type: "Wholesale" },
    { type: "Retail" },
    { type: "Wholesale", countyId: 1 as CountyId, setting: "refugee_camp" },
  ],
  prices: [
    { price: 1, recordedAt: "2026-01-31T20:59:59.999Z" },
    { price: 2, recordedAt: "2026-01-31T21:00:00.000Z", market: 1 },
    { price: 3, recordedAt: "2026-02-01T21:00:00.000Z", market: 2 },
    { price: 4, recordedAt: "2026-01-15T06:00:00.000Z", product: 1, unit: "bunch", priceFlag: "actual" },
    { price: 5, recordedAt: "2024-02-28T21:00:00.000Z", product: 1, unit: "bunch", market: 2 },
  ],
});

const [maize, kale, nothing] = [uuidOf("product", 1), uuidOf("product", 2), uuidOf("product", 9)];
const [wakulima, gikomba, camp] = [uuidOf("market", 1), uuidOf("market", 2), uuidOf("market", 3)];

/** Fields of a question, and the prices that they leave. */
const filters: readonly (readonly [fields: Readonly<Record<string, unknown>>, ...prices: number[]])[] = [
  [{}, 1, 2, 3, 4, 5],
  [{ product_uuid: maize.toUpperCase() }, 1, 2, 3],
  [{ product_uuid: nothing }],
  [{ product_uuids: [kale, nothing, kale.toUpperCase()] }, 4, 5],
  [{ product_uuids: [kale, maize] }, 1, 2, 3, 4, 5],
  [{ market_uuid: camp.toUpperCase() }, 3, 5],
  [{ market_uuid: uuidOf("market", 9) }],
  [{ market_uuids: [wakulima, gikomba] }, 1, 2, 4],
  [{ county_id: 47 }, 1, 2, 4],
  [{ county_id: 21 }],
  [{ county_id: 2 }],
  [{ county_ids: [2, 1] }, 3, 5],
  [{ market_type: "Wholesale" }, 1, 3, 4, 5],
  [{ market_type: "Urban" }],
  [{ refugee_camps: "include" }, 1, 2, 3, 4, 5],
  [{ refugee_camps: "exclude" }, 1, 2, 4],
  [{ refugee_camps: "only" }, 3, 5],
  [{ price_flag: "actual" }, 4],
  [{ price_flag: "forecast" }],
  [{ suspicious: false }, 1, 2, 3, 4, 5],
  [{ suspicious: true }],
  [{ start_date: "2026-02-01" }, 2, 3],
  [{ end_date: "2026-01-31" }, 1, 4, 5],
  [{ start_date: "2026-02-01", end_date: "2026-02-01" }, 2],
  [{ start_date: "2024-02-29", end_date: "2024-02-29" }, 5],
  [{ start_date: "0000-01-01", end_date: "9999-12-31" }, 1, 2, 3, 4, 5],
  [{ recorded_since: "2026-02-01" }, 2, 3],
  [{ recorded_since: "2026-01-31" }, 1, 2, 3],
  [{ min_price: 2, max_price: 4 }, 2, 3, 4],
  [{ min_price: 2, max_price: 2 }, 2],
  [{ min_price: -5, max_price: 0 }],
  [{ unit: "bunch" }, 4, 5],
  [{ county_id: 47, market_type: "Wholesale", product_uuid: maize }, 1],
  [{ market_uuid: camp, county_id: 47 }],
];

/** Fields that a question has besides, and the field of an answer that has the number of a price. */
const asked: Readonly<Record<string, readonly [besides: Readonly<Record<string, unknown>>, field: string]>> = {
  "POST /prices/search": [{ page_size: 100 }, "price"],
  "POST /prices/latest": [{ limit: 100 }, "price"],
  "GET /prices/latest": [{ limit: 100, one_per_market: true }, "price"],
  "GET /prices/series": [{ page_size: 100 }, "latest_price"],
  "POST /prices/statistics": [
    { product_uuid: maize, start_date: "1900-01-01", end_date: "2100-12-31", group_by: "market" },
    "median_price",
  ],
  "GET /exports/prices.ndjson": [{}, "price"],
  "GET /exports/series.ndjson": [{}, "latest_price"],
  "GET /exports/statistics.ndjson": [{ group_by: "market" }, "median_price"],
};

t.test("filters leave the prices that they name, whichever endpoint has them", async (t) => {
  const app = await startApp(t, dataset);
  for (const [name, [besides, field]] of Object.entries(asked)) {
    const { query, body } = endpointNamed(name);
    const { send } = endpointOf(t, app, name);
    const known = { ...query.properties, ...body.properties };
    const isStatistics = name.includes("statistics");
    for (const [fields, ...prices] of filters) {
      // The unit of statistics is that of their figures.
      if (Object.keys(fields).some((one) => !(one in known) || (isStatistics && one === "unit"))) continue;
      const question = { ...besides, ...fields };
      const isPost = name.startsWith("POST");
      if (isPost && isStatistics && question["product_uuid"] === nothing) continue;
      const texts = Object.entries(question).map(([one, value]): [string, string] => [one, String(value)]);
      const { status, text } = await send(isPost ? question : `?${new URLSearchParams(texts)}`);
      const found = Array.from(text.matchAll(new RegExp(`"${field}":(\\d)`, "g")), ([, number]) => Number(number));
      const isOfMaize = isPost && isStatistics;
      const wanted = isOfMaize ? prices.filter((number) => number <= 3) : prices;
      t.strictSame([status, ...found.sort()], [200, ...wanted], `${name} ${JSON.stringify(fields)}`);
    }
  }
});
