/** The endpoints of the interface specification and the extensions, with what a key must be for each. */
import t from "tap";
import { endpoints } from "../../src/service/http/endpoint-table.ts";

t.test(
  "the table holds the seventeen endpoints of the specification, GET latest, now, index, anomalies, series, dataset, exports " +
    "and downloads, and no others",
  async (t) => {
    const rows = endpoints.map(({ method, path, access }) => `${method} /api/v1${path} ${access}`);
    const exported = (access: string, ...tables: string[]) =>
      tables.flatMap((table) => ["csv", "ndjson"].map((form) => `GET /api/v1/exports/${table}.${form} ${access}`));
    const wanted = [
      ...exported("secret", "anomalies", "index", "prices", "statistics"),
      ...exported("public", "continuations", "counties", "exchange-rates", "market-continuations", "markets"),
      ...exported("public", "products", "series", "units"),
      "GET /api/v1/counties public",
      "GET /api/v1/counties/:id public",
      "GET /api/v1/counties/:id/sub-counties public",
      "GET /api/v1/crops public",
      "GET /api/v1/crops/categories public",
      "GET /api/v1/dataset public",
      "GET /api/v1/downloads secret",
      "GET /api/v1/downloads/:snapshot/:file secret",
      "GET /api/v1/markets public",
      "GET /api/v1/markets/:uuid public",
      "GET /api/v1/prices/:uuid public",
      "GET /api/v1/prices/anomalies secret",
      "GET /api/v1/prices/index secret",
      "GET /api/v1/prices/latest public",
      "GET /api/v1/prices/now public",
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
    ];
    t.strictSame(rows.sort(), wanted.sort());
  },
);
