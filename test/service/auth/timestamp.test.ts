import t from "tap";
import {
  parseTimestamp,
  signatureWindowSeconds,
  timestampIsFresh,
  wrongUnitOf,
} from "../../../src/contract/credentials.ts";

t.test("parseTimestamp reads every integer, of any length", async (t) => {
  t.equal(parseTimestamp("0"), 0);
  t.equal(parseTimestamp("1767225600"), 1_767_225_600);
  t.equal(parseTimestamp("1767225600123"), 1_767_225_600_123);
  t.equal(parseTimestamp("-1"), -1);
  t.equal(parseTimestamp("007"), 7);
  t.equal(parseTimestamp("-0"), -0);
  t.equal(parseTimestamp("9".repeat(26)), 1e26);
  t.equal(parseTimestamp("9".repeat(400)), Number.POSITIVE_INFINITY);
});

t.test("parseTimestamp refuses every other text", async (t) => {
  const texts = ["", " ", "-", "--1", "+1", "1.0", "1e9", "0x10", " 1", "1 ", "1\n", "1_000", "1,000", "NaN", "١"];
  for (const text of texts) t.equal(parseTimestamp(text), undefined, JSON.stringify(text));
});

t.test("a timestamp is fresh up to 300 seconds away and not at 301, in both directions", async (t) => {
  const now = 1_767_225_600;
  t.equal(signatureWindowSeconds, 300);
  for (const difference of [0, 1, -1, 300, -300])
    t.ok(timestampIsFresh(now + difference, now * 1000), `${difference} s`);
  for (const difference of [301, -301, now, -2 * now, 1e26, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])
    t.notOk(timestampIsFresh(now + difference, now * 1000), `${difference} s`);
});

t.test("the server's clock counts in whole seconds, cut off", async (t) => {
  const now = 1_767_225_600;
  t.ok(timestampIsFresh(now - 300, now * 1000 + 999), "300.999 s old");
  t.notOk(timestampIsFresh(now + 301, now * 1000 + 999), "300.001 s ahead");
});

t.test("a time in a smaller unit than seconds is known by its digits", async (t) => {
  for (const text of ["1000000000000", "1767225600123"]) t.equal(wrongUnitOf(text), "milliseconds", text);
  t.equal(wrongUnitOf("1767225600123456"), "microseconds");
  t.equal(wrongUnitOf("1767225600123456789"), "nanoseconds");
  for (const text of ["", "1767225600", "176722560012", "0767225600123", "17672256001234", "1767225600.12"])
    t.equal(wrongUnitOf(text), undefined, text);
});
