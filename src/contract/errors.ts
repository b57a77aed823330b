/** Every error this service answers: one table of codes, and the error that carries one to its answer. */

import { type ByteText, byteText, joinBytes, jsonText } from "./byte-text.ts";
import { maskSecrets, signatureWindowSeconds } from "./credentials.ts";
import {
  bodyBytesMax,
  headerBytesMax,
  receivedCharactersMax,
  retryAfterSeconds,
  targetCharactersMax,
} from "./limits.ts";

/** Statuses with their category, `error` in the body. */
const categories = {
  400: "bad_request",
  401: "unauthorized",
  404: "not_found",
  405: "method_not_allowed",
  408: "request_timeout",
  409: "conflict",
  412: "precondition_failed",
  413: "payload_too_large",
  414: "uri_too_long",
  415: "unsupported_media_type",
  416: "range_not_satisfiable",
  429: "rate_limited",
  431: "headers_too_large",
  500: "internal_error",
  503: "unavailable",
} as const;

/** @param message The manual's text for the code; also the message of an error that has none of its own. */
function entry(
  status: keyof typeof categories,
  message: string,
): { readonly status: number; readonly error: string; readonly message: string } {
  return { status, error: categories[status], message };
}

export const apiErrors = {
  MISSING_API_KEY: entry(401, "The X-API-Key header is absent; send your key in it."),
  INVALID_API_KEY: entry(401, "The key is mistyped, unknown, expired or revoked."),
  INVALID_SIGNATURE: entry(
    401,
    "X-Signature or X-Signature-Timestamp is absent or malformed, or the signature does not match the request.",
  ),
  TIMESTAMP_EXPIRED: entry(
    401,
    `X-Signature-Timestamp is more than ${signatureWindowSeconds} seconds from the server's time.`,
  ),
  INSUFFICIENT_PERMISSIONS: entry(401, "The endpoint needs a secret key and a signed request."),
  BAD_REQUEST: entry(400, "The request is not well-formed HTTP/1.1."),
  VALIDATION_ERROR: entry(400, "A field is unknown, missing or has a bad value."),
  INVALID_UUID: entry(400, "The identifier in the path is not a UUID."),
  MALFORMED_JSON: entry(400, "The body is not JSON in UTF-8."),
  NOT_FOUND: entry(404, "Nothing is known under this path."),
  METHOD_NOT_ALLOWED: entry(405, "The path exists, but not with this method; the Allow header lists its methods."),
  REQUEST_TIMEOUT: entry(408, "The request did not arrive in time."),
  SNAPSHOT_CHANGED: entry(
    409,
    "The snapshot that X-Snapshot-Id asks for is not the one that is served; start reading again.",
  ),
  PRECONDITION_FAILED: entry(
    412,
    "The answer or file is not one that If-Match names, or is of a snapshot published after If-Unmodified-Since.",
  ),
  PAYLOAD_TOO_LARGE: entry(413, `The body is larger than ${bodyBytesMax} bytes.`),
  URI_TOO_LONG: entry(414, `The request target is longer than ${targetCharactersMax} characters.`),
  UNSUPPORTED_MEDIA_TYPE: entry(415, "The body must be uncompressed application/json in UTF-8."),
  RATE_LIMITED: entry(
    429,
    "Too many requests with this key, or with wrong keys or none from this address, or the client has its share of " +
      "what the service does at a time; try again after Retry-After seconds.",
  ),
  RANGE_NOT_SATISFIABLE: entry(416, "The part of a file that Range asks for lies behind its end."),
  HEADERS_TOO_LARGE: entry(431, `The headers are larger than ${headerBytesMax} bytes.`),
  INTERNAL_ERROR: entry(500, "Something went wrong here; the log knows more."),
  SERVICE_UNAVAILABLE: entry(
    503,
    "No snapshot is served at the moment, a limit of the service is reached, or a download is not made yet; try " +
      "again after Retry-After seconds.",
  ),
};

export type ApiErrorCode = keyof typeof apiErrors;
export const apiErrorCodes = Object.keys(apiErrors) as readonly ApiErrorCode[];

/** `details` of SNAPSHOT_CHANGED. */
interface SnapshotMismatch {
  readonly requested: string;
  readonly current: string;
}

/** The codes whose errors have a list of fields as `details`. */
export const fieldErrorCodes: readonly ApiErrorCode[] = ["VALIDATION_ERROR", "INVALID_UUID"];

/** A fault in one field of a request. */
export interface FieldProblem {
  /** Name of the parameter or body field; `[2]` behind it is the third item of a list. */
  readonly field: string;
  /** Says what was found and what was wanted. */
  readonly message: string;
  /** The value as received; null when there was none, or one that JSON cannot repeat. */
  readonly received: unknown;
}

/** Ends a request with one of the codes. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly details: readonly FieldProblem[] | SnapshotMismatch | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Its body without the id of a request, once it was needed: some errors are thrown for many requests. */
  beginning: ByteText | undefined;

  /** @param message Found and expected, in place of the table's text. Never holds a secret. */
  constructor(
    code: ApiErrorCode,
    message: string = apiErrors[code].message,
    options: {
      details?: readonly FieldProblem[] | SnapshotMismatch;
      headers?: Readonly<Record<string, string>>;
      cause?: unknown;
    } = {},
  ) {
    // No stack: capturing one is a good part of the cost of a refusal, and the log has the stack of a cause alone.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, { cause: options.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = "ApiError";
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return apiErrors[this.code].status;
  }
}

/** A VALIDATION_ERROR about one or more fields; the message is the first one's. */
export function validationError(details: readonly FieldProblem[]): ApiError {
  return new ApiError("VALIDATION_ERROR", details[0]?.message, { details });
}

/**
 * Makes the problem of one field, with a received text as an answer may repeat it.
 *
 * @param found The value as the message has it; the value itself when absent.
 */
export function wrongField(field: string, value: unknown, wanted: string, found?: string): FieldProblem {
  const received = receivedOf(value);
  return { field, message: `${field} is ${found ?? String(received)}, expected ${wanted}.`, received };
}

/** The value as received, cut to a length that an answer can repeat; what looks like a key or a signature is masked. */
export function receivedOf(value: unknown): unknown {
  const json = JSON.stringify(value);
  const isPlain = json.length <= receivedCharactersMax && maskSecrets(json) === json;
  return isPlain ? value : excerptOf(typeof value === "string" ? value : json);
}

/** A VALIDATION_ERROR about the text of one field. @param text As received. */
export function wrongText(field: string, text: string, wanted: string): ApiError {
  const received = excerptOf(text);
  return validationError([wrongField(field, received, wanted, JSON.stringify(received))]);
}

/**
 * An UNSUPPORTED_MEDIA_TYPE about one header.
 *
 * @param found Undefined when the header is absent.
 */
export function unsupportedMediaType(header: string, found: string | undefined, wanted: string): ApiError {
  const what = found === undefined ? "absent" : JSON.stringify(excerptOf(found));
  return new ApiError("UNSUPPORTED_MEDIA_TYPE", `${header} is ${what}, expected ${wanted}.`);
}

/** A SERVICE_UNAVAILABLE that says when to try again. */
export function serviceUnavailable(message?: string, seconds: number = retryAfterSeconds): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", message, { headers: { "Retry-After": String(seconds) } });
}

/** A RATE_LIMITED for a client that has all that one client may have at a time. */
export function shareTaken(message: string): ApiError {
  return new ApiError("RATE_LIMITED", message, { headers: { "Retry-After": String(retryAfterSeconds) } });
}

/**
 * The one body of every error, whatever its status, as JSON.
 *
 * @param requestId Letters, digits, dots, dashes and underscores.
 */
export function errorJson(thrown: ApiError, requestId: string): ByteText {
  const { code, message, details } = thrown;
  thrown.beginning ??= jsonText({ error: apiErrors[code].error, message, code, details });
  return joinBytes(thrown.beginning.slice(0, -1) as ByteText, byteText(`,"request_id":"${requestId}"}`));
}

/** A received text as an answer may repeat it: keys and signatures in it are masked, and a long text is cut. */
export function excerptOf(text: string): string {
  const masked = maskSecrets(text);
  return masked.length <= receivedCharactersMax ? masked : `${masked.slice(0, receivedCharactersMax)}…`;
}
