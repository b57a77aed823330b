import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { missingCode } from "../../../src/engine/model/shared-columns.ts";
import { codeColumn } from "../../../src/engine/store/columns.ts";
import { type CodedTexts, gatherTexts } from "../../../src/engine/store/gather-columns.ts";
import { shareTexts, textOf } from "../../../src/engine/store/shared-texts.ts";

t.test("a column is as narrow as its codes and the code for missing allow", async (t) => {
  const widths = [
    [0, 1],
    [1, 1],
    [254, 1],
    [255, 1],
    [256, 2],
    [65_534, 2],
    [65_535, 2],
    [65_536, 4],
    [100_000, 4],
  ] as const;
  for (const [codeCount, bytes] of widths) {
    t.equal(codeColumn(3, codeCount).BYTES_PER_ELEMENT, bytes, `${codeCount} codes`);
  }
});

t.test("the greatest code and the code for missing are kept and distinguished", async (t) => {
  for (const codeCount of [0, 1, 255, 256, 65_535, 65_536, 70_000]) {
    const column = codeColumn(2, codeCount);
    const greatest = Math.max(0, codeCount - 1);
    column.set([greatest, missingCode(column)]);
    t.same([...column], [greatest, missingCode(column)], `${codeCount} codes`);
    t.ok(missingCode(column) > greatest, `${codeCount} codes`);
  }
});

t.test("a column is in shared memory and full of the first code", async (t) => {
  for (const codeCount of [10, 1000, 100_000]) {
    const column = codeColumn(5, codeCount);
    t.type(column.buffer, SharedArrayBuffer);
    t.same([...column], [0, 0, 0, 0, 0]);
    t.equal(column.buffer.byteLength, column.byteLength);
  }
});

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

t.test("every text comes back, of any script", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 20 });
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const shared = shareTexts(texts);
      assert.deepEqual(
        texts.map((_, code) => textOf(shared, code)),
        texts,
      );
    }),
  );
});

t.test("texts are bytes that other threads may read", async (t) => {
  const { bytes, offsets } = shareTexts(["né", "", "x"]);
  t.ok(bytes.buffer instanceof SharedArrayBuffer && offsets.buffer instanceof SharedArrayBuffer);
  t.same([...offsets], [0, 3, 3, 4]);
});

t.test("a code without a text is refused", async (t) => {
  const shared = shareTexts(["a", "b"]);
  for (const code of [-1, 2, 0.5]) t.throws(() => textOf(shared, code), RangeError, String(code));
  t.throws(() => textOf(shareTexts([]), 0), RangeError);
});
