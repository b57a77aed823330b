import t from "tap";
import { buildStore, indexPricesOnThreads } from "../../../src/engine/store/build-store.ts";
import { extendStoreOnThreads } from "../../../src/engine/store/extend-store.ts";
import { largeDataset } from "../../support/large-dataset.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";
import { typedArraysIn } from "./shared-memory.ts";

t.test("a store built on threads is the store built on one", async (t) => {
  const store = buildStore(largeDataset(5000));
  for (const threads of [1, 3]) {
    const built = await indexPricesOnThreads(store, threads, 0);
    t.same(typedArraysIn(built), typedArraysIn(store));
    t.same(Object.keys(built), Object.keys(store));
    t.ok(Object.isFrozen(built));
  }
});

t.test("what a thread finds wrong is thrown as it is", async (t) => {
  const store = buildStore(tinyDataset({ prices: [{ price: 1 }, { price: 2 }] }));
  store.rowsByTime.reverse();
  await t.rejects(indexPricesOnThreads(store, 2, 0), RangeError);
});

t.test("few prices are added without threads, to the same end", async (t) => {
  const dataset = largeDataset(300);
  const store = buildStore(dataset);
  const extended = await extendStoreOnThreads(store, { snapshot: dataset.snapshot, prices: tinyDataset().prices }, 2);
  t.same(typedArraysIn(extended), typedArraysIn(store));
});
