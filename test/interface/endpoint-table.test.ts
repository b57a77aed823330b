/** The endpoints of the interface specification and the extensions, with what a key must be for each. */
import t from "tap";
import { endpoints } from "../../src/service/http/endpoint-table.ts";

t.test(
  "the table holds the seventeen endpoints of the specification, GET latest, anomalies, series, dataset, exports and " +
    "downloads, and no others",
  async (t) => {
    const rows = endpoints.map(({ method, path, access }) => `${method} /api/v1${path} ${access}`);
    t.strictSame(rows.sort(), [
      "GET /api/v1/counties public",
      "GET /api/v1/counties/:id public",
      "GET /api/v1/counties/:id/sub-counties public",
      "GET /api/v1/crops public",
      "GET /api/v1/crops/categories public",
      "GET /api/v1/dataset public",
      "GET /api/v1/downloads secret",
      "GET /api/v1/downloads/:snapshot/:file secret",
      "GET /api/v1/exports/anomalies.csv secret",
      "GET /api/v1/exports/anomalies.ndjson secret",
      "GET /api/v1/exports/continuations.csv public",
      "GET /api/v1/exports/continuations.ndjson public",
      "GET /api/v1/exports/counties.csv public",
      "GET /api/v1/exports/counties.ndjson public",
      "GET /api/v1/exports/exchange-rates.csv public",
      "GET /api/v1/exports/exchange-rates.ndjson public",
      "GET /api/v1/exports/markets.csv public",
      "GET /api/v1/exports/markets.ndjson public",
      "GET /api/v1/exports/prices.csv secret",
      "GET /api/v1/exports/prices.ndjson secret",
      "GET /api/v1/exports/products.csv public",
      "GET /api/v1/exports/products.ndjson public",
      "GET /api/v1/exports/series.csv public",
      "GET /api/v1/exports/series.ndjson public",
      "GET /api/v1/exports/statistics.csv secret",
      "GET /api/v1/exports/statistics.ndjson secret",
      "GET /api/v1/exports/units.csv public",
      "GET /api/v1/exports/units.ndjson public",
      "GET /api/v1/markets public",
      "GET /api/v1/markets/:uuid public",
      "GET /api/v1/prices/:uuid public",
      "GET /api/v1/prices/anomalies secret",
      "GET /api/v1/prices/latest public",
      "GET /api/v1/prices/seasonality secret",
      "GET /api/v1/prices/series public",
      "GET /api/v1/products public",
      "GET /api/v1/products/:uuid public",
      "GET /api/v1/products/categories public",
      "GET /api/v1/reference/market-types public",
      "GET /api/v1/reference/units public",
      "POST /api/v1/prices/latest public",
      "POST /api/v1/prices/search secret",
      "POST /api/v1/prices/statistics secret",
      "POST /api/v1/products/search public",
    ]);
  },
);
