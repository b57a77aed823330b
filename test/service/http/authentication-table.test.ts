/** Who may ask what: every code, in every order in which two things can be wrong at once. */
import { createHash } from "node:crypto";
import t from "tap";
import type { ApiErrorCode } from "../../../src/contract/errors.ts";
import { bodyBytesMax } from "../../../src/contract/limits.ts";
import { apiPrefix } from "../../../src/contract/paths.ts";
import { endpoints } from "../../../src/service/http/endpoint-table.ts";
import { expectCommonHeaders, expectError } from "../../support/expect-answer.ts";
import { rawExchange } from "../../support/raw-exchange.ts";
import {
  expiredPublicKey,
  expiredSecretKey,
  expiryMilliseconds,
  publicKey,
  revokedPublicKey,
  revokedSecretKey,
  secretKey,
  signedHeaders,
  testKeys,
  unknownPublicKey,
  unknownSecretKey,
} from "../../support/signed-request.ts";
import {
  type ReceivedAnswer,
  type RunningApp,
  type SentHeaders,
  type SentRequest,
  startApp,
  startSeconds,
} from "../../support/start-app.ts";
import { uuidOf } from "../../support/tiny-dataset.ts";

interface Draft {
  readonly key: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly contentType: string;
  readonly body: string;
  readonly timestampSeconds: number;
  /** Change the headers once they are signed. */
  readonly spoilSignature: (good: string) => string | undefined;
  readonly spoilTimestamp: (good: string) => string | undefined;
}

const goodPath = "/api/v1/prices/search";

/** A request without a fault. */
const good: Draft = {
  ...{ key: secretKey, method: "POST", path: goodPath, query: "", contentType: "application/json", body: "{}" },
  ...{ timestampSeconds: startSeconds, spoilSignature: (good) => good, spoilTimestamp: (good) => good },
};

type Part = "key" | "body" | "signature" | "timestamp" | "path" | "query" | "type";

/** Something wrong with a request, in a part of it. Two faults of one part cannot be in one request. */
type Fault = readonly [name: string, part: Part, code: ApiErrorCode, changes: Partial<Draft>];

/** In the order in which they must be found. */
const faults: readonly Fault[] = [
  ["no key", "key", "MISSING_API_KEY", { key: undefined }],
  ["an empty key", "key", "INVALID_API_KEY", { key: "" }],
  ["a mistyped key", "key", "INVALID_API_KEY", { key: secretKey.replace("Tests", "tests") }],
  ["an unknown key", "key", "INVALID_API_KEY", { key: unknownSecretKey }],
  ["a revoked key", "key", "INVALID_API_KEY", { key: revokedSecretKey }],
  ["an expired key", "key", "INVALID_API_KEY", { key: expiredSecretKey }],
  ["too large a body", "body", "PAYLOAD_TOO_LARGE", { body: " ".repeat(bodyBytesMax + 1) }],
  ["no signature", "signature", "INVALID_SIGNATURE", { spoilSignature: () => undefined }],
  ["a malformed signature", "signature", "INVALID_SIGNATURE", { spoilSignature: (good) => good.slice(1) }],
  ["no timestamp", "timestamp", "INVALID_SIGNATURE", { spoilTimestamp: () => undefined }],
  ["a malformed timestamp", "timestamp", "INVALID_SIGNATURE", { spoilTimestamp: (good) => `${good}.0` }],
  ["an expired timestamp", "timestamp", "TIMESTAMP_EXPIRED", { timestampSeconds: startSeconds - 301 }],
  ["a wrong signature", "signature", "INVALID_SIGNATURE", { spoilSignature: otherSignature }],
  ["an unknown path", "path", "NOT_FOUND", { path: `${goodPath}/nothing` }],
  ["a method that the path does not have", "path", "METHOD_NOT_ALLOWED", { method: "PUT" }],
  ["a public key", "key", "INSUFFICIENT_PERMISSIONS", { key: publicKey }],
  ["an unknown parameter", "query", "VALIDATION_ERROR", { query: "?page=1" }],
  ["a body of another type", "type", "UNSUPPORTED_MEDIA_TYPE", { contentType: "text/plain" }],
  ["broken JSON", "body", "MALFORMED_JSON", { body: "{" }],
  ["an unknown field", "body", "VALIDATION_ERROR", { body: '{"pagesize":1}' }],
];

function otherSignature(good: string): string {
  return (good.startsWith("0") ? "1" : "0") + good.slice(1);
}

t.test("every fault alone has the documented body, and of every two the one that is asked for first", async (t) => {
  const app = await startApp(t);
  t.equal((await send(app, [])).status, 200, "without a fault the request is good");
  for (const [at, first] of faults.entries()) {
    const [name, , code] = first;
    const fields = { "an unknown parameter": ["page"], "an unknown field": ["pagesize"] }[name];
    expectError(t, await send(app, [first]), { code, fields }, name);
    for (const second of faults.slice(at + 1).filter((other) => areCompatible(first, other))) {
      t.match((await send(app, [second, first])).body, { code }, `${second[0]} and ${name}`);
    }
  }
});

/** A signature that is not checked cannot be found to be wrong. */
function areCompatible(...[[, part, code], [, otherPart, otherCode]]: [Fault, Fault]): boolean {
  const isUnsigned = [code, otherCode].includes("INSUFFICIENT_PERMISSIONS");
  const isAboutSignature = [part, otherPart].some((one) => one === "signature" || one === "timestamp");
  return part !== otherPart && !(isUnsigned && isAboutSignature);
}

function send(app: RunningApp, committed: readonly Fault[]): Promise<ReceivedAnswer> {
  const draft: Draft = Object.assign({}, good, ...committed.map(([, , , changes]) => changes));
  const { key, method, body, timestampSeconds } = draft;
  const path = draft.path + draft.query;
  const signed = signedHeaders({ method, path, body, key: key ?? secretKey, timestampSeconds });
  const headers = {
    "X-API-Key": key,
    "Content-Type": draft.contentType,
    "X-Signature": draft.spoilSignature(signed["X-Signature"]),
    "X-Signature-Timestamp": draft.spoilTimestamp(signed["X-Signature-Timestamp"]),
  };
  return app.send({ method, path, body, headers });
}

/** Sends a request signed with the secret key, with some headers replaced. */
function sendSigned(
  app: RunningApp,
  { method, path, body = "" }: SentRequest,
  replaced: SentHeaders = {},
  signedAs: Partial<SentRequest> & { timestampSeconds?: number } = {},
): Promise<ReceivedAnswer> {
  const signed = signedHeaders({ method, path, body, key: secretKey, timestampSeconds: startSeconds, ...signedAs });
  const type = body.length === 0 ? {} : { "Content-Type": "application/json" };
  return app.send({ method, path, body, headers: { ...signed, ...type, ...replaced } });
}

t.test("without a key every path under the prefix is 401, whatever it is", async (t) => {
  const app = await startApp(t);
  const paths = [
    "",
    "/",
    "/nothing",
    "/prices/search",
    "//crops",
    "/crops/",
    "/%2F",
    "/%ZZ",
    "/..",
    "?x=1",
    "/crops?x",
  ];
  for (const path of paths) {
    for (const method of ["GET", "POST", "DELETE", "PATCH"]) {
      const answer = await app.send({ method, path: `/api/v1${path}` });
      expectError(t, answer, { code: "MISSING_API_KEY" }, `${method} ${path}`);
    }
  }
  for (const path of ["/nothing", "/api/v10/crops", "/favicon.png"]) {
    expectError(t, await app.send({ method: "GET", path }), { code: "NOT_FOUND" }, path);
  }
  for (const method of ["GET", "HEAD"]) {
    const { status, headers, text } = await app.send({ method, path: "/?x=1" });
    t.strictSame([status, headers.location, headers["content-length"], text], [302, "/docs", "0", ""]);
    expectCommonHeaders(t, { headers });
  }
});

t.test("a key is found in X-API-Key alone, whole and once", async (t) => {
  const app = await startApp(t);
  const path = "/api/v1/crops";
  const inCookie = await app.send({ method: "GET", path, headers: { Cookie: `X-API-Key=${publicKey}` } });
  expectError(t, inCookie, { code: "MISSING_API_KEY" });
  const bad = [
    ...[`${publicKey}0`, `Bearer ${publicKey}`, `"${publicKey}"`, `${publicKey}, ${publicKey}`, "x", "é"],
    ...[publicKey.replace("svc_pub_", "svc_sec_"), secretKey.replace("svc_sec_", "svc_pub_")],
    ...[unknownPublicKey, revokedPublicKey, expiredPublicKey],
  ];
  for (const key of bad) {
    const answer = await app.get(path, { "X-API-Key": key });
    const { message } = expectError(t, answer, { code: "INVALID_API_KEY" }, key);
    t.notOk(message.includes(key) && key.length > 1, "the message does not repeat the key");
  }
  expectError(t, await app.get(path, { "X-API-Key": [publicKey, publicKey] }), { code: "INVALID_API_KEY" });
  const blank = await app.get(path, { "X-API-Key": `  ${publicKey}\t` });
  t.equal(blank.status, 200, "blanks around a header are no part of it");
  t.equal((await app.send({ method: "GET", path, headers: { "x-api-KEY": publicKey } })).status, 200);
});

t.test("a key is good until the instant of its expiry, and the message says that it has expired", async (t) => {
  const app = await startApp(t);
  const path = "/api/v1/crops";
  const withPublic = () => app.get(path, { "X-API-Key": expiredPublicKey });
  const withSecret = (time: number) => {
    const timestampSeconds = Math.floor(time / 1000);
    return app.send({
      method: "GET",
      path,
      headers: signedHeaders({ method: "GET", path, key: expiredSecretKey, timestampSeconds }),
    });
  };
  app.setTime(expiryMilliseconds - 1);
  t.equal((await withPublic()).status, 200);
  t.equal((await withSecret(expiryMilliseconds)).status, 200);
  app.setTime(expiryMilliseconds);
  for (const answer of [await withPublic(), await withSecret(expiryMilliseconds)]) {
    const { message } = expectError(t, answer, { code: "INVALID_API_KEY" });
    t.equal(message, "X-API-Key has expired; it was valid until 2026-11-20T00:00:00.000Z.");
  }
});

t.test("a key is used by every request that it lets in, and by no other", async (t) => {
  const ring = testKeys().current();
  const app = await startApp(t, undefined, { deps: { currentKeys: () => ring } });
  for (const key of [unknownPublicKey, revokedPublicKey, expiredPublicKey, undefined]) {
    t.equal((await app.get("/api/v1/crops", { "X-API-Key": key })).status, 401);
  }
  t.strictSame(ring.takeUsed(), []);
  await app.get("/api/v1/nothing");
  t.strictSame(ring.takeUsed(), ["key_public"]);
  await app.get("/api/v1/crops", { "X-API-Key": secretKey });
  t.strictSame(ring.takeUsed(), ["key_secret"], "a client whose signature is wrong uses its key as well");
});

t.test("a public key needs no signature, and one that comes along is not looked at", async (t) => {
  const app = await startApp(t);
  const headers = { "X-Signature": "nonsense", "X-Signature-Timestamp": "1" };
  t.equal((await app.get("/api/v1/crops", headers)).status, 200);
  for (const { method, path, access } of endpoints) {
    const target = apiPrefix + path.replace(":uuid", uuidOf("price", 1)).replace(":id", "1");
    const answer = method === "GET" ? await app.get(target) : await app.post(target, {});
    if (access === "public") t.not(answer.status, 401, `${method} ${path}`);
    else expectError(t, answer, { code: "INSUFFICIENT_PERMISSIONS" }, `${method} ${path}`);
  }
});

t.test("a secret key is good for every endpoint, signed", async (t) => {
  const app = await startApp(t);
  for (const { method, path: pattern } of endpoints) {
    const path = apiPrefix + pattern.replace(":uuid", uuidOf("price", 1)).replace(":id", "1");
    t.not((await sendSigned(app, { method, path })).status, 401, `${method} ${path}`);
    const unsigned = await app.send({ method, path, headers: { "X-API-Key": secretKey } });
    expectError(t, unsigned, { code: "INVALID_SIGNATURE" }, `${method} ${path}`);
  }
});

t.test("a signature is good for exactly 300 whole seconds in both directions", async (t) => {
  const app = await startApp(t);
  const request = { method: "GET", path: "/api/v1/crops" };
  const at = async (timestampSeconds: number) => sendSigned(app, request, {}, { timestampSeconds });
  for (const milliseconds of [0, 999]) {
    app.setTime(startSeconds * 1000 + milliseconds);
    for (const seconds of [-300, 300]) {
      t.equal((await at(startSeconds + seconds)).status, 200, `${seconds} s, clock at ${milliseconds} ms`);
    }
    for (const seconds of [-301, 301]) {
      const answer = await at(startSeconds + seconds);
      const { message } = expectError(t, answer, { code: "TIMESTAMP_EXPIRED" }, `${seconds} s`);
      const found = `301 seconds ${seconds < 0 ? "behind" : "ahead of"} the server's clock`;
      t.equal(message, `X-Signature-Timestamp is ${found}, expected at most 300.`);
    }
  }
});

t.test("what is no integer is no timestamp, and the timestamp is signed too", async (t) => {
  const app = await startApp(t);
  const request = { method: "GET", path: "/api/v1/crops" };
  for (const [timestamp, found] of [
    [`${startSeconds}.0`, "malformed"],
    ["now", "malformed"],
    ["", "absent"],
  ]) {
    const answer = await sendSigned(app, request, { "X-Signature-Timestamp": timestamp });
    const { message } = expectError(t, answer, { code: "INVALID_SIGNATURE" }, timestamp);
    t.equal(message, `X-Signature-Timestamp is ${found}, expected a Unix time in seconds.`);
  }
  const another = await sendSigned(app, request, { "X-Signature-Timestamp": String(startSeconds + 1) });
  expectError(t, another, { code: "INVALID_SIGNATURE" });
});

t.test("every integer outside the window is an expired timestamp, with what is wrong with it", async (t) => {
  const app = await startApp(t);
  const good = String(startSeconds);
  const outside: [timestamp: string, message: RegExp][] = [
    ["0", new RegExp(` is ${good} seconds behind the server's clock, expected at most 300`)],
    ["-0", / seconds behind /],
    ["007", / seconds behind /],
    [`-${good}`, / seconds behind /],
    [`${good}000`, / is in milliseconds, expected a Unix time in seconds/],
    [`${good}000000`, / is in microseconds,/],
    [`${good}000000000`, / is in nanoseconds,/],
    ["176722560012", / seconds ahead of /],
    ["9".repeat(26), / is more than 9007199254740991 seconds ahead of /],
    [`-${"9".repeat(26)}`, / is more than 9007199254740991 seconds behind /],
    ["9".repeat(4000), / is more than 9007199254740991 seconds ahead of /],
  ];
  for (const [timestamp, found] of outside) {
    const sent = { method: "GET", path: "/api/v1/crops" };
    const answer = await sendSigned(app, sent, { "X-Signature-Timestamp": timestamp });
    const { message } = expectError(t, answer, { code: "TIMESTAMP_EXPIRED" }, timestamp.slice(0, 30));
    t.match(message, found, timestamp.slice(0, 30));
  }
});

t.test("a signature that does not match is answered with what the server saw, without secrets", async (t) => {
  const app = await startApp(t);
  const body = '{"page":1,"note":"é"}';
  const path = `/api/v1/prices/search?x=%C3%A9&key=${secretKey}`;
  const sent = { method: "POST", path, body };
  const right = signedHeaders({ ...sent, key: secretKey, timestampSeconds: startSeconds })["X-Signature"];
  const answer = await sendSigned(app, sent, { "X-Signature": otherSignature(right) });
  const { message } = expectError(t, answer, { code: "INVALID_SIGNATURE" });
  const digest = createHash("sha256").update(body).digest("hex");
  t.equal(
    message,
    "X-Signature does not match METHOD|PATH|TIMESTAMP|BODY: the server saw " +
      "POST|/api/v1/prices/search?x=%C3%A9&key=svc_sec_…|" +
      `${startSeconds}| and a body of ${Buffer.byteLength(body)} bytes with the SHA-256 ${digest}.`,
  );
  for (const secret of [secretKey, secretKey.slice(8), right, right.slice(1)]) t.notOk(answer.text.includes(secret));
  const empty = await sendSigned(app, { method: "GET", path: "/api/v1/crops" }, { "X-Signature": "0".repeat(64) });
  t.match(
    expectError(t, empty, { code: "INVALID_SIGNATURE" }).message,
    / a body of 0 bytes with the SHA-256 e3b0c44298fc/,
  );
});

t.test("HEAD is signed as HEAD", async (t) => {
  const app = await startApp(t);
  const request = { method: "HEAD", path: "/api/v1/crops" };
  t.equal((await sendSigned(app, request)).status, 200);
  t.equal((await sendSigned(app, request, {}, { method: "GET" })).status, 401);
});

t.test("the path is signed raw, with its query string as it is sent", async (t) => {
  const app = await startApp(t);
  const queries = ["?search=Mai%7ae", "?search=Mai%7Ae", "?search=a+b", "?search=a%20b", "?page=1&search=x"];
  for (const query of [...queries, "?search=x&page=1", "?"]) {
    t.equal((await sendSigned(app, { method: "GET", path: `/api/v1/products${query}` })).status, 200, query);
  }
  const others: [string, string][] = [
    ["?search=Maize", "?search=Mai%7Ae"],
    ["?search=Mai%7Ae", "?search=Mai%7ae"],
    ["?search=a b", "?search=a%20b"],
    ["?search=a%20b", "?search=a+b"],
    ["?page=1&search=x", "?search=x&page=1"],
    ["", "?"],
    ["", "?page=1"],
  ];
  for (const [signed, sent] of others) {
    const request = { method: "GET", path: `/api/v1/products${sent}` };
    const answer = await sendSigned(app, request, {}, { path: `/api/v1/products${signed}` });
    expectError(t, answer, { code: "INVALID_SIGNATURE" }, `${signed} for ${sent}`);
  }
  const encoded = `/api/v1/products/%62${uuidOf("product", 1).slice(1)}`;
  t.equal((await sendSigned(app, { method: "GET", path: encoded })).status, 200, "the path itself too");
});

t.test("a target in absolute form is signed as its path", async (t) => {
  const app = await startApp(t);
  const path = "/api/v1/products?page=1";
  const signed = signedHeaders({ method: "GET", path, key: secretKey, timestampSeconds: startSeconds });
  const headers = Object.entries(signed).map(([name, value]) => `${name}: ${value}\r\n`);
  const { answers } = await rawExchange(
    app.port,
    `GET http://example.org${path} HTTP/1.1\r\nHost: x\r\n${headers.join("")}\r\n`,
  );
  t.equal(answers[0]?.status, 200);
});

t.test("the body is signed raw, byte by byte", async (t) => {
  const app = await startApp(t);
  const path = "/api/v1/products/search";
  const bodies = ['{ "query" : "caf\u00e9 \u2013 \u{1f33d}" }', '{"query":"caf\\u00e9"}', "{}\n", " \t{}", ""];
  for (const body of bodies) t.equal((await sendSigned(app, { method: "POST", path, body })).status, 200, body);
  for (const body of ["{}", "{}\r\n", "{ }"]) {
    const answer = await sendSigned(app, { method: "POST", path, body }, {}, { body: "{}\n" });
    expectError(t, answer, { code: "INVALID_SIGNATURE" }, JSON.stringify(body));
  }
  const notUtf8 = Buffer.from([0x7b, 0xff, 0xfe, 0x7d]);
  expectError(t, await sendSigned(app, { method: "POST", path, body: notUtf8 }), { code: "MALFORMED_JSON" });
  const replaced = await sendSigned(app, { method: "POST", path, body: notUtf8 }, {}, { body: "{\ufffd\ufffd}" });
  expectError(t, replaced, { code: "INVALID_SIGNATURE" }, "the bytes are signed, not a text made of them");
});

t.test("a body in chunks is signed as the bytes between them", async (t) => {
  const app = await startApp(t);
  const path = "/api/v1/products/search";
  const signed = signedHeaders({ method: "POST", path, body: "{}", key: secretKey, timestampSeconds: startSeconds });
  const headers = Object.entries(signed).map(([name, value]) => `${name}: ${value}\r\n`);
  const { answers } = await rawExchange(app.port, [
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: ` +
      `chunked\r\n${headers.join("")}\r\n`,
    "1\r\n{\r\n",
    "1\r\n}\r\n0\r\n\r\n",
  ]);
  t.equal(answers[0]?.status, 200);
});

t.test("the same signed request may come again inside the window", async (t) => {
  const app = await startApp(t);
  const request = { method: "GET", path: "/api/v1/crops" };
  for (let time = 0; time <= 300; time += 100) {
    app.setTime((startSeconds + time) * 1000);
    t.equal((await sendSigned(app, request)).status, 200, `${time} s later`);
  }
  app.setTime((startSeconds + 301) * 1000);
  expectError(t, await sendSigned(app, request), { code: "TIMESTAMP_EXPIRED" });
});
