import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { missingCode } from "../../../src/engine/model/shared-columns.ts";
import { type CodedTexts, gatherTexts } from "../../../src/engine/store/gather-columns.ts";

const missing = 0xffff_ffff;

t.test("codes are given by the first row that has a text, and texts without rows are left out", async (t) => {
  const codes = Uint16Array.of(0, 3, 1, 0xffff, 3);
  const { column, texts } = gatherTexts(codes, Uint32Array.of(4, 3, 2, 1, 0), ["a", "b", "c", "d"]);
  t.same(texts, ["d", "b", "a"]);
  t.same([...column], [0, missingCode(column), 1, 0, 2]);
});

t.test("rows keep their texts, and equal rows have equal columns whatever their codes were", async () => {
  const names = ["kg", "bag", "debe", "crate", "bunch"];
  const rows = fc.array(fc.option(fc.nat(names.length - 1), { nil: undefined }));
  const anyOrder = fc.shuffledSubarray(names, { minLength: names.length });
  fc.assert(
    fc.property(rows, anyOrder, (rows, order) => {
      const codes = Uint32Array.from(rows, (name) => (name === undefined ? missing : order.indexOf(names[name] ?? "")));
      const { column, texts } = numberAll(codes, order);
      const read = Array.from(column, (code) => (code === missingCode(column) ? undefined : texts[code]));
      assert.deepEqual(
        read,
        rows.map((name) => (name === undefined ? undefined : names[name])),
      );
      const plain = numberAll(
        Uint32Array.from(rows, (name) => name ?? missing),
        names,
      );
      assert.deepEqual({ column, texts }, plain);
    }),
  );
});

function numberAll(codes: Uint32Array, texts: readonly string[]): CodedTexts {
  return gatherTexts(codes, Uint32Array.from(codes.keys()), texts);
}
