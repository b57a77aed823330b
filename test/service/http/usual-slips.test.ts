/** A client that has made a usual mistake is told which, and nothing of the key or of the right signature. */
import { createHmac, hash } from "node:crypto";
import t from "tap";
import { expectError } from "../../support/expect-answer.ts";
import { publicKey, secretKey, signedHeaders } from "../../support/signed-request.ts";
import { startApp, startSeconds } from "../../support/start-app.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

interface Signed {
  readonly method: string;
  readonly path: string;
  readonly time: string;
  readonly body: string;
}

const signed = (text: string, key = secretKey, form: "hex" | "base64" | "base64url" = "hex"): string =>
  createHmac("sha256", key).update(text).digest(form);

const right = ({ method, path, time, body }: Signed): string => `${method}|${path}|${time}|${body}`;

const shortKey = secretKey.replace("svc_sec_", "");

/** What a client sends by mistake, and what it is told. */
const slips: readonly (readonly [name: string, sign: (request: Signed) => string, told: RegExp])[] = [
  ["base64", (of) => signed(right(of), secretKey, "base64"), /is that of the request, written in base64, expected 64/],
  ["base64 for addresses", (of) => signed(right(of), secretKey, "base64url"), /written in base64, expected/],
  ["a label", (of) => `sha256=${signed(right(of))}`, /written with a label, expected 64 lower-case/],
  ["another label", (of) => `HMAC-SHA256 ${signed(right(of))}`, /written with a label/],
  ["a version", (of) => `v1=${signed(right(of))}`, /written with a label/],
  ["upper case", (of) => signed(right(of)).toUpperCase(), /written in upper case, expected/],
  ["a label and upper case", (of) => `SHA256=${signed(right(of)).toUpperCase()}`, /with a label and in upper case/],
  [
    "the key without its prefix",
    (of) => signed(right(of), shortKey),
    /, it is made with the key without its prefix: the/,
  ],
  [
    "base64, without the prefix",
    (of) => signed(right(of), shortKey, "base64"),
    /in base64 and made with the key without/,
  ],
  ["line feeds", (of) => signed(right(of).replaceAll("|", "\n")), /made with line feeds in place of \|/],
  [
    "nothing between",
    ({ method, path, time, body }) => signed(method + path + time + body),
    /with nothing in place of/,
  ],
  ["the path alone", (of) => signed(right({ ...of, path: of.path.replace("/api/v1", "") })), /path without \/api\/v1/],
  [
    "the hash of the body",
    (of) => signed(right({ ...of, body: hash("sha256", of.body) })),
    /of the hash of the body in/,
  ],
  ["a variable", () => "{{signature}}", /^X-Signature is a variable that was not replaced, expected 64/],
  ["no value", () => "undefined", /^X-Signature is a variable that was not replaced, expected 64/],
  ["lower case", (of) => signed(right({ ...of, method: of.method.toLowerCase() })), /with the method in lower case/],
];

const otherwise: readonly (readonly [name: string, sign: (request: Signed) => string])[] = [
  ["another key", (of) => signed(right(of), publicKey)],
  ["another time", (of) => signed(right({ ...of, time: "1" }))],
  ["base64 of another key", (of) => signed(right(of), publicKey, "base64")],
  ["no digest", () => "sha256=abc"],
  ["too long", (of) => `${signed(right(of))}00`],
];

const requests = [
  { method: "GET", path: "/api/v1/products?search=a%20b&page=1", body: "" },
  { method: "POST", path: "/api/v1/prices/search", body: '{"page":1, "page_size":2}' },
];

t.test("a signature that a usual slip has made is told so", async (t) => {
  const app = await startApp(t, tinyDataset());
  for (const request of requests) {
    const of: Signed = { ...request, time: String(startSeconds) };
    const expected = signed(right(of));
    const answerTo = async (signature: string) => {
      const own = { "X-API-Key": secretKey, "X-Signature": signature, "X-Signature-Timestamp": of.time };
      return await app.send({ ...request, headers: { ...own, "Content-Type": "application/json" } });
    };
    for (const [name, sign, told] of slips) {
      const answer = await answerTo(sign(of));
      const { message } = expectError(t, answer, { code: "INVALID_SIGNATURE" }, name);
      t.match(message, told, `${request.method}: ${name}`);
      const inBase64 = Buffer.from(expected, "hex").toString("base64");
      for (const secret of [expected, expected.toUpperCase(), shortKey, inBase64]) {
        t.notOk(JSON.stringify([answer.text, answer.headers]).includes(secret), `${name}: nothing secret`);
      }
    }
    for (const [name, sign] of otherwise) {
      const { message } = expectError(t, await answerTo(sign(of)), { code: "INVALID_SIGNATURE" }, name);
      t.match(message, /is malformed, expected|does not match METHOD\|PATH\|TIMESTAMP\|BODY: the server saw/, name);
    }
    t.equal((await answerTo(expected)).status, 200);
  }
  const bodiless = { method: "POST", path: "/api/v1/prices/search", time: String(startSeconds), body: "{}" };
  const without = signed(right({ ...bodiless, body: "" }));
  const headers = { "X-API-Key": secretKey, "X-Signature": without, "X-Signature-Timestamp": bodiless.time };
  const answer = await app.send({ ...bodiless, headers: { ...headers, "Content-Type": "application/json" } });
  t.match(expectError(t, answer, { code: "INVALID_SIGNATURE" }).message, "made without the body");
});

t.test("a HEAD that is refused says its code in WWW-Authenticate; a GET of it as well", async (t) => {
  const app = await startApp(t, tinyDataset());
  const path = "/api/v1/crops";
  const ofGet = signedHeaders({ method: "GET", path, key: secretKey, timestampSeconds: startSeconds });
  const late = signedHeaders({ method: "HEAD", path, key: secretKey, timestampSeconds: startSeconds - 1000 });
  const cases: readonly (readonly [headers: Record<string, string>, code: string])[] = [
    [ofGet, "INVALID_SIGNATURE"],
    [late, "TIMESTAMP_EXPIRED"],
    [{}, "MISSING_API_KEY"],
    [{ "X-API-Key": "undefined" }, "INVALID_API_KEY"],
  ];
  for (const [headers, code] of cases) {
    const head = await app.send({ method: "HEAD", path, headers });
    t.strictSame([head.status, head.text, head.headers["www-authenticate"]], [401, "", `ApiKey error="${code}"`]);
  }
  const exported = await app.get("/api/v1/exports/prices.csv");
  t.equal(exported.headers["www-authenticate"], 'ApiKey error="INSUFFICIENT_PERMISSIONS"');
  const { headers } = await app.send({ method: "HEAD", path, headers: ofGet });
  const line = await app.logLineOf(String(headers["x-request-id"]));
  t.equal(line["code"], "INVALID_SIGNATURE");
});

const variables = [
  ...["undefined", "null", "None", "NaN", "[object Object]", "{{apiKey}}", "{{ api key }}", "$PUBLIC_KEY"],
  ...["%API_KEY%", "<your-key>", "$env:PUBLIC_KEY", "$(cat key)", "{apiKey}", "@API_KEY@", " undefined "],
  ["$", "{API_KEY}"].join(""),
];

t.test("a variable that was not replaced is told so, as a key and as a text to search for with detail", async (t) => {
  const app = await startApp(t, tinyDataset());
  for (const variable of variables) {
    const refused = await app.get("/api/v1/crops", { "X-API-Key": variable });
    const { message } = expectError(t, refused, { code: "INVALID_API_KEY" }, variable);
    t.equal(message, `X-API-Key is ${JSON.stringify(variable.trim())}, a variable that was not replaced.`);
    const text = encodeURIComponent(variable);
    if (variable === "$(cat key)") continue;
    for (const path of ["products", "markets"]) {
      const { body } = await app.get(`/api/v1/${path}?search=${text}&detail=true`);
      const { hint } = (body as { readonly meta: { readonly hint?: string } }).meta;
      t.equal(hint, `search is ${JSON.stringify(variable)}, which looks like a variable that was not replaced.`, path);
      const plain = (await app.get(`/api/v1/${path}?search=${text}`)).body;
      t.strictSame(Object.keys((plain as { meta: object }).meta), ["page", "page_size", "total", "total_pages"]);
    }
    t.match((await app.post("/api/v1/products/search", { query: variable, detail: true })).text, '"hint":"query is ');
    t.notMatch((await app.post("/api/v1/products/search", { query: variable })).text, "hint");
  }
  for (const other of ["svc_pub_abc", "key", "a$b", "x", "100%"]) {
    const { message } = expectError(t, await app.get("/api/v1/crops", { "X-API-Key": other }), {
      code: "INVALID_API_KEY",
    });
    t.match(message, "not a key by form and checksum", other);
    t.notMatch((await app.get(`/api/v1/products?search=${encodeURIComponent(other)}&detail=true`)).text, "hint");
  }
});
