/**
 * The OpenAPI description of the service, made from the endpoint table and the schemas that check requests. It names no
 * server and no key, so it is the same for every installation and needs no authentication.
 */
import type { TObject, TSchema } from "typebox";
import { signatureWindowSeconds } from "../../auth/signature.ts";
import { snapshotIdPattern } from "../../domain/ids.ts";
import type { Endpoint } from "../endpoint.ts";
import { apiPrefix, apiVersion } from "../endpoints.ts";
import { apiErrorCodes, apiErrors, fieldErrorCodes } from "../errors.ts";
import { snapshotHeader } from "../pin-snapshot.ts";
import { type Keywords, matchTextFormat, requiredFields } from "../schema.ts";

/** Ways to authenticate, as operations name them: any key by itself, or a secret key with its two headers. */
const keyAlone = { apiKey: [] };
const signedKey = { apiKey: [], signature: [], signatureTimestamp: [] };

/**
 * The OpenAPI 3.1 document, as JSON.
 *
 * @param attribution Sources of the data, one a line.
 */
export function renderApiDescription(endpoints: readonly Endpoint[], attribution: readonly string[]): string {
  // A format of this service alone says nothing to a reader; the field's description does.
  return JSON.stringify(describeApi(endpoints, attribution), (name, value: unknown) =>
    name === "format" && value === matchTextFormat ? undefined : value,
  );
}

function describeApi(endpoints: readonly Endpoint[], attribution: readonly string[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = apiPrefix + endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Kenyan farm produce prices",
      // That of the interface, as in the paths.
      version: apiVersion,
      description: [
        "Prices of farm produce at Kenyan markets with statistics over years, and the products, markets, counties, " +
          "crops and units they refer to.",
        ...(attribution.length === 0 ? [] : ["Sources of the data:", ...attribution.map((source) => `- ${source}`)]),
      ].join("\n"),
    },
    paths,
    components: {
      parameters: {
        SnapshotId: {
          name: snapshotHeader,
          in: "header",
          required: false,
          description:
            "The snapshot to be answered from, as named by an earlier answer; another one is refused with SNAPSHOT_CHANGED, so " +
            "that pages of two snapshots never mix.",
          schema: { type: "string", pattern: snapshotIdPattern },
        },
      },
      securitySchemes: {
        apiKey: headerScheme(
          "X-API-Key",
          "A public key (svc_pub_…), or a secret key (svc_sec_…), whose requests are always signed.",
        ),
        signature: headerScheme(
          "X-Signature",
          "The HMAC-SHA256 of METHOD|PATH|TIMESTAMP|BODY with the secret key, in lower-case hexadecimal. PATH includes " +
            "the query string, BODY is the raw body.",
        ),
        signatureTimestamp: headerScheme(
          "X-Signature-Timestamp",
          `TIMESTAMP: the Unix time in whole seconds, at most ${signatureWindowSeconds} from the server's.`,
        ),
      },
      schemas: { Error: errorSchema() },
    },
  };
}

/** Of answers to a key that has a limit. */
const limitHeaders = {
  "RateLimit-Policy": describeHeader('What a key may ask for: `"key";q=600;w=60` is 600 requests in 60 seconds.'),
  RateLimit: describeHeader("What is left of that, `r`, and in how many seconds all of it is, `t`."),
};

const errorHeaders = {
  ...limitHeaders,
  "Retry-After": describeHeader("With 429 and 503: the seconds after which to try again."),
};

function describeHeader(description: string): object {
  return { description, schema: { type: "string" } };
}

function headerScheme(name: string, description: string): object {
  return { type: "apiKey", in: "header", name, description };
}

function describeOperation(endpoint: Endpoint): object {
  const { method, access, summary, params, query, body, answer } = endpoint;
  return {
    summary,
    description: access === "secret" ? "Needs a secret key and a signed request." : "A public key suffices.",
    operationId: operationId(endpoint),
    security: access === "secret" ? [signedKey] : [keyAlone, signedKey],
    parameters: [
      ...describeParameters(params, "path"),
      ...describeParameters(query, "query"),
      { $ref: "#/components/parameters/SnapshotId" },
    ],
    ...(method === "POST" ? { requestBody: describeBody(body) } : {}),
    responses: {
      "200": { description: "The answer.", headers: limitHeaders, content: { "application/json": { schema: answer } } },
      ...(method === "GET" ? { "304": { description: "The client has this answer already (If-None-Match)." } } : {}),
      default: {
        description: "An error; its code tells which.",
        headers: errorHeaders,
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    },
  };
}

/** `GET /prices/:uuid` → `getPricesByUuid` */
function operationId({ method, path }: Endpoint): string {
  const words = path.split(/[/-]/).filter((word) => word !== "");
  const names = words.map((word) => (word.startsWith(":") ? `By${capital(word.slice(1))}` : capital(word)));
  return method.toLowerCase() + names.join("");
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function describeParameters(schema: TObject, place: "path" | "query"): object[] {
  return Object.entries(schema.properties).map(([name, field]) => ({
    name,
    in: place,
    required: requiredFields(schema).includes(name),
    description: (field as Keywords).description,
    // A list in the query is given with commas; repeating the parameter works as well.
    ...(place === "query" && "items" in field ? { style: "form", explode: false } : {}),
    schema: field,
  }));
}

function describeBody(schema: TObject): object {
  return {
    required: requiredFields(schema).length > 0,
    content: { "application/json": { schema } },
  };
}

function errorSchema(): object {
  const field: Record<string, TSchema | object> = {
    field: { type: "string" },
    message: { type: "string" },
    received: { description: "The value as received; null when there was none, or one that JSON cannot repeat." },
  };
  return {
    type: "object",
    required: ["error", "message", "code"],
    properties: {
      error: { type: "string", enum: [...new Set(apiErrorCodes.map((code) => apiErrors[code].error))] },
      message: { type: "string", description: "What was found and what was wanted, for a person." },
      code: {
        type: "string",
        enum: [...apiErrorCodes],
        description: apiErrorCodes
          .map((code) => `${code} (${apiErrors[code].status}): ${apiErrors[code].message}`)
          .join("\n"),
      },
      details: {
        anyOf: [
          {
            type: "array",
            description: `The fields that are wrong; only with ${fieldErrorCodes.join(" and ")}.`,
            items: { type: "object", required: ["field", "message", "received"], properties: field },
          },
          {
            type: "object",
            description: "The snapshot asked for and the one served; only with SNAPSHOT_CHANGED.",
            required: ["requested", "current"],
            properties: { requested: { type: "string" }, current: { type: "string" } },
          },
        ],
      },
      request_id: { type: "string", description: "The name of the request in the log, also in X-Request-Id." },
    },
  };
}
