/** Every error this service answers: one table of codes, and the error that carries one to the answer. */
import { signatureWindowSeconds } from "../auth/signature.ts";
import { excerptOf } from "./excerpt.ts";
import { bodyBytesMax, headerBytesMax, retryAfterSeconds, targetCharactersMax } from "./limits.ts";

export interface ApiErrorEntry {
  readonly status: number;
  /** The category, `error` in the body. */
  readonly error: string;
  /** What the manual says of the code; also the message when whoever throws has nothing more exact to say. */
  readonly message: string;
}

export const apiErrorCodes = [
  "MISSING_API_KEY",
  "INVALID_API_KEY",
  "INVALID_SIGNATURE",
  "TIMESTAMP_EXPIRED",
  "INSUFFICIENT_PERMISSIONS",
  "BAD_REQUEST",
  "VALIDATION_ERROR",
  "INVALID_UUID",
  "MALFORMED_JSON",
  "NOT_FOUND",
  "METHOD_NOT_ALLOWED",
  "REQUEST_TIMEOUT",
  "PAYLOAD_TOO_LARGE",
  "URI_TOO_LONG",
  "UNSUPPORTED_MEDIA_TYPE",
  "HEADERS_TOO_LARGE",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
] as const;
export type ApiErrorCode = (typeof apiErrorCodes)[number];

/** The codes whose errors have `details`. */
export const fieldErrorCodes: readonly ApiErrorCode[] = ["VALIDATION_ERROR", "INVALID_UUID"];

export const apiErrors: Readonly<Record<ApiErrorCode, ApiErrorEntry>> = {
  MISSING_API_KEY: {
    status: 401,
    error: "unauthorized",
    message: "The X-API-Key header is absent; send your key in it.",
  },
  INVALID_API_KEY: { status: 401, error: "unauthorized", message: "The key is mistyped, unknown or revoked." },
  INVALID_SIGNATURE: {
    status: 401,
    error: "unauthorized",
    message:
      "X-Signature or X-Signature-Timestamp is absent or malformed, or the signature does not match the request.",
  },
  TIMESTAMP_EXPIRED: {
    status: 401,
    error: "unauthorized",
    message: `X-Signature-Timestamp is more than ${signatureWindowSeconds} seconds from the server's time.`,
  },
  INSUFFICIENT_PERMISSIONS: {
    status: 401,
    error: "unauthorized",
    message: "The endpoint needs a secret key and a signed request.",
  },
  BAD_REQUEST: { status: 400, error: "bad_request", message: "The request is not well-formed HTTP/1.1." },
  VALIDATION_ERROR: { status: 400, error: "bad_request", message: "A field is unknown, missing or has a bad value." },
  INVALID_UUID: { status: 400, error: "bad_request", message: "The identifier in the path is not a UUID." },
  MALFORMED_JSON: { status: 400, error: "bad_request", message: "The body is not JSON in UTF-8." },
  NOT_FOUND: { status: 404, error: "not_found", message: "Nothing is known under this path." },
  METHOD_NOT_ALLOWED: {
    status: 405,
    error: "method_not_allowed",
    message: "The path exists, but not with this method; the Allow header lists its methods.",
  },
  REQUEST_TIMEOUT: { status: 408, error: "request_timeout", message: "The request did not arrive in time." },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    error: "payload_too_large",
    message: `The body is larger than ${bodyBytesMax} bytes.`,
  },
  URI_TOO_LONG: {
    status: 414,
    error: "uri_too_long",
    message: `The request target is longer than ${targetCharactersMax} characters.`,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    error: "unsupported_media_type",
    message: "The body must be uncompressed application/json in UTF-8.",
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    error: "headers_too_large",
    message: `The headers are larger than ${headerBytesMax} bytes.`,
  },
  INTERNAL_ERROR: { status: 500, error: "internal_error", message: "Something went wrong here; the log knows more." },
  SERVICE_UNAVAILABLE: {
    status: 503,
    error: "unavailable",
    message:
      "No snapshot is served at the moment, or a limit of the service is reached; try again after Retry-After seconds.",
  },
};

/** One field of a request that is not as it should be. */
export interface FieldProblem {
  /** Name of the parameter or body field; `[2]` behind it is the third item of a list. */
  readonly field: string;
  /** What was found and what was wanted. */
  readonly message: string;
  /** The value as received; null when there was none, or one that JSON cannot repeat. */
  readonly received: unknown;
}

/** Ends a request with one of the codes. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly details: readonly FieldProblem[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  /** @param message What was found and what was wanted, in place of the table's general words. Never holds a secret. */
  constructor(
    code: ApiErrorCode,
    message: string = apiErrors[code].message,
    options: { details?: readonly FieldProblem[]; headers?: Readonly<Record<string, string>>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = "ApiError";
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }
}

/** A VALIDATION_ERROR about one or more fields; the message is the first one's. */
export function validationError(details: readonly FieldProblem[]): ApiError {
  return new ApiError("VALIDATION_ERROR", details[0]?.message, { details });
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

/** A SERVICE_UNAVAILABLE that says when to come again. */
export function serviceUnavailable(message?: string): ApiError {
  return new ApiError("SERVICE_UNAVAILABLE", message, { headers: { "Retry-After": String(retryAfterSeconds) } });
}
