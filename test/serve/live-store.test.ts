import t from "tap";
import { LiveStore } from "../../src/serve/live-store.ts";
import { buildStore } from "../../src/store/build-store.ts";
import { tinyDataset } from "../support/tiny-dataset.ts";

t.test("a live store is empty at first, then holds what was swapped in last", async (t) => {
  const live = new LiveStore();
  t.equal(live.current(), undefined);
  for (const store of [buildStore(tinyDataset()), buildStore(tinyDataset({ prices: [{}] }))]) {
    live.swap(store);
    t.equal(live.current(), store);
  }
});
