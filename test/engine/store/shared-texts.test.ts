import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { shareTexts, textOf } from "../../../src/engine/store/shared-texts.ts";

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
