import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { compareTexts } from "../../../src/engine/model/folded-text.ts";
import {
  buildUuidIndex,
  compareUuids,
  countyIdMax,
  countyIdMin,
  findRow,
  isCountyId,
  readUuid,
  toUuid,
  wordsPerUuid,
  writeUuid,
} from "../../../src/engine/model/ids.ts";
import { randomUuid } from "../../support/random-dataset.ts";
import { uuidOf } from "../../support/tiny-dataset.ts";

const uuid = "0f8fad5b-d9cb-469f-a165-70867728950e";

t.test("a uuid is answered in lower case, whichever case it comes in", async (t) => {
  t.equal(toUuid(uuid), uuid);
  t.equal(toUuid(uuid.toUpperCase()), uuid);
  t.equal(toUuid("0F8fad5b-d9cb-469f-A165-70867728950E"), uuid);
});

t.test("uuids of every version and variant are recognised", async (t) => {
  for (const text of ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"]) {
    t.equal(toUuid(text), text);
  }
  fc.assert(fc.property(fc.uuid(), (text) => toUuid(text) === text));
});

t.test("a text that is no uuid is undefined", async (t) => {
  const near = [uuid.slice(1), `${uuid}0`, `${uuid} `, ` ${uuid}`, `${uuid}\n`, `{${uuid}}`, `urn:uuid:${uuid}`, ""];
  const bent = [
    uuid.replaceAll("-", ""),
    uuid.replace("f", "g"),
    uuid.replace("-", "_"),
    "0f8fad5bd-9cb-469f-a165-70867728950e",
  ];
  for (const text of [...near, ...bent, `${uuid.slice(0, -1)}\n`])
    t.equal(toUuid(text), undefined, JSON.stringify(text));
});

t.test("county numbers are the integers from 1 to 47", async (t) => {
  t.same([countyIdMin, countyIdMax], [1, 47]);
  t.same([0, 1, 47, 48].map(isCountyId), [false, true, true, false]);
  for (const value of [-1, 1.5, 46.999, Number.NaN, Number.POSITIVE_INFINITY, 1e21])
    t.notOk(isCountyId(value), String(value));
});

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

t.test("rows are ordered as their texts", async () => {
  fc.assert(
    fc.property(anyUuid, anyUuid, (a, b) => Math.sign(compareUuids(wordsOf([a, b]), 0, 1)) === compareTexts(a, b)),
  );
});

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
