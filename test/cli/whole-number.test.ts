import { InvalidArgumentError } from "commander";
import t from "tap";
import { wholeNumber } from "../../src/cli/whole-number.ts";

const read = wholeNumber({ min: 1, max: 100 });

t.test("plain digits within the limits are read", (t) => {
  t.same(["1", "42", "100", "007"].map(read), [1, 42, 100, 7]);
  t.end();
});

t.test("anything else is wrong use", (t) => {
  for (const text of ["", "0", "101", "-1", "+1", "1.5", "1e1", "0x10", " 1", "1 ", "ten", "1_0", "Infinity"]) {
    t.throws(() => read(text), InvalidArgumentError, `"${text}"`);
  }
  t.throws(() => read("0"), { message: "Expected a whole number from 1 to 100." });
  t.end();
});
