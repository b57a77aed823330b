import t from "tap";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { storeBytes } from "../../../src/engine/store/store.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";
import { typedArraysIn } from "./shared-memory.ts";

t.test("the size of a store is that of all its typed arrays", async (t) => {
  for (const prices of [[], [{}], Array.from({ length: 100 }, () => ({}))]) {
    const store = buildStore(tinyDataset({ prices }));
    const bytes = [...typedArraysIn(store).values()].reduce((sum, { byteLength }) => sum + byteLength, 0);
    t.equal(storeBytes(store), bytes);
  }
});
