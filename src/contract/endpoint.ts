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
export function endpointName({ method, path }: Pick<Endpoint, "method" | "path">): string {
  return `${method} ${path}`;
}

/** Describes answers that are no JSON objects but files of any length. */
export interface ExportForm {
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
  readonly access: Access;
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
  /** Media types of its answers where they are files of several. */
  readonly mediaTypes?: readonly string[];
  /**
   * True if its answers are cached: not where making one takes about as long as finding it
   * (bench/FIGURES.md).
   */
  readonly isCached: boolean;
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
  /** True if `access` is what holds where the operator does not decide who may have it. */
  readonly followsExportAccess?: boolean;
  /** True if its answers are made from the store, so that its snapshot is their tag. */
  readonly isFromStore: boolean;
  /** The form of an export; absent for all others. */
  readonly exportForm?: ExportForm;
  /** The whole successful body. */
  readonly answer: Schema;
  /** The body of the successful answer; a promise where it takes several slices, or a file has to be opened. */
  readonly handle: (
    input: HandlerInput<Params, Query, Body>,
    run: RunWork,
  ) => AnswerBody | Promise<AnswerBody | FileAnswer>;
}

/** An endpoint without its input types; handle-request.ts checks input before it calls `handle`. */
export interface Endpoint extends EndpointFields<unknown, unknown, unknown> {
  readonly params: ObjectSchema;
  readonly query: ObjectSchema;
  /** Only POST endpoints take one. */
  readonly body: ObjectSchema;
}

/** Returns whether an endpoint serves files. */
export function isFile({ mediaTypes }: Endpoint): boolean {
  return mediaTypes !== undefined;
}

/** Returns whether its answers have a tag. */
export function hasTag(endpoint: Endpoint): boolean {
  return endpoint.method === "GET" && (endpoint.isFromStore || isFile(endpoint));
}

/** The fields that most endpoints have the same value of. */
type Defaulted = "method" | "example" | "isCached" | "isFromStore";

/** `handleInSlices` is for work that can be long: a generator that yields how many rows it has read. */
type Definition<Params, Query, Body> = Omit<EndpointFields<Params, Query, Body>, Defaulted | "handle"> &
  Partial<Pick<Endpoint, Defaulted>> &
  (
    | Pick<EndpointFields<Params, Query, Body>, "handle">
    | { readonly handleInSlices: (input: HandlerInput<Params, Query, Body>) => Generator<number, AnswerBody> }
  );

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
  definition: Definition<ValueOf<Params>, ValueOf<Query>, ValueOf<Body>> & {
    readonly params?: Params;
    readonly query?: Query;
    readonly body?: Body;
  },
): Endpoint {
  const handle =
    "handle" in definition
      ? definition.handle
      : (input: HandlerInput<ValueOf<Params>, ValueOf<Query>, ValueOf<Body>>, run: RunWork) =>
          run(definition.handleInSlices(input));
  return {
    method: "GET",
    example: {},
    isCached: true,
    isFromStore: true,
    params: noInput,
    query: noInput,
    body: noInput,
    ...definition,
    handle,
  } as unknown as Endpoint;
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
