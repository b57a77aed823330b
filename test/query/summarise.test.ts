import assert from "node:assert/strict";
import fc from "fast-check";
import { max, mean, min } from "simple-statistics";
import t from "tap";
import { type Figures, figuresAt, type GroupPlace, overallOf, roundFigure } from "../../src/query/summarise.ts";
import { GroupFiguresBuilder } from "../../src/store/group-figures.ts";
import { agree } from "../support/naive-queries.ts";

const price = fc.oneof(
  fc.integer({ min: 1, max: 500_000 }).map((cents) => cents / 100),
  fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
);

t.test("figures are answered rounded to six decimals", async (t) => {
  const [thirds] = placesOf([[0.1 + 0.2], [1, 1, 2]]) as [GroupPlace];
  t.same(figuresAt(thirds), {
    average: 0.3,
    min: 0.3,
    max: 0.3,
    median: 0.3,
    count: 1,
    deviation: 0,
  } satisfies Figures);
  const [, second] = placesOf([[5], [1, 1, 2]]) as [GroupPlace, GroupPlace];
  t.same(figuresAt(second), { average: 1.333333, min: 1, max: 2, median: 1, count: 3, deviation: 0.57735 });
});

t.test("the figures over groups are those of all their records", async () => {
  const groups = fc.array(fc.array(price, { maxLength: 20 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(groups, (groups) => {
      const records = groups.flat();
      const overall = overallOf(placesOf(groups));
      if (records.length === 0) {
        assert.equal(overall, null);
        return;
      }
      const { average, ...others } = overall ?? { average: Number.NaN };
      assert.ok(agree(average, mean(records), max(records)), `average ${average}`);
      const wanted = { min: roundFigure(min(records)), max: roundFigure(max(records)), count: records.length };
      assert.deepEqual(others, wanted);
    }),
    { numRuns: 300 },
  );
});

t.test("the overall average counts each group as often as it has records", async (t) => {
  t.match(overallOf(placesOf([[10, 10, 10], [50]])), { average: 20, min: 10, max: 50, count: 4 });
});

t.test("nothing at all has no overall figures, and groups without records change none", async (t) => {
  t.equal(overallOf([]), null);
  t.equal(overallOf(placesOf([[], []])), null);
  t.same(overallOf(placesOf([[], [7], []])), { average: 7, min: 7, max: 7, count: 1 });
});

t.test("equal prices have their own overall average, in however many groups", async () => {
  const value = fc.oneof(price, fc.double({ min: 1e9, max: Number.MAX_VALUE, noNaN: true }));
  fc.assert(
    fc.property(value, fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1 }), (value, counts) => {
      const overall = overallOf(placesOf(counts.map((count) => new Array<number>(count).fill(value))));
      if (overall !== null) assert.equal(overall.average, overall.min);
    }),
  );
});

t.test("huge prices do not overflow in the overall average", async (t) => {
  const { MAX_VALUE } = Number;
  t.equal(overallOf(placesOf([[MAX_VALUE, MAX_VALUE], [MAX_VALUE]]))?.average, MAX_VALUE);
  const apart = overallOf(placesOf([[1], [MAX_VALUE]]));
  t.same([apart?.average, apart?.min, apart?.max], [MAX_VALUE / 2, 1, MAX_VALUE]);
});

t.test("figures are rounded half up at the sixth decimal", async (t) => {
  t.equal(roundFigure(0.1 + 0.2), 0.3);
  t.equal(roundFigure(1 / 3), 0.333333);
  t.equal(roundFigure(2 / 3), 0.666667);
  t.equal(roundFigure(0.000_000_5), 0.000001);
  t.equal(roundFigure(0.000_000_499), 0);
  t.equal(roundFigure(1234.567891), 1234.567891);
  t.equal(roundFigure(0), 0);
});

t.test("numbers too great to have six decimals stay as they are", async (t) => {
  const lastScaled = (Number.MAX_SAFE_INTEGER - 1) / 1e6;
  t.ok(agree(roundFigure(lastScaled), lastScaled));
  for (const value of [9_007_199_255, 123_456_789_012.345_67, 1e21, 1e300, Number.MAX_VALUE]) {
    t.equal(roundFigure(value), value);
  }
});

function placesOf(groups: readonly (readonly number[])[]): GroupPlace[] {
  const builder = new GroupFiguresBuilder();
  for (const [key, values] of groups.entries()) builder.add(key, Float64Array.from(values), values.length, 0, 0);
  const figures = builder.view();
  return groups.map((_, at) => ({ figures, at }));
}
