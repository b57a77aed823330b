import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { bytesOf, byteText, joinBytes, jsonText } from "../../../src/contract/byte-text.ts";
import { anyCharacter } from "../../support/any-character.ts";

t.test("a text has a character for each byte that it has in UTF-8", async () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: anyCharacter }),
    fc.constantFrom("", "é", "Murang’a", "\u{1f33d}", "\ud800"),
  );
  fc.assert(
    fc.property(texts, texts, (first, second) => {
      const bytes = byteText(first);
      assert.equal(bytes.length, Buffer.byteLength(first));
      assert.deepEqual(bytesOf(bytes), Buffer.from(first));
      assert.equal(byteText(Buffer.from(first)), bytes);
      assert.deepEqual(
        bytesOf(joinBytes(bytes, byteText(second))),
        Buffer.concat([first, second].map((text) => Buffer.from(text))),
      );
    }),
  );
});

t.test("a text in ASCII is such a text already", async (t) => {
  t.equal(jsonText({ a: [1, "b"] }), '{"a":[1,"b"]}');
});
