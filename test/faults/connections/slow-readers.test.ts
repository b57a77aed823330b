/** Clients that read long answers slowly or not at all: what they hold, who gets it, and what the others get. */

import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import t, { type Test } from "tap";
import type { Downloads } from "../../../src/contract/downloads.ts";
import type { CountyId } from "../../../src/engine/model/ids.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { RingEntry } from "../../../src/service/auth/key-ring.ts";
import type { Admission, PlaceKind } from "../../../src/service/http/admission/admission.ts";
import type { AppDependencies } from "../../../src/service/http/app-dependencies.ts";
import { Client } from "../../../src/service/http/request/client-address.ts";
import { askWithoutReading, longDownloads, longTarget, readSlowly } from "../../support/long-answer.ts";
import { publicKey, testKeys } from "../../support/signed-request.ts";
import { type RunningApp, startApp } from "../../support/start-app.ts";
import { holdsWithin } from "../../support/start-process.ts";
import { placesOf, testAdmission } from "../../support/test-admission.ts";
import { testLimits } from "../../support/test-limits.ts";
import { tinyDataset, uuidOf } from "../../support/tiny-dataset.ts";

const exportTarget = "/api/v1/exports/prices.ndjson";
/** An export of five products, 200 kB. */
const shortExport = `${exportTarget}?product_uuids=${[1, 2, 3, 4, 5].map((at) => uuidOf("product", at)).join()}`;
const downloadTarget = "/api/v1/downloads/s1/zeros";

/** Newest prices and an export that the system cannot take for a client: 11 and 24 MB. */
const wideStore = buildStore(
  tinyDataset({
    markets: Array.from({ length: 100 }, (_, at) => ({ name: `Soko ${at}`, countyId: 47 as CountyId })),
    products: Array.from({ length: 600 }, (_, at) => ({ name: `Zao ${at}` })),
    prices: Array.from({ length: 60_000 }, (_, at) => ({ product: at % 600, market: Math.floor(at / 600) })),
  }),
);

function start(t: Test, admission: Admission, overrides: Partial<AppDependencies> = {}): Promise<RunningApp> {
  const store = { currentStore: () => wideStore, exportAccess: "public", downloads: longDownloads } as const;
  return startApp(t, undefined, { deps: { admission, ...store, ...overrides } });
}

interface UnreadAnswer {
  readonly target?: string;
  readonly from?: string;
  readonly kind?: PlaceKind;
}

/** An answer with the public key that is not read, once it has its place. */
async function holdPlace(
  t: Test,
  app: RunningApp,
  admission: Admission,
  { target = exportTarget, from = "127.0.0.1", kind = "answers" }: UnreadAnswer = {},
): Promise<Socket> {
  const before = placesOf(admission, kind).held;
  const socket = await askWithoutReading(app.port, target, { localAddress: from });
  t.teardown(() => socket.destroy());
  t.ok(await holdsWithin(5000, () => placesOf(admission, kind).held === before + 1));
  return socket;
}

/** The status of an answer with the public key, read from an address. */
async function statusFrom(app: RunningApp, localAddress: string, path = exportTarget): Promise<number | undefined> {
  const outgoing = get({ port: app.port, path, localAddress, agent: false, headers: { "X-API-Key": publicKey } });
  const [incoming] = (await once(outgoing, "response")) as [IncomingMessage];
  await once(incoming.resume(), "end");
  return incoming.statusCode;
}

t.test("an answer that is not read leaves the other places to others, and secret keys have some", async (t) => {
  const admission = testAdmission({ answers: { total: 8, forSecretKeys: 1 } });
  const app = await start(t, admission);
  const unread = [await holdPlace(t, app, admission)];
  const refused = await app.get(exportTarget);
  t.strictSame([refused.status, refused.headers["retry-after"]], [429, "5"], "this client has its share");
  t.match(refused.body, { code: "RATE_LIMITED", message: /long answers/ });
  t.match(refused.headers, { "cache-control": "no-store" });
  t.notOk("etag" in refused.headers);
  for (const from of ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.6", "127.0.0.7", "127.0.0.8"]) {
    unread.push(await holdPlace(t, app, admission, { from, target: longTarget }));
  }
  t.equal(await statusFrom(app, "127.0.0.5"), 503, "what is left is for secret keys");
  for (let time = 0; time < 3; time++) t.equal((await app.signedGet(shortExport)).status, 200, "a secret key");
  t.equal((await app.get("/api/v1/exports/products.csv?search=9")).status, 200, "a short one");
  t.equal((await app.send({ method: "HEAD", path: exportTarget, headers: { "X-API-Key": publicKey } })).status, 200);
  t.strictSame(placesOf(admission, "answers"), { held: 7, refused: 2 });
  t.equal(placesOf(admission, "requests").held, 0, "a long answer that is sent is no request in the making");
  unread.pop()?.destroy();
  t.ok(await holdsWithin(2000, async () => (await statusFrom(app, "127.0.0.5", shortExport)) === 200));
});

for (const [title, unread] of [
  ["of newest prices", { target: longTarget }],
  ["that is an export", {}],
  ["that is a file", { target: downloadTarget }],
] as const) {
  t.test(`an answer ${title} that is read too slowly is reset when another client wants a place`, async (t) => {
    const admission = testAdmission({ answers: { total: 1, forSecretKeys: 0 }, slowReaderMilliseconds: 300 });
    const app = await start(t, admission);
    const socket = await holdPlace(t, app, admission, unread);
    const stop = readSlowly(socket, 64, 20);
    t.equal(await statusFrom(app, "127.0.0.3"), 503, "it is not known to be slow yet");
    await new Promise((resolve) => setTimeout(resolve, 400));
    t.equal(placesOf(admission, "answers").held, 1, "no other client wants one");
    t.ok(await holdsWithin(5000, async () => (await statusFrom(app, "127.0.0.3", shortExport)) === 200));
    stop();
    socket.resume();
    t.ok(await holdsWithin(2000, () => socket.destroyed));
    t.ok(await holdsWithin(2000, () => placesOf(admission, "answers").held === 0));
    t.ok(app.logLines.some((line) => line.includes('"aborted":true')));
  });
}

t.test("a slow reader without a key loses its place to one without a key alone", async (t) => {
  const admission = testAdmission({
    answers: { total: 1, forSecretKeys: 0 },
    keylessAnswers: { total: 1, forSecretKeys: 0 },
    slowReaderMilliseconds: 0,
  });
  const app = await start(t, admission);
  const target = "/openapi.json";
  const socket = await askWithoutReading(app.port, target, { key: "none" });
  t.teardown(() => socket.destroy());
  t.ok(await holdsWithin(2000, () => placesOf(admission, "keylessAnswers").held <= 1));
  t.equal(await statusFrom(app, "127.0.0.2"), 200, "a key");
});

t.test("a broken answer of HTTP/1.0, whose end is that of the connection, is reset", async (t) => {
  const admission = testAdmission({ answers: { total: 1, forSecretKeys: 0 }, slowReaderMilliseconds: 100 });
  const app = await start(t, admission);
  const socket = connect({ port: app.port, host: "127.0.0.1" }).pause();
  socket.write(`GET ${exportTarget} HTTP/1.0\r\nX-API-Key: ${publicKey}\r\n\r\n`);
  t.ok(await holdsWithin(2000, () => placesOf(admission, "answers").held === 1));
  t.ok(await holdsWithin(5000, async () => (await statusFrom(app, "127.0.0.2", shortExport)) === 200));
  socket.on("end", () => t.fail("the answer looks whole"));
  const [error] = (await once(socket.resume(), "error")) as [NodeJS.ErrnoException];
  t.equal(error.code, "ECONNRESET");
});

t.test("an export that waits for tokens keeps its place, is no slow reader, and ends whole", async (t) => {
  const admission = testAdmission({ answers: { total: 1, forSecretKeys: 0 }, slowReaderMilliseconds: 100 });
  const { rateLimits, pass } = testLimits(120);
  const app = await start(t, admission, { rateLimits });
  const entry = testKeys().current().find(publicKey) as RingEntry;
  const here = new Client("127.0.0.1");
  const allowance = rateLimits.admit(entry, here);
  for (let used = 1; used < 119; used++) rateLimits.admit(entry, here);
  const waiting = app.get(exportTarget);
  t.ok(await holdsWithin(2000, () => placesOf(admission, "answers").held === 1));
  t.ok(await holdsWithin(2000, () => allowance?.pay() !== 0), "the debt is used up");
  await new Promise((resolve) => setTimeout(resolve, 200));
  t.equal(await statusFrom(app, "127.0.0.2"), 503);
  pass(60);
  const { status, text } = await waiting;
  t.equal(status, 200);
  t.equal(text.trimEnd().split("\n").length, wideStore.prices.rowCount);
  t.ok(await holdsWithin(2000, () => placesOf(admission, "answers").held === 0));
});

t.test("clients that go while their file is opened leave nothing behind, and their place once", async (t) => {
  const admission = testAdmission();
  const opening: (() => void)[] = [];
  const slowToOpen: Downloads = {
    ...longDownloads,
    async open(snapshot, name) {
      await new Promise<void>((resolve) => opening.push(resolve));
      return await longDownloads.open(snapshot, name);
    },
  };
  const app = await start(t, admission, { downloads: slowToOpen });
  for (let number = 1; number <= 3; number++) {
    const socket = await askWithoutReading(app.port, downloadTarget);
    t.ok(await holdsWithin(2000, () => opening.length === 1));
    t.equal(placesOf(admission, "requests").held, 1);
    socket.resetAndDestroy();
    t.ok(await holdsWithin(2000, () => placesOf(admission, "requests").held === 0));
    opening.pop()?.();
    await app.get("/api/v1/counties");
    t.equal(placesOf(admission, "requests").held, 0);
  }
  t.strictSame(placesOf(admission, "answers"), { held: 0, refused: 0 });
});

t.test("an answer of HTTP/1.0 that nobody reads for too long is reset, and looks whole to nobody", async (t) => {
  const app = await start(t, testAdmission());
  app.server.timeout = 300;
  const socket = connect({ port: app.port, host: "127.0.0.1" }).pause();
  socket.write(`GET ${exportTarget} HTTP/1.0\r\nX-API-Key: ${publicKey}\r\n\r\n`);
  t.ok(await holdsWithin(5000, () => app.logLines.some((line) => line.includes('"aborted":true'))));
  socket.on("end", () => t.fail("the answer looks whole"));
  const [error] = (await once(socket.resume(), "error")) as [NodeJS.ErrnoException];
  t.equal(error.code, "ECONNRESET");
});
