/** Answers checked against the OpenAPI document, as a client made from it would read them. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { apiPrefix } from "../../src/contract/paths.ts";
import { dayFromText } from "../../src/engine/model/calendar.ts";
import { toUuid } from "../../src/engine/model/ids.ts";
import { endpoints } from "../../src/service/http/endpoint-table.ts";
import { renderApiDescription } from "../../src/site/docs/openapi.ts";

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, object>>;
  readonly headers?: Readonly<Record<string, object>>;
  readonly "x-error-codes"?: readonly string[];
}

interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly responses: Readonly<Record<string, Response>> };
}

export const apiDocument = JSON.parse(renderApiDescription(endpoints, [])) as ApiDocument;

// That the document holds to its meta-schema is checked by linters.
const ajv = new Ajv2020({ allErrors: true, strict: false, validateSchema: false });
// Answers are stricter than requests: one form only.
ajv.addFormat("uuid", (text: string) => toUuid(text) === text);
ajv.addFormat("date-time", /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
ajv.addFormat("date", (text: string) => dayFromText(text) !== undefined);
ajv.addSchema({ $id: "openapi", ...apiDocument });

/** Fixed paths stand before those with parameters, as in the table of endpoints. */
const paths = Object.keys(apiDocument.paths).map((path) => ({
  path,
  expression: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

const validators = new Map<string, ValidateFunction>();

/** The part of an answer that the document speaks of. */
export interface AnsweredRequest {
  readonly method: string;
  /** As sent, with its query string. */
  readonly path: string;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
  /** For a client that parses the text too, and keeps the result. */
  readonly parseBody?: () => unknown;
}

/**
 * What the document forbids of an answer; empty when nothing. Requests that reach no operation must get an error as
 * well.
 */
export function undocumentedIn({
  method,
  path,
  status,
  headers,
  text,
  parseBody = () => JSON.parse(text),
}: AnsweredRequest): string[] {
  if (!path.startsWith(`${apiPrefix}/`) || method === "HEAD" || method === "OPTIONS") return [];
  const plainPath = path.split("?")[0] as string;
  const known = paths.find(({ expression }) => expression.test(plainPath))?.path;
  const name = method.toLowerCase();
  const operation = known === undefined ? undefined : apiDocument.paths[known]?.[name];
  const key = operation !== undefined && String(status) in operation.responses ? String(status) : "default";
  const found = operation?.responses[key];
  const response = resolve(found ?? { $ref: "#/components/responses/OtherError" });
  const responsePointer =
    found?.$ref ?? (found && `#/paths/${escapePointer(known as string)}/${name}/responses/${key}`);
  if (response.content === undefined) return text === "" ? [] : [`${status} has a body, expected none`];
  const type = String(headers["content-type"]).split(";")[0] as string;
  if (!(type in response.content))
    return [`${status} is ${type}, expected ${Object.keys(response.content).join(", ")}`];
  if (key === "default" && status < 400) return [`${status} is not documented`];
  const pointer = `${responsePointer ?? "#/components/responses/OtherError"}/content/${escapePointer(type)}/schema`;
  if (type === "application/x-ndjson") return undocumentedInText(`${pointer}/anyOf/0`, text, rowsIn);
  // A part of a file is not parsed.
  if (status === 206 || !/^application\/(?:problem\+)?json$/.test(type)) return [];
  const problems = undocumentedInText(pointer, text, () => [parseBody()]);
  const codes = response["x-error-codes"];
  if (codes !== undefined) {
    const { code } = parseBody() as { readonly code?: string };
    if (!codes.includes(String(code))) problems.push(`code ${code} is not documented`);
  }
  if (key === "default") return problems;
  const wanted = Object.keys(response.headers ?? {}).map((header) => header.toLowerCase());
  const missing = ["etag", "retry-after", "www-authenticate"].filter(
    (header) => wanted.includes(header) !== header in headers,
  );
  return [...problems, ...missing.map((header) => `${header}: documented or sent, but not both`)];
}

/**
 * What the schema of the successful answer of an endpoint forbids.
 *
 * @param endpointName As the endpoint table has it.
 */
export function undocumentedFields(endpointName: string, body: unknown): string[] {
  const [method = "", path = ""] = endpointName.split(" ");
  const documented = apiPrefix + path.replace(/:(\w+)/g, "{$1}");
  const operation = apiDocument.paths[documented]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`${endpointName} is not in the document, expected every endpoint to be`);
  const response = `#/paths/${escapePointer(documented)}/${method.toLowerCase()}/responses/200`;
  return validate(`${response}/content/application~1json/schema`, body);
}

/**
 * The latest text without a problem, by schema: tests ask the same again in other codings, with other headers and
 * clients.
 */
const latestGoodTexts = new Map<string, string>();

/** @param parse The values in the text, each of which the schema is for. */
function undocumentedInText(pointer: string, text: string, parse: (text: string) => readonly unknown[]): string[] {
  if (latestGoodTexts.get(pointer) === text) return [];
  const problems = new Set(parse(text).flatMap((value) => validate(pointer, value)));
  if (problems.size === 0) latestGoodTexts.set(pointer, text);
  return [...problems];
}

function rowsIn(text: string): unknown[] {
  const lines = text.split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line));
}

function validate(pointer: string, body: unknown): string[] {
  let check = validators.get(pointer);
  if (check === undefined) {
    check = ajv.compile({ $ref: `openapi${pointer}` });
    validators.set(pointer, check);
  }
  check(body);
  return (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function resolve(response: Response): Response {
  const { $ref } = response;
  if ($ref === undefined) return response;
  return apiDocument.components.responses[$ref.split("/").at(-1) as string] as Response;
}

function escapePointer(text: string): string {
  return encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"));
}
