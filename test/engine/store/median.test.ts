import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { medianOf } from "../../../src/engine/store/figures.ts";
import { runsOf } from "../../support/fixed-seed.ts";

t.test("the median of any values is the middle of the sorted ones", async () => {
  const value = fc.oneof(
    fc.constantFrom(1, 50, 100),
    fc.integer({ min: 1, max: 20 }),
    fc.double({ min: 0, max: 1e39, noNaN: true }),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 200, size: "max" }), (values) => compare(values)),
    { numRuns: runsOf(500) },
  );
});

t.test("few different values do not mislead it", async () => {
  const values = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 17, maxLength: 200, size: "max" });
  fc.assert(fc.property(values, (values) => compare(values)));
});

t.test("orders that are hard on a selection give the same median, at every size", async () => {
  for (let size = 1; size <= 200; size++) {
    const ascending = Array.from({ length: size }, (_, at) => at);
    const half = size >> 1;
    compare(ascending);
    compare(ascending.toReversed());
    compare(new Array<number>(size).fill(7));
    compare(ascending.map((at) => Math.min(at, size - at)));
    compare(ascending.map((at) => Math.max(at, size - at)));
    compare(ascending.map((at) => at % 2));
    compare(ascending.map((at) => (at === half ? 1 : 0)));
    compare(ascending.map((at) => (at * 7919) % size));
  }
});

t.test("the values are kept, only their order may change", async () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 100, size: "max" }), (given) => {
      const values = Float64Array.from(given);
      medianOf(values, 0, values.length);
      assert.deepEqual(values.sort(), Float64Array.from(given).sort());
    }),
  );
});

t.test("what lies around the range is neither looked at nor moved", async (t) => {
  const values = Float64Array.of(-3, 3, 1, 2, 4, -1, -2);
  t.equal(medianOf(values, 1, 5), 2.5);
  t.same([values[0], ...values.subarray(5)], [-3, -1, -2]);
  const many = Float64Array.from({ length: 100 }, (_, at) => (at * 37) % 100);
  const wanted = [...many.subarray(10, 91)].sort((a, b) => a - b)[40];
  t.equal(medianOf(many, 10, 91), wanted);
});

/** Throws where the median of values differs from the sorted middle. */
function compare(values: readonly number[]): void {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = values.length >> 1;
  const upper = sorted[middle] as number;
  const wanted = values.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2;
  const found = medianOf(Float64Array.from(values), 0, values.length);
  assert.equal(found, wanted, `the median of ${values.length} values is ${found}, expected ${wanted}`);
}
