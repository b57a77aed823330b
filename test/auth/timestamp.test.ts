import t from "tap";
import {
  isMillisecondsTimestamp,
  parseTimestamp,
  signatureWindowSeconds,
  timestampIsFresh,
} from "../../src/auth/signature.ts";

t.test("parseTimestamp reads 1 to 12 digits", async (t) => {
  t.equal(parseTimestamp("0"), 0);
  t.equal(parseTimestamp("1767225600"), 1_767_225_600);
  t.equal(parseTimestamp("999999999999"), 999_999_999_999);
});

t.test("parseTimestamp refuses every other text", async (t) => {
  const texts = ["", " ", "-1", "+1", "1.0", "1e9", "0x10", " 1", "1 ", "1\n", "01", "00", "1000000000000", "NaN", "١"];
  for (const text of texts) t.equal(parseTimestamp(text), undefined, JSON.stringify(text));
});

t.test("a timestamp is fresh up to 300 seconds away and not at 301, in both directions", async (t) => {
  const now = 1_767_225_600;
  t.equal(signatureWindowSeconds, 300);
  for (const difference of [0, 1, -1, 300, -300])
    t.ok(timestampIsFresh(now + difference, now * 1000), `${difference} s`);
  for (const difference of [301, -301, now]) t.notOk(timestampIsFresh(now + difference, now * 1000), `${difference} s`);
});

t.test("the server's clock counts in whole seconds, cut off", async (t) => {
  const now = 1_767_225_600;
  t.ok(timestampIsFresh(now - 300, now * 1000 + 999), "300.999 s old");
  t.notOk(timestampIsFresh(now + 301, now * 1000 + 999), "300.001 s ahead");
});

t.test("thirteen digits are a time in milliseconds", async (t) => {
  for (const text of ["1000000000000", "1767225600123"]) t.ok(isMillisecondsTimestamp(text), text);
  for (const text of ["", "1767225600", "176722560012", "0767225600123", "17672256001234", "1767225600.12"])
    t.notOk(isMillisecondsTimestamp(text), text);
});
