/**
 * The OpenAPI description of the service, made from the endpoint table, and the schemas that check requests.
 * It names no key and no host but the public one, so it needs no authentication.
 */

import { type Endpoint, type ExampleRequest, hasTag, isFromStore } from "../../contract/endpoint.ts";
import { apiPrefix, apiVersion } from "../../contract/paths.ts";
import { requiredFields } from "../../contract/schema.ts";
import type { PublicUrl } from "../../contract/site-values.ts";
import { datasetName } from "../../engine/export/citation.ts";
import { programVersion } from "../../engine/files/program-version.ts";
import type { ObjectSchema } from "../../engine/model/json-schema.ts";
import { capitalized } from "../../engine/model/snake-case.ts";
import { exampleOf, exampleSnapshot } from "./examples.ts";
import { groupOf, operationGroups } from "./menu.ts";
import { Components } from "./openapi-components.ts";
import { describeResponses, errorResponsesOf } from "./openapi-error-responses.ts";
import {
  headersOfAll,
  headersOfGet,
  referTo,
  referToHeaders,
  type SharedHeader,
  type SharedParameter,
  securitySchemes,
  sharedHeaders,
  sharedParameters,
} from "./openapi-shared-components.ts";

const jsonType = "application/json";

/**
 * The OpenAPI 3.1 document, as JSON.
 *
 * @param attribution Sources of the data, one a line.
 * @param publicUrl The address of the service; the document has relative ones where it is undefined.
 */
export function renderApiDescription(
  endpoints: readonly Endpoint[],
  attribution: readonly string[],
  publicUrl?: PublicUrl,
): string {
  const components = new Components();
  const responses = describeResponses(endpoints, components);
  const paths: Record<string, Record<string, object>> = {};
  for (const endpoint of endpoints) {
    const path = apiPrefix + endpoint.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: describeOperation(endpoint, components) };
  }
  return JSON.stringify({
    openapi: "3.1.0",
    info: describeService(attribution, publicUrl),
    servers: [{ url: publicUrl ?? "/", description: "The service that this document comes from." }],
    tags: Object.entries(operationGroups).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes,
      parameters: sharedParameters,
      headers: sharedHeaders,
      responses,
      schemas: components.schemas,
    },
  });
}

function describeService(attribution: readonly string[], publicUrl: PublicUrl): object {
  return {
    title: datasetName,
    summary: "Prices of farm produce at Kenyan markets, with statistics over years.",
    // The version of the interface, as in the paths.
    version: apiVersion,
    "x-program-version": programVersion().version,
    description: [
      "Prices of farm produce at Kenyan markets with statistics over years, and the products, markets, counties, " +
        "crops and units they refer to. The service is read-only and answers from a published snapshot, which " +
        "X-Snapshot-Id names. Days are Kenyan days. Within version 1 fields are only added. [The same for " +
        "people](/docs), with snippets and worked examples.",
      "The examples of an operation are of one request, whose answer is shown; what has no example is not in it.",
      "The licence below is that of the software; the data has licences of its own.",
      ...(attribution.length === 0 ? [] : ["Sources of the data:", ...attribution.map((source) => `- ${source}`)]),
    ].join("\n"),
    license: { name: "MIT", identifier: "MIT" },
    contact: { name: "The operator of the service", url: publicUrl },
  };
}

/** Fields that are undefined are not in the JSON. */
function describeOperation(endpoint: Endpoint, components: Components): object {
  const { id, access, summary, description } = endpoint;
  const isSecret = access === "secret";
  const needs = isSecret ? "Needs a secret key and a signed request." : "A public key suffices.";
  return {
    operationId: id,
    tags: [groupOf(endpoint)],
    summary,
    description: `${description}\n\n${needs}`,
    security: isSecret ? [{ SecretKey: [] }] : [{ PublicKey: [] }, { SecretKey: [] }],
    parameters: describeParameters(endpoint, components),
    requestBody: endpoint.method === "POST" ? describeBody(endpoint, components) : undefined,
    responses: {
      ...describeAnswers(endpoint, components),
      ...errorResponsesOf(endpoint),
    },
  };
}

function describeParameters(endpoint: Endpoint, components: Components): object[] {
  const { params, query, access, example, form } = endpoint;
  const shared: SharedParameter[] = access === "secret" ? ["Signature", "SignatureTimestamp"] : [];
  if (isFromStore(endpoint)) shared.push("SnapshotId");
  if (hasTag(endpoint)) shared.push("IfNoneMatch");
  if (form.kind === "file") shared.push("Range", "IfRange", "IfMatch", "IfUnmodifiedSince", "IfModifiedSince");
  return [
    ...describeFieldParameters(params, "path", { snapshot: exampleSnapshot, ...example.params }, components),
    ...describeFieldParameters(query, "query", example.query, components),
    ...shared.map((name) => referTo("parameters", name)),
  ];
}

function describeFieldParameters(
  schema: ObjectSchema,
  location: "path" | "query",
  examples: ExampleRequest["query"],
  components: Components,
): object[] {
  return Object.entries(schema.properties).map(([name, field]) => ({
    name,
    in: location,
    required: requiredFields(schema).includes(name),
    description: field.description,
    // A list in the query is given with commas; repeating the parameter works as well.
    ...(location === "query" && "items" in field ? { style: "form", explode: false } : {}),
    schema: components.convert(field),
    example: examples?.[name],
  }));
}

function describeBody({ id, body, example }: Endpoint, components: Components): object {
  const schema = components.register(`${capitalized(id)}Request`, { ...body, description: `Request of ${id}.` });
  return {
    description: "Fields of the request; an empty body has none.",
    required: requiredFields(body).length > 0,
    content: { [jsonType]: { schema, example: example.body } },
  };
}

/** The responses that are no errors. */
function describeAnswers(endpoint: Endpoint, components: Components): Record<string, object | undefined> {
  const { form } = endpoint;
  const headers: SharedHeader[] = [...(hasTag(endpoint) ? headersOfGet : headersOfAll)];
  if (form.kind === "table" || form.kind === "file") headers.push("Content-Disposition");
  if (form.kind === "table" && form.isCited) headers.push("X-Citation", "Link");
  if (form.kind === "file") headers.push("Accept-Ranges", "Last-Modified");
  const content = describeContent(endpoint, components);
  const part = {
    description: "The part of the file that Range asks for.",
    headers: referToHeaders([
      ...headersOfGet,
      "Last-Modified",
      "Content-Disposition",
      "Accept-Ranges",
      "Content-Range",
    ]),
    content,
  };
  return {
    "200": {
      description: "The answer. In the example, lists and files are cut to their first entries.",
      headers: referToHeaders(headers),
      content,
    },
    "206": form.kind === "file" ? part : undefined,
    "304": hasTag(endpoint) ? referTo("responses", "NotModified") : undefined,
  };
}

/** A file of rows beside its row: generators make a type of the row, and what checks answers takes the file as text. */
const rowsText = { type: "string", description: "All rows, one a line." };

/** The body of a successful answer, by media type. */
function describeContent(endpoint: Endpoint, components: Components): object {
  const { id, answer, form } = endpoint;
  const example = exampleOf(endpoint);
  if (form.kind === "file") {
    const { description } = answer;
    // No type: the bytes of the file.
    return Object.fromEntries(
      form.mediaTypes.map((type) => [
        type,
        { schema: { description }, example: type === "text/csv" ? example : undefined },
      ]),
    );
  }
  if (form.kind === "table") {
    const [type = ""] = form.mediaType.split(";");
    const schema = components.convert(answer);
    return { [type]: { schema: form.isRows ? { anyOf: [schema, rowsText] } : schema, example } };
  }
  const name = `${capitalized(id)}Answer`;
  const schema = components.register(name, { ...answer, description: `Answer of ${id}.` });
  return { [jsonType]: { schema, example } };
}
