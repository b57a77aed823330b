/** Answers from the answer cache are those that would have been made, byte for byte, and for the same requests only. */
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { text as textOf } from "node:stream/consumers";
import fc from "fast-check";
import t from "tap";
import type { Uuid } from "../../../src/engine/model/ids.ts";
import { groupings, marketTypes } from "../../../src/engine/model/vocabulary.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { askQuestion, type EndpointQuestion, listsDataset } from "../../support/every-endpoint.ts";
import { expectError } from "../../support/expect-answer.ts";
import { askWithoutReading, longTarget } from "../../support/long-answer.ts";
import { publicKey, secretKey, signedHeaders } from "../../support/signed-request.ts";
import { essenceOf, type ReceivedAnswer, type RunningApp, startApp, startSeconds } from "../../support/start-app.ts";
import { startCached } from "../../support/start-cached.ts";
import { holdsWithin } from "../../support/start-process.ts";
import { placesOf, testAdmission } from "../../support/test-admission.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";
import "../../support/fixed-seed.ts";
import { questionRuns } from "../../engine/query/question-runs.ts";

t.test("HEAD and If-None-Match are answered from a cached answer as from one that is made", async (t) => {
  const { app, searches } = await startCached(t, listsDataset());
  for (const path of ["/api/v1/markets?page_size=100", longTarget]) {
    const headers = { "X-API-Key": publicKey, "Accept-Encoding": "gzip" };
    const answer = await app.get(path, headers);
    const head = await app.send({ method: "HEAD", path, headers });
    const found = await app.get(path, headers);
    t.strictSame([head.status, head.text], [200, ""]);
    for (const name of ["etag", "content-encoding", "content-length", "vary", "content-type"]) {
      t.equal(head.headers[name], found.headers[name], name);
    }
    const again = await app.get(path, { ...headers, "If-None-Match": String(answer.headers.etag) });
    t.strictSame([again.status, again.text, again.headers.etag], [304, "", answer.headers.etag]);
  }
  t.strictSame(searches, [false, true, true, false, true, true], "304 needs no search");
});

t.test("a client that may not ask is refused, whatever is cached", async (t) => {
  const { app, searches } = await startCached(t, listsDataset());
  const path = "/api/v1/prices/search";
  const body = JSON.stringify({});
  t.equal((await app.signedPost(path, {})).status, 200);
  t.equal((await app.signedPost(path, {})).status, 200);
  const signed = signedHeaders({ method: "POST", path, body, key: secretKey, timestampSeconds: startSeconds });
  const post = (headers: object): Promise<ReceivedAnswer> =>
    app.send({ method: "POST", path, headers: { "Content-Type": "application/json", ...headers }, body });
  expectError(t, await app.post(path, {}), { code: "INSUFFICIENT_PERMISSIONS" });
  expectError(t, await post({}), { code: "MISSING_API_KEY" });
  expectError(t, await post({ "X-API-Key": "wrong" }), { code: "INVALID_API_KEY" });
  expectError(t, await post({ ...signed, "X-Signature": "0".repeat(64) }), { code: "INVALID_SIGNATURE" });
  app.setTime((startSeconds + 301) * 1000);
  expectError(t, await post(signed), { code: "TIMESTAMP_EXPIRED" });
  app.setTime(startSeconds * 1000);
  expectError(t, await app.signedPost(path, { pages: 1 }), { code: "VALIDATION_ERROR", fields: ["pages"] });
  t.strictSame(searches, [false, true], "none of these was looked for");
  t.equal((await post(signed)).status, 200);
});

t.test("errors are not cached", async (t) => {
  const { app, searches } = await startCached(t, listsDataset());
  const days = { start_date: "2026-01-01", end_date: "2026-01-31" };
  for (let times = 0; times < 2; times++) {
    const unknown = { product_uuid: uuidOf("product", 999), ...days };
    expectError(t, await app.signedPost("/api/v1/prices/statistics", unknown), { code: "NOT_FOUND" });
    const foreign = { product_uuid: uuidOf("product", 1), ...days, unit: "litre" };
    const refused = await app.signedPost("/api/v1/prices/statistics", foreign);
    expectError(t, refused, { code: "VALIDATION_ERROR", fields: ["unit"] });
    expectError(t, await app.get("/api/v1/counties/2"), { code: "NOT_FOUND" });
  }
  t.notOk(searches.includes(true));
  t.equal(searches.length, 6);
});

t.test("another snapshot has other answers, also while an answer of the one before is on its way", async (t) => {
  let store = buildStore(listsDataset());
  const { app, searches } = await startCached(t, undefined, { currentStore: () => store });
  const ask = (path: string): Promise<string> => app.get(path).then(({ text }) => text);
  const short = "/api/v1/prices/latest?limit=1";
  const before = [await ask(short), await ask(short), await ask(longTarget)];
  const startedBefore = await beginPost(app, { limit: 2 });
  store = buildStore(listsDataset(1000));
  const after = [await ask(short), await ask(short), await ask(longTarget)];
  t.strictSame(searches, [false, true, false, false, true, false]);
  t.equal(before[0], before[1]);
  t.equal(after[0], after[1]);
  t.not(before[0], after[0]);
  t.not(before[2], after[2]);
  const old = JSON.parse(await startedBefore()) as unknown;
  const fresh = (await app.post("/api/v1/prices/latest", { limit: 2 })).body;
  t.notSame(old, fresh, "what a request that began before has made is not cached");
  t.strictSame(searches.slice(6), [false, false]);
});

/**
 * Sends a POST for latest prices without the end of its body.
 *
 * @returns Sends the end and waits for the answer's text.
 */
async function beginPost({ port, server }: RunningApp, body: object): Promise<() => Promise<string>> {
  const bytes = JSON.stringify(body);
  const begun = new Promise((resolve) => server.once("request", resolve));
  const headers = { "X-API-Key": publicKey, "Content-Type": "application/json", "Content-Length": bytes.length };
  const to = { port, host: "127.0.0.1", path: "/api/v1/prices/latest" };
  const outgoing = request({ ...to, agent: false, method: "POST", headers });
  outgoing.write(bytes.slice(0, -1));
  await begun;
  return async () => {
    const [incoming] = (await once(outgoing.end(bytes.slice(-1)), "response")) as [IncomingMessage];
    return textOf(incoming);
  };
}

t.test("a long answer that is found is sent with back-pressure, in the place of its request", async (t) => {
  const products = Array.from({ length: 32 }, (_, at) => ({ category: `${at} ${"ü".repeat(16_000)}` }));
  const admission = testAdmission();
  const { app, searches } = await startCached(t, tinyDataset({ products }), { admission });
  const path = "/api/v1/products/categories";
  const { text } = await app.get(path);
  t.ok(text.length > 500_000);
  const isHeld = (): boolean => placesOf(admission, "requests").held > 0;
  // The system takes some megabytes for a connection that is not read.
  const socket = await askWithoutReading(app.port, path);
  for (let more = 0; more < 9; more++) {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${publicKey}\r\n\r\n`);
  }
  t.ok(await holdsWithin(5000, () => searches.length > 1 && isHeld()));
  const other = await app.get(path);
  t.ok(other.text === text);
  t.equal(other.headers["content-length"], String(other.bytes.length));
  socket.destroy();
  t.ok(await holdsWithin(5000, () => !isHeld()));
  t.strictSame(new Set(searches.slice(1)), new Set([true]));
});

t.test("an answer whose client has gone is not cached in part", async (t) => {
  const { app, searches } = await startCached(t, listsDataset());
  const { text } = await app.get(longTarget);
  t.strictSame(searches, [false]);
  const other = await startCached(t, listsDataset());
  for (let times = 0; times < 5; times++) {
    const socket = await askWithoutReading(other.app.port);
    await new Promise((resolve) => setImmediate(resolve));
    socket.resetAndDestroy();
  }
  t.ok(await holdsWithin(5000, () => other.app.logLines.length === other.searches.length));
  for (let times = 0; times < 2; times++) t.ok((await other.app.get(longTarget)).text === text);
});

t.test("without memory for it nothing is found in the cache", async (t) => {
  const { app, searches } = await startCached(t, listsDataset(), { answerCacheBytes: 0 });
  for (let times = 0; times < 2; times++) t.equal((await app.get("/api/v1/counties")).status, 200);
  t.strictSame(searches, [false, false]);
});

/** A uuid in either case. */
function spelled(uuid: fc.Arbitrary<Uuid>): fc.Arbitrary<string> {
  return fc.tuple(uuid, fc.boolean()).map(([text, isUpper]) => (isUpper ? text.toUpperCase() : text));
}

/** Mostly absent, so that equal questions come again; now and then what stands for absent. */
function maybe<Value>(value: fc.Arbitrary<Value>, ...defaults: readonly Value[]): fc.Arbitrary<Value | undefined> {
  return fc.oneof({ arbitrary: fc.constantFrom(undefined, ...defaults), weight: 2 }, { arbitrary: value, weight: 1 });
}

const product = spelled(fc.constantFrom(uuidOf("product", 1), uuidOf("product", 2), uuidOf("product", 999)));
const market = spelled(fc.constantFrom(uuidOf("market", 1), uuidOf("market", 2)));
const place = {
  market_uuid: maybe(market),
  county_id: maybe(fc.constantFrom(1, 47)),
  market_type: maybe(fc.constantFrom(...marketTypes)),
};
const page = { page: maybe(fc.constantFrom(1, 2), 1), page_size: maybe(fc.constantFrom(1, 20, 100), 20) };
const text = fc.constantFrom("zao", "ZAO 1", "mahindi", "é", "soko");
const day = fc.constantFrom("2026-01-01", "2026-01-15", "2026-12-31");
const listOf = (item: fc.Arbitrary<string>): fc.Arbitrary<string[]> => fc.array(item, { minLength: 1, maxLength: 4 });
const latest = {
  product_uuids: maybe(listOf(product)),
  ...place,
  limit: maybe(fc.constantFrom(1, 10, 100), 10),
  one_per_market: maybe(fc.boolean(), false),
};

/** Endpoints by name, with the fields of their questions. */
const fields: Readonly<Record<string, Readonly<Record<string, fc.Arbitrary<unknown>>>>> = {
  "GET /products": { ...page, category: maybe(fc.constantFrom("Aina 1", "aina 1")), search: maybe(text) },
  "GET /markets": { ...page, county_id: place.county_id, market_type: place.market_type, search: maybe(text) },
  "GET /prices/latest": latest,
  "POST /prices/latest": latest,
  "POST /prices/search": {
    product_uuid: maybe(product),
    ...place,
    start_date: maybe(day),
    end_date: maybe(day),
    min_price: maybe(fc.constantFrom(0, -0, 3)),
    max_price: maybe(fc.constantFrom(3, 5)),
    ...page,
  },
  "POST /prices/statistics": {
    product_uuid: product,
    ...place,
    start_date: day,
    end_date: day,
    group_by: maybe(fc.constantFrom(...groupings), "month"),
    unit: maybe(fc.constantFrom("kg", "g", "piece")),
  },
  "POST /products/search": {
    query: maybe(text),
    categories: maybe(listOf(fc.constantFrom("Aina 1", "Aina 2", "Aina 1,Aina 2"))),
    sub_categories: maybe(listOf(fc.constantFrom("Aina 1"))),
    is_active: maybe(fc.boolean(), true),
  },
};

const anyQuestion: fc.Arbitrary<Omit<EndpointQuestion, "name"> & { readonly coding: string }> = fc
  .constantFrom(...Object.keys(fields))
  .chain((name) => fc.tuple(fc.constant(name), fc.record(fields[name] as Record<string, fc.Arbitrary<unknown>>)))
  .chain(([name, values]) => {
    const [method, path] = name.split(" ") as ["GET" | "POST", string];
    const entries = Object.entries(values).filter(([, value]) => value !== undefined);
    const query = new URLSearchParams(entries.map(([field, value]) => [field, String(value)]));
    const target = `/api/v1${path}`;
    const access = /search$|statistics$/.test(path) && !path.startsWith("/products") ? "secret" : "public";
    return fc.constantFrom("identity", "gzip").map((coding) => ({
      method,
      path: method === "GET" && entries.length > 0 ? `${target}?${query}` : target,
      body: Object.fromEntries(entries),
      access,
      coding,
    }));
  });

t.test("random questions, spelled in many ways, get the answers of a service without a cache", async (t) => {
  const dataset = listsDataset();
  const made = await startApp(t, dataset);
  const { app, searches } = await startCached(t, dataset);
  await fc.assert(
    fc.asyncProperty(anyQuestion, async ({ coding, ...question }) => {
      const headers = { "Accept-Encoding": coding, "X-Request-Id": "same" };
      const [expected, found] = await Promise.all([made, app].map((asked) => askQuestion(asked, question, headers)));
      t.strictSame(essenceOf(found as ReceivedAnswer), essenceOf(expected as ReceivedAnswer));
    }),
    // Enough of them must come again.
    { numRuns: Math.max(200, 2 * questionRuns.numRuns) },
  );
  const hits = searches.filter((isFound) => isFound).length;
  t.ok(hits > 10 && searches.length - hits > 30, `${hits} of ${searches.length} were found`);
});
