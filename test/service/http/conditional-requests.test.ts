import t from "tap";
import type { Instant } from "../../../src/engine/model/calendar.ts";
import { tagsOf } from "../../../src/service/http/answer/representation.ts";
import { representationVersion } from "../../../src/service/http/answer/representation-version.ts";
import { conditionsOf } from "../../support/conditions.ts";
import { expectCommonHeaders, expectError } from "../../support/expect-answer.ts";
import { publicKey } from "../../support/signed-request.ts";
import { startApp } from "../../support/start-app.ts";
import { testPages } from "../../support/test-pages.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const path = "/api/v1/products?search=maize";
const nextSnapshot = { snapshot: { id: "20261121T083000Z-ba9876543210" } };

t.test("a client that has the answer gets 304 with the same headers and no body", async (t) => {
  const app = await startApp(t);
  const first = await app.get(path);
  const etag = String(first.headers.etag);
  for (const method of ["GET", "HEAD"]) {
    const headers = { "X-API-Key": publicKey, "If-None-Match": etag };
    const again = await app.send({ method, path, headers });
    t.strictSame([again.status, again.text], [304, ""], method);
    for (const name of ["etag", "cache-control", "vary", "x-snapshot-id"]) {
      t.equal(again.headers[name], first.headers[name], name);
    }
    t.equal(again.headers["content-type"], undefined);
    expectCommonHeaders(t, again);
  }
});

t.test("If-None-Match is a list, compared weakly; a star never matches", async (t) => {
  const app = await startApp(t);
  const etag = String((await app.get(path)).headers.etag);
  const statusFor = async (ifNoneMatch: string | string[]) =>
    (await app.get(path, { "If-None-Match": ifNoneMatch })).status;
  for (const matching of [etag, `W/${etag}`, `"a", ${etag}`, `${etag},"b"`, `"a",W/${etag} , "b"`, `  ${etag}  `]) {
    t.equal(await statusFor(matching), 304, matching);
  }
  t.equal(await statusFor(['"a"', etag]), 304, "two header lines");
  const inner = etag.slice(1, -1);
  const others = ["*", '"*"', '"a"', inner, `w/${etag}`, `"${inner.toLowerCase()}x"`, `"${inner}`, "", "nonsense, *"];
  for (const other of others) {
    t.equal(await statusFor(other), 200, other);
  }
});

t.test("the tag belongs to snapshot and target, not to the key or the client", async (t) => {
  const app = await startApp(t);
  const tagOf = async (target: string, headers = {}) => (await app.get(target, headers)).headers.etag;
  const etag = await tagOf(path);
  t.equal(await tagOf(path), etag);
  t.equal(await tagOf(path, { "User-Agent": "x", Accept: "text/html", "X-Request-Id": "a" }), etag);
  const others = await Promise.all(
    ["/api/v1/products", "/api/v1/products?", `${path}&page=1`, "/api/v1/products?search=Maize", "/api/v1/crops"].map(
      (target) => tagOf(target),
    ),
  );
  t.equal(new Set([etag, ...others]).size, others.length + 1);
  app.swap(tinyDataset(nextSnapshot));
  const next = await app.get(path, { "If-None-Match": String(etag) });
  t.equal(next.status, 200, "another snapshot is another answer");
  t.not(next.headers.etag, etag);
  app.swap(tinyDataset());
  t.equal((await app.get(path, { "If-None-Match": String(etag) })).status, 304, "the first one is back");
});

t.test("304 comes after authentication and validation, before the query", async (t) => {
  const app = await startApp(t);
  const etag = String((await app.get(path)).headers.etag);
  const missing = await app.send({ method: "GET", path, headers: { "If-None-Match": etag } });
  expectError(t, missing, { code: "MISSING_API_KEY" });
  const wrong = await app.get(path, { "If-None-Match": etag, "X-API-Key": "wrong" });
  expectError(t, wrong, { code: "INVALID_API_KEY" });

  // The tag of a target can be known although the target is bad: nothing but the snapshot and the text go into it.
  const tags = tagsOf(representationVersion());
  const tagOf = (target: string) => tags("20261120T083000Z-0123456789ab", target, "identity");
  t.equal(tagOf(path), etag, "tags can be worked out");
  const bad = "/api/v1/products?page=0";
  const invalid = await app.get(bad, { "If-None-Match": tagOf(bad) });
  expectError(t, invalid, { code: "VALIDATION_ERROR", fields: ["page"] });
  const unknown = `/api/v1/products/${uuidOf("product", 9)}`;
  t.equal((await app.get(unknown, { "If-None-Match": tagOf(unknown) })).status, 304, "nothing was looked up");
});

t.test("POST has no tag and does not look at one", async (t) => {
  const app = await startApp(t);
  const etag = String((await app.get("/api/v1/prices/latest")).headers.etag);
  const answer = await app.post("/api/v1/prices/latest", {}, { "If-None-Match": etag });
  t.strictSame([answer.status, answer.headers.etag], [200, undefined]);
});

t.test("documents have tags of their own and need no key", async (t) => {
  const app = await startApp(t);
  for (const document of ["/openapi.json", "/docs"]) {
    app.swap(tinyDataset());
    const { headers } = await app.send({ method: "GET", path: document });
    const again = await app.send({ method: "GET", path: document, headers: { "If-None-Match": String(headers.etag) } });
    t.strictSame([again.status, again.text], [304, ""], document);
    app.swap(tinyDataset(nextSnapshot));
    t.equal((await app.send({ method: "GET", path: document })).headers.etag, headers.etag, "whatever the snapshot");
    app.swap(tinyDataset({ snapshot: { attribution: ["Prices of somebody else"] } }));
    const next = await app.send({ method: "GET", path: document });
    t.not(next.headers.etag, headers.etag, "unless its data come from elsewhere");
    t.match(next.text, "Prices of somebody else");
  }
});

const publishedAt = "Fri, 20 Nov 2026 08:30:00 GMT";
const before = "Fri, 20 Nov 2026 08:29:59 GMT";

t.test("If-Match and If-Unmodified-Since are checked wherever a tag is sent, before If-None-Match", async (t) => {
  const prices = tinyDataset({ prices: [{}], snapshot: { createdAt: Date.parse(publishedAt) as Instant } });
  const app = await startApp(t, prices, { deps: { explorer: testPages(), exportAccess: "public" } });
  const product = `/explore/products/${uuidOf("product", 1)}`;
  const ofData = [path, "/api/v1/counties/47", "/api/v1/exports/units.csv", "/api/v1/dataset", product];
  for (const target of [...ofData, "/openapi.json", "/docs/signing"]) {
    const { headers } = await app.get(target, { "Accept-Encoding": "gzip" });
    const tag = String(headers.etag);
    const isDated = ofData.includes(target);
    for (const [status, sent] of [
      ...conditionsOf(tag, publishedAt, before),
      [isDated ? 412 : 200, { "If-Unmodified-Since": before }],
      [isDated ? 412 : 200, { "If-Unmodified-Since": "Friday, 20-Nov-26 08:29:59 GMT" }],
      [200, { "If-Unmodified-Since": "yesterday" }],
    ] as [number, Record<string, string>][]) {
      for (const method of ["GET", "HEAD"]) {
        const all = { "X-API-Key": publicKey, "Accept-Encoding": "gzip", ...sent };
        const answer = await app.send({ method, path: target, headers: all });
        t.equal(answer.status, status, `${method} ${target} ${JSON.stringify(sent)}`);
        if (status === 412 && method === "GET") expectError(t, answer, { code: "PRECONDITION_FAILED" });
      }
    }
  }
  app.swap(tinyDataset({ ...nextSnapshot, prices: [{}] }));
  const { headers } = await app.get(path);
  app.swap(prices);
  t.equal((await app.get(path, { "If-Match": String(headers.etag) })).status, 412, "of another snapshot");
  t.equal((await app.post("/api/v1/prices/latest", {}, { "If-Match": '"a"' })).status, 200, "POST has no tag");
  const unknown = `/api/v1/products/${uuidOf("product", 9)}`;
  for (const ifMatch of ["*", '"a"']) t.equal((await app.get(unknown, { "If-Match": ifMatch })).status, 404, ifMatch);
  t.equal((await app.get(unknown, { "If-Unmodified-Since": before })).status, 404, "nor was nothing changed");
  const tag = String((await app.get(path)).headers.etag);
  for (const [found, expected] of [
    [`W/${tag}`, `${tag} or *`],
    ['"a", "b"', `${tag} or *`],
  ] as const) {
    const { message } = expectError(t, await app.get(path, { "If-Match": found }), { code: "PRECONDITION_FAILED" });
    t.equal(message, `If-Match is ${found}, expected ${expected}.`);
  }
  t.equal((await app.get("/api/v1/products?page=0", { "If-Match": '"a"' })).status, 400, "validation comes before");
});
