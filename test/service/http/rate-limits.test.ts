/** What a client may ask for in a minute, and how it is reported. */
import t from "tap";
import { keyDigest } from "../../../src/contract/credentials.ts";
import type { ApiError } from "../../../src/contract/errors.ts";
import { missingKeysPerMinute, wrongKeysPerMinute } from "../../../src/contract/limits.ts";
import { KeyRing, type RingEntry } from "../../../src/service/auth/key-ring.ts";
import { createRateLimitMemory, RateLimits } from "../../../src/service/http/admission/rate-limits.ts";
import type { BucketMemory } from "../../../src/service/http/admission/token-buckets.ts";
import { Client, Clients } from "../../../src/service/http/request/client-address.ts";
import { expectError } from "../../support/expect-answer.ts";
import { publicKey, secretKey, signedHeaders, testKeys, unknownPublicKey } from "../../support/signed-request.ts";
import { type ReceivedAnswer, type RunningApp, startApp, startSeconds } from "../../support/start-app.ts";
import { changedKeys, testLimits } from "../../support/test-limits.ts";

const path = "/api/v1/counties";

/** GET with a secret key, signed. */
function signedGet(app: RunningApp, key: string = secretKey, target: string = path): Promise<ReceivedAnswer> {
  const headers = signedHeaders({ method: "GET", path: target, key, timestampSeconds: startSeconds });
  return app.send({ method: "GET", path: target, headers });
}

function limitOf({ status, headers }: ReceivedAnswer): readonly unknown[] {
  return [status, headers["ratelimit-policy"], headers["ratelimit"], headers["retry-after"]];
}

async function statuses(count: number, ask: () => Promise<ReceivedAnswer>): Promise<string> {
  const answers = [];
  for (let asked = 0; asked < count; asked++) answers.push(await ask());
  return answers.map(({ status }) => status).join(" ");
}

t.test("a secret key has a minute's requests, then one whenever a token has come back", async (t) => {
  const { rateLimits, pass, refused } = testLimits(3);
  const app = await startApp(t, undefined, { deps: { rateLimits } });
  const policy = '"key";q=3;w=60';
  t.strictSame(limitOf(await signedGet(app)), [200, policy, '"key";r=2;t=20', undefined]);
  t.strictSame(limitOf(await signedGet(app)), [200, policy, '"key";r=1;t=40', undefined]);
  t.strictSame(limitOf(await signedGet(app)), [200, policy, '"key";r=0;t=20', undefined]);
  const refusedIds: string[] = [];
  for (let again = 0; again < 2; again++) {
    const answer = await signedGet(app);
    refusedIds.push(String(answer.headers["x-request-id"]));
    t.strictSame(limitOf(answer), [429, policy, '"key";r=0;t=20', "20"]);
    expectError(t, answer, { code: "RATE_LIMITED" });
    t.equal(answer.headers["cache-control"], "no-store");
    const exposed = String(answer.headers["access-control-expose-headers"]);
    for (const name of ["RateLimit", "RateLimit-Policy", "Retry-After"]) t.ok(exposed.split(", ").includes(name));
  }
  pass(19.5);
  t.strictSame(limitOf(await signedGet(app)), [429, policy, '"key";r=0;t=1', "1"]);
  pass(0.5);
  t.strictSame(limitOf(await signedGet(app)), [200, policy, '"key";r=0;t=20', undefined]);
  pass(3600);
  t.equal(await statuses(4, () => signedGet(app)), "200 200 200 429", "a bucket holds no more than a minute's");
  t.strictSame(refused(), { key: 4, client: 0, guess: 0, missing: 0, keyless: 0 });
  const line = await app.logLineOf(refusedIds[0] as string);
  t.match(line, { status: 429, code: "RATE_LIMITED", key: "key_secret", client: "127.0.0.1" });
});

t.test("after t seconds of an answer with r=0 or of a 429 one request is possible", async (t) => {
  const entries = [publicKey, secretKey].map((key) => testKeys().current().find(key) as RingEntry);
  for (const perMinute of [1, 2, 7, 40, 60, 61]) {
    for (const entry of entries) {
      const { rateLimits, pass } = testLimits(perMinute);
      const ask = (): { readonly isAdmitted: boolean; readonly seconds: number; readonly left: number } => {
        let headers: Readonly<Record<string, string>> = {};
        try {
          const list = rateLimits.admit(entry, new Client("127.0.0.1"))?.headers ?? [];
          headers = { RateLimit: String(list[list.indexOf("RateLimit") + 1]) };
        } catch (error) {
          headers = (error as ApiError).headers;
        }
        const [, left, seconds] = /;r=(\d+);t=(\d+)$/.exec(String(headers["RateLimit"])) ?? [];
        const after = headers["Retry-After"];
        if (after !== undefined) t.ok(Math.abs(Number(after) - Number(seconds)) <= 1, `${after} and ${seconds}`);
        return { isAdmitted: after === undefined, seconds: Number(seconds), left: Number(left) };
      };
      let last = ask();
      while (last.left > 0) last = ask();
      t.ok(last.isAdmitted);
      for (let times = 0; times < 5; times++) {
        t.ok(last.seconds <= Math.ceil(60 / perMinute));
        pass(last.seconds - 1);
        const early = ask();
        pass(early.isAdmitted ? early.seconds : 1);
        last = ask();
        t.ok(last.isAdmitted, `${perMinute} a minute: after ${last.seconds} s`);
        pass(0.5);
        last = ask();
        if (last.isAdmitted) continue;
        pass(last.seconds);
        last = ask();
        t.ok(last.isAdmitted, `${perMinute} a minute: after a 429`);
      }
    }
  }
});

t.test("304 and errors cost a token as answers do; nothing else takes one", async (t) => {
  const { rateLimits } = testLimits(100);
  const app = await startApp(t, undefined, { deps: { rateLimits } });
  const left = (answer: ReceivedAnswer): number => Number(/r=(\d+)/.exec(String(answer.headers["ratelimit"]))?.[1]);
  const first = await app.get(path);
  t.equal(left(first), 99);
  const again = await app.get(path, { "If-None-Match": String(first.headers.etag) });
  t.strictSame([again.status, left(again)], [304, 98]);
  const asked = [
    await app.get("/api/v1/counties/99"),
    await app.get("/api/v1/nowhere"),
    await app.post("/api/v1/prices/search", {}),
    await app.send({ method: "HEAD", path, headers: { "X-API-Key": publicKey } }),
  ];
  t.strictSame(
    asked.map((answer) => [answer.status, left(answer)]),
    [
      [400, 97],
      [404, 96],
      [401, 95],
      [200, 94],
    ],
  );
  const badlySigned = await app.send({ method: "GET", path, headers: { "X-API-Key": secretKey } });
  t.strictSame([badlySigned.status, left(badlySigned)], [401, 99], "the secret key's own bucket");
  for (const answer of [
    await app.send({ method: "OPTIONS", path }),
    await app.send({ method: "GET", path }),
    await app.get(path, { "X-API-Key": unknownPublicKey }),
    await app.send({ method: "GET", path: "/openapi.json" }),
  ]) {
    t.notOk("ratelimit" in answer.headers || "ratelimit-policy" in answer.headers, String(answer.status));
  }
  t.equal(left(await app.get(path)), 93);
});

t.test("a public key has a bucket for each address, and ten times that for all", async (t) => {
  const { rateLimits, refused, pass } = testLimits(2);
  const app = await startApp(t, undefined, { deps: { rateLimits, clients: new Clients({ hops: 1 }) } });
  const from = (address: string): Promise<ReceivedAnswer> => app.get(path, { "X-Forwarded-For": address });
  t.equal(await statuses(3, () => from("203.0.113.1")), "200 200 429");
  t.equal(await statuses(3, () => from("2001:db8:1:2::1")), "200 200 429");
  t.equal(await statuses(1, () => from("2001:db8:1:2:ffff::9")), "429", "the same /64");
  for (let host = 2; host < 10; host++) t.equal(await statuses(2, () => from(`203.0.113.${host}`)), "200 200");
  const beyond = await from("203.0.113.99");
  t.strictSame(limitOf(beyond), [429, '"key";q=2;w=60', '"key";r=0;t=3', "3"], "twenty were granted");
  t.match((beyond.body as { message: string }).message, /with this key, expected at most 20 a minute/);
  t.strictSame(refused(), { key: 1, client: 3, guess: 0, missing: 0, keyless: 0 });
  pass(3);
  t.strictSame(limitOf(await from("203.0.113.99")).slice(0, 3), [200, '"key";q=2;w=60', '"key";r=0;t=3']);
  t.equal((await signedGet(app)).status, 200, "another key has a bucket of its own");
});

t.test("a key's own rate overrides that of the service, also where that is off", async (t) => {
  const currentKeys = changedKeys(({ kind }) => (kind === "secret" ? { ratePerMinute: 1 } : {}));
  for (const [ratePerMinute, ofPublic] of [
    [0, undefined],
    [5, '"key";q=5;w=60'],
  ] as const) {
    const app = await startApp(t, undefined, { deps: { ...testLimits(ratePerMinute), currentKeys } });
    t.strictSame(limitOf(await app.get(path)).slice(0, 2), [200, ofPublic]);
    t.equal(await statuses(2, () => signedGet(app)), "200 429");
    t.equal((await signedGet(app)).headers["ratelimit-policy"], '"key";q=1;w=60');
  }
});

t.test("keys of one chain of rotations share a bucket, also where the first is gone from the file", async (t) => {
  const [, secret] = testKeys().current().records;
  if (secret === undefined) throw new Error("there is no secret key");
  const later = "svc_sec_SecretKeyForTestsOnly0000003hsi35";
  const second = { ...secret, id: "key_second", rotatedFrom: "key_first", digest: keyDigest(later) };
  const third = { ...secret, id: "key_third", rotatedFrom: "key_second", digest: keyDigest(publicKey) };
  let ring = new KeyRing([second, third]);
  const app = await startApp(t, undefined, { deps: { ...testLimits(2), currentKeys: () => ring } });
  t.equal(await statuses(2, () => signedGet(app, later)), "200 200");
  t.equal((await signedGet(app, publicKey)).status, 429);
  ring = new KeyRing([{ ...secret, id: "key_first", digest: keyDigest(unknownPublicKey) }, second, third]);
  t.equal((await signedGet(app, unknownPublicKey)).status, 429, "a change of the file empties and fills no bucket");
});

t.test("wrong keys are limited by address, and never keep a valid one out", async (t) => {
  const { rateLimits, pass, refused } = testLimits(0);
  const app = await startApp(t, undefined, {
    deps: { rateLimits, clients: new Clients({ addresses: ["127.0.0.1"] }) },
  });
  const guess = (key: string, address: string): Promise<ReceivedAnswer> =>
    app.get(path, { "X-API-Key": key, "X-Forwarded-For": address });
  const first = await guess(unknownPublicKey, "2001:db8::1");
  t.strictSame(limitOf(first), [401, undefined, undefined, undefined]);
  const others = new Set<number>();
  // One after the other, on one connection: connections cost more than requests.
  for (let at = 1; at < wrongKeysPerMinute; at++) {
    others.add((await guess(at % 2 ? "svc_pub_x" : "", `2001:db8::${at}`)).status);
  }
  t.strictSame([...others], [401]);
  const refusal = await guess(unknownPublicKey, "2001:db8::ffff");
  t.strictSame(limitOf(refusal), [429, '"guess";q=600;w=60', '"guess";r=0;t=1', "1"]);
  t.equal((await guess(unknownPublicKey, "2001:db8:0:1::1")).status, 401, "another address");
  const valid = await app.get(path, { "X-Forwarded-For": "2001:db8::1" });
  t.strictSame(limitOf(valid), [200, undefined, undefined, undefined]);
  pass(0.1);
  t.equal((await guess(unknownPublicKey, "2001:db8::1")).status, 401);
  t.strictSame(refused(), { key: 0, client: 0, guess: 1, missing: 0, keyless: 0 });
});

t.test("missing keys are limited by address, apart from wrong ones and from what needs no key", async (t) => {
  const { rateLimits, pass, refused } = testLimits(0);
  const app = await startApp(t, undefined, { deps: { rateLimits, clients: new Clients({ hops: 1 }) } });
  const ask = (key: string | undefined, address = "192.0.2.1", target = path): Promise<ReceivedAnswer> =>
    app.send({ method: "GET", path: target, headers: { "X-API-Key": key, "X-Forwarded-For": address } });
  const here = new Client("192.0.2.1");
  for (let at = 0; at < wrongKeysPerMinute; at++) rateLimits.admitAddress("guess", here);
  t.equal((await ask(unknownPublicKey)).status, 429);
  const missing = await ask(undefined);
  t.strictSame(limitOf(missing), [401, undefined, undefined, undefined], "wrong keys took nothing");
  expectError(t, missing, { code: "MISSING_API_KEY" });
  for (let at = 1; at < missingKeysPerMinute; at++) rateLimits.admitAddress("missing", here);
  const refusal = await ask(undefined, "192.0.2.1", "/api/v1/nowhere");
  t.strictSame(limitOf(refusal), [429, '"missing";q=3000;w=60', '"missing";r=0;t=1', "1"]);
  t.match((refusal.body as { message: string }).message, /without the key that they need from this address/);
  t.equal((await ask(undefined, "192.0.2.2")).status, 401, "another address");
  t.equal((await ask(undefined, "192.0.2.1", "/docs")).status, 200, "what needs no key");
  t.equal((await ask(publicKey)).status, 200, "a valid key");
  t.equal((await app.send({ method: "OPTIONS", path })).status, 204);
  pass(0.02);
  t.equal((await ask(undefined)).status, 401);
  t.strictSame(refused(), { key: 0, client: 0, guess: 1, missing: 1, keyless: 0 });
});

t.test("guesses have a table of their own, so they displace no bucket of a key", async (t) => {
  const memory = createRateLimitMemory();
  const limits = new RateLimits(memory, 2, () => 1n);
  for (let host = 0; host < 200; host++) limits.admitAddress("guess", new Client(`203.0.113.${host}`));
  const inUse = ({ times }: BucketMemory): number => times.filter((time) => time !== 0n).length;
  t.strictSame([memory.key, memory.client, memory.guess].map(inUse), [0, 0, 200]);
  for (const entry of [publicKey, secretKey].map((key) => testKeys().current().find(key) as RingEntry)) {
    limits.admit(entry, new Client("203.0.113.1"));
  }
  t.strictSame([memory.key, memory.client, memory.guess].map(inUse), [2, 1, 200]);
});
