import t from "tap";
import { FirstUseCodes } from "../../src/sample/first-use-codes.ts";

t.test("codes are given in order of first use and kept", (t) => {
  const codes = new FirstUseCodes(["a", "b", "c"]);
  t.same([codes.codeOf(2), codes.codeOf(0), codes.codeOf(2), codes.codeOfNew("d"), codes.codeOf(0)], [0, 1, 0, 2, 1]);
  t.same(codes.texts, ["c", "a", "d"]);
  t.end();
});

t.test("a position outside the list is refused", (t) => {
  const codes = new FirstUseCodes(["a"]);
  t.throws(() => codes.codeOf(1), { name: "RangeError", message: "position is 1, expected 0 to 0" });
  t.same(codes.texts, []);
  t.end();
});
