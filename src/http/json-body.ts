import { findDuplicateKey } from "../domain/duplicate-key.ts";
import { ApiError, type FieldProblem, unsupportedMediaType, validationError } from "./errors.ts";
import { excerptOf } from "./excerpt.ts";

/** A body as it came, with the headers that say what it is. */
export interface RawBody {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
}

const jsonExpression = /^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i;

/** A byte order mark is kept, so that it is refused as JSON refuses it. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads the JSON body of a POST. No body at all means no fields and needs no Content-Type.
 *
 * @returns An object; its fields are for the schema to check.
 * @throws {ApiError} UNSUPPORTED_MEDIA_TYPE; MALFORMED_JSON, also for a key that stands twice, of which one value would
 * be ignored; VALIDATION_ERROR when the JSON is not an object.
 */
export function parseJsonBody({ bytes, contentType, contentEncoding }: RawBody): unknown {
  if (bytes.length === 0) return {};
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== "identity") {
    throw unsupportedMediaType("Content-Encoding", contentEncoding, "no compression");
  }
  if (contentType === undefined || !jsonExpression.test(contentType)) {
    throw unsupportedMediaType("Content-Type", contentType, "application/json in UTF-8");
  }
  const text = decode(bytes);
  const value = parse(text);
  const twice = findDuplicateKey(text);
  if (twice !== undefined) {
    throw new ApiError(
      "MALFORMED_JSON",
      `The body has the key ${JSON.stringify(excerptOf(twice))} twice, expected it once.`,
    );
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

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch (error) {
    throw new ApiError("MALFORMED_JSON", "The body is not valid UTF-8, expected JSON in UTF-8.", { cause: error });
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    const reason = excerptOf((error as SyntaxError).message);
    throw new ApiError("MALFORMED_JSON", `The body is not JSON: ${reason}.`, { cause: error });
  }
}
