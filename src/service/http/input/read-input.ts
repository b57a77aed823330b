/**
 * Path, query and body of a request → values that the endpoint's schemas accept, or an ApiError that names each bad
 * field.
 */
import { isUtf8 } from "node:buffer";
import type { Endpoint } from "../../../contract/endpoint.ts";
import {
  ApiError,
  excerptOf,
  type FieldProblem,
  unsupportedMediaType,
  validationError,
} from "../../../contract/errors.ts";
import { detailsMax } from "../../../contract/limits.ts";
import { createFieldChecker, createQueryReader, parsePathParams } from "../../../contract/read-query.ts";
import { type SentTexts, sentInJson } from "../../../contract/sent-number.ts";
import { findDuplicateKey } from "../../../engine/model/json-object.ts";
import { visibleText } from "../../../engine/model/visible-text.ts";

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

/**
 * The reader of one endpoint's input; its schemas are compiled when first used. It checks in this order: path, query,
 * media type, JSON, the body's fields, fields together.
 *
 * Codes of what the reader throws: INVALID_UUID, VALIDATION_ERROR, UNSUPPORTED_MEDIA_TYPE, MALFORMED_JSON.
 */
export function createInputReader(endpoint: Endpoint): InputReader {
  const paramProblems = createFieldChecker(endpoint.params, sentInPath);
  const readQuery = createQueryReader(endpoint.query);
  const fieldsProblems = createFieldChecker(endpoint.body, sentInJson);
  return (raw) => {
    const params = parsePathParams(raw.params, endpoint.params);
    refuseParams(paramProblems(params, raw.params));
    const { values: query, problems } = readQuery(raw.queryText);
    refuse(problems);
    if (endpoint.method === "GET") refuse(bodyProblems(raw.body));
    const body = endpoint.method === "GET" ? {} : parseJsonBody(raw.body);
    refuse(fieldsProblems(body, raw.body.bytes));
    refuse(endpoint.check?.({ query, body }) ?? []);
    return { params, query, body };
  };
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
