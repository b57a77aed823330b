/** What every answer must look like, whatever was asked. */
import type { Test } from "tap";
import { type ApiErrorCode, apiErrors } from "../../src/contract/errors.ts";
import { answerChunkBytes } from "../../src/contract/limits.ts";
import { undocumentedFields } from "./documented-answers.ts";

/** An answer of either client: `startApp`'s or `rawExchange`'s. */
export interface CheckedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

export interface ExpectedError {
  readonly code: ApiErrorCode;
  /** Fields that `details` must name, in this order; no `details` when absent. */
  readonly fields?: readonly string[] | undefined;
  /** `details` of SNAPSHOT_CHANGED. */
  readonly snapshots?: { readonly requested: string; readonly current: string };
}

/** The whole body of an error. */
export interface ErrorBody {
  readonly error: string;
  readonly message: string;
  readonly code: string;
  readonly request_id: string;
  readonly details?: readonly { readonly field: string; readonly message: string; readonly received: unknown }[];
}

/**
 * Checks a successful answer: status, headers, and the body against the OpenAPI document, which names every field.
 *
 * @param endpointName Method and path below the prefix, as the endpoint table has them.
 * @returns The body.
 */
export function expectSuccess<Body = unknown>(t: Test, endpointName: string, answer: CheckedAnswer): Body {
  const isGet = endpointName.startsWith("GET");
  const { status, headers, text } = answer;
  const body = status === 200 ? (JSON.parse(text) as Body) : text;
  const isChunked = text.length > answerChunkBytes && !("content-length" in headers);
  t.strictSame(
    {
      status,
      fieldErrors: status === 200 ? undocumentedFields(endpointName, body) : [],
      headers: headersOf(answer),
      vary: headers["vary"],
      etag: isGet ? /^"[\w-]{27}"$/.test(String(headers["etag"])) : headers["etag"],
      snapshot: /^\d{8}T\d{6}Z-[0-9a-f]{12}$/.test(String(headers["x-snapshot-id"])),
    },
    {
      status: 200,
      fieldErrors: [],
      headers: {
        ...commonHeaders,
        // A longer answer can be sent while it is made: then its length is not known before.
        "content-length": isChunked ? undefined : String(Buffer.byteLength(text)),
        "cache-control": isGet ? "private, no-cache" : undefined,
      },
      vary: isGet ? "Accept, Accept-Encoding, X-Snapshot-Id" : undefined,
      etag: isGet ? true : undefined,
      snapshot: true,
    },
    `${endpointName} answers as documented`,
    { received: text.slice(0, 500) },
  );
  return body as Body;
}

/**
 * Checks an error: status, headers and the one documented body.
 *
 * @param name Says which request it was.
 * @returns The body.
 */
export function expectError(
  t: Test,
  answer: CheckedAnswer,
  { code, fields, snapshots }: ExpectedError,
  name = "",
): ErrorBody {
  const expected = apiErrors[code];
  const { status, headers, text } = answer;
  const { error, message, request_id, details: found, ...rest } = parsed(text);
  const details = Array.isArray(found) ? found : undefined;
  t.strictSame(
    {
      status,
      error,
      rest,
      snapshots: details === undefined ? found : undefined,
      fields: details?.map(({ field }) => field),
      details: details?.filter(
        (detail) =>
          Object.keys(detail).sort().join() !== "field,message,received" || !/ expected /.test(detail.message),
      ),
      message: details === undefined ? /^\S.*[.?]$/s.test(message) : message,
      headers: headersOf(answer),
      etag: headers["etag"],
      authenticate: headers["www-authenticate"],
    },
    {
      status: expected.status,
      error: expected.error,
      rest: { code },
      snapshots,
      fields,
      details: details && [],
      message: details === undefined ? true : details[0]?.message,
      headers: {
        ...commonHeaders,
        "content-length": String(Buffer.byteLength(text)),
        "cache-control": "no-store",
      },
      etag: undefined,
      authenticate: expected.status === 401 ? `ApiKey error="${code}"` : undefined,
    },
    `${name} is answered with ${code}`.trim(),
    { received: text.slice(0, 500) },
  );
  t.ok(/^[\w.-]{1,64}$/.test(request_id) && request_id === headers["x-request-id"], "the body names the request id");
  return parsed(text);
}

/** What every answer carries, good or bad. */
const commonHeaders = {
  "content-type": "application/json",
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "ETag, X-Snapshot-Id, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate",
};

/** Checks the headers of an answer without a body. */
export function expectCommonHeaders(t: Test, { headers }: Pick<CheckedAnswer, "headers">): void {
  const { "content-type": _, ...common } = commonHeaders;
  t.match(headers, { ...common, "x-request-id": /^[\w.-]{1,64}$/ });
}

/** Bad requests are not the service's errors: it has logged none, and no warning. */
export function expectNoTrouble(t: Test, { logLines }: { readonly logLines: readonly string[] }): void {
  t.strictSame(
    logLines.filter((line) => (JSON.parse(line) as { level: number }).level > 30),
    [],
  );
}

function headersOf({ headers }: CheckedAnswer): object {
  const names = [...Object.keys(commonHeaders), "content-length", "cache-control"];
  return Object.fromEntries(names.map((name) => [name, headers[name]]));
}

function parsed(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody;
  } catch {
    return { error: "", message: text, code: "", request_id: "" };
  }
}
