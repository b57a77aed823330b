/** Requests without a key: documents and pages. They have limits and pools of their own, and hold nothing that others need. */
import { once } from "node:events";
import { get as httpGet, type IncomingMessage } from "node:http";
import t from "tap";
import { Client, Clients } from "../../src/http/client-address.ts";
import { FixedText } from "../../src/http/fixed-text.ts";
import { keylessPerMinute } from "../../src/http/limits.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { listsDataset } from "../support/every-endpoint.ts";
import { askWithoutReading } from "../support/long-answer.ts";
import { publicKey } from "../support/signed-request.ts";
import { type ReceivedAnswer, type RunningApp, type SentHeaders, startApp } from "../support/start-app.ts";
import { holdsWithin } from "../support/start-process.ts";
import { testAdmission } from "../support/test-admission.ts";
import { testLimits } from "../support/test-limits.ts";

const bundle = "/docs/try/swagger-ui-bundle.js";

/** The bundle has 1.5 MB. */
const times = 8;

function get(app: RunningApp, path: string, headers: SentHeaders = {}): Promise<ReceivedAnswer> {
  return app.send({ method: "GET", path, headers });
}

async function statusFrom(port: number, path: string, localAddress: string): Promise<number | undefined> {
  const outgoing = httpGet({ port, path, localAddress, agent: false, headers: { "X-API-Key": publicKey } });
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  await once(incoming.resume(), "end");
  return incoming.statusCode;
}

t.test(
  "slow readers of documents hold no unit that requests with a key need, and an address has its share",
  async (t) => {
    const admission = testAdmission({
      ...{ requests: { total: 1, perAddress: 1 }, answers: { total: 1, perAddress: 1 } },
      ...{ keylessRequests: { total: 8, perAddress: 4 }, keylessAnswers: { total: 2, perAddress: 1 } },
    });
    const store = buildStore(listsDataset());
    const app = await startApp(t, undefined, { deps: { admission, currentStore: () => store } });
    const held = (): number => admission.figures("keylessAnswers").held;
    const unread = [await askWithoutReading(app.port, bundle, { localAddress: "127.0.0.2", times })];
    t.ok(await holdsWithin(2000, () => held() === 1));
    t.equal(await statusFrom(app.port, bundle, "127.0.0.2"), 503, "that address has its share");
    t.equal((await get(app, bundle)).status, 200);
    unread.push(await askWithoutReading(app.port, bundle, { localAddress: "127.0.0.3", times }));
    t.ok(await holdsWithin(2000, () => held() === 2));
    const refused = await get(app, bundle);
    t.strictSame([refused.status, refused.headers["retry-after"]], [503, "5"]);
    t.match(admission.figures("keylessAnswers").refused, { limit: 2, load: 0 });
    t.equal((await get(app, "/docs/signing")).status, 200, "a short one");
    for (let time = 0; time < 3; time++) {
      const long = await app.get("/api/v1/prices/latest?one_per_market=true&limit=1000");
      t.equal(long.headers["transfer-encoding"], "chunked");
      t.equal(long.status, 200, "a long answer with a key");
    }
    t.match(admission.figures("requests"), { refused: { limit: 0 } });
    for (const socket of unread) socket.destroy();
    t.ok(await holdsWithin(2000, () => held() + admission.figures("keylessRequests").held === 0));
  },
);

t.test("requests without a key are limited in flight", async (t) => {
  const admission = testAdmission({ keylessRequests: { total: 1, perAddress: 1 } });
  const app = await startApp(t, undefined, { deps: { admission } });
  const unread = await askWithoutReading(app.port, bundle, { times });
  t.ok(await holdsWithin(2000, () => admission.figures("keylessAnswers").held === 1));
  t.equal((await get(app, "/docs")).status, 503);
  t.equal((await app.get("/api/v1/counties")).status, 200);
  unread.destroy();
  t.ok(await holdsWithin(2000, async () => (await get(app, "/docs")).status === 200));
});

t.test("whatever is asked for without a key costs a token of the address, whatever the rate of keys is", async (t) => {
  const { rateLimits, pass, refused } = testLimits(0);
  const app = await startApp(t, undefined, { deps: { rateLimits, clients: new Clients({ hops: 1 }) } });
  const asked = [
    ["/", 302],
    ["/docs", 200],
    ["/openapi.json", 200],
    [bundle, 200],
    ["/nowhere", 404],
    ["/docs/", 404],
  ] as const;
  for (const [path, status] of asked) t.equal((await get(app, path)).status, status, path);
  const { headers } = await get(app, "/docs");
  t.equal((await get(app, "/docs", { "If-None-Match": String(headers.etag) })).status, 304);
  const here = new Client("127.0.0.1");
  for (let used = asked.length + 2; used < keylessPerMinute; used++) rateLimits.admitKeyless(here);
  for (const [path] of asked) {
    const { status, headers, body } = await get(app, path);
    t.strictSame([status, headers["retry-after"]], [429, "1"], path);
    t.match(headers["ratelimit-policy"], `"keyless";q=${keylessPerMinute};w=60`);
    t.match(body, { code: "RATE_LIMITED", message: /without a key from this address/ });
  }
  t.equal(refused().keyless, asked.length);
  t.equal((await app.send({ method: "OPTIONS", path: "/docs" })).status, 204);
  t.equal((await app.get("/api/v1/counties")).status, 200, "with a key");
  t.equal((await get(app, "/api/v1/counties")).status, 401);
  t.equal((await get(app, "/docs", { "X-Forwarded-For": "192.0.2.1" })).status, 200, "another client");
  pass(1);
  t.equal((await get(app, "/docs")).status, 200);
});

t.test("a fixed text is compressed once in each coding, and a short one never", async (t) => {
  const text = new FixedText("maize ".repeat(50_000));
  for (const coding of ["identity", "gzip", "br", "zstd"] as const) {
    const [first, second] = await Promise.all([text.bodyIn(coding), text.bodyIn(coding)]);
    t.equal(first.bytes, second.bytes, coding);
    t.equal((await text.bodyIn(coding)).bytes, first.bytes);
    t.match(first, { coding, plainBytes: 300_000 });
    t.equal(first.bytes.length < 300_000, coding !== "identity");
  }
  t.match(await new FixedText("maize").bodyIn("br"), { coding: "identity", plainBytes: 5 });
});

t.test("documents leave whole in each coding, with their length and tag", async (t) => {
  const app = await startApp(t);
  for (const path of [bundle, "/docs", "/openapi.json", "/docs/try/start.js"]) {
    const plain = await get(app, path);
    t.equal(Number(plain.headers["content-length"]), plain.bytes.length);
    for (const coding of ["gzip", "br", "zstd"]) {
      const coded = await get(app, path, { "Accept-Encoding": coding });
      t.equal(coded.headers["content-encoding"], coding);
      t.ok(coded.text === plain.text, `${path} in ${coding}`);
      t.equal(Number(coded.headers["content-length"]), coded.bytes.length, "it is there whole");
      t.not(coded.headers.etag, plain.headers.etag);
      const again = await get(app, path, { "Accept-Encoding": coding, "If-None-Match": String(plain.headers.etag) });
      t.equal(again.status, 304);
    }
    t.match(await app.send({ method: "HEAD", path }), { status: 200, text: "" });
  }
});
