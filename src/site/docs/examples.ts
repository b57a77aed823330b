/**
 * The example requests that the documents show, and their answers, which `npm run examples` makes from the bundled
 * data.
 */
import { type Endpoint, endpointName, exampleParams, exampleQuery } from "../../contract/endpoint.ts";
import examples from "./examples.json" with { type: "json" };

type Examples = typeof examples;

/** Returns the answer of `exampleOf` by the name of the endpoint, with the type of this answer. */
export function exampleNamed<Name extends keyof Examples>(name: Name): Examples[Name] {
  return examples[name];
}

/** The answer to the example request of an endpoint, its lists cut; undefined when none was made yet. */
export function exampleOf(endpoint: Endpoint): unknown {
  return (examples as Readonly<Record<string, unknown>>)[endpointName(endpoint)];
}

/** The snapshot that the examples were answered from. */
export const exampleSnapshot = exampleNamed("GET /dataset").data.snapshot;

/** Path and query string of the example of an endpoint, below the prefix. */
export function exampleTarget(endpoint: Endpoint): string {
  const params = exampleParams(endpoint, exampleSnapshot);
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => params[name] as string);
  const query = exampleQuery(endpoint);
  return query === "" ? path : `${path}?${query}`;
}
