/**
 * Answers in gzip, brotli and zstd: the same bytes once decoded, with headers that are true, and none of it for errors.
 */
import { once } from "node:events";
import t from "tap";
import { answerChunkBytes } from "../../../src/contract/limits.ts";
import type { Dataset } from "../../../src/engine/model/dataset.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { listsDataset } from "../../support/every-endpoint.ts";
import { expectError } from "../../support/expect-answer.ts";
import { askWithoutReading, longTarget } from "../../support/long-answer.ts";
import { type ReceivedAnswer, startApp } from "../../support/start-app.ts";
import { holdsWithin } from "../../support/start-process.ts";
import { placesOf, testAdmission } from "../../support/test-admission.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const codings = ["gzip", "br", "zstd"] as const;

const codingOf = ({ headers }: ReceivedAnswer): string | undefined => headers["content-encoding"];

t.test("a client that names codings only by * gets gzip or none", async (t) => {
  const app = await startApp(t, listsDataset());
  const path = "/api/v1/markets?page_size=100";
  for (const target of [path, "/openapi.json"]) {
    for (const [acceptEncoding, coding] of [
      ["*", "gzip"],
      ["gzip;q=0, *", undefined],
      ["br, *;q=0.1", "br"],
    ] as const) {
      t.equal(codingOf(await app.get(target, { "Accept-Encoding": acceptEncoding })), coding, acceptEncoding);
    }
  }
});

t.test("304 for the tag of any coding that the client accepts, and of no other", async (t) => {
  const app = await startApp(t, listsDataset());
  const path = "/api/v1/markets?page_size=100";
  const tagIn = async (coding: string): Promise<string> =>
    String((await app.get(path, { "Accept-Encoding": coding })).headers.etag);
  const inGzip = await tagIn("gzip");
  const statusFor = async (acceptEncoding: string | undefined, etag: string): Promise<number> =>
    (await app.get(path, { "Accept-Encoding": acceptEncoding, "If-None-Match": etag })).status;
  t.equal(await statusFor("gzip, br, zstd", inGzip), 304, "kept from when it accepted less");
  t.equal(await statusFor("zstd", inGzip), 200);
  t.equal(await statusFor(undefined, inGzip), 200);
  t.equal(await statusFor("zstd, gzip;q=0", inGzip), 200);
  t.equal(await statusFor("zstd", await tagIn("identity")), 304, "a body in no coding is always accepted");
  const both = await app.get(path, { "Accept-Encoding": "gzip, br", "If-None-Match": `"a", ${inGzip}` });
  t.strictSame([both.status, both.headers.etag], [304, inGzip], "the tag that the client named");
});

t.test("documents in every coding", async (t) => {
  const app = await startApp(t);
  for (const path of ["/openapi.json", "/docs", "/docs/signing"]) {
    const plain = await app.send({ method: "GET", path });
    t.equal(Number(plain.headers["content-length"]), plain.bytes.length);
    for (const coding of codings) {
      const headers = { "Accept-Encoding": coding };
      const answer = await app.send({ method: "GET", path, headers });
      t.strictSame([answer.text === plain.text, codingOf(answer)], [true, coding], `${path} in ${coding}`);
      t.equal(Number(answer.headers["content-length"]), answer.bytes.length, "it is there whole");
      t.not(answer.headers.etag, plain.headers.etag);
      t.equal(answer.headers.vary, "Accept-Encoding");
      const head = await app.send({ method: "HEAD", path, headers });
      t.strictSame([head.headers.etag, codingOf(head)], [answer.headers.etag, coding]);
      const known = { ...headers, "If-None-Match": String(answer.headers.etag) };
      const again = await app.send({ method: "GET", path, headers: known });
      t.strictSame([again.status, again.headers.etag], [304, answer.headers.etag]);
      t.equal((await app.send({ method: "GET", path, headers: { ...known, "Accept-Encoding": "" } })).status, 200);
    }
  }
});

t.test("errors are never compressed, however long", async (t) => {
  const app = await startApp(t);
  const headers = { "Accept-Encoding": "gzip, br, zstd" };
  const fields = Array.from({ length: 20 }, (_, at) => `field_${String(at).padStart(2, "0")}`);
  const invalid = await app.get(
    `/api/v1/products?${fields.map((name) => `${name}=${"x".repeat(150)}`).join("&")}`,
    headers,
  );
  t.ok(invalid.text.length > 4096);
  expectError(t, invalid, { code: "VALIDATION_ERROR", fields });
  const others = [
    await app.get(`/api/v1/products/${uuidOf("product", 999)}`, headers),
    await app.get("/api/v1/nothing", headers),
    await app.send({ method: "GET", path: "/api/v1/products", headers }),
  ];
  for (const answer of [invalid, ...others]) t.equal(codingOf(answer), undefined, String(answer.status));
});

/** 60 × 1000 newest prices; the names of the markets exceed the windows of all codings, so every coding sends 8 MB. */
function incompressibleDataset(): Dataset {
  let state = 1;
  const letter = (): string => {
    state = Math.imul(state ^ (state >>> 13), 0x5bd1e995) + 0x9e3779b9;
    return String.fromCharCode(97 + ((state >>> 16) % 26));
  };
  const markets = Array.from({ length: 1000 }, () => ({ name: Array.from({ length: 400 }, letter).join("") }));
  const products = Array.from({ length: 60 }, (_, at) => ({ name: `Product ${at}` }));
  return tinyDataset({
    products,
    markets,
    prices: products.flatMap((_, product) => markets.map((_, market) => ({ product, market }))),
  });
}

const wideStore = buildStore(incompressibleDataset());

t.test("a long answer in a coding: a client that reads gets all of it", async (t) => {
  const app = await startApp(t, undefined, { deps: { currentStore: () => wideStore } });
  // A fifth of the products: a hundred chunks and more, and a megabyte and more in each coding.
  const products = Array.from({ length: 12 }, (_, at) => uuidOf("product", at + 1));
  const target = `${longTarget}&product_uuids=${products}`;
  const plain = await app.get(target);
  t.ok(plain.text.length > 100 * answerChunkBytes);
  for (const coding of codings) {
    const answer = await app.get(target, { "Accept-Encoding": coding, "X-Request-Id": coding });
    t.ok(answer.bytes.length > 1_000_000, coding);
    t.ok(answer.text === plain.text, coding);
    t.match(await app.logLineOf(coding), { status: 200, bytes: answer.bytes.length });
  }
});

t.test("a client that resets its connection in the middle leaves nothing behind", async (t) => {
  const admission = testAdmission();
  const app = await startApp(t, undefined, { deps: { admission, currentStore: () => wideStore } });
  for (const coding of codings) {
    const socket = await askWithoutReading(app.port, longTarget, { coding });
    const [first] = (await once(socket.resume(), "data")) as [Buffer];
    t.match(first.toString("latin1"), new RegExp(`\r\nContent-Encoding: ${coding}\r\n`));
    socket.resetAndDestroy();
  }
  const held = (): number => placesOf(admission, "requests").held + placesOf(admission, "answers").held;
  t.ok(await holdsWithin(5000, () => held() === 0), "nothing is held");
  t.ok(await holdsWithin(5000, () => app.logLines.length === codings.length));
  t.equal(app.logLines.filter((line) => line.includes('"aborted":true')).length, codings.length);
  t.equal((await app.get("/api/v1/counties")).status, 200);
});
