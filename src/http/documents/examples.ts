/** The example answers that the documents show; `npm run examples` makes them from the bundled data. */
import type { Endpoint } from "../endpoint.ts";
import { endpointName } from "../router.ts";
import examples from "./examples.json" with { type: "json" };

type Examples = typeof examples;

/** As `exampleOf`, by the name of the endpoint, and with the type of this answer. */
export function exampleNamed<Name extends keyof Examples>(name: Name): Examples[Name] {
  return examples[name];
}

/** The answer to the example request of an endpoint, its lists cut; undefined when none was made yet. */
export function exampleOf(endpoint: Endpoint): unknown {
  return (examples as Readonly<Record<string, unknown>>)[endpointName(endpoint)];
}
