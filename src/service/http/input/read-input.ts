/**
 * Path, query and body of a request → values that the endpoint's schemas accept, or an ApiError that names each bad
 * field.
 */
import { isUtf8 } from "node:buffer";
import { Ajv, type ValidateFunction } from "ajv";
import type { TObject } from "typebox";
import type { Endpoint } from "../../../contract/endpoint.ts";
import {
  ApiError,
  excerptOf,
  type FieldProblem,
  unsupportedMediaType,
  validationError,
} from "../../../contract/errors.ts";
import { detailsMax } from "../../../contract/limits.ts";
import { anyCase, type Keywords, matchTextFormat, monthFormat, searchTextFormat } from "../../../contract/schema.ts";
import { dayFromText } from "../../../engine/model/calendar.ts";
import { findDuplicateKey } from "../../../engine/model/duplicate-key.ts";
import { foldText, searchWords } from "../../../engine/model/folded-text.ts";
import { toUuid } from "../../../engine/model/ids.ts";
import { visibleText } from "../../../engine/model/visible-text.ts";
import { excessProblem, fieldProblems } from "./field-problem.ts";
import { type SentTexts, sentInJson, sentInQuery } from "./sent-number.ts";

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
ajv.addFormat(searchTextFormat, (text: string) => text.isWellFormed() && searchWords(text).length > 0);

/**
 * The reader of one endpoint's input; its schemas are compiled when first used. It checks in this order: path, query,
 * media type, JSON, the body's fields, fields together.
 *
 * Codes of what the reader throws: INVALID_UUID, VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON.
 */
export function createInputReader(endpoint: Endpoint): InputReader {
  const paramProblems = problemFinder(endpoint.params, sentInPath);
  const queryProblems = problemFinder(endpoint.query, sentInQuery);
  const fieldsProblems = problemFinder(endpoint.body, sentInJson);
  const readQuery = queryReader(endpoint.query);
  return (raw) => {
    const params = parsePathParams(raw.params, endpoint.params);
    refuseParams(paramProblems(params, raw.params));
    const { values: query, problems } = readQuery(raw.queryText);
    refuse(queryProblems(query, raw.queryText, problems));
    if (endpoint.method === "GET") refuse(bodyProblems(raw.body));
    const body = endpoint.method === "GET" ? {} : parseJsonBody(raw.body);
    refuse(fieldsProblems(body, raw.body.bytes));
    refuse(endpoint.check?.({ query, body }) ?? []);
    return { params, query, body };
  };
}

const noProblems: readonly FieldProblem[] = [];

/**
 * What a schema finds wrong with an object, beside what was found before. Compiling all schemas at the start would take
 * longer than a start should.
 *
 * @param sentIn Reads what the object was made from, where a problem has to repeat it.
 */
function problemFinder<Source>(
  schema: TObject,
  sentIn: (source: Source) => SentTexts,
): (value: object, source: Source, before?: readonly FieldProblem[]) => readonly FieldProblem[] {
  let validate: ValidateFunction | undefined;
  const lists = Object.entries(schema.properties as Record<string, Keywords>).filter(
    ([, { maxItems }]) => maxItems !== undefined,
  );
  return (value, source, before = noProblems) => {
    const { checked, excess } = withoutExcess(value as Values, lists);
    validate ??= ajv.compile(schema);
    const problems = excess.length === 0 ? before : [...excess, ...before];
    if (validate(checked)) return problems;
    return fieldProblems(validate.errors ?? [], schema, { problems, sentTexts: sentIn(source) });
  };
}

/**
 * An object without the lists that have more items than their schemas: to check each of their items would take
 * milliseconds.
 */
function withoutExcess(
  value: Values,
  lists: readonly (readonly [name: string, schema: Keywords])[],
): { readonly checked: Values; readonly excess: readonly FieldProblem[] } {
  let checked = value;
  let excess = noProblems;
  for (const [name, schema] of lists) {
    const list = value[name];
    if (!Array.isArray(list) || list.length <= Number(schema.maxItems)) continue;
    excess = [...excess, excessProblem(name, list, schema)];
    if (checked === value) checked = Object.assign(new Values(), value);
    Reflect.deleteProperty(checked, name);
  }
  return { checked, excess };
}

function sentInPath(params: RawInput["params"]): SentTexts {
  return (name) => [params[name] ?? ""];
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
 * @returns Gives the values, and at most one problem per known name that no schema can see: broken percent-encoding and
 *   repeated parameters. Names that cannot be read are problems too.
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
      const known = given === undefined ? undefined : fields.get(given);
      if (given !== undefined && known === undefined) {
        // For the schema to refuse: that it is unknown is all there is to say of it.
        values[given] ??= text ?? piece;
        continue;
      }
      if (known === undefined || text === undefined) {
        const received = excerptOf(piece);
        const message = `${received} is not UTF-8 in percent-encoding, expected it to be.`;
        addProblem({ field: excerptOf(given ?? piece), message, received });
        continue;
      }
      const { name, field } = known;
      if (field.type === "array") {
        const before = values[name] as unknown[] | undefined;
        const items = text.split(",").map((item) => parseValue(item, field.items));
        if (before === undefined) values[name] = items;
        else before.push(...items);
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

/** Parameters may be empty (RFC 9110, section 5.6.6). */
const jsonExpression = /^application\/json(?:\s*;(?:\s*charset="?utf-8"?)?)*\s*$/i;

const byteOrderMark = "\uFEFF";

/**
 * Reads the JSON body of a POST. No body at all means no fields and needs no Content-Type.
 *
 * @returns An object; its fields are for the schema to check.
 * @throws {ApiError} UNSUPPORTED_MEDIA_TYPE; MALFORMED_JSON, also for a duplicate key, of which one value would be
 *   ignored; VALIDATION_ERROR when the JSON is not an object.
 */
export function parseJsonBody({ bytes, contentType, contentEncoding }: RawBody): object {
  if (bytes.length === 0) return {};
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== "identity") {
    throw unsupportedMediaType("Content-Encoding", contentEncoding, "no compression");
  }
  if (contentType === undefined || !jsonExpression.test(contentType)) {
    throw unsupportedMediaType("Content-Type", contentType, "application/json in UTF-8");
  }
  if (!isUtf8(bytes)) {
    const isUtf16 = ["fffe", "feff"].includes(bytes.toString("hex", 0, 2));
    const found = isUtf16 ? "begins with a byte order mark of UTF-16" : "is not valid UTF-8";
    throw new ApiError("MALFORMED_JSON", `The body ${found}, expected JSON in UTF-8.`);
  }
  const text = bytes.toString();
  // JSON refuses it as well, but names a character that nobody sees.
  if (text.startsWith(byteOrderMark)) {
    throw new ApiError("MALFORMED_JSON", "The body begins with a byte order mark, expected JSON without one.");
  }
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
    // The message quotes the body, of which some characters are invisible.
    const reason = excerptOf(visibleText((error as SyntaxError).message));
    throw new ApiError("MALFORMED_JSON", `The body is not JSON: ${reason}.`, { cause: error });
  }
}
