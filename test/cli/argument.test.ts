import { InvalidArgumentError } from "commander";
import t from "tap";
import { duration, wholeNumber } from "../../src/cli/argument.ts";

const dayMilliseconds = 86_400_000;
const readDuration = duration({ min: 0, max: 365 * dayMilliseconds, words: "0 to 365d" });

t.test("a whole number of seconds, minutes, hours or days is read, and 0 alone", async (t) => {
  const texts = ["45s", "30m", "24h", "90d", "365d", "0", "0s", "007d"];
  const milliseconds = [45_000, 1_800_000, dayMilliseconds, 90 * dayMilliseconds, 365 * dayMilliseconds, 0, 0];
  t.same(texts.map(readDuration), [...milliseconds, 7 * dayMilliseconds]);
});

t.test("anything else, and what is outside the limits, is wrong use", async (t) => {
  for (const text of ["", "s", "90", "1.5h", "-1d", "+1d", "1w", "1 d", " 1d", "1d ", "1d1h", "1D", "366d", "1e9d"]) {
    t.throws(() => readDuration(text), InvalidArgumentError, `"${text}"`);
  }
  const least = duration({ min: 1000, max: 2000, words: "1s to 2s" });
  t.throws(() => least("0"), { message: "Expected 1s to 2s, as a number of s, m, h or d: 90d, 24h." });
});

const readNumber = wholeNumber({ min: 1, max: 100 });

t.test("plain digits within the limits are read", (t) => {
  t.same(["1", "42", "100", "007"].map(readNumber), [1, 42, 100, 7]);
  t.end();
});

t.test("anything else is wrong use", (t) => {
  for (const text of ["", "0", "101", "-1", "+1", "1.5", "1e1", "0x10", " 1", "1 ", "ten", "1_0", "Infinity"]) {
    t.throws(() => readNumber(text), InvalidArgumentError, `"${text}"`);
  }
  t.throws(() => readNumber("0"), { message: "Expected a whole number from 1 to 100." });
  t.end();
});
