/**
 * The OpenAPI description of the service, made from the endpoint table and the very schemas that check requests. It
 * names no server and no key, so it is the same for every installation and needs no authentication.
 */
import type { TObject, TSchema } from "typebox";
import type { Endpoint } from "./endpoint.ts";
import { apiPrefix } from "./endpoints.ts";
import { apiErrorCodes, apiErrors } from "./errors.ts";
import { requiredFields } from "./input.ts";

const keyScheme = "apiKey";

/** @returns An OpenAPI 3.1 document, ready to be written as JSON. */
export function describeApi(endpoints: readonly Endpoint[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = apiPrefix + endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Kenyan farm produce prices",
      version: "1.0.0",
      description:
        "Prices of farm produce at Kenyan markets with statistics over years, and the products, markets, counties, " +
        "crops and units they refer to. Prices: World Food Programme, CC BY-IGO.",
    },
    paths,
    components: {
      securitySchemes: {
        [keyScheme]: {
          type: "apiKey",
          in: "header",
          name: "X-API-Key",
          description:
            "A public key (svc_pub_…), or a secret key (svc_sec_…) whose requests also carry X-Signature-Timestamp " +
            "(Unix time in seconds) and X-Signature: the HMAC-SHA256 of METHOD|PATH|TIMESTAMP|BODY with the secret " +
            "key, in lower-case hexadecimal.",
        },
      },
      schemas: { Error: errorSchema() },
    },
    security: [{ [keyScheme]: [] }],
  };
}

function describeOperation(endpoint: Endpoint): object {
  const { method, access, summary, params, query, body, answer } = endpoint;
  return {
    summary,
    description: access === "secret" ? "Needs a secret key and a signed request." : "A public key suffices.",
    operationId: operationId(endpoint),
    parameters: [...describeParameters(params.schema, "path"), ...describeParameters(query.schema, "query")],
    ...(method === "POST" ? { requestBody: describeBody(body.schema) } : {}),
    responses: {
      "200": { description: "The answer.", content: { "application/json": { schema: answer } } },
      ...(method === "GET" ? { "304": { description: "The client has this answer already (If-None-Match)." } } : {}),
      default: {
        description: "An error; its code tells which.",
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
    description: (field as { description?: string }).description,
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
    received: { description: "The value as received, null when there was none." },
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
        type: "array",
        description: "The fields that are wrong; only with status 400.",
        items: { type: "object", required: ["field", "message", "received"], properties: field },
      },
      request_id: { type: "string", description: "The name of the request in the log, also in X-Request-Id." },
    },
  };
}
