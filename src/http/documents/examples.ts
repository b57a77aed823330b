/** The example answers that the documents show; `npm run examples` makes them from the bundled data. */
import type { Endpoint } from "../endpoint.ts";
import { endpointName } from "../router.ts";
import examples from "./examples.json" with { type: "json" };

/** As `exampleOf`, by the name of the endpoint. */
export function exampleNamed<Answer>(name: keyof typeof examples): Answer {
  return examples[name] as Answer;
}

/** The answer to the example request of an endpoint, its lists cut; undefined when none was made yet. */
export function exampleOf(endpoint: Endpoint): unknown {
  return (examples as Readonly<Record<string, unknown>>)[endpointName(endpoint)];
}
