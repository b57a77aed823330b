import t from "tap";
import type { ApiErrorCode } from "../../../src/contract/errors.ts";
import { targetCharactersMax } from "../../../src/contract/limits.ts";
import { apiPrefix } from "../../../src/contract/paths.ts";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";
import { expectCommonHeaders, expectError } from "../../support/expect-answer.ts";
import { publicKey, secretKey } from "../../support/signed-request.ts";
import { startApp } from "../../support/start-app.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

/** The methods of each path; a path that has GET has HEAD. `interface/endpoint-table.test.ts` holds which there are. */
const allowed = Map.groupBy(
  endpoints.map(({ method, path }) => ({ path, method: method === "GET" ? "GET, HEAD" : method })),
  ({ path }) => apiPrefix + path.replace(":id", "47"),
);

const dataset = tinyDataset({ prices: [{}] });

t.test("HEAD answers as GET, without the body, also of documents", async (t) => {
  const app = await startApp(t, dataset);
  for (const path of ["/openapi.json", "/docs", `${apiPrefix}/products?page=7`]) {
    const get = await app.get(path);
    const head = await app.send({ method: "HEAD", path, headers: { "X-API-Key": publicKey } });
    t.strictSame([get.status, head.status, head.text], [200, 200, ""], path);
    const { date, "x-request-id": id, ...headers } = head.headers;
    t.match(get.headers, headers, path);
    t.equal(headers["content-length"], String(Buffer.byteLength(get.text)), path);
  }
});

t.test("HEAD of an error is the error without its body", async (t) => {
  const app = await startApp(t, dataset);
  const errors: [string, string, number][] = [
    [`${apiPrefix}/nothing`, publicKey, 404],
    [`${apiPrefix}/crops?x=1`, publicKey, 400],
    [`${apiPrefix}/crops`, "wrong", 401],
    [`${apiPrefix}/prices/search`, publicKey, 405],
  ];
  for (const [path, key, status] of errors) {
    const head = await app.send({ method: "HEAD", path, headers: { "X-API-Key": key } });
    t.strictSame([head.status, head.text, head.headers["cache-control"]], [status, "", "no-store"], path);
    t.match(Number(head.headers["content-length"]), Number);
    expectCommonHeaders(t, head);
  }
});

t.test("a body on HEAD is refused as on GET", async (t) => {
  const app = await startApp(t, dataset);
  const headers = { "X-API-Key": publicKey };
  const head = await app.send({ method: "HEAD", path: `${apiPrefix}/crops`, headers, body: "{}" });
  t.equal(head.status, 400);
});

t.test("OPTIONS needs no key and names the methods of the path; 405 names the same", async (t) => {
  const app = await startApp(t, dataset);
  for (const [path, ofPath] of allowed) {
    const methods = [...ofPath.map(({ method }) => method).sort(), "OPTIONS"].join(", ");
    const preflight = await app.send({
      method: "OPTIONS",
      path,
      headers: {
        Origin: "https://example.org",
        "Access-Control-Request-Method": methods.split(",")[0],
        "Access-Control-Request-Headers": "x-api-key, content-type, x-signature",
      },
    });
    t.strictSame([preflight.status, preflight.text], [204, ""], path);
    t.match(preflight.headers, {
      allow: methods,
      "access-control-allow-methods": methods,
      "access-control-allow-headers": "x-api-key, content-type",
      "access-control-max-age": /^\d+$/,
    });
    expectCommonHeaders(t, preflight);
    const refused = await app.send({ method: "DELETE", path, headers: { "X-API-Key": publicKey } });
    expectError(t, refused, { code: "METHOD_NOT_ALLOWED" }, path);
    t.equal(refused.headers["allow"], methods, path);
  }
});

t.test("OPTIONS does not look at identifiers, keys or queries", async (t) => {
  const app = await startApp(t, dataset);
  for (const path of ["/counties/99", "/products/x", "/prices/search?x=1", "/products/categories?page=0"]) {
    t.equal((await app.send({ method: "OPTIONS", path: apiPrefix + path })).status, 204, path);
    const headers = { "X-API-Key": "wrong" };
    t.equal((await app.send({ method: "OPTIONS", path: apiPrefix + path, headers })).status, 204, path);
  }
  for (const path of ["/api", "/api/v2/crops", "/API/v1/crops", "/nothing"]) {
    expectError(t, await app.send({ method: "OPTIONS", path }), { code: "NOT_FOUND" }, path);
  }
});

t.test("a page may send any request to the interface, and read the error that it gets", async (t) => {
  const app = await startApp(t, dataset);
  const long = `/products?search=${"x".repeat(targetCharactersMax)}`;
  const paths: [path: string, methods: string, code: ApiErrorCode][] = [
    ["/", "GET, HEAD, POST", "NOT_FOUND"],
    ["/nothing", "GET, HEAD, POST", "NOT_FOUND"],
    ["/Crops", "GET, HEAD, POST", "NOT_FOUND"],
    ["/crops/", "GET, HEAD, POST", "NOT_FOUND"],
    ["/crops%2Fcategories", "GET, HEAD, POST", "NOT_FOUND"],
    ["/a/b/c/d?e", "GET, HEAD, POST", "NOT_FOUND"],
    ["/products/%ZZ", "GET, HEAD, OPTIONS", "INVALID_UUID"],
    ["/prices/search", "POST, OPTIONS", "METHOD_NOT_ALLOWED"],
    [long, "GET, HEAD, OPTIONS", "URI_TOO_LONG"],
    [`/nothing/${"x".repeat(14_000)}`, "GET, HEAD, POST", "URI_TOO_LONG"],
  ];
  for (const [path, methods, code] of paths) {
    const name = path.slice(0, 30);
    const preflight = await app.send({
      method: "OPTIONS",
      path: apiPrefix + path,
      headers: {
        Origin: "https://example.org",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "x-api-key,baggage",
      },
    });
    t.strictSame([preflight.status, preflight.text], [204, ""], name);
    t.match(preflight.headers, {
      "access-control-allow-origin": "*",
      "access-control-allow-methods": methods,
      "access-control-allow-headers": "x-api-key, baggage",
    });
    const headers = { "X-API-Key": publicKey, Origin: "https://example.org", baggage: "a=b" };
    const answer = await app.send({ method: "GET", path: apiPrefix + path, headers });
    expectError(t, answer, { code, ...(code === "INVALID_UUID" ? { fields: ["uuid"] } : {}) }, name);
    t.equal(answer.headers["access-control-allow-origin"], "*", name);
  }
});

/** Headers that libraries for tracing, caching and sessions add to requests of pages, and some that are read here. */
const sentByPages = [
  ...["sentry-trace", "x-requested-with", "cache-control", "b3", "pragma", "x-b3-traceid", "uber-trace-id"],
  ...["newrelic", "x-datadog-trace-id", "authorization", "x-csrf-token", "x-api-key", "range", "if-match"],
  ...["x-snapshot-id", "x-sign", "signature", "a!#$%&'*+.^_`|~-1"],
];

t.test("a page may send every header that it asks for, but a signature", async (t) => {
  const app = await startApp(t, dataset);
  const allowedOf = async (wanted: string | undefined): Promise<string | undefined> => {
    const headers = { "Access-Control-Request-Headers": wanted, "Access-Control-Request-Method": "GET" };
    const preflight = await app.send({ method: "OPTIONS", path: `${apiPrefix}/crops`, headers });
    t.equal(preflight.status, 204);
    t.equal(preflight.headers["vary"], "Access-Control-Request-Headers");
    return preflight.headers["access-control-allow-headers"]?.toString();
  };
  for (const name of sentByPages) {
    t.equal(await allowedOf(name), name);
    t.equal(await allowedOf(`${name.toUpperCase()} ,X-Signature`), name, "in any case");
  }
  t.equal(await allowedOf(sentByPages.join(",")), sentByPages.join(", "));
  const refused = ["x-signature", "X-SIGNATURE", "x-signature-timestamp", "*", "", ",,", "a b", "a:b", undefined];
  refused.push(publicKey, publicKey.toLowerCase(), `x-${secretKey}`, "0123456789abcdef".repeat(4));
  for (const wanted of refused) {
    t.equal(await allowedOf(wanted), "", String(wanted));
  }
});

t.test("no answer lets a browser send a signature, so a secret key is of no use there", async (t) => {
  const app = await startApp(t, dataset);
  const answers = await Promise.all([
    ...Array.from(allowed.keys(), (path) => app.send({ method: "OPTIONS", path })),
    app.get(`${apiPrefix}/crops`),
    app.get(`${apiPrefix}/nothing`),
    app.send({ method: "GET", path: `${apiPrefix}/crops` }),
  ]);
  for (const { headers } of answers) {
    t.notMatch(JSON.stringify(headers), /x-signature|allow-credentials|"access-control-allow-headers":"\*"/i);
  }
});
