import t from "tap";
import { renderApiDescription } from "../../src/http/documents/openapi.ts";
import { apiPrefix, apiVersion, endpoints } from "../../src/http/endpoints.ts";
import { apiErrorCodes } from "../../src/http/errors.ts";

interface Operation {
  readonly operationId: string;
  readonly responses: { readonly default: { readonly headers: Readonly<Record<string, object>> } };
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

interface ApiDescription {
  readonly info: { readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: Readonly<
      Record<string, { readonly type: string; readonly in: string; readonly name: string }>
    >;
    readonly schemas: {
      readonly Error: { readonly properties: { readonly code: { readonly enum: readonly string[] } } };
    };
  };
}

const attribution = ['Prices: somebody, "CC BY"', "Places: somebody else"];
const text = renderApiDescription(endpoints, attribution);
const description = JSON.parse(text) as ApiDescription;

t.test("every endpoint is an operation with a name of its own", async (t) => {
  const operations = Object.entries(description.paths).flatMap(([path, byMethod]) =>
    Object.keys(byMethod).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const wanted = endpoints.map(({ method, path }) => `${method} ${apiPrefix}${path.replace(/:(\w+)/, "{$1}")}`);
  t.strictSame(operations.sort(), wanted.sort());
  for (const { responses } of Object.values(description.paths).flatMap((byMethod) => Object.values(byMethod))) {
    t.strictSame(Object.keys(responses.default.headers), ["RateLimit-Policy", "RateLimit", "Retry-After"]);
  }
  const ids = Object.values(description.paths).flatMap((byMethod) =>
    Object.values(byMethod).map(({ operationId }) => operationId),
  );
  t.equal(new Set(ids).size, endpoints.length);
});

t.test("the formats are those that everybody knows", async (t) => {
  const formats = new Set([...text.matchAll(/"format":"([^"]+)"/g)].map(([, format]) => format));
  t.strictSame([...formats].sort(), ["date", "date-time", "uuid"]);
});

t.test("each operation says which headers authenticate it", async (t) => {
  const { securitySchemes } = description.components;
  const headersOf = (security: Operation["security"]): string[][] =>
    security.map((schemes) =>
      Object.keys(schemes).map((name) => `${securitySchemes[name]?.in} ${securitySchemes[name]?.name}`),
    );
  const alone = ["header X-API-Key"];
  const signed = ["header X-API-Key", "header X-Signature", "header X-Signature-Timestamp"];
  for (const { method, path, access } of endpoints) {
    const operation = description.paths[apiPrefix + path.replace(/:(\w+)/, "{$1}")]?.[method.toLowerCase()];
    const wanted = access === "secret" ? [signed] : [alone, signed];
    t.strictSame(headersOf(operation?.security ?? []), wanted, `${method} ${path}`);
  }
});

t.test("the version is the one in the paths, and the sources are named", async (t) => {
  t.equal(description.info.version, apiVersion);
  t.ok(Object.keys(description.paths).every((path) => path.startsWith(`/api/v${description.info.version}/`)));
  for (const source of attribution) t.match(description.info.description, `- ${source}`);
  const { info } = JSON.parse(renderApiDescription(endpoints, [])) as ApiDescription;
  t.notMatch(info.description, /[Ss]ources|\n/);
});

t.test("all error codes are there", async (t) => {
  t.strictSame(description.components.schemas.Error.properties.code.enum, apiErrorCodes);
});
