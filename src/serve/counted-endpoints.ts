import { documentMethods } from "../http/documents/routes.ts";
import { endpoints } from "../http/endpoints.ts";
import { endpointName } from "../http/router.ts";

/** The endpoints whose requests are counted each for itself: those of the interface and the documents. */
export const countedEndpoints: readonly string[] = [
  ...endpoints.map(endpointName),
  ...[...documentMethods.keys()].map((path) => endpointName({ method: "GET", path })),
];
