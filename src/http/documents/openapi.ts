/**
 * The OpenAPI description of the service, made from the endpoint table, and the schemas that check requests.
 * It names no host and no key, so it is the same for every installation and needs no authentication.
 */
import type { TObject } from "typebox";
import { signatureWindowSeconds } from "../../auth/signature.ts";
import { snapshotIdPattern } from "../../domain/ids.ts";
import type { Endpoint } from "../endpoint.ts";
import { apiPrefix, apiVersion } from "../endpoints.ts";
import { type ApiErrorCode, apiErrorCodes, apiErrors } from "../errors.ts";
import { snapshotHeader } from "../input/pin-snapshot.ts";
import { type Keywords, requiredFields } from "../input/schema.ts";
import { type Operation, operationGroups } from "../operation.ts";
import { Components } from "./components.ts";
import { errorSchema, problemSchema } from "./error-schema.ts";
import { exampleOf } from "./examples.ts";

const jsonType = "application/json";

/** How a request is authenticated. Every key is a header; the signature is parameters, because it is no credential to keep. */
const publicKey = { PublicKey: [] };
const secretKey = { SecretKey: [] };

/**
 * The OpenAPI 3.1 document, as JSON.
 *
 * @param attribution Sources of the data, one a line.
 */
export function renderApiDescription(endpoints: readonly Endpoint[], attribution: readonly string[]): string {
  return JSON.stringify(describeApi(endpoints, attribution));
}

function describeApi(endpoints: readonly Endpoint[], attribution: readonly string[]): object {
  const components = new Components();
  const responses = describeResponses(endpoints, components);
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = apiPrefix + endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint, components) };
  }
  return {
    openapi: "3.1.0",
    info: describeService(attribution),
    servers: [{ url: "/", description: "The service that this document comes from." }],
    tags: Object.entries(operationGroups).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        PublicKey: keyScheme(
          "A public key, svc_pub_…: it reads public data, needs no signature, and may be in a browser.",
        ),
        SecretKey: keyScheme(
          "A secret key, svc_sec_…, of a server. Every request with one is signed, to public endpoints as well: " +
            "X-Signature and X-Signature-Timestamp are made anew for each request. [How to sign](/docs/signing).",
        ),
      },
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses,
      schemas: components.schemas,
    },
  };
}

function describeService(attribution: readonly string[]): object {
  return {
    title: "Kenyan farm produce prices",
    summary: "Prices of farm produce at Kenyan markets, with statistics over years.",
    // That of the interface, as in the paths.
    version: apiVersion,
    description: [
      "Prices of farm produce at Kenyan markets with statistics over years, and the products, markets, counties, " +
        "crops and units they refer to. The service is read-only and answers from a published snapshot, which X-Snapshot-Id " +
        "names. Days are Kenyan days. Within version 1 fields are only added. [The same for people](/docs), with snippets and " +
        "worked examples.",
      "The licence below is that of the software; the data has licences of its own.",
      ...(attribution.length === 0 ? [] : ["Sources of the data:", ...attribution.map((source) => `- ${source}`)]),
    ].join("\n"),
    license: { name: "MIT", identifier: "MIT" },
    contact: { name: "The operator of the service" },
  };
}

function keyScheme(description: string): object {
  return { type: "apiKey", in: "header", name: "X-API-Key", description };
}

const sharedParameters = {
  SnapshotId: header(
    snapshotHeader,
    "The snapshot to be answered from, as named by an earlier answer; another one is refused with SNAPSHOT_CHANGED, so " +
      "that pages of two snapshots never mix.",
    { type: "string", pattern: snapshotIdPattern },
  ),
  Range: header("Range", "The part of the file that is asked for, as in bytes=0-1023.", { type: "string" }),
  IfMatch: header("If-Match", "Tags of the file that the client wants, or *; 412 if it has none of them.", {
    type: "string",
  }),
  IfUnmodifiedSince: header(
    "If-Unmodified-Since",
    "An HTTP date; 412 if the snapshot of the file was published later. Ignored beside If-Match.",
    { type: "string" },
  ),
  IfModifiedSince: header(
    "If-Modified-Since",
    "An HTTP date; 304 unless the snapshot of the file was published later. Ignored beside If-None-Match.",
    { type: "string" },
  ),
  IfNoneMatch: header("If-None-Match", "The ETag of an answer that the client has; 304 if it is still right.", {
    type: "string",
  }),
  Signature: {
    ...header(
      "X-Signature",
      "The HMAC-SHA256 of METHOD|PATH|TIMESTAMP|BODY with the secret key, in lower-case hexadecimal. PATH includes the query " +
        "string, BODY is the raw body. No key goes here.",
      { type: "string", pattern: "^[0-9a-f]{64}$" },
    ),
    required: true,
  },
  SignatureTimestamp: {
    ...header(
      "X-Signature-Timestamp",
      `TIMESTAMP: the Unix time in whole seconds, at most ${signatureWindowSeconds} from the server's.`,
      { type: "string", pattern: "^(?:0|[1-9][0-9]*)$" },
    ),
    required: true,
  },
};

function header(name: string, description: string, schema: object): object {
  return { name, in: "header", required: false, description, schema };
}

const sharedHeaders = {
  "X-Request-Id": textHeader("The name of the request in the server's log."),
  "X-Snapshot-Id": textHeader(
    "The snapshot that the answer comes from; of an error the one that is served. Absent while none is.",
  ),
  ETag: textHeader("Strong tag of the answer in its content coding, for If-None-Match."),
  "Cache-Control": textHeader(
    "private, no-cache: keep it, and ask with If-None-Match before using it again. Of downloads private, immutable.",
  ),
  "Last-Modified": textHeader("When the snapshot of the file was published."),
  "Accept-Ranges": textHeader("bytes: parts of the file can be asked for."),
  "Content-Range": textHeader("Which bytes of how many the part is."),
  "Content-Disposition": textHeader("The name of the file, with the snapshot in it."),
  "X-Citation": textHeader(
    "How to cite the prices of the export: their sources with address and licence, the snapshot, and `<date>` for the day of your access, in at most 300 characters. `%` and characters outside ASCII are percent-encoded UTF-8.",
  ),
  Link: textHeader('The licences of these sources: `<address>; rel="license"`. Absent where none is known.'),
  Vary: textHeader("The request headers that the answer depends on."),
  "RateLimit-Policy": textHeader(
    'What a key may ask for: `"key";q=600;w=60` is 600 requests in 60 seconds; absent where it has no limit.',
  ),
  RateLimit: textHeader("What is left of that, `r`, and in how many seconds all of it is, `t`."),
  "Retry-After": {
    description: "The seconds after which to try again.",
    schema: { type: "integer", minimum: 0, "x-unit": "seconds" },
  },
  "WWW-Authenticate": textHeader("ApiKey: a key in X-API-Key is expected."),
};

function textHeader(description: string): object {
  return { description, schema: { type: "string" } };
}

const headersOfAll = ["X-Request-Id", "X-Snapshot-Id", "RateLimit-Policy", "RateLimit"] as const;
const headersOfGet = [...headersOfAll, "ETag", "Cache-Control", "Vary"] as const;

function headers(names: readonly (keyof typeof sharedHeaders)[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function describeOperation(endpoint: Endpoint, components: Components): object {
  const { method, access, summary, params, query, body, isOfStore } = endpoint;
  const { id, group, description, example } = endpoint.operation;
  const isSecret = access === "secret";
  const name = capital(id);
  const signature = isSecret
    ? [reference("parameters", "Signature"), reference("parameters", "SignatureTimestamp")]
    : [];
  return {
    operationId: id,
    tags: [group],
    summary,
    description: `${description}\n\n${isSecret ? "Needs a secret key and a signed request." : "A public key suffices."}`,
    security: isSecret ? [secretKey] : [publicKey, secretKey],
    parameters: [
      ...describeParameters(params, "path", example.params, components),
      ...describeParameters(query, "query", example.query, components),
      ...signature,
      ...(isOfStore ? [reference("parameters", "SnapshotId")] : []),
      ...(hasTag(endpoint) ? [reference("parameters", "IfNoneMatch")] : []),
      ...(isFile(endpoint) ? fileParameters.map((name) => reference("parameters", name)) : []),
    ],
    ...(method === "POST"
      ? {
          requestBody: {
            description: "Fields of the request; an empty body has none.",
            required: requiredFields(body).length > 0,
            content: {
              [jsonType]: {
                schema: components.register(`${name}Request`, { ...body, description: `Request of ${id}.` }),
                ...(example.body === undefined ? {} : { example: example.body }),
              },
            },
          },
        }
      : {}),
    responses: {
      "200": {
        description: "The answer. In the example, lists and files are cut to their first entries.",
        headers: headers([
          ...(hasTag(endpoint) ? headersOfGet : headersOfAll),
          ...(endpoint.exportForm === undefined && !isFile(endpoint) ? [] : (["Content-Disposition"] as const)),
          ...(endpoint.exportForm?.isCited === true ? (["X-Citation", "Link"] as const) : []),
          ...(isFile(endpoint) ? (["Accept-Ranges", "Last-Modified"] as const) : []),
        ]),
        content: describeContent(endpoint, components),
      },
      ...(isFile(endpoint)
        ? {
            "206": {
              description: "The part of the file that Range asks for.",
              headers: headers([
                ...headersOfGet,
                "Last-Modified",
                "Content-Disposition",
                "Accept-Ranges",
                "Content-Range",
              ]),
              content: describeContent(endpoint, components),
            },
          }
        : {}),
      ...(hasTag(endpoint) ? { "304": reference("responses", "NotModified") } : {}),
      ...Object.fromEntries(
        errorsByStatus(endpoint).map(([status, codes]) => [status, reference("responses", responseName(codes))]),
      ),
      default: reference("responses", "OtherError"),
    },
  };
}

const fileParameters: readonly (keyof typeof sharedParameters)[] = [
  ...(["Range", "IfMatch", "IfUnmodifiedSince", "IfModifiedSince"] as const),
];

/** The schema of a file of rows is that of a row, and so is its example. */
function firstRow(endpoint: Endpoint): unknown {
  const text = exampleOf(endpoint);
  return typeof text === "string" ? JSON.parse(text.split("\n", 1)[0] as string) : undefined;
}

/** Whether an endpoint serves files. */
function isFile(endpoint: Endpoint): boolean {
  return endpoint.operation.mediaTypes !== undefined;
}

function hasTag(endpoint: Endpoint): boolean {
  return endpoint.method === "GET" && (endpoint.isOfStore || isFile(endpoint));
}

/** The body of a successful answer, by media type. */
function describeContent(endpoint: Endpoint, components: Components): object {
  const { answer, exportForm } = endpoint;
  const { id, mediaTypes } = endpoint.operation;
  const example = exampleOf(endpoint);
  if (mediaTypes !== undefined) {
    const { description } = answer as Keywords;
    // No type: the bytes of the file.
    return Object.fromEntries(
      mediaTypes.map((type) => [type, { schema: { description }, ...(type === "text/csv" ? { example } : {}) }]),
    );
  }
  if (exportForm !== undefined) {
    const [type = ""] = exportForm.mediaType.split(";");
    const exampleOfAnswer = exportForm.isRows ? firstRow(endpoint) : example;
    return { [type]: { schema: components.convert(answer), example: exampleOfAnswer } };
  }
  const name = `${capital(id)}Answer`;
  const schema = components.register(name, { ...answer, description: `Answer of ${id}.` });
  return { [jsonType]: { schema, example } };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function reference(kind: string, name: string): object {
  return { $ref: `#/components/${kind}/${name}` };
}

function describeParameters(
  schema: TObject,
  place: "path" | "query",
  examples: Operation["example"]["query"] = {},
  components: Components,
): object[] {
  return Object.entries(schema.properties).map(([name, field]) => ({
    name,
    in: place,
    required: requiredFields(schema).includes(name),
    description: (field as Keywords).description,
    // A list in the query is given with commas; repeating the parameter works as well.
    ...(place === "query" && "items" in field ? { style: "form", explode: false } : {}),
    schema: components.convert(field as Keywords),
    ...(name in examples ? { example: examples[name] } : {}),
  }));
}

/** Codes of errors that a client of any endpoint can meet. */
const errorsOfAll: readonly ApiErrorCode[] = [
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
  const { method, access, params, isOfStore } = endpoint;
  const codes = new Set<ApiErrorCode>([
    ...errorsOfAll.filter((code) => isOfStore || code !== "SNAPSHOT_CHANGED"),
    ...(access === "secret" ? (["INSUFFICIENT_PERMISSIONS"] as const) : []),
    ...(method === "POST" ? (["MALFORMED_JSON", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"] as const) : []),
    ...("uuid" in params.properties ? (["INVALID_UUID"] as const) : []),
    ...(Object.keys(params.properties).length > 0 ? (["NOT_FOUND"] as const) : []),
    ...(endpoint.operation.errors ?? []),
  ]);
  const known = apiErrorCodes.filter((code) => codes.has(code));
  return [...Map.groupBy(known, (code) => apiErrors[code].status)].sort(([a], [b]) => a - b);
}

/** `BadRequest`, with the codes behind it that not every endpoint has: `BadRequestMalformedJson`. */
function responseName(codes: readonly ApiErrorCode[]): string {
  const [code] = codes as [ApiErrorCode];
  const special = codes.filter((one) => !errorsOfAll.includes(one) && apiErrors[one].error !== one.toLowerCase());
  return [apiErrors[code].error, ...special].map(pascalCase).join("");
}

function pascalCase(words: string): string {
  return words
    .toLowerCase()
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function describeResponses(endpoints: readonly Endpoint[], components: Components): Record<string, object> {
  const error = components.register("Error", errorSchema);
  const problem = components.register("Problem", problemSchema);
  const content = { [jsonType]: { schema: error }, "application/problem+json": { schema: problem } };
  const all = endpoints.flatMap(errorsByStatus);
  const responses: Record<string, object> = {
    NotModified: { description: "The client has this answer already (If-None-Match).", headers: headers(headersOfGet) },
    OtherError: {
      description: "Another error: the request did not arrive in time, is too large, or is no well-formed HTTP.",
      headers: headers(headersOfAll),
      content,
    },
  };
  for (const [status, codes] of all) {
    const waits = status === 429 || status === 503 ? (["Retry-After"] as const) : [];
    const challenges = status === 401 ? (["WWW-Authenticate"] as const) : [];
    responses[responseName(codes)] = {
      description: codes.map((code) => `${code}: ${apiErrors[code].message}`).join("\n"),
      headers: headers([...headersOfAll, ...waits, ...challenges]),
      content,
      "x-error-codes": codes,
    };
  }
  return responses;
}
