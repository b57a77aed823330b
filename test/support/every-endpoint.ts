/**
 * One question to each endpoint, over a dataset whose lists are longer than what is compressed, and one longer than a
 * chunk.
 */

import { type Access, endpointName, isFromStore } from "../../src/contract/endpoint.ts";
import { apiPrefix } from "../../src/contract/paths.ts";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { endpoints } from "../../src/service/http/endpoint-table.ts";
import type { ReceivedAnswer, RunningApp, SentHeaders } from "./start-app.ts";
import { tinyDataset, uuidOf } from "./tiny-dataset.ts";

export interface EndpointQuestion {
  /** As the endpoint table has it. */
  readonly name: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  /** Sent with a POST. */
  readonly body: object;
  readonly access: Access;
}

/** 40 products with long descriptions, each with a price at each of 60 markets: 450 kB of newest prices. */
export function listsDataset(priceOffset = 0): Dataset {
  const products = Array.from({ length: 40 }, (_, at) => ({
    name: `Zao ${at}`,
    category: `Aina ${at % 7}`,
    description: `Mahindi ya “aina” ${at}: ${"maelezo marefu ".repeat(3)}`,
  }));
  const markets = Array.from({ length: 60 }, (_, at) => ({ name: `Soko la ${at} é` }));
  const prices = products.flatMap((_, product) =>
    markets.map((_, market) => ({ product, market, price: 1 + priceOffset + product + market / 7 })),
  );
  return tinyDataset({ products, markets, prices });
}

/** One question to each endpoint of the table that answers from the store. */
export function questionToEachEndpoint(): EndpointQuestion[] {
  const product = uuidOf("product", 1);
  const asked: Readonly<Record<string, { readonly path?: string; readonly body?: object }>> = {
    "GET /counties/:id": { path: "/counties/47" },
    "GET /counties/:id/sub-counties": { path: "/counties/47/sub-counties" },
    "POST /prices/search": { body: { page_size: 100 } },
    "GET /prices/latest": { path: "/prices/latest?limit=1000&one_per_market=true" },
    "GET /prices/now": { path: "/prices/now?q=zao+1&near=-1.28,36.82" },
    "POST /prices/latest": { body: { limit: 60, one_per_market: true } },
    "POST /prices/statistics": {
      body: { product_uuid: product, start_date: "2025-01-01", end_date: "2026-12-31", group_by: "market" },
    },
    "GET /prices/index": { path: `/prices/index?product_uuid=${product}&market_type=Retail` },
    "GET /prices/anomalies": { path: "/prices/anomalies?page_size=1000" },
    "GET /prices/seasonality": { path: `/prices/seasonality?product_uuid=${product}&market_type=Retail` },
    "GET /prices/series": { path: "/prices/series?page_size=1000" },
    "GET /prices/:uuid": { path: `/prices/${uuidOf("price", 1)}` },
    "GET /products": { path: "/products?page_size=40" },
    "POST /products/search": { body: { query: "mahindi" } },
    "GET /products/:uuid": { path: `/products/${product}` },
    "GET /markets": { path: "/markets?page_size=100" },
    "GET /markets/:uuid": { path: `/markets/${uuidOf("market", 1)}` },
  };
  return endpoints.filter(isFromStore).map((endpoint) => {
    const { method, access } = endpoint;
    const name = endpointName(endpoint);
    const { path = endpoint.path, body = {} } = asked[name] ?? {};
    return { name, method, path: apiPrefix + path, body, access };
  });
}

/** Asks with the key that the endpoint needs. */
export function askQuestion(
  app: RunningApp,
  { method, path, body, access }: Omit<EndpointQuestion, "name">,
  headers: SentHeaders = {},
): Promise<ReceivedAnswer> {
  if (method === "GET") return access === "secret" ? app.signedGet(path, headers) : app.get(path, headers);
  return access === "secret" ? app.signedPost(path, body, headers) : app.post(path, body, headers);
}
