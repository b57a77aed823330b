import { mock } from "node:test";
import t from "tap";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { type Store, storeBytes } from "../../../src/engine/store/store.ts";
import { LiveStore } from "../../../src/service/serve/live-store.ts";
import { collectedBytesMin, markInTurn } from "../../../src/service/serve/released-memory.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";

t.test("a live store serves what the shared number says, and lets go of the one before", async (t) => {
  const generation = new Int32Array(new SharedArrayBuffer(4));
  const live = new LiveStore(generation);
  t.equal(live.current(), undefined);
  let before: Store | undefined;
  for (let next = 1; next <= 4; next++) {
    const store = buildStore(tinyDataset({ prices: [{ price: next }] }));
    live.attach(next, store);
    t.equal(live.current(), before, "what is attached is not served yet");
    Atomics.store(generation, 0, next);
    t.equal(live.current(), store);
    live.releaseBefore(next);
    t.equal(live.current(), store);
    Atomics.store(generation, 0, next - 1);
    t.equal(live.current(), undefined, "the one before is gone");
    Atomics.store(generation, 0, next);
    before = store;
  }
});

t.test("a store becomes outdated when the one after it is released as well", async (t) => {
  const outdated: Store[] = [];
  const live = new LiveStore(new Int32Array(new SharedArrayBuffer(4)), (store) => outdated.push(store));
  const stores = [1, 2, 3, 4].map((price) => buildStore(tinyDataset({ prices: [{ price }] })));
  const seen = stores.map((store, at) => {
    live.attach(at + 1, store);
    live.releaseBefore(at + 1);
    return outdated.length;
  });
  t.strictSame(seen, [0, 0, 1, 2]);
  t.ok(outdated.every((store, at) => store === stores[at]));
});

t.test("a store that was attached and never activated is replaced by the next", async (t) => {
  const generation = new Int32Array(new SharedArrayBuffer(4));
  const live = new LiveStore(generation);
  live.attach(1, buildStore(tinyDataset()));
  const store = buildStore(tinyDataset({ prices: [{}] }));
  live.attach(1, store);
  Atomics.store(generation, 0, 1);
  t.equal(live.current(), store);
});

t.test("V8 counts what was released once that is worth a collection", async (t) => {
  const live = new LiveStore(new Int32Array(new SharedArrayBuffer(4)));
  const store = buildStore(tinyDataset());
  const { prices } = store;
  const bytes = Math.ceil(collectedBytesMin / 2);
  const half = { ...store, prices: { ...prices, uuids: new Uint32Array(new SharedArrayBuffer(bytes)) } };
  live.attach(1, half);
  live.releaseBefore(1);
  t.equal(live.countedBytes, 0, "the first store comes after none");
  live.attach(2, half);
  live.releaseBefore(2);
  t.equal(live.countedBytes, 0, "half as much is not worth it");
  live.attach(3, half);
  live.releaseBefore(3);
  t.equal(live.countedBytes, 2 * storeBytes(half));
  t.ok(live.countedBytes >= collectedBytesMin);
  live.releaseBefore(3);
  t.equal(live.countedBytes, 2 * storeBytes(half), "said twice, it changes nothing");
});

t.test("what makes V8 mark is scheduled, and the store is released before", async (t) => {
  const scheduled: (() => void)[] = [];
  const generation = new Int32Array(new SharedArrayBuffer(4));
  const live = new LiveStore(generation, undefined, (begin) => scheduled.push(begin));
  const store = buildStore(tinyDataset());
  const uuids = new Uint32Array(new SharedArrayBuffer(collectedBytesMin));
  live.attach(1, { ...store, prices: { ...store.prices, uuids } });
  live.attach(2, store);
  live.releaseBefore(2);
  t.equal(live.countedBytes, 0);
  Atomics.store(generation, 0, 1);
  t.equal(live.current(), undefined);
  for (const begin of scheduled) begin();
  t.equal(scheduled.length, 1);
  t.ok(live.countedBytes >= collectedBytesMin);
});

t.test("threads mark one after another, and all within two seconds and a half", async (t) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  t.teardown(() => mock.timers.reset());
  const marked: number[] = [];
  for (const place of [0, 1, 2, 255]) markInTurn(place)(() => marked.push(place));
  t.strictSame(marked, []);
  mock.timers.tick(1);
  t.strictSame(marked, [0]);
  mock.timers.tick(300);
  t.strictSame(marked, [0, 1]);
  mock.timers.tick(300);
  t.strictSame(marked, [0, 1, 2]);
  mock.timers.tick(1899);
  t.strictSame(marked, [0, 1, 2, 255]);
});
