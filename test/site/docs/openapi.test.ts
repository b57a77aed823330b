import { cpSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import t, { type Test } from "tap";
import { cutLines, cutLists, makeExamples } from "../../../scripts/make-examples.ts";
import { keyKindOf } from "../../../src/contract/credentials.ts";
import { endpointName } from "../../../src/contract/endpoint.ts";
import { apiErrorCodes } from "../../../src/contract/errors.ts";
import { apiPrefix, apiVersion } from "../../../src/contract/paths.ts";
import type { SnapshotId } from "../../../src/engine/snapshots/snapshot-layout.ts";
import { makeDownloads } from "../../../src/publishing/publish/make-downloads.ts";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";
import { DownloadFiles } from "../../../src/service/serve/download-files.ts";
import { exampleTarget } from "../../../src/site/docs/examples.ts";
import { renderApiDescription } from "../../../src/site/docs/openapi.ts";
import { bundledFolder, bundledStore } from "../../support/bundled-data.ts";
import { undocumentedIn } from "../../support/documented-answers.ts";
import { exampleRequestsIn } from "../../support/example-requests.ts";
import { valuesOf } from "../../support/fields-of.ts";
import { type RunningApp, startApp } from "../../support/start-app.ts";
import { projectFolder } from "../../support/test-files.ts";

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly "x-unit"?: string;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

interface ApiDescription {
  readonly info: {
    readonly version: string;
    readonly description: string;
    readonly contact: { readonly url?: string };
  };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<
      Record<string, { readonly type: string; readonly in: string; readonly name: string }>
    >;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly headers: Readonly<Record<string, object>>;
    readonly responses: Readonly<Record<string, { readonly headers: Readonly<Record<string, object>> }>>;
    readonly schemas: Readonly<Record<string, Schema>>;
  };
}

const attribution = ['Prices: somebody, "CC BY"', "Places: somebody else"];
const text = renderApiDescription(endpoints, attribution);
const description = JSON.parse(text) as ApiDescription;
const { schemas } = description.components;
const operations = Object.values(description.paths).flatMap((byMethod) => Object.values(byMethod));

t.test("every endpoint is an operation with a name and a group of its own", async (t) => {
  const found = Object.entries(description.paths).flatMap(([path, byMethod]) =>
    Object.keys(byMethod).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const wanted = endpoints.map(({ method, path }) => `${method} ${apiPrefix}${path.replace(/:(\w+)/g, "{$1}")}`);
  t.strictSame(found.sort(), wanted.sort());
  t.equal(new Set(operations.map(({ operationId }) => operationId)).size, endpoints.length);
  const groups = description.tags.map(({ name }) => name);
  t.strictSame(new Set(operations.flatMap(({ tags }) => tags)), new Set(groups), "every group is used, and no other");
  t.ok(operations.some(({ operationId }) => operationId === "searchPrices"));
});

t.test("every field has a description, and every number a unit", async (t) => {
  const missing: string[] = [];
  let fields = 0;
  function walk(schema: Schema, place: string): void {
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      fields++;
      const target = resolve(field);
      if ((field.description ?? target.description ?? "") === "") missing.push(`${place}.${name}: description`);
      if (/integer|number/.test(String(target.type)) && !target["x-unit"]) missing.push(`${place}.${name}: unit`);
    }
    for (const inner of [
      ...Object.values(schema.properties ?? {}),
      ...(schema.anyOf ?? []),
      ...(schema.items === undefined ? [] : [schema.items]),
    ]) {
      if (inner.$ref === undefined) walk(inner, place);
    }
  }
  for (const [name, schema] of Object.entries(schemas)) {
    t.ok(schema.description, `${name} has a description`);
    walk(schema, name);
  }
  const shared = Object.values(description.components.parameters);
  for (const { name, schema, description: meaning, $ref } of [
    ...operations.flatMap(({ parameters }) => parameters),
    ...shared,
  ]) {
    if ($ref !== undefined) continue;
    fields++;
    if (!meaning) missing.push(`${name}: description`);
    if (/integer|number/.test(String(schema.type)) && !schema["x-unit"]) missing.push(`${name}: unit`);
  }
  t.strictSame(missing, []);
  t.ok(fields > 250, `${fields} fields`);
});

function resolve(schema: Schema): Schema {
  const { $ref } = schema;
  return $ref === undefined ? schema : (schemas[$ref.split("/").at(-1) as string] as Schema);
}

t.test("closed sets are enums of texts, each under one name", async (t) => {
  const named = Object.entries(schemas).filter(([, schema]) => schema.enum !== undefined);
  t.strictSame(
    named.map(([name]) => name).sort(),
    [
      "AnomalyLevel",
      "AnomalyOrder",
      "CropCategory",
      "Direction",
      "ErrorCategory",
      "ErrorCode",
      "ExportGrouping",
      "Grouping",
      "IndexLevel",
      "MarketType",
      "RefugeeCamps",
      "SeriesOrder",
      "WeekDay",
    ].sort(),
  );
  for (const [name, schema] of named) t.equal(schema.type, "string", name);
  t.strictSame(schemas["ErrorCode"]?.enum, apiErrorCodes);
});

t.test("statistics have one type of row", async (t) => {
  const rows = schemas["PriceStatistics"]?.properties?.["statistics"]?.items;
  t.strictSame(rows, { $ref: "#/components/schemas/StatisticsRow" });
});

t.test("the formats are those that everybody knows", async (t) => {
  const formats = new Set([...text.matchAll(/"format":"([^"]+)"/g)].map(([, format]) => format));
  t.strictSame([...formats].sort(), ["date", "date-time", "uuid"]);
});

t.test("a key goes into X-API-Key alone; the signature headers are parameters of what must be signed", async (t) => {
  const { securitySchemes, parameters } = description.components;
  t.strictSame(
    Object.values(securitySchemes).map(({ type, in: place, name }) => `${type} ${place} ${name}`),
    ["apiKey header X-API-Key", "apiKey header X-API-Key"],
  );
  t.same(
    [parameters["Signature"]?.name, parameters["SignatureTimestamp"]?.name],
    ["X-Signature", "X-Signature-Timestamp"],
  );
  for (const { method, path, access } of endpoints) {
    const operation = description.paths[apiPrefix + path.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    const schemes = operation?.security.flatMap((of) => Object.keys(of));
    const signed = operation?.parameters.filter(({ $ref }) => $ref?.includes("/Signature")).length;
    t.strictSame(schemes, access === "secret" ? ["SecretKey"] : ["PublicKey", "SecretKey"], `${method} ${path}`);
    t.equal(signed, access === "secret" ? 2 : 0, `${method} ${path}`);
  }
});

t.test("the version is the one in the paths, the sources are named, and no host is", async (t) => {
  t.equal(description.info.version, apiVersion);
  t.ok(Object.keys(description.paths).every((path) => path.startsWith(`/api/v${description.info.version}/`)));
  for (const source of attribution) t.match(description.info.description, `- ${source}`);
  const { info } = JSON.parse(renderApiDescription(endpoints, [])) as ApiDescription;
  t.notMatch(info.description, /Sources/);
  t.strictSame(valuesOf(description.servers, "url"), ["/"]);
  t.notMatch(text.replaceAll(/"(?:message|notes|url|citation)":"[^"]*"/g, ""), /https?:/);
  t.strictSame(
    [...text.matchAll(/svc_\w{20,}/g)].filter(([key]) => keyKindOf(key) !== undefined),
    [],
  );
});

t.test("headers that operations read are parameters, which nobody has to send and no example fills in", async (t) => {
  const { parameters } = description.components;
  const namesIn = (id: string): string[] =>
    operations
      .filter(({ operationId }) => operationId === id)
      .flatMap((operation) => operation.parameters.map(({ $ref = "" }) => parameters[$ref.split("/").at(-1) ?? ""]))
      .flatMap((parameter) => (parameter?.required === false ? [parameter.name] : []));
  const ofAnswers = ["X-Snapshot-Id", "If-None-Match"];
  const ofFiles = ["If-None-Match", "Range", "If-Range", "If-Match", "If-Unmodified-Since", "If-Modified-Since"];
  for (const id of ["listCrops", "getPrice", "exportSeriesNdjson", "listMarkets"]) t.strictSame(namesIn(id), ofAnswers);
  t.strictSame(namesIn("searchPrices"), ["X-Snapshot-Id"]);
  t.strictSame(namesIn("downloadFile"), ofFiles);
  for (const { name, example } of Object.values(parameters)) t.equal(example, undefined, name);
});

t.test("a type of its own describes the rows of each NDJSON file", async (t) => {
  const files = Object.entries(description.paths).filter(([path]) => path.endsWith(".ndjson"));
  t.ok(files.length > 10);
  for (const [path, { get }] of files) {
    const { schema, example } = get?.responses["200"]?.content?.["application/x-ndjson"] ?? {};
    const [row, file] = schema?.anyOf ?? [];
    t.match(row?.$ref, /^#\/components\/schemas\/Exported/, path);
    t.equal(file?.type, "string");
    const [line = ""] = String(example).split("\n", 1);
    t.strictSame(Object.keys(JSON.parse(line)), Object.keys(resolve(row as Schema).properties ?? {}), path);
  }
});

t.test("servers and contact have the public address where there is one", async (t) => {
  for (const address of ["https://prices.example.org", "http://192.0.2.7:8080", undefined]) {
    const { info, servers } = JSON.parse(renderApiDescription(endpoints, [], address)) as ApiDescription;
    t.strictSame([servers.map(({ url }) => url), info.contact.url], [[address ?? "/"], address]);
  }
});

t.test("texts that may not be blank, and months, have patterns", async (t) => {
  const search = description.paths[`${apiPrefix}/products`]?.["get"]?.parameters.find(({ name }) => name === "search");
  const fields = ["query", "currency", "unit", "month"].map((name) => [name, patternOf(name)] as const);
  for (const [name, pattern] of [...fields, ["search", search?.schema.pattern]] as const) {
    const expression = new RegExp(String(pattern), "u");
    const good = name === "month" ? "2026-05" : "Ng’ombe";
    for (const blank of ["", " ", "\t\u00a0"]) t.notMatch(blank, expression, `${name}: ${JSON.stringify(blank)}`);
    t.match(good, expression, name);
  }
  t.notMatch("2026-13", new RegExp(String(patternOf("month")), "u"));

  function patternOf(name: string): string | undefined {
    const inQuery = operations.flatMap(({ parameters }) => parameters).find((one) => one.name === name)?.schema;
    const inBody = Object.entries(schemas).find(([id, { properties }]) => id.endsWith("Request") && properties?.[name]);
    return (inQuery ?? inBody?.[1].properties?.[name])?.pattern;
  }
});

t.test("limits and caching are headers of the answers", async (t) => {
  const { headers, responses } = description.components;
  for (const [name, response] of Object.entries(responses)) {
    t.ok("RateLimit" in response.headers && "RateLimit-Policy" in response.headers, name);
    for (const header of Object.keys(response.headers)) t.ok(header in headers, `${name}: ${header}`);
  }
  t.ok("Retry-After" in (responses["RateLimited"]?.headers ?? {}));
  t.ok("ETag" in (responses["NotModified"]?.headers ?? {}));
});

t.test("the check of answers finds what the document forbids", async (t) => {
  const path = `${apiPrefix}/prices/latest`;
  const headers = { "content-type": "application/json; charset=utf-8", etag: '"tag"' };
  const answered = { method: "GET", path, status: 200, headers, text: '{"data":[]}' };
  t.strictSame(undocumentedIn(answered), []);
  for (const wrong of [
    { text: '{"data":[{}]}' },
    { text: '{"data":[],"more":1}' },
    { status: 206 },
    { status: 404, text: '{"error":"not_found","message":"None.","code":"NONE","request_id":"a"}' },
    {
      status: 401,
      text: '{"error":"unauthorized","message":"No.","code":"INSUFFICIENT_PERMISSIONS","request_id":"a"}',
    },
    { headers: { ...headers, "content-type": "text/plain" } },
    { headers: { "content-type": "application/json" } },
  ]) {
    t.ok(undocumentedIn({ ...answered, ...wrong }).length > 0, JSON.stringify(wrong));
  }
});

t.test("the examples are what the app answers from the bundled data", async (t) => {
  const store = await bundledStore();
  const data = join(t.testdir(), "data");
  // Without what services over the bundled data have made, and perhaps are making now.
  cpSync(bundledFolder, data, { recursive: true, filter: (path) => basename(path) !== "downloads" });
  await makeDownloads(data, store.snapshot.id as SnapshotId);
  const downloads = new DownloadFiles(data);
  const examples = await makeExamples(endpoints, store, downloads);
  const kept = readFileSync(join(projectFolder, "src/site/docs/examples.json"), "utf8");
  // Compressors of different processors may differ.
  const plain = (text: string): string =>
    text.replaceAll(/("prices\.csv\.gz"[^}]*"bytes": )\d+(,\s*"sha256": )"\w+"/g, "$10$2");
  t.equal(plain(kept), plain(`${JSON.stringify(examples, null, 2)}\n`), "npm run examples makes them again");
  const app = await startApp(t, undefined, { deps: { currentStore: () => store, downloads } });
  await sendAllExamples(t, app);
  for (const endpoint of endpoints) {
    const name = endpointName(endpoint);
    const path = apiPrefix + exampleTarget(endpoint);
    const { body = {} } = endpoint.example;
    const answered = await (endpoint.method === "GET" ? app.signedGet(path) : app.signedPost(path, body));
    const { status, body: answer } = answered;
    t.equal(status, 200, name);
    if (typeof examples[name] === "string") {
      t.equal(cutLines(answered.text), examples[name], name);
      t.ok(answered.text.split("\n").length > 2, `${name} shows something`);
      continue;
    }
    t.strictSame(cutLists(answer), examples[name], name);
    const { data } = answer as { readonly data: unknown };
    t.ok(Array.isArray(data) ? data.length > 0 : data, `${name} shows something`);
  }
});

/** Sends each operation all its examples at once, as tools do: the answer is the one that is shown. */
async function sendAllExamples(t: Test, app: RunningApp): Promise<void> {
  const requests = exampleRequestsIn(description);
  t.equal(requests.length, endpoints.length);
  for (const { method, target, body, shownIn } of requests) {
    const answer = await (method === "GET" ? app.signedGet(target) : app.signedPost(target, body));
    t.equal(answer.status, 200, `${method} ${target}: ${answer.text.slice(0, 200)}`);
    const [type = ""] = String(answer.headers["content-type"]).split(";", 1);
    const shown = shownIn(type);
    t.not(shown, undefined, `${target} shows an answer`);
    t.strictSame(typeof shown === "string" ? cutLines(answer.text) : cutLists(answer.body), shown, target);
  }
}
