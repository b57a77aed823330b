/**
 * The table of all endpoints, grouped as in the interface specification, with the extensions. Fixed segments stand before `:uuid`, because
 * routes are tried in this order.
 */
import { countyEndpoints } from "./counties/endpoints.ts";
import { cropEndpoints } from "./crops/endpoints.ts";
import { datasetEndpoints } from "./dataset/endpoints.ts";
import { downloadEndpoints } from "./downloads/endpoints.ts";
import type { Access, Endpoint } from "./endpoint.ts";
import { marketEndpoints } from "./markets/endpoints.ts";
import { priceEndpoints } from "./prices/endpoints.ts";
import { productEndpoints } from "./products/endpoints.ts";
import { referenceEndpoints } from "./reference/endpoints.ts";

/** The version of the interface, which is not that of the package: within it, fields are only added. */
export const apiVersion = "1";

/** Every endpoint's path is below this. */
export const apiPrefix: string = `/api/v${apiVersion}`;

export const endpoints: readonly Endpoint[] = [
  ...cropEndpoints,
  ...referenceEndpoints,
  ...countyEndpoints,
  ...priceEndpoints,
  ...productEndpoints,
  ...marketEndpoints,
  ...datasetEndpoints,
  ...downloadEndpoints,
];

/** The table where exports of prices and statistics and downloads need such a key. */
export function endpointsWith(exportAccess: Access): readonly Endpoint[] {
  return endpoints.map((endpoint) =>
    endpoint.followsExportAccess === true ? { ...endpoint, access: exportAccess } : endpoint,
  );
}
