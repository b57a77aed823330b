import fc from "fast-check";
import t from "tap";
import { compareTexts } from "../../../src/engine/model/folded-text.ts";
import { compareUuids, readUuid, wordsPerUuid, writeUuid } from "../../../src/engine/model/ids.ts";
import { randomUuid } from "../../support/random-dataset.ts";

/** Uuids that share words, and any others. */
const anyUuid = fc.oneof(randomUuid, fc.uuid());

function wordsOf(texts: readonly string[]): Uint32Array {
  const words = new Uint32Array(texts.length * wordsPerUuid);
  texts.forEach((text, row) => {
    writeUuid(words, row, text);
  });
  return words;
}

t.test("a uuid lies in its row as four words, most significant first", async (t) => {
  const words = wordsOf(["00000000-0000-0000-0000-000000000000", "01234567-89ab-cdef-fedc-ba9876543210"]);
  t.same([...words], [0, 0, 0, 0, 0x0123_4567, 0x89ab_cdef, 0xfedc_ba98, 0x7654_3210]);
});

t.test("every uuid survives the way to words and back", async () => {
  fc.assert(
    fc.property(fc.array(anyUuid), (texts) => {
      const words = wordsOf(texts);
      return texts.every((text, row) => readUuid(words, row) === text);
    }),
  );
});

t.test("a uuid in capitals is read back in lower case", async (t) => {
  t.equal(readUuid(wordsOf(["ABCDEF01-2345-6789-ABCD-EF0123456789"]), 0), "abcdef01-2345-6789-abcd-ef0123456789");
});

t.test("leading zeros of every word are kept", async (t) => {
  const text = "00000001-0002-0003-0004-000500000006";
  t.equal(readUuid(wordsOf([text]), 0), text);
});

t.test("rows are ordered as their texts", async () => {
  fc.assert(
    fc.property(anyUuid, anyUuid, (a, b) => Math.sign(compareUuids(wordsOf([a, b]), 0, 1)) === compareTexts(a, b)),
  );
});

t.test("a difference in any one word decides, the highest bit included", async (t) => {
  const zero = "00000000-0000-0000-0000-000000000000";
  for (const text of [
    "80000000-0000-0000-0000-000000000000",
    "00000000-8000-0000-0000-000000000000",
    "00000000-0000-0000-8000-000000000000",
    "00000000-0000-0000-0000-000080000000",
    "00000000-0000-0000-0000-000000000001",
  ]) {
    t.ok(compareUuids(wordsOf([zero, text]), 0, 1) < 0, text);
    t.ok(compareUuids(wordsOf([text, zero]), 0, 1) > 0, text);
  }
  t.equal(compareUuids(wordsOf([zero, zero]), 0, 1), 0);
});
