import t from "tap";
import { toUuid } from "../../../src/domain/ids.ts";
import { readUuid, wordsPerUuid } from "../../../src/domain/uuid-words.ts";
import { SeededUuids, uuidKinds } from "../../../src/sample/random/seeded-uuids.ts";

t.test("uuids are of version 4 and of the variant of RFC 9562, in all kinds", (t) => {
  const uuids = new SeededUuids(1);
  for (const kind of Object.values(uuidKinds)) {
    for (const number of [0, 1, 2, 1000, 0xffff_ffff]) {
      const text = uuids.text(kind, number);
      t.equal(toUuid(text), text);
      t.match(text, /^.{14}4.{4}[89ab]/);
    }
  }
  t.end();
});

t.test("no uuid comes twice, whatever kind and number", (t) => {
  const uuids = new SeededUuids(7);
  const each = 40_000;
  const kinds = Object.values(uuidKinds);
  const words = new Uint32Array(each * kinds.length * wordsPerUuid);
  for (const [at, kind] of kinds.entries()) {
    for (let number = 0; number < each; number++) uuids.write(words, at * each + number, kind, number);
  }
  const texts = new Set(Array.from({ length: each * kinds.length }, (_, row) => readUuid(words, row)));
  t.equal(texts.size, each * kinds.length);
  t.end();
});

t.test("the free bits look random: about half of them change from one number to the next", (t) => {
  const uuids = new SeededUuids(9);
  const words = new Uint32Array(1000 * wordsPerUuid);
  for (let number = 0; number < 1000; number++) uuids.write(words, number, uuidKinds.price, number);
  const changes = Array.from({ length: 128 }, () => 0);
  for (let number = 1; number < 1000; number++) {
    for (let bit = 0; bit < 128; bit++) {
      const at = number * wordsPerUuid + (bit >> 5);
      const changed = (words[at] as number) ^ (words[at - wordsPerUuid] as number);
      if ((changed >>> (31 - (bit & 31))) & 1) changes[bit] = (changes[bit] as number) + 1;
    }
  }
  const fixed = [48, 49, 50, 51, 64, 65];
  for (const [bit, count] of changes.entries()) {
    if (fixed.includes(bit)) t.equal(count, 0, `bit ${bit} is fixed`);
    else t.ok(count > 400 && count < 600, `bit ${bit} changes ${count} times in 999`);
  }
  t.end();
});

t.test("seeds differ", (t) => {
  t.not(new SeededUuids(1).text(uuidKinds.product, 0), new SeededUuids(2).text(uuidKinds.product, 0));
  t.end();
});
