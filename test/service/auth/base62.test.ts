import t from "tap";
import { base62Text, randomBase62 } from "../../../src/contract/credentials.ts";

t.test("base62Text counts 0-9, A-Z, a-z and fills up with zeros", async (t) => {
  t.equal(base62Text(0, 6), "000000");
  t.equal(base62Text(9, 1), "9");
  t.equal(base62Text(10, 1), "A");
  t.equal(base62Text(35, 1), "Z");
  t.equal(base62Text(36, 1), "a");
  t.equal(base62Text(61, 2), "0z");
  t.equal(base62Text(62, 2), "10");
  t.equal(base62Text(0xffff_ffff, 6), "4gfFC3", "the greatest CRC-32 needs six digits");
});

t.test("base62Text cuts off what does not fit", async (t) => t.equal(base62Text(62 * 62 + 1, 2), "01"));

t.test("randomBase62 draws every digit, and no text twice", async (t) => {
  const texts = Array.from({ length: 500 }, () => randomBase62(27));
  t.equal(new Set(texts).size, 500);
  t.ok(texts.every((text) => /^[0-9A-Za-z]{27}$/.test(text)));
  t.equal(new Set(texts.join("")).size, 62);
});
