/** A client that is used to another service learns from the message what to send here. */
import t from "tap";
import { endpointsWith } from "../../../src/service/http/endpoint-table.ts";
import { startEndpoint } from "../../support/ask-endpoint.ts";
import { expectError } from "../../support/expect-answer.ts";
import { publicKey } from "../../support/signed-request.ts";
import { startApp } from "../../support/start-app.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

t.test("a key that was sent elsewhere is not read, and the message names the header", async (t) => {
  const app = await startApp(t, tinyDataset());
  const messageOf = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
    const answer = await app.send({ method: "GET", path, headers });
    const { message } = expectError(t, answer, { code: "MISSING_API_KEY" }, path);
    t.notOk(message.includes(publicKey));
    return message;
  };
  const absent = (found: string) =>
    `The X-API-Key header is absent, and ${found} is not read; send your key in X-API-Key.`;
  const bearer = await messageOf("/api/v1/crops", { Authorization: `Bearer ${publicKey}` });
  t.equal(bearer, absent("an Authorization header"));
  for (const name of ["api_key", "apikey", "access_token", "API-KEY"]) {
    const message = await messageOf(`/api/v1/crops?season=x&${name}=${publicKey}`);
    t.equal(message, absent(`the query parameter ${name}`));
  }
  t.equal(await messageOf("/api/v1/crops?monkey=1"), "The X-API-Key header is absent; send your key in it.");
});

t.test("a path that nearly exists names the nearest one, once the key is known", async (t) => {
  const app = await startApp(t, tinyDataset());
  const product = "63ee0850-d07b-5001-9007-7b8ec8242380";
  const nearest: Readonly<Record<string, string>> = {
    "/products/": "/products",
    [`/products/${product}/`]: `/products/${product}`,
    "/Products": "/products",
    "//products": "/products",
    "/product": "/products",
    "/county": "/counties",
    "/prices": "/prices/latest",
    "/exports/prices": "/exports/prices.csv",
    "/exports/price.csv": "/exports/prices.csv",
    "/reference/unit": "/reference/units",
  };
  for (const [path, near] of Object.entries(nearest)) {
    const { message } = expectError(t, await app.get(`/api/v1${path}`), { code: "NOT_FOUND" }, path);
    t.equal(message, `Nothing is at /api/v1${path}, the nearest path is /api/v1${near}.`);
  }
  const elsewhere: Readonly<Record<string, string>> = {
    "/api/v1/": "/api/v1",
    "/api/v1//": "/api/v1",
    "/api": "/api/v1",
    "/api/": "/api/v1",
    "/API/v1": "/api/v1",
    "/v1/": "/api/v1",
    "/api/counties": "/api/v1/counties",
    "/api/prices/latest": "/api/v1/prices/latest",
    "/API/v1/Markets": "/api/v1/markets",
    "/api/v2/crops": "/api/v1/crops",
    "/api/v10/crops": "/api/v1/crops",
    "/api/v1.0/crops": "/api/v1/crops",
    "/v1/reference/units": "/api/v1/reference/units",
    "/counties/": "/api/v1/counties",
    [`/products/${product}`]: `/api/v1/products/${product}`,
    "/api/v2/county": "/api/v1/counties",
    "//api//v1//dataset": "/api/v1/dataset",
  };
  for (const [path, near] of Object.entries(elsewhere)) {
    for (const answer of [await app.get(path), await app.send({ method: "HEAD", path })]) {
      if (answer.text === "") continue;
      const { message } = expectError(t, answer, { code: "NOT_FOUND" }, path);
      t.equal(message, `Nothing is at ${path}, the nearest path is ${near}.`);
    }
  }
  for (const path of ["/nowhere", "/count", "/docs/nothing", "/apis/crops", `/${"crops/".repeat(20)}`]) {
    const { message } = expectError(t, await app.get(path), { code: "NOT_FOUND" }, path);
    t.match(message, "the interface is under /api/v1, and /docs describes it", path);
  }
  for (const path of ["/nothing/like/this", "/foobar", "/docs", `/${"products".repeat(20)}`]) {
    const { message } = expectError(t, await app.get(`/api/v1${path}`), { code: "NOT_FOUND" }, path);
    t.notMatch(message, /nearest/, path);
  }
  const unknown = await app.send({ method: "GET", path: "/api/v1/prices" });
  expectError(t, unknown, { code: "MISSING_API_KEY" });
});

t.test("a value that differs only in case names the one that is right", async (t) => {
  const { refuse } = await startEndpoint(t, "GET /prices/series");
  t.match((await refuse("?sort=Name", "sort")).message, /; did you mean name\?$/);
  t.notMatch((await refuse("?market_type=whole", "market_type")).message, /did you mean/);
});

t.test("the prefix itself lists the endpoints, for any key", async (t) => {
  for (const exportAccess of ["secret", "public"] as const) {
    const app = await startApp(t, tinyDataset(), { deps: { exportAccess } });
    for (const answer of [await app.get("/api/v1"), await app.signedGet("/api/v1")]) {
      const { data } = answer.body as { readonly data: readonly Readonly<Record<string, string>>[] };
      t.strictSame(
        data,
        endpointsWith(exportAccess).map(({ method, path, access, summary }) => {
          return { method, path: `/api/v1${path}`, access, summary };
        }),
      );
      for (const { method, path = "" } of data.filter((one) => !one["path"]?.includes(":"))) {
        t.not(
          (await app.send({ method: String(method), path, headers: { "X-API-Key": publicKey } })).status,
          404,
          path,
        );
      }
    }
    t.match(await app.send({ method: "HEAD", path: "/api/v1", headers: { "X-API-Key": publicKey } }), { status: 200 });
    expectError(t, await app.send({ method: "GET", path: "/api/v1" }), { code: "MISSING_API_KEY" });
    expectError(t, await app.get("/api/v1?page=1"), { code: "VALIDATION_ERROR", fields: ["page"] });
    expectError(t, await app.post("/api/v1", {}), { code: "METHOD_NOT_ALLOWED" });
  }
});
