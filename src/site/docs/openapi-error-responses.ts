/** The errors that operations of the description answer, and the schemas of their bodies. */

import { type Endpoint, hasTag, isFromStore } from "../../contract/endpoint.ts";
import { type ApiErrorCode, apiErrorCodes, apiErrors, fieldErrorCodes } from "../../contract/errors.ts";
import * as s from "../../contract/schema.ts";
import { type Keywords, noUnit, optional } from "../../engine/model/json-schema.ts";
import type { Components } from "./openapi-components.ts";
import { headersOfAll, headersOfGet, referTo, referToHeaders, type SharedHeader } from "./openapi-shared-components.ts";

const errorCategory = s.choice("ErrorCategory", "Kind of the error.", [
  ...new Set(apiErrorCodes.map((code) => apiErrors[code].error)),
]);

const errorCode = s.choice(
  "ErrorCode",
  apiErrorCodes.map((code) => `${code} (${apiErrors[code].status}): ${apiErrors[code].message}`).join("\n"),
  apiErrorCodes,
);

const fieldProblem = s.object("FieldProblem", "What is wrong with a field.", {
  field: s.text("Name of the parameter or field; [2] behind it is the third item of a list."),
  message: s.text("What was found and what was expected, for a person."),
  received: { description: "The value as received; null when there was none, or one that JSON cannot repeat." },
});

const snapshotMismatch = s.object(
  "SnapshotMismatch",
  "The requested snapshot and the one served; only with SNAPSHOT_CHANGED.",
  {
    requested: s.text("The snapshot that the request asked for."),
    current: s.text("The snapshot that is served."),
  },
);

const errorFields = {
  error: errorCategory,
  message: s.text("What was found and what was expected, for a person."),
  code: errorCode,
  details: optional({
    anyOf: [
      s.list(fieldProblem, `The fields that are wrong; only with ${fieldErrorCodes.join(" and ")}.`),
      snapshotMismatch,
    ],
    description: "The fields that are wrong, or the snapshots that differ.",
  }),
  request_id: s.text("The name of the request in the log, also in X-Request-Id."),
};

const errorSchema: Keywords = { ...s.exactly(errorFields), description: "Every error, whatever its status." };

const problemSchema: Keywords = {
  ...s.exactly({
    type: s.text("Always about:blank."),
    title: s.text("Name of the status."),
    status: s.integer("The status.", noUnit),
    detail: s.text("The same as message."),
    ...errorFields,
  }),
  description: "The same with the members of RFC 9457, where the client accepts application/problem+json.",
};

/** Codes of errors that a client of any endpoint can meet. */
export const errorsOfAll: readonly ApiErrorCode[] = [
  "BAD_REQUEST",
  "VALIDATION_ERROR",
  "MISSING_API_KEY",
  "INVALID_API_KEY",
  "INVALID_SIGNATURE",
  "TIMESTAMP_EXPIRED",
  "SNAPSHOT_CHANGED",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "SERVICE_UNAVAILABLE",
];

/** The codes of errors of an endpoint, by status; others are of requests that no client of it sends. */
export function errorsByStatus(endpoint: Endpoint): (readonly [status: number, codes: readonly ApiErrorCode[]])[] {
  const { method, access, params, errors = [] } = endpoint;
  const codes = new Set<ApiErrorCode>([
    ...errorsOfAll.filter((code) => isFromStore(endpoint) || code !== "SNAPSHOT_CHANGED"),
    ...errors,
  ]);
  if (hasTag(endpoint)) codes.add("PRECONDITION_FAILED");
  if (access === "secret") codes.add("INSUFFICIENT_PERMISSIONS");
  if (method === "POST") codes.add("MALFORMED_JSON").add("PAYLOAD_TOO_LARGE").add("UNSUPPORTED_MEDIA_TYPE");
  if ("uuid" in params.properties) codes.add("INVALID_UUID");
  if (Object.keys(params.properties).length > 0) codes.add("NOT_FOUND");
  const known = apiErrorCodes.filter((code) => codes.has(code));
  return [...Map.groupBy(known, (code) => apiErrors[code].status)].sort(([a], [b]) => a - b);
}

/** The responses of an operation that are errors, by status, as references. */
export function errorResponsesOf(endpoint: Endpoint): Record<string, object> {
  const statuses = errorsByStatus(endpoint).map(([status, codes]) => [
    status,
    referTo("responses", responseName(codes)),
  ]);
  return { ...Object.fromEntries(statuses), default: referTo("responses", "OtherError") };
}

/** All responses that operations refer to. */
export function describeResponses(endpoints: readonly Endpoint[], components: Components): Record<string, object> {
  const error = components.register("Error", errorSchema);
  const problem = components.register("Problem", problemSchema);
  const content = { "application/json": { schema: error }, "application/problem+json": { schema: problem } };
  const responses: Record<string, object> = {
    NotModified: {
      description: "The client has this answer already (If-None-Match).",
      headers: referToHeaders(headersOfGet),
    },
    OtherError: {
      description: "Another error: the request did not arrive in time, is too large, or is no well-formed HTTP.",
      headers: referToHeaders(headersOfAll),
      content,
    },
  };
  for (const [status, codes] of endpoints.flatMap(errorsByStatus)) {
    const names: SharedHeader[] = [...headersOfAll];
    if (status === 429 || status === 503) names.push("Retry-After");
    if (status === 401) names.push("WWW-Authenticate");
    responses[responseName(codes)] = {
      description: codes.map((code) => `${code}: ${apiErrors[code].message}`).join("\n"),
      headers: referToHeaders(names),
      content,
      "x-error-codes": codes,
    };
  }
  return responses;
}

/** `BadRequest`, with the codes behind it that not every endpoint has: `BadRequestMalformedJson`. */
function responseName(codes: readonly ApiErrorCode[]): string {
  const [first] = codes as [ApiErrorCode];
  const special = codes.filter((code) => !errorsOfAll.includes(code) && apiErrors[code].error !== code.toLowerCase());
  return [apiErrors[first].error, ...special].map(pascalCase).join("");
}

function pascalCase(words: string): string {
  return words.toLowerCase().replace(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase());
}
