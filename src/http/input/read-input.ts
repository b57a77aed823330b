/**
 * Path, query and body of a request → values that the endpoint's schemas accept, or an ApiError that names each bad
 * field.
 */
import { isUtf8 } from "node:buffer";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import type { TObject } from "typebox";
import { maskKeys } from "../../auth/key-format.ts";
import { dayFromText } from "../../domain/calendar-day.ts";
import { findDuplicateKey } from "../../domain/duplicate-key.ts";
import { foldText } from "../../domain/folded-text.ts";
import { toUuid } from "../../domain/ids.ts";
import type { Endpoint } from "../endpoint.ts";
import { ApiError, excerptOf, type FieldProblem, unsupportedMediaType, validationError } from "../errors.ts";
import { detailsMax, receivedCharactersMax } from "../limits.ts";
import { advice, anyCase, type Keywords, matchTextFormat, monthFormat } from "./schema.ts";

/** A request as it came. */
export interface RawInput {
  /** Decoded segments of the path. */
  readonly params: Readonly<Record<string, string>>;
  /** The text after the question mark; empty when there is none. */
  readonly queryText: string;
  readonly body: RawBody;
}

/** A body as it came, with the headers that describe it. */
export interface RawBody {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
}

/** Reads raw input; throws an ApiError when it is refused. */
export type InputReader = (raw: RawInput) => {
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
};

// The schemas are ours and tested; checking them against the meta-schema takes 20 ms of processor time in every thread.
const ajv = new Ajv({ allErrors: true, verbose: true, strictTypes: false, validateSchema: false, meta: false });
ajv.addFormat("uuid", (text: string) => toUuid(text) !== undefined);
ajv.addFormat("date", (text: string) => dayFromText(text) !== undefined);
ajv.addFormat(monthFormat, (text: string) => /^\d{4}-\d{2}$/.test(text) && dayFromText(`${text}-01`) !== undefined);
// A text of blanks or accents alone would match everything, and half a surrogate pair nothing.
ajv.addFormat(matchTextFormat, (text: string) => text.isWellFormed() && foldText(text).trim() !== "");

/**
 * The reader of one endpoint's input; its schemas are compiled when first used. It checks in this order: path, query,
 * media type, JSON, the body's fields, fields together.
 *
 * Codes of what the reader throws: INVALID_UUID, VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON.
 */
export function createInputReader(endpoint: Endpoint): InputReader {
  const paramProblems = problemFinder(endpoint.params);
  const queryProblems = problemFinder(endpoint.query);
  const fieldsProblems = problemFinder(endpoint.body);
  const readQuery = queryReader(endpoint.query);
  return (raw) => {
    const params = parsePathParams(raw.params, endpoint.params);
    refuseParams(paramProblems(params));
    const { values: query, problems } = readQuery(raw.queryText);
    refuse(problems.length > 0 ? problems : queryProblems(query));
    if (endpoint.method === "GET") refuse(bodyProblems(raw.body));
    const body = endpoint.method === "GET" ? {} : parseJsonBody(raw.body);
    refuse(fieldsProblems(body));
    refuse(endpoint.check?.({ query, body }) ?? []);
    return { params, query, body };
  };
}

/** What a schema finds wrong. Compiling all schemas at the start would take longer than a start should. */
function problemFinder(schema: TObject): (value: unknown) => FieldProblem[] {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    return validate(value) ? [] : fieldProblems(validate.errors ?? [], schema);
  };
}

function refuse(problems: readonly FieldProblem[]): void {
  if (problems.length > 0) throw validationError(problems.slice(0, detailsMax));
}

function refuseParams(problems: readonly FieldProblem[]): void {
  const uuidProblem = problems.find(({ field }) => field === "uuid");
  if (uuidProblem !== undefined) throw new ApiError("INVALID_UUID", uuidProblem.message, { details: problems });
  refuse(problems);
}

/**
 * Values by name, with nothing inherited: a parameter called `__proto__` is a parameter like any other. What
 * `Object.create(null)` makes is a hash table to V8, which is read and checked in twice the time.
 */
class Values {
  [name: string]: unknown;
}
Reflect.deleteProperty(Values.prototype, "constructor");
Object.setPrototypeOf(Values.prototype, null);

/** Reads the parameters of a path. A text that is not of the schema's type stays a text, for the schema to refuse. */
export function parsePathParams(params: Readonly<Record<string, string>>, schema: TObject): Values {
  const values = new Values();
  for (const [name, text] of Object.entries(params)) values[name] = parseValue(text, schema.properties[name]);
  return values;
}

/**
 * The reader of the query strings of an endpoint.
 *
 * A list may be given with commas, repeated, or both; any other parameter at most once. What the schema must refuse
 * (unknown names, texts of another type) is passed on as text.
 *
 * @returns Gives the values, and at most one problem per name that no schema can see: broken percent-encoding and
 *   repeated parameters.
 */
export function queryReader(schema: TObject): (queryText: string) => { values: Values; problems: FieldProblem[] } {
  // With the schema's own copy of each name. Under a part of the query string, V8 stores a value at several times the
  // cost.
  const fields = new Map(
    Object.entries(schema.properties as Record<string, Keywords>).map(([name, field]) => [name, { name, field }]),
  );
  return (queryText) => {
    const values = new Values();
    let problems: Map<string, FieldProblem> | undefined;
    const addProblem = (problem: FieldProblem): void => {
      problems ??= new Map();
      problems.set(problem.field, problem);
    };
    for (const piece of queryText.split("&")) {
      if (piece === "") continue;
      const equals = piece.indexOf("=");
      const given = decodePercent(equals === -1 ? piece : piece.slice(0, equals));
      const text = decodePercent(equals === -1 ? "" : piece.slice(equals + 1));
      if (given === undefined || text === undefined) {
        const received = excerptOf(piece);
        const message = `${received} is not UTF-8 in percent-encoding, expected it to be.`;
        addProblem({ field: excerptOf(given ?? piece), message, received });
        continue;
      }
      const { name, field } = fields.get(given) ?? { name: given, field: undefined };
      if (field?.type === "array") {
        const before = values[name] as unknown[] | undefined;
        const items = text.split(",").map((item) => parseValue(item, field.items));
        values[name] = before === undefined ? items : [...before, ...items];
      } else if (name in values) {
        const excerpt = excerptOf(name);
        const message = `${excerpt} is given more than once, expected it once.`;
        addProblem({ field: excerpt, message, received: excerptOf(text) });
      } else {
        values[name] = parseValue(text, field);
      }
    }
    return { values, problems: problems === undefined ? [] : [...problems.values()] };
  };
}

const numberExpression = /^-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?$/;
const integerExpression = /^-?(?:0|[1-9]\d{0,15})$/;

function parseValue(text: string, { type, enum: texts, [anyCase]: isAnyCase }: Keywords = {}): unknown {
  if (isAnyCase === true) return texts?.find((one) => one?.toLowerCase() === text.toLowerCase()) ?? text;
  if (type === "integer" && integerExpression.test(text)) return Number(text);
  if (type === "number" && numberExpression.test(text)) return Number(text);
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return text;
}

/** Percent-decoding as browsers write queries, `+` being a blank; undefined when it is broken. */
function decodePercent(text: string): string | undefined {
  // Most texts are as they were.
  if (!/[^\x20-\x24\x26-\x2a\x2c-\x7e]/.test(text)) return text;
  // The parser passes bytes on as characters; those above 7f should have been percent-encoded.
  if (!/^[\x20-\x7e]*$/.test(text)) return undefined;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

const jsonExpression = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i;

/**
 * Reads the JSON body of a POST. No body at all means no fields and needs no Content-Type.
 *
 * @returns An object; its fields are for the schema to check.
 * @throws {ApiError} UNSUPPORTED_MEDIA_TYPE; MALFORMED_JSON, also for a duplicate key, of which one value would be
 *   ignored; VALIDATION_ERROR when the JSON is not an object.
 */
export function parseJsonBody({ bytes, contentType, contentEncoding }: RawBody): unknown {
  if (bytes.length === 0) return {};
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== "identity") {
    throw unsupportedMediaType("Content-Encoding", contentEncoding, "no compression");
  }
  if (contentType === undefined || !jsonExpression.test(contentType)) {
    throw unsupportedMediaType("Content-Type", contentType, "application/json in UTF-8");
  }
  if (!isUtf8(bytes)) throw new ApiError("MALFORMED_JSON", "The body is not valid UTF-8, expected JSON in UTF-8.");
  // A byte order mark is kept, so that it is refused as JSON refuses it.
  const text = bytes.toString();
  const value = parseJson(text);
  const duplicate = findDuplicateKey(text);
  if (duplicate !== undefined) {
    const key = JSON.stringify(excerptOf(duplicate));
    throw new ApiError("MALFORMED_JSON", `The body has the key ${key} twice, expected it once.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const kind = value === null ? "null" : Array.isArray(value) ? "an array" : `a ${typeof value}`;
    throw validationError([{ field: "body", message: `The body is ${kind}, expected an object.`, received: null }]);
  }
  return value;
}

/** Refuses a body where none belongs. */
export function bodyProblems({ bytes }: RawBody): FieldProblem[] {
  if (bytes.length === 0) return [];
  const message = `The body has ${bytes.length} bytes, expected none with this method.`;
  return [{ field: "body", message, received: null }];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = excerptOf((error as SyntaxError).message);
    throw new ApiError("MALFORMED_JSON", `The body is not JSON: ${reason}.`, { cause: error });
  }
}

/**
 * What ajv found → what the answer says: the field, what was found, what was wanted. One problem per field, in the
 * order in which they were found, at most `detailsMax`.
 *
 * @param errors From a validator with `verbose` set, over one object.
 * @param schema The schema of that object.
 */
export function fieldProblems(errors: readonly ErrorObject[], schema: TObject): FieldProblem[] {
  const problems = new Map<string, FieldProblem>();
  for (const error of errors) {
    const problem = fieldProblem(error, schema);
    if (!problems.has(problem.field)) problems.set(problem.field, problem);
    if (problems.size === detailsMax) break;
  }
  return [...problems.values()];
}

function fieldProblem(error: ErrorObject, schema: TObject): FieldProblem {
  if (error.keyword === "additionalProperties") {
    const field = excerptOf(String(error.params["additionalProperty"]));
    const known = Object.keys(schema.properties);
    const wanted = known.length === 0 ? "no fields" : `only ${known.join(", ")}`;
    const value = (error.data as Record<string, unknown>)[String(error.params["additionalProperty"])];
    return {
      field,
      message: `${JSON.stringify(field)} is unknown here, expected ${wanted}.`,
      received: receivedOf(value),
    };
  }
  if (error.keyword === "required") {
    const field = String(error.params["missingProperty"]);
    return { field, message: `${field} is missing, expected ${wantedBy(schema.properties[field])}.`, received: null };
  }
  const field = fieldName(error.instancePath);
  const found = receivedOf(error.data);
  const accepted = error.parentSchema as Keywords;
  // Messages leave out the bound of page numbers, unless it is what the value exceeds.
  const isUnsafe = error.keyword === "maximum" && error.params["limit"] === Number.MAX_SAFE_INTEGER;
  const wanted = isUnsafe ? `an integer up to ${Number.MAX_SAFE_INTEGER}` : wantedBy(accepted);
  // JSON has no way to write the infinity that a number like 1e999 becomes.
  if (Math.abs(found as number) === Number.POSITIVE_INFINITY) {
    return { field, message: `${field} is a number too large, expected ${wanted}.`, received: null };
  }
  const message = `${field} is ${JSON.stringify(found)}, expected ${wanted}${sentenceEnd(found, accepted)}`;
  return { field, message, received: found };
}

/** The end of a message; names the text of a closed list that differs from the value only in case. */
function sentenceEnd(found: unknown, { enum: texts = [] }: Keywords): string {
  if (typeof found !== "string") return ".";
  const same = texts.find((one) => one?.toLowerCase() === found.toLowerCase());
  return same === undefined ? "." : `; did you mean ${same}?`;
}

/** `/product_uuids/2` → `product_uuids[2]` */
function fieldName(instancePath: string): string {
  const [name = "", ...rest] = instancePath.slice(1).split("/");
  return name + rest.map((index) => `[${index}]`).join("");
}

/** The value as received, cut to a length that an answer can repeat; what looks like a key is masked. */
function receivedOf(value: unknown): unknown {
  const json = JSON.stringify(value);
  const isPlain = json.length <= receivedCharactersMax && maskKeys(json) === json;
  return isPlain ? value : excerptOf(typeof value === "string" ? value : json);
}

const wantedFormats: Readonly<Record<string, string>> = {
  uuid: "a UUID of 36 characters",
  date: "an existing day as YYYY-MM-DD",
  [monthFormat]: "an existing month as YYYY-MM",
};

/** What a schema wants, in words. */
function wantedBy(schema: Keywords = {}): string {
  const { type, format, enum: texts, minimum, maximum, maxLength, minItems, maxItems, [advice]: hint = "" } = schema;
  if (texts !== undefined) {
    const listed = texts.map((text) => (text?.includes(",") ? JSON.stringify(text) : text));
    return `one of ${listed.join(", ")}${hint}`;
  }
  switch (type) {
    case "string":
      return wantedFormats[format ?? ""] ?? `a text of 1 to ${maxLength} whole characters, not only blanks or accents`;
    case "integer":
      return maximum === Number.MAX_SAFE_INTEGER
        ? `an integer of at least ${minimum}`
        : `an integer from ${minimum} to ${maximum}${hint}`;
    case "array":
      return `a list of ${minItems} to ${maxItems} items`;
    case "boolean":
      return "true or false";
    default:
      return `a ${type}`;
  }
}
