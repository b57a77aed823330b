import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { buildUuidIndex, findRow, wordsPerUuid, writeUuid } from "../../../src/engine/model/ids.ts";
import { randomUuid } from "../../support/random-dataset.ts";
import { uuidOf } from "../../support/tiny-dataset.ts";

t.test("every uuid leads to its row, any other to none", async () => {
  const uuids = fc.uniqueArray(randomUuid, { maxLength: 100, size: "max" });
  fc.assert(
    fc.property(uuids, fc.nat(100), (uuids, presentCount) => {
      const words = wordsOf(uuids.slice(0, presentCount));
      const index = buildUuidIndex(words, words.length / wordsPerUuid);
      for (const [row, uuid] of uuids.entries()) {
        assert.equal(findRow(index, words, uuid), row < presentCount ? row : undefined);
      }
    }),
  );
});

t.test("uuids that differ only at the end are found as quickly as any", async (t) => {
  const uuids = Array.from({ length: 20_000 }, (_, number) => uuidOf("price", number));
  const words = wordsOf(uuids);
  const index = buildUuidIndex(words, uuids.length);
  t.ok(uuids.every((uuid, row) => findRow(index, words, uuid) === row));
  t.equal(findRow(index, words, uuidOf("price", 20_000)), undefined);
});

t.test("a quarter of the slots is empty, and never more than five eighths once there are a few", async (t) => {
  for (const count of [0, 1, 2, 3, 4, 6, 7, 12, 13, 96, 97, 192, 193, 1000]) {
    const words = wordsOf(Array.from({ length: count }, (_, number) => uuidOf("price", number)));
    const { length } = buildUuidIndex(words, count).slots;
    t.ok(length - count >= length / 4 && length > count, `${count} uuids in ${length} slots`);
    if (count > 2) t.ok(length - count <= (length * 5) / 8, `${count} uuids in ${length} slots`);
  }
});

t.test("upper case finds what lower case does", async (t) => {
  const words = wordsOf(["abcdef00-0000-4000-8000-00000000000f"]);
  t.equal(findRow(buildUuidIndex(words, 1), words, "ABCDEF00-0000-4000-8000-00000000000F"), 0);
});

t.test("the nil and the greatest uuid are uuids like others", async (t) => {
  const [nil, greatest] = ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"] as const;
  const neither = wordsOf([uuidOf("price", 1)]);
  const index = buildUuidIndex(neither, 1);
  t.same([findRow(index, neither, nil), findRow(index, neither, greatest)], [undefined, undefined]);
  const both = wordsOf([greatest, nil]);
  const indexOfBoth = buildUuidIndex(both, 2);
  t.same([findRow(indexOfBoth, both, nil), findRow(indexOfBoth, both, greatest)], [1, 0]);
});

t.test("a uuid that stands twice is refused", async (t) => {
  const words = wordsOf([uuidOf("price", 1), uuidOf("price", 2), uuidOf("price", 1)]);
  t.throws(() => buildUuidIndex(words, 3), { name: "RangeError", message: /rows 0 and 2/ });
});

function wordsOf(uuids: readonly string[]): Uint32Array {
  const words = new Uint32Array(uuids.length * wordsPerUuid);
  for (const [row, uuid] of uuids.entries()) writeUuid(words, row, uuid);
  return words;
}
