/** A slow client of a text that is there holds its text, not the store that it was made from. */
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import t, { type Test } from "tap";
import type { Document } from "../../../src/contract/site-values.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import type { Store } from "../../../src/engine/store/store.ts";
import { site } from "../../../src/site/site.ts";
import { startApp } from "../../support/start-app.ts";
import { placesOf, testAdmission } from "../../support/test-admission.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** More than the buffers of the system take of an answer that is not read. */
const longBytes = 32 * 2 ** 20;
/** So much fits into the answer cache; so many of them do not fit into the buffers. */
const cachedBytes = 1_900_000;
const requests = 16;

/** A document of its own, whose text is `length` characters that compress by half at best. */
function documentOf(length: number): Document {
  const text = randomBytes(length / 2).toString("hex");
  return { path: "/long", type: "text/plain", policy: "default-src 'none'", formOf: () => "", render: () => text };
}

/** Asks many times on one connection, reads nothing, and swaps the store once an answer waits for its client. */
async function storeHeldBy(t: Test, document: Document, coding: string): Promise<boolean> {
  const { app, admission, swap, before } = await startSwapping(t, document);
  const accepted = once(app.server, "connection") as Promise<[Socket]>;
  const client = connect(app.port, "127.0.0.1").pause();
  t.teardown(() => client.destroy());
  const [socket] = await accepted;
  client.write(`GET /long HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${coding}\r\n\r\n`.repeat(requests));
  while (!(await isStalled(socket)));
  swap();
  // An answer to another client drops what the cache has of the store before.
  await app.send({ method: "GET", path: "/openapi.json" });
  for (let count = 0; count < 20 && before.deref() !== undefined; count++) {
    await delay(20);
    collect();
  }
  t.equal(placesOf(admission, "keylessRequests").held, 1, "its answer is still on its way");
  return before.deref() !== undefined;
}

/** True if the system takes nothing of the answers for a while. */
async function isStalled(socket: Socket): Promise<boolean> {
  const waiting = socket.writableLength;
  const written = socket.bytesWritten;
  await delay(200);
  return waiting > 0 && socket.writableLength === waiting && socket.bytesWritten === written;
}

async function startSwapping(t: Test, document: Document) {
  let store: Store = buildStore(tinyDataset());
  const before = new WeakRef(store);
  const admission = testAdmission();
  const app = await startApp(t, undefined, {
    deps: {
      admission,
      currentStore: () => store,
      answerCacheBytes: 2 ** 23,
      site: { ...site, documents: (...of) => [...site.documents(...of), document] },
    },
  });
  const swap = (): void => {
    store = buildStore(tinyDataset());
  };
  return { app, admission, before, swap };
}

for (const [what, length, coding] of [
  ["a text that is too long for the cache", longBytes, "identity"],
  ["a text that was compressed as a whole", longBytes, "gzip"],
  ["a cached text", cachedBytes, "identity"],
] as const) {
  t.test(`a slow client of ${what} does not hold the store that was replaced`, async (t) => {
    t.notOk(await storeHeldBy(t, documentOf(length), coding));
  });
}
