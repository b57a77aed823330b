/** Exports of more than one chunk, of which a thread sends few at a time: who gets these slots, and who loses them. */

import { once } from "node:events";
import { get } from "node:http";
import type { Socket } from "node:net";
import t, { type Test } from "tap";
import type { CountyId } from "../../src/engine/model/ids.ts";
import { buildStore } from "../../src/engine/store/build-store.ts";
import type { RingEntry } from "../../src/service/auth/key-ring.ts";
import type { Admission } from "../../src/service/http/admission/admission.ts";
import { Client } from "../../src/service/http/connection/client-address.ts";
import type { AppDependencies } from "../../src/service/http/dependencies.ts";
import { askWithoutReading } from "../support/long-answer.ts";
import { publicKey, testKeys } from "../support/signed-request.ts";
import { type RunningApp, startApp } from "../support/start-app.ts";
import { holdsWithin } from "../support/start-process.ts";
import { testAdmission } from "../support/test-admission.ts";
import { testLimits } from "../support/test-limits.ts";
import { tinyDataset, uuidOf } from "../support/tiny-dataset.ts";

const path = "/api/v1/exports/prices.ndjson";

/** An export that no client can take at once: 8 MB. */
const wideStore = buildStore(
  tinyDataset({
    markets: Array.from({ length: 100 }, (_, at) => ({ name: `Soko ${at}`, countyId: 47 as CountyId })),
    products: Array.from({ length: 200 }, (_, at) => ({ name: `Zao ${at}` })),
    prices: Array.from({ length: 20_000 }, (_, at) => ({ product: at % 200, market: at % 100 })),
  }),
);

function start(t: Test, admission: Admission, given: Partial<AppDependencies> = {}): Promise<RunningApp> {
  const deps = { admission, currentStore: () => wideStore, exportAccess: "public", ...given } as const;
  return startApp(t, undefined, { deps });
}

/** An export with the public key from an address that is not read, once it has its slot. */
async function holdSlot(t: Test, app: RunningApp, admission: Admission, localAddress = "127.0.0.1"): Promise<Socket> {
  const before = admission.figures("answers").held;
  const socket = await askWithoutReading(app.port, path, { localAddress });
  t.teardown(() => socket.destroy());
  t.ok(await holdsWithin(2000, () => admission.figures("answers").held === before + 1));
  return socket;
}

/** The status of an export with the public key, read from an address. */
async function statusFrom(app: RunningApp, localAddress: string): Promise<number | undefined> {
  const outgoing = get({ port: app.port, path, localAddress, agent: false, headers: { "X-API-Key": publicKey } });
  const [incoming] = (await once(outgoing, "response")) as [import("node:http").IncomingMessage];
  await once(incoming.resume(), "end");
  return incoming.statusCode;
}

t.test("slow readers with a public key shut out neither secret keys nor short exports nor other answers", async (t) => {
  const admission = testAdmission();
  const app = await start(t, admission);
  const unread = [await holdSlot(t, app, admission), await holdSlot(t, app, admission)];
  for (let time = 0; time < 3; time++) t.equal((await app.signedGet(path)).status, 200, "a secret key");
  const refused = await app.get(path);
  t.strictSame([refused.status, refused.headers["retry-after"]], [503, "5"]);
  t.match(refused.body, { code: "SERVICE_UNAVAILABLE", message: /exports/ });
  t.equal(admission.figures("answers").refused.limit, 1);
  t.equal((await app.get("/api/v1/exports/products.csv?search=9")).status, 200, "a short one");
  t.equal((await app.get("/api/v1/prices/latest?one_per_market=true&limit=100")).status, 200);
  t.equal((await app.send({ method: "HEAD", path, headers: { "X-API-Key": publicKey } })).status, 200, "no body");
  unread.pop()?.destroy();
  t.ok(await holdsWithin(2000, async () => (await app.get(path)).status === 200));
});

t.test("a client with two exports loses the newer one to a client without any", async (t) => {
  const admission = testAdmission();
  const app = await start(t, admission);
  const [first, second] = [await holdSlot(t, app, admission), await holdSlot(t, app, admission)];
  const isReset = once(second.resume(), "error");
  t.equal(await statusFrom(app, "127.0.0.2"), 200);
  t.match(await isReset, [{ code: "ECONNRESET" }]);
  await holdSlot(t, app, admission, "127.0.0.2");
  t.equal(await statusFrom(app, "127.0.0.3"), 503, "each client has one");
  t.notOk(first.destroyed);
});

t.test(
  "an export that is read too slowly is reset when another client asks for its slot, and not before",
  async (t) => {
    const admission = testAdmission({ slowExport: { bytesPerSecond: 10_000_000, milliseconds: 100 } });
    const app = await start(t, admission);
    const unread = [await holdSlot(t, app, admission), await holdSlot(t, app, admission, "127.0.0.2")];
    await new Promise((resolve) => setTimeout(resolve, 150));
    t.equal(admission.figures("answers").held, 2, "no other client waits for one");
    t.ok(await holdsWithin(2000, async () => (await statusFrom(app, "127.0.0.3")) === 200));
    t.ok(await holdsWithin(2000, () => admission.figures("answers").held === 1));
    for (const socket of unread) socket.destroy();
  },
);

t.test("an export that waits for tokens has no slot meanwhile, and ends whole", async (t) => {
  const admission = testAdmission({ exports: { perThread: 1, forSecretKeys: 0 } });
  const { rateLimits, pass } = testLimits(120);
  const app = await start(t, admission, { rateLimits });
  const entry = testKeys().current().find(publicKey) as RingEntry;
  const here = new Client("127.0.0.1");
  const allowance = rateLimits.admit(entry, here);
  for (let used = 1; used < 119; used++) rateLimits.admit(entry, here);
  const waiting = app.get(path);
  t.ok(await holdsWithin(2000, () => admission.figures("answers").held === 1));
  t.ok(await holdsWithin(2000, () => allowance?.pay() !== 0), "the debt is used up");
  const short = `${path}?product_uuids=${[1, 2, 3, 4, 5].map((at) => uuidOf("product", at)).join()}`;
  t.ok(await holdsWithin(2000, async () => (await app.signedGet(short)).status === 200));
  t.equal(admission.figures("answers").held, 1);
  const unread = await askWithoutReading(app.port, path, { localAddress: "127.0.0.2" });
  t.ok(await holdsWithin(2000, () => admission.figures("answers").held === 2));
  pass(60);
  t.equal((await app.signedGet(short)).status, 503, "the slot is taken");
  unread.destroy();
  const { status, text } = await waiting;
  t.equal(status, 200);
  t.equal(text.trimEnd().split("\n").length, wideStore.prices.rowCount);
  t.ok(await holdsWithin(2000, () => admission.figures("answers").held === 0));
});
