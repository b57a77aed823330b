/** Answers of more than one chunk: whole for clients that read, and no burden when clients do not. */

import { once } from "node:events";
import { get } from "node:http";
import type { Socket } from "node:net";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import t, { type Test } from "tap";
import {
  answerChunkBytes,
  inactivityMilliseconds,
  refusalMilliseconds,
  tokenBytes,
} from "../../../src/contract/limits.ts";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { latestPrices } from "../../../src/engine/query/latest-prices.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { finish } from "../../../src/engine/store/steps.ts";
import type { RingEntry } from "../../../src/service/auth/key-ring.ts";
import { createRateLimitMemory, RateLimits } from "../../../src/service/http/admission/rate-limits.ts";
import type { AppDependencies } from "../../../src/service/http/app-dependencies.ts";
import { Client } from "../../../src/service/http/request/client-address.ts";
import { askWithoutReading, longTarget } from "../../support/long-answer.ts";
import { rawExchange } from "../../support/raw-exchange.ts";
import { publicKey, testKeys } from "../../support/signed-request.ts";
import { type RunningApp, startApp } from "../../support/start-app.ts";
import { holdsWithin } from "../../support/start-process.ts";
import { placesOf, testAdmission } from "../../support/test-admission.ts";
import { testLimits } from "../../support/test-limits.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

/** One price of each of some products at each of 100 markets: 1.4 MB of newest prices for 80 products. */
function wideDataset(productCount = 80): Dataset {
  const products = Array.from({ length: productCount }, (_, at) => ({
    name: `Product ${String(at).padStart(3, "0")}`,
  }));
  const markets = Array.from({ length: 100 }, (_, at) => ({ name: `Soko “${at}” ü` }));
  const prices = products.flatMap((_, product) => markets.map((_, market) => ({ product, market, price: 1 + market })));
  return tinyDataset({ products, markets, prices });
}

/** Answers of 27 MB. */
const widestStore = buildStore(wideDataset(1500));

t.test("a long answer is whole, in chunks without a length, and its line counts its bytes", async (t) => {
  const dataset = wideDataset();
  const app = await startApp(t, dataset);
  const { status, headers, text, body } = await app.get(longTarget, { "X-Request-Id": "long" });
  t.equal(status, 200);
  t.equal(headers["transfer-encoding"], "chunked");
  t.notOk("content-length" in headers);
  t.ok(text.length > 10 * answerChunkBytes);
  const { data } = body as { data: { product: { name: string }; prices: { market: { name: string } }[] }[] };
  t.equal(JSON.stringify(body), text, "as JSON.stringify writes it");
  const groups = finish(latestPrices(buildStore(dataset), { limit: 1000, onePerMarket: true }));
  t.strictSame(
    data.map(({ prices }) => prices.length),
    groups.map(({ rows }) => rows.length),
  );
  t.match(await app.logLineOf("long"), { status: 200, bytes: Buffer.byteLength(text) });
  const again = await app.get(longTarget, { "If-None-Match": String(headers.etag) });
  t.equal(again.status, 304);
});

t.test("HEAD of a long answer has its headers and makes no body", async (t) => {
  const app = await startApp(t, wideDataset());
  const { status, headers, text } = await app.send({
    method: "HEAD",
    path: longTarget,
    headers: { "X-API-Key": publicKey },
  });
  t.strictSame([status, text, "content-length" in headers], [200, "", false]);
  t.equal(headers.etag, (await app.get(longTarget)).headers.etag);
});

t.test("an answer of HTTP/1.0 ends with its connection", async (t) => {
  const app = await startApp(t, wideDataset(10));
  const { end } = await rawExchange(app.port, `GET ${longTarget} HTTP/1.0\r\nX-API-Key: ${publicKey}\r\n\r\n`);
  t.equal(end, "closed");
});

t.test("a text that is there whole has its length, also when it is long", async (t) => {
  const products = Array.from({ length: 100 }, (_, number) => ({ category: `${number} ${"ü".repeat(1000)}` }));
  const app = await startApp(t, tinyDataset({ products }));
  const path = "/api/v1/products/categories";
  const { headers, text } = await app.get(path);
  t.ok(text.length > answerChunkBytes);
  t.equal(Number(headers["content-length"]), Buffer.byteLength(text));
  const head = await app.send({ method: "HEAD", path, headers: { "X-API-Key": publicKey } });
  t.equal(head.headers["content-length"], headers["content-length"]);
});

t.test("other requests are answered while a long answer is made", async (t) => {
  const app = await startApp(t, wideDataset(300));
  const long = app.get(longTarget, { "X-Request-Id": "long" });
  await app.get("/api/v1/counties", { "X-Request-Id": "short" });
  await long;
  const order = app.logLines.map((line) => (JSON.parse(line) as { request_id: string }).request_id);
  t.strictSame(order, ["short", "long"]);
});

t.test(
  "one slice of all long answers is made in a turn of the event loop, also where the system takes all at once",
  async (t) => {
    const admission = testAdmission();
    const app = await startApp(t, undefined, { deps: { admission, currentStore: () => widestStore } });
    const sockets: Socket[] = [];
    app.server.on("connection", (socket) => sockets.push(socket));
    const clients = await Promise.all([1, 2, 3, 4].map(() => askWithoutReading(app.port)));
    let written = 0;
    let mostInTurn = 0;
    // The system takes megabytes before it waits for a client.
    while (written < 20 * answerChunkBytes) {
      await new Promise((resolve) => setImmediate(resolve));
      const total = sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0);
      mostInTurn = Math.max(mostInTurn, total - written);
      written = total;
    }
    // The first chunk of each may come with one of another.
    t.ok(mostInTurn <= 6 * answerChunkBytes, `${mostInTurn} bytes`);
    for (const client of clients) client.destroy();
  },
);

t.test("a client that makes as many answers as it may is refused further ones, another is not", async (t) => {
  const admission = testAdmission({ requests: { total: 8, forSecretKeys: 0 } });
  const app = await startApp(t, undefined, { deps: { admission, currentStore: () => widestStore } });
  const key = testKeys().current().find(publicKey);
  const busy = admission.placeFor(key, new Client("127.0.0.1"));
  busy.enter();
  const refused = await app.get("/api/v1/counties");
  t.strictSame([refused.status, refused.headers["retry-after"]], [429, "5"]);
  t.equal((await app.get("/api/v1/counties?x=1")).status, 429, "before anything else is looked at");
  t.equal((await app.signedGet("/api/v1/counties")).status, 200);
  busy.leave();
  t.equal((await app.get("/api/v1/counties")).status, 200);
});

t.test(
  "work that is probably long takes its place with its first turn, and is refused where there is none",
  async (t) => {
    const admission = testAdmission({ answers: { total: 0, forSecretKeys: 0 } });
    const app = await startApp(t, undefined, { deps: { admission, currentStore: () => widestStore } });
    const refused = await app.get(longTarget);
    t.strictSame([refused.status, refused.headers["retry-after"]], [503, "5"]);
    await app.logLineOf(refused.headers["x-request-id"] as string);
    t.strictSame(placesOf(admission, "answers"), { held: 0, refused: 1 });
    t.strictSame(placesOf(admission, "requests"), { held: 0, refused: 0 });
    t.equal((await app.get("/api/v1/counties")).status, 200);
  },
);

t.test("a refusal for want of a place waits, holds none meanwhile, and keeps nobody waiting", async (t) => {
  for (const kind of ["requests", "answers"] as const) {
    const admission = testAdmission({ [kind]: { total: 0, forSecretKeys: 0 } });
    const app = await startApp(t, undefined, { deps: { admission, currentStore: () => widestStore } });
    const ended: string[] = [];
    const asked = performance.now();
    const refused = app.get(longTarget, { "X-Request-Id": "waits" }).then((answer) => {
      ended.push("refused");
      return answer;
    });
    t.ok(await holdsWithin(5000, () => placesOf(admission, kind).refused === 1));
    t.strictSame(placesOf(admission, "requests").held + placesOf(admission, "answers").held, 0, kind);
    t.equal((await app.get("/api/v1/counties", { "X-API-Key": "wrong" })).status, 401, "before any want of places");
    ended.push("unknown");
    const { status, headers, body } = await refused;
    t.ok(performance.now() - asked >= refusalMilliseconds - 1);
    t.strictSame(ended, ["unknown", "refused"]);
    t.match(headers, { "retry-after": "5", "x-request-id": "waits", "access-control-allow-origin": "*" });
    t.match({ status, body }, { status: 503, body: { code: "SERVICE_UNAVAILABLE", request_id: "waits" } });
    t.match(await app.logLineOf("waits"), { status: 503, code: "SERVICE_UNAVAILABLE" });
  }
});

t.test("a client that goes while its refusal waits gets none, and harms nothing", async (t) => {
  const admission = testAdmission({ requests: { total: 0, forSecretKeys: 0 } });
  const app = await startApp(t, undefined, { deps: { admission } });
  const socket = connect(app.port, "127.0.0.1");
  socket.write(`GET /api/v1/counties HTTP/1.1\r\nHost: a\r\nX-Request-Id: gone\r\nX-API-Key: ${publicKey}\r\n\r\n`);
  t.ok(await holdsWithin(5000, () => placesOf(admission, "requests").refused === 1));
  socket.resetAndDestroy();
  const line = await app.logLineOf("gone");
  t.match(line, { aborted: true });
  t.notOk("status" in line && line["status"] !== undefined, "nothing was answered");
  // Asked later, so this waits beyond the end of the other.
  t.equal((await app.get("/api/v1/counties")).status, 503);
});

t.test("a client that goes before its answer leaves nothing behind", async (t) => {
  const admission = testAdmission();
  const app = await startApp(t, wideDataset(), { deps: { admission } });
  for (let number = 0; number < 20; number++) {
    const received = once(app.server, "request");
    const outgoing = get({ port: app.port, path: longTarget, headers: { "X-API-Key": publicKey }, agent: false });
    outgoing.on("error", () => undefined);
    await once(outgoing, "socket");
    // Every other one goes after its request has come, however busy the machine is.
    if (number % 2 === 1) await received;
    await delay(number / 4);
    outgoing.destroy();
  }
  t.ok(await holdsWithin(3000, () => app.logLines.length > 0));
  await app.get("/api/v1/counties");
  const held = (): number => placesOf(admission, "requests").held + placesOf(admission, "answers").held;
  t.ok(await holdsWithin(3000, () => held() === 0), "nothing is held");
});

t.test("a client that ends its sending side gets the whole answer", async (t) => {
  const app = await startApp(t, wideDataset());
  const { text } = await app.get(longTarget);
  const request = `GET ${longTarget} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${publicKey}\r\n\r\n`;
  const socket = connect({ port: app.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.end(request);
  let received = "";
  socket.setEncoding("utf8").on("data", (chunk: string) => {
    received += chunk;
  });
  await once(socket, "end");
  socket.destroy();
  const chunks = received.slice(received.indexOf("\r\n\r\n") + 4).split(/(?:^|\r\n)[0-9a-f]+\r\n/);
  t.equal(chunks.join("").trimEnd(), text);
});

/** Tokens that the bucket of the public key still has after one more request. */
async function tokensLeft(app: RunningApp): Promise<number> {
  const { headers } = await app.get("/api/v1/counties");
  return Number(/r=(\d+)/.exec(String(headers["ratelimit"]))?.[1]);
}

t.test("a long answer pays a token for each started 256 KiB, whatever its coding, also when it was kept", async (t) => {
  const { rateLimits } = testLimits(1000);
  const app = await startApp(t, wideDataset(), { deps: { rateLimits, answerCacheBytes: 2 ** 24 } });
  const { text } = await app.get(longTarget, { "Accept-Encoding": "identity" });
  const price = Math.ceil(Buffer.byteLength(text) / tokenBytes);
  t.ok(price > 4);
  let left = await tokensLeft(app);
  t.equal(left, 1000 - price - 1);
  for (const coding of ["zstd", "zstd", "gzip"]) {
    const answer = await app.get(longTarget, { "Accept-Encoding": coding });
    t.equal(answer.text, text);
    // The second one comes from the cache, in one chunk.
    if (coding === "zstd") t.ok(answer.bytes.length < answerChunkBytes);
    const before = left;
    left = await tokensLeft(app);
    t.equal(before - left, price + 1, coding);
  }
  await app.send({ method: "HEAD", path: longTarget, headers: { "X-API-Key": publicKey } });
  t.equal(await tokensLeft(app), left - 2, "HEAD has no body to pay for");
});

/** An app whose public key has used all but one of its requests a minute. */
async function startSpent(
  t: Test,
  ratePerMinute: number,
  overrides: Partial<AppDependencies> = {},
): Promise<{ app: RunningApp; spentAt: number }> {
  const rateLimits = new RateLimits(createRateLimitMemory(), ratePerMinute);
  const app = await startApp(t, undefined, { deps: { rateLimits, currentStore: () => widestStore, ...overrides } });
  const entry = testKeys().current().find(publicKey) as RingEntry;
  const spentAt = performance.now();
  for (let used = 0; used < ratePerMinute - 1; used++) rateLimits.admit(entry, new Client("127.0.0.1"));
  return { app, spentAt };
}

t.test("a long answer runs into debt, then waits for its tokens, without a timeout, and is whole", async (t) => {
  const { app, spentAt } = await startSpent(t, 300);
  const timeouts = new Set<number | undefined>();
  let watch: NodeJS.Timeout | undefined;
  app.server.once("connection", (socket: Socket) => {
    watch = setInterval(() => timeouts.add(socket.timeout), 5);
  });
  // 52 of the 100 markets of each product, 15 MB: it waits longer than a busy machine takes to make it.
  const answer = await app.get("/api/v1/prices/latest?one_per_market=true&limit=52");
  const milliseconds = performance.now() - spentAt;
  clearInterval(watch);
  t.ok(timeouts.has(0), "none while it waits for tokens");
  t.ok(timeouts.has(inactivityMilliseconds), "that of every connection before");
  t.equal(JSON.stringify(answer.body), answer.text);
  const price = Math.ceil(Buffer.byteLength(answer.text) / tokenBytes);
  // All but these came from the bucket and its debt; a token takes 200 ms.
  const waited = price - 1 - 50;
  t.ok(waited >= 2, `${waited} tokens`);
  t.ok(milliseconds >= (waited - 1) * 200, `${milliseconds} ms for ${waited} tokens`);
  t.equal((await app.get("/api/v1/counties")).status, 429, "the debt comes first");
});

t.test("a client that goes while its answer waits for tokens leaves nothing behind", async (t) => {
  const admission = testAdmission();
  const { app } = await startSpent(t, 60, { admission });
  const socket = await askWithoutReading(app.port);
  let bytes = 0;
  const goneAfter = new Promise<void>((resolve) => {
    let timer: NodeJS.Timeout | undefined;
    socket.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      clearTimeout(timer);
      // The debt ends with ten tokens; the next one takes a second.
      if (bytes > 10 * tokenBytes) timer = setTimeout(resolve, 100);
    });
  });
  socket.resume();
  await goneAfter;
  t.equal(placesOf(admission, "answers").held, 1);
  // A connection that is only ended may still be read, which the next chunk will show.
  socket.resetAndDestroy();
  t.ok(await holdsWithin(500, () => placesOf(admission, "answers").held === 0));
});
