/** The type of an endpoint. service/http/endpoint-table.ts has them all, handle-request.ts makes a route of each. */

import type { ObjectSchema, Schema, ValueOf } from "../engine/model/json-schema.ts";
import type { TimeGrouping } from "../engine/model/vocabulary.ts";
import type { RollupRange } from "../engine/store/group-prices.ts";
import type { Store } from "../engine/store/store.ts";
import type { ByteText } from "./byte-text.ts";
import type { Downloads } from "./downloads.ts";
import type { ApiErrorCode, FieldProblem } from "./errors.ts";
import type { AnswerBody, FileAnswer, HeaderList } from "./reply-body.ts";
import { noInput } from "./schema.ts";

/** `public`: any valid key; `secret`: a secret key, whose requests are signed. */
export type Access = "public" | "secret";

/** `exports`: what the operator decides for exports of prices and figures. */
export type DeclaredAccess = Access | "exports";

/** Caches the texts of groups of rollups. */
export interface RollupTextSource {
  /** The texts of neighbouring groups, the last group first, block by block. */
  slices(store: Store, grouping: TimeGrouping, range: RollupRange): Generator<ByteText>;
}

/** A request as a handler sees it: one store for its whole life, and input that the schemas have accepted. */
interface HandlerInput<Params, Query, Body> {
  readonly store: Store;
  readonly downloads: Downloads;
  /** Absent where none are cached. */
  readonly rollupTexts?: RollupTextSource | undefined;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
}

/** Runs work that can be long; the result is a promise where others have their turns meanwhile. */
export type RunWork = <Result>(work: Generator<number, Result>) => Result | Promise<Result>;

/** The name of an endpoint in log and metrics: `GET /prices/:uuid`. */
export function endpointName({ method, path }: Pick<DeclaredEndpoint, "method" | "path">): string {
  return `${method} ${path}`;
}

/**
 * What successful answers are:
 *
 * - `list`: JSON made from the store.
 * - `record`: JSON of one record, which is found as quickly as its text would be in a cache (bench/FIGURES.md).
 * - `service`: JSON of what changes while a snapshot is served, so without a tag.
 * - `table`: a file of all rows of a table, of any length.
 * - `file`: a file that is there, of one of these media types.
 */
export type AnswerForm =
  | { readonly kind: "list" | "record" | "service" }
  | TableForm
  | { readonly kind: "file"; readonly mediaTypes: readonly string[] };

export interface TableForm {
  readonly kind: "table";
  readonly mediaType: string;
  /** True if it is JSON, a row a line, and `answer` is what a line is. */
  readonly isRows: boolean;
  /** Headers that name the file. */
  readonly headers: (store: Store) => HeaderList;
  /** True if its rows are made of prices, so that headers cite their sources. */
  readonly isCited: boolean;
}

/**
 * A request by the values of its schemas, which is answered from the bundled data (site/docs/examples.json has the
 * answers).
 */
export interface ExampleRequest {
  /** Without `snapshot`, which is that of the bundled data. */
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

interface EndpointFields<Params, Query, Body> {
  readonly method: "GET" | "POST";
  /** Below the version prefix; `:name` is a parameter. */
  readonly path: string;
  readonly access: DeclaredAccess;
  /** Name of the method in a generated client. */
  readonly id: string;
  /** Its purpose, in the words of those who look for it. */
  readonly task: string;
  /** One line for the manual and the OpenAPI document. */
  readonly summary: string;
  /** A reader should know this before using it. */
  readonly description: string;
  readonly example: ExampleRequest;
  /** Codes of errors that neither its input nor its access explains. */
  readonly errors?: readonly ApiErrorCode[];
  /**
   * Checks what the schemas cannot express: fields that depend on one another. Called with input the schemas accepted.
   */
  readonly check?: (input: { readonly query: Query; readonly body: Body }) => readonly FieldProblem[];
  /**
   * Returns whether the answer probably has more than one chunk. Such an answer takes its place among long ones before
   * it is made, so that one that is refused costs no query; one in pieces that is longer than expected is refused after
   * its first chunk.
   */
  readonly isLong?: (input: { readonly query: Query; readonly body: Body }) => boolean;
  readonly form: AnswerForm;
  /** The whole successful body. */
  readonly answer: Schema;
  /**
   * The body of the successful answer; a promise where a file has to be opened.
   *
   * @param run Runs work that can be long.
   */
  readonly handle: (
    input: HandlerInput<Params, Query, Body>,
    run: RunWork,
  ) => AnswerBody | Promise<AnswerBody | FileAnswer>;
}

/** An endpoint without its input types; handle-request.ts checks input before it calls `handle`. */
export interface DeclaredEndpoint extends EndpointFields<unknown, unknown, unknown> {
  readonly params: ObjectSchema;
  readonly query: ObjectSchema;
  /** Only POST endpoints take one. */
  readonly body: ObjectSchema;
}

/** An endpoint as a service has it. */
export interface Endpoint extends DeclaredEndpoint {
  readonly access: Access;
}

/** Returns whether its answers are made from the store, so that its snapshot is their tag. */
export function isFromStore({ form: { kind } }: DeclaredEndpoint): boolean {
  return kind === "list" || kind === "record" || kind === "table";
}

/** Returns whether its answers have a tag. */
export function hasTag({ method, form }: DeclaredEndpoint): boolean {
  return method === "GET" && form.kind !== "service";
}

/** The fields that most endpoints have the same value of. */
type Defaulted = "method" | "example" | "form";

/**
 * Checks the types of an endpoint's handler against its schemas, then drops them, so that endpoints fit in one table. A
 * schema that is absent accepts no fields. The cast is safe because handle-request.ts passes `handle` only what the
 * schemas accept.
 */
export function endpoint<
  Params extends ObjectSchema = typeof noInput,
  Query extends ObjectSchema = typeof noInput,
  Body extends ObjectSchema = typeof noInput,
>(
  definition: Omit<EndpointFields<ValueOf<Params>, ValueOf<Query>, ValueOf<Body>>, Defaulted> &
    Partial<Pick<DeclaredEndpoint, Defaulted>> & {
      readonly params?: Params;
      readonly query?: Query;
      readonly body?: Body;
    },
): DeclaredEndpoint {
  return {
    method: "GET",
    example: {},
    form: { kind: "list" },
    params: noInput,
    query: noInput,
    body: noInput,
    ...definition,
  } as unknown as DeclaredEndpoint;
}

/** The path parameters of the example of an endpoint. @param snapshot For an endpoint with a parameter of that name. */
export function exampleParams({ path, example }: Endpoint, snapshot: string): Record<string, string> {
  const values: Readonly<Record<string, string | number>> = { snapshot, ...example.params };
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
  return Object.fromEntries(names.map((name) => [name, String(values[name])]));
}

/** The query string of the example of an endpoint; empty without parameters. */
export function exampleQuery({ example }: Endpoint): string {
  return Object.entries(example.query ?? {})
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll("%2C", ",")}`)
    .join("&");
}
