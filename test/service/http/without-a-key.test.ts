/**
 * Requests without a key: documents and pages. They have limits and pools of their own, and hold nothing that others
 * need.
 */
import { once } from "node:events";
import { get as httpGet, type IncomingMessage } from "node:http";
import t, { type Test } from "tap";
import { answerChunkBytes, keylessPerMinute, targetCharactersMax } from "../../../src/contract/limits.ts";
import { explorerPath } from "../../../src/contract/paths.ts";
import type { Pages } from "../../../src/contract/site-values.ts";
import type { Admission } from "../../../src/service/http/admission/admission.ts";
import { Client, Clients } from "../../../src/service/http/request/client-address.ts";
import { listsDataset } from "../../support/every-endpoint.ts";
import { askWithoutReading, longDownloads } from "../../support/long-answer.ts";
import { publicKey } from "../../support/signed-request.ts";
import { type ReceivedAnswer, type RunningApp, type SentHeaders, startApp } from "../../support/start-app.ts";
import { holdsWithin } from "../../support/start-process.ts";
import { placesOf, testAdmission } from "../../support/test-admission.ts";
import { testLimits } from "../../support/test-limits.ts";
import { testPages } from "../../support/test-pages.ts";

const description = "/openapi.json";

const download = "/explore/downloads/s1/zeros";

/** An app with the pages on its public port, over prices of which latest prices are a long answer. */
function startPublic(t: Test, admission: Admission): Promise<RunningApp> {
  return startApp(t, listsDataset(), { deps: { admission, downloads: longDownloads, explorer: testPages() } });
}

function get(app: RunningApp, path: string, headers: SentHeaders = {}): Promise<ReceivedAnswer> {
  return app.send({ method: "GET", path, headers });
}

async function statusFrom(port: number, path: string, localAddress: string): Promise<number | undefined> {
  const outgoing = httpGet({ port, path, localAddress, agent: false, headers: { "X-API-Key": publicKey } });
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  await once(incoming.resume(), "end");
  return incoming.statusCode;
}

t.test("slow readers without a key hold no place that requests with a key need, and have their share", async (t) => {
  const admission = testAdmission({
    ...{ requests: { total: 8, forSecretKeys: 0 }, answers: { total: 8, forSecretKeys: 0 } },
    ...{ keylessRequests: { total: 8, forSecretKeys: 0 }, keylessAnswers: { total: 8, forSecretKeys: 0 } },
  });
  const app = await startPublic(t, admission);
  const held = (): number => placesOf(admission, "keylessAnswers").held;
  const unread = [await askWithoutReading(app.port, download, { localAddress: "127.0.0.2" })];
  t.ok(await holdsWithin(2000, () => held() === 1));
  t.equal(await statusFrom(app.port, download, "127.0.0.2"), 429, "that address has its share");
  t.equal(await statusFrom(app.port, description, "127.0.0.2"), 200, "a document is there, however long it is");
  for (let host = 3; host <= 9; host++) {
    unread.push(await askWithoutReading(app.port, download, { localAddress: `127.0.0.${host}` }));
  }
  t.ok(await holdsWithin(2000, () => held() === 8));
  const refused = await get(app, download);
  t.strictSame([refused.status, refused.headers["retry-after"]], [503, "5"]);
  t.equal(placesOf(admission, "keylessAnswers").refused, 2);
  t.equal((await get(app, description)).status, 200);
  for (let time = 0; time < 3; time++) {
    const long = await app.get("/api/v1/prices/latest?one_per_market=true&limit=1000");
    t.equal(long.headers["transfer-encoding"], "chunked");
    t.equal(long.status, 200, "a long answer with a key");
  }
  t.equal(placesOf(admission, "requests").refused, 0);
  for (const socket of unread) socket.destroy();
  t.ok(await holdsWithin(2000, () => held() + placesOf(admission, "keylessRequests").held === 0));
});

/** Pages of products and markets, more than a chunk each, and how often one of them was made. */
function longPages() {
  let made = 0;
  const pages: Pages = {
    *prepare() {},
    assets: [],
    paths: [
      {
        path: `${explorerPath}/:id`,
        request: ({ id }) => ({
          key: id,
          headers: [],
          showsPublications: false,
          type: "text/html; charset=utf-8",
          *make() {
            made++;
            for (let slice = 0; slice < 3; slice++) yield 100_000;
            return `<p>${id}</p>${"-".repeat(3 * answerChunkBytes)}`;
          },
        }),
      },
    ],
  };
  return { pages, made: () => made };
}

/** Asks for so many different pages at once, each on a connection of its own. @returns The statuses, in order. */
async function statusesAtOnce(app: RunningApp, count: number, coding: string | undefined): Promise<number[]> {
  const answers = Array.from({ length: count }, (_, at) =>
    get(app, `${explorerPath}/${at}`, { "Accept-Encoding": coding }),
  );
  return (await Promise.all(answers)).map(({ status }) => status).sort();
}

for (const coding of [undefined, "identity", "gzip", "br;q=0, *;q=0"]) {
  t.test(
    `pages that an address asks for at once are all served or not made, with Accept-Encoding ${coding}`,
    async (t) => {
      const admission = testAdmission();
      const { pages, made } = longPages();
      const app = await startApp(t, undefined, { deps: { admission, explorer: testPages({ pages }) } });
      t.strictSame(await statusesAtOnce(app, 20, coding), Array(20).fill(200));
      t.equal(made(), 20);
      t.equal(placesOf(admission, "keylessRequests").refused, 0);
      // What 24 more that have not been read hold.
      const held = Array.from({ length: 24 }, () => admission.placeFor(undefined, new Client("127.0.0.1")));
      for (const place of held) place.enter();
      t.strictSame(await statusesAtOnce(app, 20, coding), Array(20).fill(429), "beyond its share");
      t.equal(made(), 20, "what is refused is not made");
      for (const place of held) place.leave();
      t.strictSame(await statusesAtOnce(app, 20, coding), Array(20).fill(200));
      t.equal(placesOf(admission, "keylessAnswers").refused, 0);
    },
  );
}

t.test("requests without a key have places of their own", async (t) => {
  const admission = testAdmission({ keylessRequests: { total: 1, forSecretKeys: 0 } });
  const app = await startPublic(t, admission);
  const busy = admission.placeFor(undefined, new Client("127.0.0.9"));
  busy.enter();
  t.equal((await get(app, "/docs")).status, 503);
  t.equal((await app.get("/api/v1/counties")).status, 200);
  busy.leave();
  t.equal((await get(app, "/docs")).status, 200);
});

t.test("whatever is asked for without a key costs a token of the address, whatever the rate of keys is", async (t) => {
  const { rateLimits, pass, refused } = testLimits(0);
  const app = await startApp(t, undefined, { deps: { rateLimits, clients: new Clients({ hops: 1 }) } });
  const asked = [
    ["/", 302],
    ["/docs", 200],
    [description, 200],
    ["/nowhere", 404],
    ["/docs/", 404],
  ] as const;
  for (const [path, status] of asked) t.equal((await get(app, path)).status, status, path);
  const { headers } = await get(app, "/docs");
  t.equal((await get(app, "/docs", { "If-None-Match": String(headers.etag) })).status, 304);
  const here = new Client("127.0.0.1");
  for (let used = asked.length + 2; used < keylessPerMinute; used++) rateLimits.admitAddress("keyless", here);
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

t.test("a browser gets a page where nothing is, in its language; a program gets the error as before", async (t) => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  for (const app of [await startPublic(t, testAdmission()), await startApp(t)]) {
    for (const path of ["/nowhere", "/docs/", "/explore/nowhere", "/sw/explore/nowhere", "/a%2Fb"]) {
      const { status, headers, text } = await get(app, path, { Accept: browser, "Accept-Language": "sw" });
      t.equal(status, 404, path);
      t.match(headers, {
        "content-type": /^text\/html/,
        vary: /^Accept, Accept-Language$/,
        "cache-control": "no-store",
      });
      t.match(headers["content-security-policy"], /^default-src 'none'/);
      t.match(text, `<html lang="${/^\/(?:docs|explore)\//.test(path) ? "en" : "sw"}">`);
      for (const [, target = ""] of text.matchAll(/<a [^>]*href="(\/[^"#]*)[#"]/g)) {
        const isLead = target === "/docs/gaps";
        t.equal((await get(app, target)).status, isLead ? 302 : 200, `${path} leads to ${target}`);
      }
    }
    for (const accept of [undefined, "*/*", "application/json", "application/json, text/html;q=0.5"]) {
      t.match((await get(app, "/nowhere", { Accept: accept })).body, { code: "NOT_FOUND" }, String(accept));
    }
    t.match((await get(app, "/api/v1/nowhere", { Accept: browser })).body, { code: "MISSING_API_KEY" });
    t.match((await get(app, "/favicon.ico")).headers, { "content-type": "image/svg+xml" });
    t.match((await get(app, "/robots.txt")).text, /^User-agent: \*\nDisallow: \/api\/\n/);
  }
});

t.test("a browser gets a page in place of each error outside of the interface, a program the error", async (t) => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
  const { rateLimits } = testLimits(0);
  const limited = await startApp(t, undefined, { deps: { rateLimits } });
  for (let used = 0; used < keylessPerMinute; used++) rateLimits.admitAddress("keyless", new Client("127.0.0.1"));
  const explorer = testPages({ listPublications: () => Promise.reject(new Error("no list")) });
  const failing = await startApp(t, listsDataset(), { deps: { explorer } });
  const full = await startPublic(t, testAdmission({ keylessRequests: { total: 0, forSecretKeys: 0 } }));
  for (const [app, path, status, texts, seconds] of [
    [limited, "/docs", 429, ["Too many requests"], "1"],
    [limited, "/docs/signing", 429, ["Too many requests"], "1"],
    [limited, "/explore", 429, ["Too many requests", "Maombi mengi mno"], "1"],
    [limited, "/nowhere", 429, ["Too many requests", "Maombi mengi mno"], "1"],
    [failing, "/explore/data", 500, ["Something went wrong", "Hitilafu imetokea"], undefined],
    [full, "/explore", 503, ["Not available at the moment", "Haipatikani kwa sasa"], "5"],
    [full, `/docs?${"a".repeat(targetCharactersMax)}`, 414, ["This address does not work"]],
    [full, "/docs#part", 400, ["This address does not work"]],
  ] as const) {
    // The documentation is in English alone, and so are its errors.
    const [english, swahili = english] = texts;
    for (const [accepted, language, title] of [
      ["en", "en", english],
      ["sw", texts.length === 1 ? "en" : "sw", swahili],
    ] as const) {
      const sent = { Accept: browser, "Accept-Language": accepted, "X-Request-Id": "a-1" };
      const target = language === "sw" && path.startsWith("/explore") ? `/sw${path}` : path;
      const { headers, text, ...answer } = await get(app, target, sent);
      const name = `${path.slice(0, 20)} in ${accepted}`;
      t.equal(answer.status, status, name);
      t.match(headers, { "content-type": /^text\/html/, vary: "Accept, Accept-Language", "cache-control": "no-store" });
      t.equal(headers["retry-after"], seconds, name);
      t.match(text, `<html lang="${language}">`);
      t.match(text, `<h1>${title}</h1>`);
      t.equal(text.includes('<a href="/docs/signing"'), path.startsWith("/docs"), `${name}: the menu stays`);
      t.ok(Buffer.byteLength(text) < 20_000, `${name}: it is small`);
      t.equal(text.includes("a-1"), status === 500, `${name}: the id under which the log has the failure`);
    }
    const kept = await app.send({ method: "HEAD", path, headers: { Accept: browser } });
    t.strictSame([kept.status, kept.text], [status, ""]);
    for (const accept of [undefined, "*/*", "application/json", "application/problem+json"]) {
      const { headers, body } = await get(app, path, { Accept: accept });
      t.match(headers["content-type"], /^application\/(?:problem\+)?json$/);
      t.match(body, { code: /^[A-Z_]+$/ }, String(accept));
    }
    for (const method of ["OPTIONS", "POST"]) {
      const { headers } = await app.send({ method, path, headers: { Accept: browser } });
      t.notMatch(headers["content-type"], /html/, `${method} ${path.slice(0, 20)}`);
    }
  }
  for (const path of ["/api/v1", "/api/v1/counties", "/api/v1?a", `/api/v1/${"a".repeat(targetCharactersMax)}`]) {
    for (const app of [limited, full]) {
      for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
        const { headers } = await app.send({ method, path, headers: { Accept: browser, "X-API-Key": publicKey } });
        t.notMatch(headers["content-type"], /html/, `${method} ${path.slice(0, 20)}`);
      }
    }
  }
  t.notMatch((await full.send({ method: "OPTIONS", path: "/nowhere", headers: { Accept: browser } })).text, "<");
});

t.test("what never changes costs no token, so that pages keep their style", async (t) => {
  const { rateLimits, refused } = testLimits(0);
  const explorer = testPages();
  const app = await startApp(t, undefined, { deps: { rateLimits, explorer } });
  for (let used = 0; used < keylessPerMinute; used++) rateLimits.admitAddress("keyless", new Client("127.0.0.1"));
  const files = ["/docs/copy.js", "/favicon.ico", "/robots.txt"];
  for (const path of [...explorer.pages.assets.map(({ path }) => path), ...files]) {
    t.equal((await get(app, path)).status, 200, path);
  }
  t.equal(refused().keyless, 0);
  t.equal((await get(app, "/explore")).status, 429);
});

t.test("a page of the documentation that is not there keeps its menu and the language of its examples", async (t) => {
  const app = await startApp(t);
  const { status, text } = await get(app, "/docs/sining?code=r", { Accept: "text/html" });
  t.equal(status, 404);
  t.match(text, '<a href="/docs/signing?code=r">Signing</a>');
  t.notMatch(text, /canonical|og:url/);
});

t.test("the address of the former viewer leads to the reference", async (t) => {
  const app = await startApp(t);
  const { status, headers } = await get(app, "/docs/try");
  t.strictSame([status, headers.location], [301, "/docs#operations"]);
});

t.test("what is not here leads to the page about it, without pages for people to the guide about series", async (t) => {
  const app = await startApp(t);
  t.match((await get(app, "/docs")).text, 'href="/docs/gaps"');
  t.match((await get(app, "/docs/search?q=live+animals")).text, '<a href="/docs/gaps">What is not here</a>');
  const { status, headers } = await get(app, "/docs/gaps");
  t.strictSame([status, headers.location], [302, "/docs/series"]);
  t.equal((await get(await startPublic(t, testAdmission()), "/docs/gaps")).headers.location, "/explore/gaps");
});
