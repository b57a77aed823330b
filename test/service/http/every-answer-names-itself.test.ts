/** Each answer names its request and its snapshot, and speaks the language of errors that was requested. */
import t from "tap";
import { apiErrors } from "../../../src/contract/errors.ts";
import { acceptCharactersMax } from "../../../src/contract/limits.ts";
import { expectError } from "../../support/expect-answer.ts";
import { rawExchange } from "../../support/raw-exchange.ts";
import { publicKey, secretKey } from "../../support/signed-request.ts";
import { startApp } from "../../support/start-app.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

const crops = "/api/v1/crops";
const uuidExpression = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

t.test("a good request id comes back and stands in the log; anything else is replaced", async (t) => {
  const app = await startApp(t);
  for (const id of ["a", "A-1.b_2", "0".repeat(61), "x".repeat(64), "svc_other_1"]) {
    const answer = await app.get(crops, { "X-Request-Id": id });
    t.equal(answer.headers["x-request-id"], id);
    t.match(await app.logLineOf(id), { request_id: id, status: 200, target: crops });
    const error = await app.get("/api/v1/nothing", { "X-Request-Id": id });
    t.equal(expectError(t, error, { code: "NOT_FOUND" }).request_id, id);
  }
  const seen = new Set<unknown>();
  const bad = [
    "",
    " ",
    "a b",
    "a,b",
    "x".repeat(65),
    "é",
    'a"b',
    "<b>",
    "a/b",
    "a\tb",
    publicKey,
    `x-${secretKey}`,
    publicKey.toUpperCase(),
    "svc_sec_x",
    "0".repeat(62),
    "0123456789ABCDEF".repeat(4),
    ["a", "b"],
  ];
  for (const id of bad) {
    const { headers } = await app.get(crops, { "X-Request-Id": id });
    t.match(headers["x-request-id"], uuidExpression, JSON.stringify(id));
    seen.add(headers["x-request-id"]);
  }
  t.equal(seen.size, bad.length, "each is new");
});

t.test("every answer names the snapshot it was made from, errors too", async (t) => {
  const app = await startApp(t);
  const answers = async () => [
    await app.get(crops),
    await app.get("/api/v1/nothing"),
    await app.send({ method: "GET", path: crops }),
    await app.send({ method: "GET", path: "/" }),
    await app.send({ method: "OPTIONS", path: crops }),
    await app.signedPost("/api/v1/prices/search", {}),
    (await rawExchange(app.port, "nonsense\r\n\r\n")).answers[0],
  ];
  for (const id of ["20261120T083000Z-0123456789ab", "20261121T083000Z-ba9876543210"]) {
    app.swap(tinyDataset({ snapshot: { id } }));
    for (const answer of await answers()) t.equal(answer?.headers["x-snapshot-id"], id);
  }
});

t.test("every answer says that its type is not to be guessed, errors too", async (t) => {
  const app = await startApp(t);
  const tag = String((await app.get(crops)).headers.etag);
  const answers = [
    await app.get(crops),
    await app.get(crops, { "If-None-Match": tag }),
    await app.get("/docs"),
    await app.get("/openapi.json"),
    await app.get("/api/v1/nothing"),
    await app.get("/nothing", { Accept: "application/problem+json" }),
    await app.send({ method: "GET", path: crops }),
    await app.send({ method: "OPTIONS", path: crops }),
    await app.signedPost("/api/v1/prices/search", {}),
    (await rawExchange(app.port, "nonsense\r\n\r\n")).answers[0],
  ];
  t.strictSame(
    answers.map((answer) => [answer?.status, answer?.headers["x-content-type-options"]]),
    [200, 304, 200, 200, 404, 404, 401, 204, 200, 400].map((status) => [status, "nosniff"]),
  );
});

t.test("pages can be framed by no one, load only own scripts, and send forms only to the service", async (t) => {
  const app = await startApp(t);
  for (const [path, scripts, forms] of [
    ["/docs/changelog", [], "'none'"],
    ["/docs/search?q=%3Cform%20%3E%3Cscript%20src=", [], "'self'"],
    ["/docs/signing", ["script-src 'self'"], "'none'"],
    ["/docs", ["script-src 'self'"], "'self'"],
  ] as const) {
    const { headers } = await app.get(path);
    const policy = [
      ...["default-src 'none'", ...scripts, "style-src 'unsafe-inline'", "img-src data:"],
      ...["frame-ancestors 'none'", "base-uri 'none'", `form-action ${forms}`],
    ];
    t.strictSame(String(headers["content-security-policy"]).split("; "), policy, path);
  }
});

t.test("with Accept: application/problem+json an error has the members of RFC 9457 as well", async (t) => {
  const app = await startApp(t);
  const bad = "/api/v1/products?page=0";
  const plain = (await app.get(bad, { "X-Request-Id": "a" })).body as { message: string };
  for (const accept of [
    "application/problem+json",
    "application/problem+json, application/json;q=0.5",
    "application/problem+json;q=0.1",
  ]) {
    const answer = await app.get(bad, { Accept: accept, "X-Request-Id": "a" });
    t.equal(answer.headers["content-type"], "application/problem+json", accept);
    t.strictSame(answer.body, {
      type: "about:blank",
      title: "Bad Request",
      status: 400,
      detail: plain.message,
      ...plain,
    });
    t.match(answer.headers.vary, /\bAccept\b/);
  }
  for (const accept of [
    "*/*",
    "application/*",
    "text/html",
    "application/json",
    "application/problem+json;q=0",
    "nonsense",
    "",
  ]) {
    expectError(t, await app.get(bad, { Accept: accept }), { code: "VALIDATION_ERROR", fields: ["page"] }, accept);
  }
  const atMost = "application/problem+json".padEnd(acceptCharactersMax, ",");
  t.match((await app.get(bad, { Accept: atMost })).headers, { "content-type": "application/problem+json" });
  t.match(
    (await app.get(bad, { Accept: `${atMost},` })).headers,
    { "content-type": "application/json" },
    "a longer header is not read, so that a refusal costs little",
  );
  const unauthorized = await app.send({ method: "GET", path: crops, headers: { Accept: "application/problem+json" } });
  t.match(unauthorized.body, {
    title: "Unauthorized",
    status: 401,
    detail: apiErrors.MISSING_API_KEY.message,
    error: "unauthorized",
    code: "MISSING_API_KEY",
  });
  const good = await app.get(crops, { Accept: "application/problem+json" });
  t.strictSame([good.status, good.headers["content-type"]], [200, "application/json"], "a good answer is no problem");
});
