import t from "tap";
import { NeumaierSum } from "../../src/query/neumaier-sum.ts";

function sumOf(values: readonly number[]): number {
  const sum = new NeumaierSum();
  for (const value of values) sum.add(value);
  return sum.value;
}

t.test("digits that a plain sum rounds away are kept", async (t) => {
  const values = [1, 1e100, 1, -1e100];
  t.equal(
    values.reduce((sum, value) => sum + value, 0),
    0,
    "a plain sum",
  );
  t.equal(sumOf(values), 2);
});

t.test("a million tenths are a hundred thousand", async (t) => {
  const tenths = new Array<number>(1_000_000).fill(0.1);
  t.not(
    tenths.reduce((sum, value) => sum + value, 0),
    100_000,
    "a plain sum",
  );
  t.equal(sumOf(tenths), 100_000);
});

t.test("the sum of nothing is 0", async (t) => {
  t.equal(sumOf([]), 0);
});
