/** What an endpoint is. The table of all of them is endpoints.ts; router.ts turns it into routes. */
import type { TSchema } from "typebox";
import type { Store } from "../store/store.ts";
import type { FieldProblem } from "./errors.ts";
import type { InputSchema } from "./input.ts";

/** `public`: any valid key; `secret`: a secret key, whose requests are signed. */
export type Access = "public" | "secret";

/** A request as a handler sees it: one store for its whole life, and input that the schemas have accepted. */
export interface HandlerInput<Params, Query, Body> {
  readonly store: Store;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** The successful answer; becomes the JSON body as it is. */
export interface Answer {
  readonly data: unknown;
  readonly meta?: unknown;
}

export interface EndpointDefinition<Params, Query, Body> {
  readonly method: "GET" | "POST";
  /** Below the version prefix; `:name` is a parameter. */
  readonly path: string;
  readonly access: Access;
  /** One line for the manual and the OpenAPI document. */
  readonly summary: string;
  readonly params: InputSchema<Params>;
  readonly query: InputSchema<Query>;
  /** Only POST endpoints take one. */
  readonly body: InputSchema<Body>;
  /** What the schemas cannot say: fields that depend on one another. Called with input the schemas accepted. */
  readonly check?: (input: { readonly query: Query; readonly body: Body }) => readonly FieldProblem[];
  /** The whole successful body. */
  readonly answer: TSchema;
  /** Answers at once, or later when the work was done in slices. */
  readonly handle: (input: HandlerInput<Params, Query, Body>) => Answer | Promise<Answer>;
}

/** An endpoint whose input types are its own business; router.ts checks input before it calls `handle`. */
export type Endpoint = EndpointDefinition<unknown, unknown, unknown>;

/**
 * Checks an endpoint's handler against its schemas, then forgets the types, so that endpoints fit in one table.
 * The cast is safe because the router hands `handle` only what the three schemas accepted.
 */
export function endpoint<Params, Query, Body>(definition: EndpointDefinition<Params, Query, Body>): Endpoint {
  return definition as unknown as Endpoint;
}
