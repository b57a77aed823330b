/**
 * What can be asked, read from the service itself: its OpenAPI document, and identifiers and texts of its own answers.
 */
import { Ajv, type ValidateFunction } from "ajv";
import { dayFromText } from "../../src/engine/model/calendar.ts";
import { toUuid } from "../../src/engine/model/ids.ts";
import type { Keywords } from "../../src/engine/model/json-schema.ts";

/** One field of one endpoint. */
export interface Field {
  readonly name: string;
  readonly place: "path" | "query" | "body";
  readonly isRequired: boolean;
  readonly schema: Keywords;
}

export interface Operation {
  readonly method: "GET" | "POST";
  /** With the version prefix; `{name}` is a parameter. */
  readonly path: string;
  readonly isSecret: boolean;
  readonly fields: readonly Field[];
  /** The media types of its answers with 200. */
  readonly mediaTypes: readonly string[];
  /** Checks the whole body of an answer in JSON; undefined where none is JSON. */
  readonly isAnswer: ValidateFunction | undefined;
}

export interface Api {
  readonly operations: readonly Operation[];
  readonly isError: ValidateFunction;
  /** An error in application/problem+json. */
  readonly isProblem: ValidateFunction;
  /** Uuids by what they identify, in the singular: `product`, `price`. */
  readonly uuids: ReadonlyMap<string, readonly string[]>;
  /** Words that records contain. */
  readonly words: readonly string[];
}

/** By media type. */
type Content = Readonly<Record<string, { readonly schema?: ObjectSchema }>>;

interface ObjectSchema {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Keywords>>;
}

interface DescribedOperation {
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required: boolean;
    readonly schema: Keywords;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: { readonly "200": { readonly content: Content } };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<"get" | "post", DescribedOperation | undefined>>>>;
  readonly components: { readonly schemas: { readonly Error: object; readonly Problem: object } };
}

/** Reads the operations and what they can be asked about. @param publicKey Opens the lists. */
export async function readApi(baseUrl: string, publicKey: string): Promise<Api> {
  // A connection that stays open would be counted among those of the clients.
  const response = await fetch(`${baseUrl}/openapi.json`, { headers: { Connection: "close" } });
  const document = (await response.json()) as Document;
  const { paths, components } = resolveReferences(document, document) as Document;
  const ajv = new Ajv({ strict: false });
  ajv.addFormat("uuid", (text: string) => toUuid(text) === text);
  ajv.addFormat("date-time", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  ajv.addFormat("date", (text: string) => dayFromText(text) !== undefined);
  const operations = Object.entries(paths).flatMap(([path, byMethod]) =>
    (["get", "post"] as const).flatMap((method) => {
      const described = byMethod[method];
      return described === undefined ? [] : [operationOf(ajv, path, method, described)];
    }),
  );
  const uuids = new Map<string, Set<string>>();
  const words = new Set<string>();
  for (const { method, path, fields, isSecret } of operations) {
    if (method === "POST" || isSecret || fields.some(({ isRequired }) => isRequired)) continue;
    const answer = await fetch(baseUrl + path, { headers: { "X-API-Key": publicKey, Connection: "close" } });
    if (answer.status !== 200 || answer.headers.get("Content-Type") !== "application/json") continue;
    const { data } = (await answer.json()) as { data: unknown };
    collectValues(data, path.split("/").at(-1) ?? "", uuids, words);
  }
  const lists = [...uuids].map(([name, set]) => [name, [...set]] as const);
  return {
    operations,
    isError: ajv.compile(components.schemas.Error),
    isProblem: ajv.compile(components.schemas.Problem),
    uuids: new Map(lists),
    words: [...words],
  };
}

/** A part of the document with what its references point to in their places; none points to what holds it. */
function resolveReferences(part: unknown, document: object): unknown {
  if (Array.isArray(part)) return part.map((item) => resolveReferences(item, document));
  if (typeof part !== "object" || part === null) return part;
  const { $ref, ...own } = part as { $ref?: string };
  const target = $ref?.slice("#/".length).split("/").reduce(stepInto, document);
  const resolved = Object.entries(own).map(([name, value]) => [name, resolveReferences(value, document)]);
  return { ...(resolveReferences(target, document) as object | undefined), ...Object.fromEntries(resolved) };
}

function stepInto(part: object, name: string): object {
  return (part as Readonly<Record<string, object>>)[name] as object;
}

function operationOf(ajv: Ajv, path: string, method: "get" | "post", described: DescribedOperation): Operation {
  const { security, parameters, requestBody, responses } = described;
  const body = requestBody?.content["application/json"]?.schema ?? {};
  const { content } = responses["200"];
  const answer = content["application/json"]?.schema;
  const fields: Field[] = parameters.flatMap(({ name, in: place, required, schema }) =>
    place === "header" ? [] : [{ name, place, isRequired: required, schema }],
  );
  for (const [name, schema] of Object.entries(body.properties ?? {})) {
    fields.push({ name, place: "body", isRequired: body.required?.includes(name) ?? false, schema });
  }
  return {
    method: method === "get" ? "GET" : "POST",
    path,
    isSecret: security.every((scheme) => "SecretKey" in scheme),
    fields,
    mediaTypes: Object.keys(content),
    isAnswer: answer && ajv.compile(answer),
  };
}

/** `products` → `product`, `counties` → `county`, `product_uuids` → `product` */
export function singular(name: string): string {
  return name
    .replace(/_?uuids?$/, "")
    .replace(/ies$/, "y")
    .replace(/s$/, "");
}

/** @param name The field that holds the value. */
function collectValues(value: unknown, name: string, uuids: Map<string, Set<string>>, words: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collectValues(item, name, uuids, words);
  } else if (typeof value === "object" && value !== null) {
    for (const [field, inner] of Object.entries(value)) {
      collectValues(inner, field === "uuid" ? name : field, uuids, words);
    }
  } else if (typeof value === "string") {
    if (toUuid(value) === undefined) words.add(value.slice(0, 40));
    else uuids.set(singular(name), (uuids.get(singular(name)) ?? new Set()).add(value));
  }
}
