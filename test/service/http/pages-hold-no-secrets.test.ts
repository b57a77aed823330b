/** A key that a reader types or pastes is in no page, wherever in its address, and in no answer in place of one. */
import t from "tap";
import { Clients } from "../../../src/service/http/request/client-address.ts";
import { pageParameters } from "../../../src/site/explore/request.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { publicKey, secretKey, signedHeaders } from "../../support/signed-request.ts";
import { startApp, startSeconds } from "../../support/start-app.ts";
import { testPages } from "../../support/test-pages.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const signedPath = "/api/v1/crops";
const signed = signedHeaders({
  ...{ method: "GET", path: signedPath, body: "", key: secretKey, timestampSeconds: startSeconds },
});
const secrets = [publicKey, secretKey, signed["X-Signature"]];

/** Every character percent-encoded. */
function encode(text: string): string {
  return text.replace(/./g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

/** The same secret as clients write it; as a whole, and at the end of so much text that a page cuts it. */
function spellingsOf(secret: string): string[] {
  return [
    secret,
    secret.toUpperCase(),
    encode(secret),
    encode(encode(secret)),
    `key+is+${secret}+here`,
    `${"a+".repeat(22)}${secret}`,
    `${"+".repeat(46)}${secret}`,
  ];
}

/** Whether a text has so much of a secret that it helps to guess the rest, as it is or encoded. */
function holds(text: string, secret: string): boolean {
  const folded = text.toLowerCase();
  const part = secret.slice(-12).toLowerCase();
  return [part, encode(part), encode(encode(part))].some((spelling) => folded.includes(spelling));
}

const product = `/explore/products/${uuidOf("product", 1)}`;
const { start, compare, product: ofProduct, market, all } = pageParameters;

/** Addresses with `KEY` in the place of a secret. */
const addresses = [
  ...["/KEY", "/docs/KEY", "/docs/reference/KEY", "/docs?code=KEY", "/docs/search?q=KEY", "/docs/search?q=KEY&code=r"],
  ...["/docs/search?code=KEY&q=price", "/docs/search?KEY=KEY", "/openapi.json?q=KEY", "/explore/KEY"],
  ...["/explore/products/KEY", "/explore/markets/KEY", "/explore/counties/KEY", "/explore/downloads/KEY/KEY"],
  ...["/explore/data?table=KEY", "/sw/explore/KEY?q=KEY", "/api/v1/KEY", "/api/v1/products/KEY"],
  ...["/explore?", "/sw/explore?", "/explore?lang=sw&"].flatMap((path) =>
    [...start, ...all].map((name) => `${path}${name}=KEY`),
  ),
  ...[...compare, ...all].map((name) => `/explore/compare?${name}=KEY`),
  ...[...ofProduct, ...all].map((name) => `${product}?${name}=KEY`),
  ...[...market, ...all].map((name) => `/explore/markets/${uuidOf("market", 1)}?${name}=KEY`),
  ...["/explore?part=results&q=KEY", "/explore?q=KEY&q=KEY", `${product}?period=KEY&period=KEY`],
];

t.test("no page and no error repeats a key or a signature of its address", async (t) => {
  const dataset = tinyDataset({ prices: [{ recordedAt: "2026-01-15T09:00:00+03:00" }] });
  const app = await startApp(t, dataset, { deps: { explorer: testPages() } });
  let repeated = 0;
  const spelled = secrets.flatMap((secret) => spellingsOf(secret).map((spelling) => ({ secret, spelling })));
  for (const [number, { secret, spelling }] of spelled.entries()) {
    for (const [place, address] of addresses.entries()) {
      // An address is tried with a third of the spellings; in CI with each.
      if ((number + place) % 3 >= runsOf(3)) continue;
      const path = address.replaceAll("KEY", spelling);
      // Only in place of an error a program gets something else.
      for (const accept of ["text/html", ...(address.includes("/KEY") ? ["application/json"] : [])]) {
        const { text, headers } = await app.send({ method: "GET", path, headers: { Accept: accept } });
        const shown = text + JSON.stringify(headers);
        if (holds(shown, secret)) t.fail(`${accept} of ${path} holds it: ${shown.slice(0, 2000)}`);
        if (text.includes("svc_sec_…") || text.includes("svc_pub_…")) repeated++;
      }
    }
  }
  t.ok(repeated > runsOf(600), `${repeated} answers have the mask`);
});

/** Headers that are read. */
const headerNames = [
  ...["X-API-Key", "X-Signature", "X-Signature-Timestamp", "X-Request-Id", "X-Snapshot-Id", "traceparent"],
  ...["Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cookie", "Origin", "Host", "X-Forwarded-For"],
  ...["If-Match", "If-None-Match", "If-Range", "If-Modified-Since", "If-Unmodified-Since", "Range", "Expect"],
  ...["Content-Type", "Content-Encoding", "Access-Control-Request-Headers"],
];

t.test("no answer and no line of the log repeats a key or a signature of a header", async (t) => {
  const app = await startApp(t, tinyDataset(), { deps: { explorer: testPages(), clients: new Clients({ hops: 1 }) } });
  const keyed = { "X-API-Key": publicKey, "Content-Type": "application/json" };
  const requests = [
    { method: "GET", path: signedPath, headers: keyed },
    { method: "GET", path: signedPath, headers: signed },
    { method: "POST", path: "/api/v1/products/search", headers: keyed, body: "{}" },
    { method: "OPTIONS", path: signedPath },
    { method: "GET", path: "/explore" },
  ];
  for (const secret of secrets) {
    for (const [request, name] of requests.flatMap((one) => headerNames.map((header) => [one, header] as const))) {
      for (const value of [secret, `a, x-${secret}`]) {
        const { text, headers } = await app.send({ ...request, headers: { ...request.headers, [name]: value } });
        t.notOk(holds(text + JSON.stringify(headers), secret), `${request.method} ${request.path} with ${name}`);
      }
    }
  }
  t.notOk(app.logLines.some((line) => secrets.some((secret) => holds(line, secret))));
});

t.test("a search says that it was for a key, in its title, field and results", async (t) => {
  const app = await startApp(t, tinyDataset(), { deps: { explorer: testPages() } });
  const docs = (await app.get(`/docs/search?q=my+${secretKey}`)).text;
  t.match(docs, "<h1>Search: my svc_sec_…</h1>");
  t.match(docs, 'type="search" value="my svc_sec_…"');
  t.match(docs, `href="/explore?${new URLSearchParams({ q: "my svc_sec_…" })}"`);
  const explored = (await app.get(`/explore?q=${publicKey}`)).text;
  t.match(explored, 'type="search" value="svc_pub_…"');
  t.match(explored, /<p>[^<]*svc_pub_…/);
});
