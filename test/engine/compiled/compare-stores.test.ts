import t from "tap";
import { compareStores } from "../../../src/engine/compiled/compare-stores.ts";
import { buildStore } from "../../../src/engine/store/build-store.ts";
import { largeDataset } from "../../support/large-dataset.ts";
import { tinyDataset } from "../../support/tiny-dataset.ts";
import { typedArraysIn } from "../store/shared-memory.ts";

t.test("stores of the same records do not differ", async (t) => {
  t.same(compareStores(buildStore(largeDataset(500)), buildStore(largeDataset(500))), []);
});

t.test("a bit in any column is a difference, reported by its path", async (t) => {
  const prices = [{ notes: "first" }, { product: 1 }, { market: 1, qualityGrade: "B" }];
  const a = buildStore(tinyDataset({ prices }));
  const b = buildStore(tinyDataset({ prices }));
  let changed = 0;
  for (const [path, { buffer, byteOffset, byteLength }] of typedArraysIn(b)) {
    if (byteLength === 0) continue;
    const bytes = Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
    const last = bytes.readUInt8(byteLength - 1);
    bytes.writeUInt8(last ^ 128, byteLength - 1);
    t.same(compareStores(a, b), [path.slice(1)]);
    bytes.writeUInt8(last, byteLength - 1);
    changed++;
  }
  t.ok(changed > 50);
});

t.test("so is anything else, and a column that only one of them has or that is of another type", async (t) => {
  const a = buildStore(tinyDataset());
  const { prices, rowsByTime: _, ...others } = buildStore(tinyDataset());
  t.same(compareStores(a, others as never), ["prices", "rowsByTime"]);
  t.same(compareStores(others as never, a), ["prices", "rowsByTime"]);
  const narrow = new Int8Array(new SharedArrayBuffer(0));
  t.same(compareStores(a, { ...a, rowsByTime: narrow as never }), ["rowsByTime"]);
  t.same(compareStores(a, { ...a, prices: { ...prices, unitNames: ["kg"] } }), ["prices.unitNames"]);
  t.same(compareStores(a, { ...a, snapshot: { ...a.snapshot, note: "other" } }), ["snapshot.note"]);
  t.same(compareStores(a, buildStore(tinyDataset({ crops: [] }))), ["catalogue.crops"]);
});
