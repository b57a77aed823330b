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
  key: string | undefined;
  method: string;
  path: string;
  query: string;
  contentType: string;
  body: string;
  timestampSeconds: number;
  /** Changes the headers once they are signed. */
  spoil: { signature?: (good: string) => string | undefined; timestamp?: (good: string) => string | undefined };
}

/** Something wrong with a request. Two faults of one part cannot be in one request. */
interface Fault {
  readonly name: string;
  readonly part: "key" | "body" | "signature" | "timestamp" | "path" | "query" | "type";
  readonly code: ApiErrorCode;
  readonly commit: (draft: Draft) => void;
}

/** In the order in which they must be found. */
const faults: readonly Fault[] = [
  fault("no key", "key", "MISSING_API_KEY", (draft) => {
    draft.key = undefined;
  }),
  fault("an empty key", "key", "INVALID_API_KEY", (draft) => {
    draft.key = "";
  }),
  fault("a mistyped key", "key", "INVALID_API_KEY", (draft) => {
    draft.key = secretKey.replace("Tests", "tests");
  }),
  fault("an unknown key", "key", "INVALID_API_KEY", (draft) => {
    draft.key = unknownSecretKey;
  }),
  fault("a revoked key", "key", "INVALID_API_KEY", (draft) => {
    draft.key = revokedSecretKey;
  }),
  fault("an expired key", "key", "INVALID_API_KEY", (draft) => {
    draft.key = expiredSecretKey;
  }),
  fault("too large a body", "body", "PAYLOAD_TOO_LARGE", (draft) => {
    draft.body = " ".repeat(bodyBytesMax + 1);
  }),
  fault("no signature", "signature", "INVALID_SIGNATURE", (draft) => {
    draft.spoil.signature = () => undefined;
  }),
  fault("a malformed signature", "signature", "INVALID_SIGNATURE", (draft) => {
    draft.spoil.signature = (good) => good.slice(1);
  }),
  fault("no timestamp", "timestamp", "INVALID_SIGNATURE", (draft) => {
    draft.spoil.timestamp = () => undefined;
  }),
  fault("a malformed timestamp", "timestamp", "INVALID_SIGNATURE", (draft) => {
    draft.spoil.timestamp = (good) => `${good}.0`;
  }),
  fault("an expired timestamp", "timestamp", "TIMESTAMP_EXPIRED", (draft) => {
    draft.timestampSeconds = startSeconds - 301;
  }),
  fault("a wrong signature", "signature", "INVALID_SIGNATURE", (draft) => {
    draft.spoil.signature = (good) => (good.startsWith("0") ? "1" : "0") + good.slice(1);
  }),
  fault("an unknown path", "path", "NOT_FOUND", (draft) => {
    draft.path += "/nothing";
  }),
  fault("a method that the path does not have", "path", "METHOD_NOT_ALLOWED", (draft) => {
    draft.method = "PUT";
  }),
  fault("a public key", "key", "INSUFFICIENT_PERMISSIONS", (draft) => {
    draft.key = publicKey;
  }),
  fault("an unknown parameter", "query", "VALIDATION_ERROR", (draft) => {
    draft.query = "?page=1";
  }),
  fault("a body of another type", "type", "UNSUPPORTED_MEDIA_TYPE", (draft) => {
    draft.contentType = "text/plain";
  }),
  fault("broken JSON", "body", "MALFORMED_JSON", (draft) => {
    draft.body = "{";
  }),
  fault("an unknown field", "body", "VALIDATION_ERROR", (draft) => {
    draft.body = '{"pagesize":1}';
  }),
];

function fault(name: string, part: Fault["part"], code: ApiErrorCode, commit: Fault["commit"]): Fault {
  return { name, part, code, commit };
}

t.test("every fault alone, and of every two the one that is asked for first", async (t) => {
  const app = await startApp(t);
  t.equal((await send(app, [])).status, 200, "without a fault the request is good");
  for (const [at, first] of faults.entries()) {
    for (const second of [undefined, ...faults.slice(at + 1)]) {
      if (second !== undefined && !areCompatible(first, second)) continue;
      const together = second === undefined ? [first] : [second, first];
      const answer = await send(app, together);
      const { code } = JSON.parse(answer.text) as { code: string };
      t.equal(code, first.code, together.map(({ name }) => name).join(" and "));
    }
  }
});

t.test("every authentication code has the documented body", async (t) => {
  const app = await startApp(t);
  for (const one of faults) {
    const { code } = one;
    const answer = await send(app, [one]);
    const fields = { "an unknown parameter": ["page"], "an unknown field": ["pagesize"] }[one.name];
    expectError(t, answer, { code, fields }, one.name);
  }
});

/** A signature that is not checked cannot be found to be wrong. */
function areCompatible(first: Fault, second: Fault): boolean {
  const isUnsigned = [first, second].some(({ code }) => code === "INSUFFICIENT_PERMISSIONS");
  const isAboutSignature = [first, second].some(({ part }) => part === "signature" || part === "timestamp");
  return first.part !== second.part && !(isUnsigned && isAboutSignature);
}

function send(app: RunningApp, committed: readonly Fault[]): Promise<ReceivedAnswer> {
  const draft: Draft = {
    key: secretKey,
    method: "POST",
    path: "/api/v1/prices/search",
    query: "",
    contentType: "application/json",
    body: "{}",
    timestampSeconds: startSeconds,
    spoil: {},
  };
  for (const { commit } of committed) commit(draft);
  const { key, method, body, timestampSeconds, spoil } = draft;
  const path = draft.path + draft.query;
  const signed = signedHeaders({ method, path, body, key: key ?? secretKey, timestampSeconds });
  const signature = signed["X-Signature"];
  const timestamp = signed["X-Signature-Timestamp"];
  return app.send({
    method,
    path,
    body,
    headers: {
      "X-API-Key": key,
      "Content-Type": draft.contentType,
      "X-Signature": spoil.signature === undefined ? signature : spoil.signature(signature),
      "X-Signature-Timestamp": spoil.timestamp === undefined ? timestamp : spoil.timestamp(timestamp),
    },
  });
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
  for (const [path, near] of [
    ["/nothing", undefined],
    ["/api", "/api/v1"],
    ["/api/", "/api/v1"],
    ["/api/v10/crops", "/api/v1/crops"],
    ["/api/v2/crops", "/api/v1/crops"],
    ["/API/v1/crops", "/api/v1/crops"],
    ["//api/v1/crops", "/api/v1/crops"],
    ["/favicon.png", undefined],
  ] as const) {
    const { message } = expectError(t, await app.send({ method: "GET", path }), { code: "NOT_FOUND" }, path);
    const named = `Nothing is at ${path}, the nearest path is ${near}.`;
    t.match(message, near === undefined ? / \/api\/v1, and \/docs / : named);
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
  const missing = [
    await app.send({ method: "GET", path: `${path}?api_key=${publicKey}` }),
    await app.send({ method: "GET", path, headers: { Authorization: `Bearer ${publicKey}` } }),
    await app.send({ method: "GET", path, headers: { Cookie: `X-API-Key=${publicKey}` } }),
  ];
  for (const answer of missing) expectError(t, answer, { code: "MISSING_API_KEY" });
  const bad = [
    publicKey.slice(0, -1),
    `${publicKey}0`,
    `Bearer ${publicKey}`,
    `"${publicKey}"`,
    publicKey.toLowerCase(),
    publicKey.replace("svc_pub_", "svc_sec_"),
    secretKey.replace("svc_sec_", "svc_pub_"),
    `${publicKey}, ${publicKey}`,
    "svc_pub_",
    "x",
    "é",
    unknownPublicKey,
    revokedPublicKey,
    expiredPublicKey,
  ];
  for (const key of bad) {
    const answer = await app.get(path, { "X-API-Key": key });
    const { message } = expectError(t, answer, { code: "INVALID_API_KEY" }, key);
    t.notOk(message.includes(key) && key.length > 1, "the message does not repeat the key");
  }
  expectError(t, await app.get(path, { "X-API-Key": [publicKey, publicKey] }), { code: "INVALID_API_KEY" });
  t.equal(
    (await app.get(path, { "X-API-Key": `  ${publicKey}\t` })).status,
    200,
    "blanks around a header are no part of it",
  );
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
  for (const milliseconds of [0, 1, 500, 999]) {
    app.setTime(startSeconds * 1000 + milliseconds);
    for (const seconds of [-300, -299, 0, 299, 300]) {
      t.equal((await at(startSeconds + seconds)).status, 200, `${seconds} s, clock at ${milliseconds} ms`);
    }
    for (const seconds of [-301, 301, -100_000, 100_000]) {
      const answer = await at(startSeconds + seconds);
      const { message } = expectError(t, answer, { code: "TIMESTAMP_EXPIRED" }, `${seconds} s`);
      const found = `${Math.abs(seconds)} seconds ${seconds < 0 ? "behind" : "ahead of"} the server's clock`;
      t.equal(message, `X-Signature-Timestamp is ${found}, expected at most 300.`);
    }
  }
});

t.test("what is no integer is no timestamp", async (t) => {
  const app = await startApp(t);
  const request = { method: "GET", path: "/api/v1/crops" };
  const good = String(startSeconds);
  const bad = [`+${good}`, `${good}.0`, `${good}.5`, `${good}-`, "-", "1.8e9", "now", "0x6b00", "NaN", ""];
  for (const timestamp of bad) {
    const answer = await sendSigned(app, request, { "X-Signature-Timestamp": timestamp });
    const { message } = expectError(t, answer, { code: "INVALID_SIGNATURE" }, timestamp);
    const found = timestamp === "" ? "absent" : "malformed";
    t.equal(message, `X-Signature-Timestamp is ${found}, expected a Unix time in seconds.`);
  }
  const another = await sendSigned(app, request, { "X-Signature-Timestamp": String(startSeconds + 1) });
  expectError(t, another, { code: "INVALID_SIGNATURE" }, "the timestamp is signed too");
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
    const answer = await sendSigned(
      app,
      { method: "GET", path: "/api/v1/crops" },
      { "X-Signature-Timestamp": timestamp },
    );
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
  const answer = await sendSigned(app, sent, {
    "X-Signature": right.replace(/^./, (digit) => (digit === "0" ? "1" : "0")),
  });
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

t.test("a signature is 64 lower-case hexadecimal digits", async (t) => {
  const app = await startApp(t);
  const request = { method: "GET", path: "/api/v1/crops" };
  const good = signedHeaders({ ...request, key: secretKey, timestampSeconds: startSeconds })["X-Signature"];
  t.match(good, /[a-f]/, "the signature has letters");
  const bad = [
    good.toUpperCase(),
    `${good}0`,
    good.slice(2),
    `sha256=${good}`,
    `"${good}"`,
    good.replace(/./, "g"),
    "0".repeat(64),
  ];
  for (const signature of bad) {
    const answer = await sendSigned(app, request, { "X-Signature": signature });
    expectError(t, answer, { code: "INVALID_SIGNATURE" }, signature);
  }
  const other = signedHeaders({ ...request, key: unknownSecretKey, timestampSeconds: startSeconds })["X-Signature"];
  expectError(
    t,
    await sendSigned(app, request, { "X-Signature": other }),
    { code: "INVALID_SIGNATURE" },
    "another key's",
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
  const good = [
    "?search=Mai%7ae",
    "?search=Mai%7Ae",
    "?search=a+b",
    "?search=a%20b",
    "?page=1&search=x",
    "?search=x&page=1",
    "?",
  ];
  for (const query of good) {
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
