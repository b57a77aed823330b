/** One line per request, and in none of them a key or a signature, wherever a client has put it by mistake. */
import t from "tap";
import { rawExchange } from "../../support/raw-exchange.ts";
import { publicKey, secretKey, signedHeaders, unknownSecretKey } from "../../support/signed-request.ts";
import { type SentHeaders, startApp, startSeconds } from "../../support/start-app.ts";

const path = "/api/v1/prices/search";

t.test("keys and signatures are nowhere in the log", async (t) => {
  const app = await startApp(t);
  const signed = signedHeaders({ method: "POST", path, body: "{}", key: secretKey, timestampSeconds: startSeconds });
  const signature = signed["X-Signature"];
  const encode = (text: string, characters = /./g) =>
    text.replace(characters, (character) => `%${character.charCodeAt(0).toString(16)}`);
  const encodeSome = (text: string) => encode(text, /[_A-Z]/g);
  const secrets = [secretKey, publicKey, unknownSecretKey, signature];

  const post = (target: string, body: string, headers: SentHeaders = {}) =>
    app.send({
      method: "POST",
      path: target,
      headers: { ...signed, "Content-Type": "application/json", ...headers },
      body,
    });
  t.equal((await post(path, "{}")).status, 200);
  for (const secret of secrets) {
    await app.get(`/api/v1/crops?api_key=${secret}`);
    await app.get(`/api/v1/crops?${secret}=1`);
    await app.get(`/api/v1/crops?key=${encode(secret)}`);
    await app.get(`/api/v1/crops?key=${encodeSome(secret)}&${secret}`);
    await app.get(`/api/v1/crops?key=${encode(encode(secret))}&${encodeSome(encodeSome(secret))}`);
    await app.get(`/api/v1/crops?key=${secret.toUpperCase()}&${encode(encode(secret.toUpperCase()))}`);
    await app.get(`/api/v1/${secret}`);
    await app.get(`/api/v1/products/${secret}/x`);
    await app.send({ method: "GET", path: `/${secret}?${secret}`, headers: { Authorization: `Bearer ${secret}` } });
    await app.send({ method: "OPTIONS", path: `/api/v1/crops?${secret}` });
    await app.get("/api/v1/crops", { "X-API-Key": secret });
    await app.get("/api/v1/crops", { "X-API-Key": `${secret.slice(0, -1)}%` });
    await app.get("/api/v1/crops", { "X-Request-Id": secret, "User-Agent": secret, Referer: secret, Cookie: secret });
    await app.post("/api/v1/products/search", { query: secret });
    await app.post("/api/v1/products/search", { [secret]: secret });
    await post(path, secret);
    await post(path, "{}", { "X-Signature": `${secret}0` });
    await rawExchange(app.port, `GET /api/v1/crops HTTP/1.1\r\nHost: x\r\nX-API-Key: ${secret}\0\r\n\r\n`);
    await rawExchange(app.port, `GET /${secret} HTTP/3.0\r\nHost: x\r\n\r\n`);
    await rawExchange(app.port, `GET ftp://${secret}/${secret} HTTP/1.1\r\nHost: x\r\n\r\n`);
  }
  await app.logLineOf(String((await app.get("/api/v1/crops", { "X-Request-Id": "last" })).headers["x-request-id"]));
  const text = app.logLines.join("");
  t.ok(app.logLines.length > 60);
  for (const secret of secrets) {
    // Any run of characters long enough to be of use.
    const middle = secret.slice(-24, -4);
    for (const part of [secret, middle, encode(middle), encodeSome(middle), encode(encode(middle))]) {
      t.notOk(text.toLowerCase().includes(part.toLowerCase()), `${part} is not in the log`);
    }
  }
});

t.test("a line says who asked what, when, and what came of it", async (t) => {
  const app = await startApp(t);
  await app.get("/api/v1/products?page=0", { "X-Request-Id": "bad" });
  t.match(await app.logLineOf("bad"), {
    level: 30,
    method: "GET",
    target: "/api/v1/products?page=0",
    status: 400,
    code: "VALIDATION_ERROR",
    key: "key_public",
    snapshot: "20261120T083000Z-0123456789ab",
    client: "127.0.0.1",
    duration_ms: Number,
    bytes: Number,
  });
  await app.get("/api/v1/markets?near=-0.33142,35.94268", { "X-Request-Id": "near" });
  t.match(await app.logLineOf("near"), { target: "/api/v1/markets?near=-0.3,35.9", status: 200 });
  await app.signedPost("/api/v1/prices/search", {}, { "X-Request-Id": "good" });
  const line = await app.logLineOf("good");
  t.match(line, { method: "POST", target: path, status: 200, key: "key_secret" });
  t.notOk("code" in line || "aborted" in line);
  await app.send({
    method: "GET",
    path: "/api/v1/crops",
    headers: { "X-API-Key": unknownSecretKey, "X-Request-Id": "unknown" },
  });
  t.notOk("key" in (await app.logLineOf("unknown")), "an unknown key has no id");
});

t.test("a line carries the ids of the client's trace, and nothing of a malformed header", async (t) => {
  const ids = { trace_id: "4bf92f3577b34da6a3ce929d0e0e4736", parent_id: "00f067aa0ba902b7", trace_flags: "01" };
  const app = await startApp(t);
  const traceparent = `00-${Object.values(ids).join("-")}`;
  await app.get("/api/v1/crops", { "X-Request-Id": "traced", traceparent });
  t.match(await app.logLineOf("traced"), { msg: "request", ...ids });
  for (const [at, bad] of ["nonsense", `${traceparent}-x`, [traceparent, traceparent], ""].entries()) {
    await app.get("/api/v1/crops", { "X-Request-Id": `bad${at}`, traceparent: bad });
    const line = await app.logLineOf(`bad${at}`);
    t.strictSame(
      Object.keys(line).filter((name) => name in ids),
      [],
    );
  }
});
