/**
 * The table of all endpoints, grouped as in the interface specification, with the extensions. Fixed segments stand
 * before `:uuid`, because routes are tried in this order.
 */

import { jsonText } from "../../contract/byte-text.ts";
import { type Access, type DeclaredEndpoint, type Endpoint, endpoint } from "../../contract/endpoint.ts";
import { apiPrefix } from "../../contract/paths.ts";
import * as s from "../../contract/schema.ts";
import { answerText } from "./answer/json-text.ts";
import { anomalyEndpoints } from "./resources/anomalies/anomaly-endpoints.ts";
import { countyEndpoints } from "./resources/counties/county-endpoints.ts";
import { cropEndpoints } from "./resources/crops/crop-endpoints.ts";
import { datasetEndpoints } from "./resources/dataset/dataset-endpoints.ts";
import { downloadEndpoints } from "./resources/downloads/download-endpoints.ts";
import { marketEndpoints } from "./resources/markets/market-endpoints.ts";
import { indexEndpoint, indexExportEndpoints } from "./resources/prices/index-endpoints.ts";
import { nowEndpoint } from "./resources/prices/now-endpoint.ts";
import { priceEndpoints, priceExportEndpoints, priceRecordEndpoints } from "./resources/prices/price-endpoints.ts";
import { seriesEndpoint, seriesExportEndpoints } from "./resources/prices/series-endpoints.ts";
import { statisticsEndpoint, statisticsExportEndpoints } from "./resources/prices/statistics-endpoints.ts";
import { productEndpoints } from "./resources/products/product-endpoints.ts";
import { referenceEndpoints } from "./resources/reference/reference-endpoints.ts";

const declared: readonly DeclaredEndpoint[] = [
  ...cropEndpoints,
  ...referenceEndpoints,
  ...countyEndpoints,
  ...priceEndpoints,
  nowEndpoint,
  statisticsEndpoint,
  seriesEndpoint,
  indexEndpoint,
  ...priceExportEndpoints,
  ...statisticsExportEndpoints,
  ...seriesExportEndpoints,
  ...indexExportEndpoints,
  ...anomalyEndpoints,
  ...priceRecordEndpoints,
  ...productEndpoints,
  ...marketEndpoints,
  ...datasetEndpoints,
  ...downloadEndpoints,
];

/** The table of a service whose operator decides so for exports of prices and figures, and for downloads. */
export function endpointsWith(exportAccess: Access): readonly Endpoint[] {
  return declared.map((one) => ({ ...one, access: one.access === "exports" ? exportAccess : one.access }));
}

/** The table of a service whose operator decides nothing. */
export const endpoints: readonly Endpoint[] = endpointsWith("secret");

/** The list of the endpoints, at the prefix itself, for clients that begin there; the description has them all. */
export function listingOf(listed: readonly Endpoint[]): Endpoint {
  const entries = listed.map(({ method, path, access, summary }) => ({
    method,
    path: apiPrefix + path,
    access,
    summary,
  }));
  const summary = "The endpoints";
  const access = "public";
  const listing = endpoint({
    path: "",
    access,
    id: "listEndpoints",
    task: summary,
    summary,
    description: "The endpoints of the interface.",
    form: { kind: "service" },
    answer: s.listAnswer(s.text("Method, path, access and summary."), summary),
    handle: () => answerText(jsonText(entries)),
  });
  return { ...listing, access };
}
