import assert from "node:assert/strict";
import fc from "fast-check";
import { max, mean, min } from "simple-statistics";
import t from "tap";
import { type GroupList, noFigures } from "../../src/query/group-list.ts";
import { type OverallFigures, roundFigure, totalsOf } from "../../src/query/summarise.ts";
import { GroupFiguresBuilder } from "../../src/store/group-figures.ts";
import { agree } from "../support/naive-queries.ts";

const price = fc.oneof(
  fc.integer({ min: 1, max: 500_000 }).map((cents) => cents / 100),
  fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
);

t.test("the figures over groups are those of all their records", async () => {
  const groups = fc.array(fc.array(price, { maxLength: 20 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(groups, (groups) => {
      const records = groups.flat();
      const overall = overallOf(listOf(groups));
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
  t.match(overallOf(listOf([[10, 10, 10], [50]])), { average: 20, min: 10, max: 50, count: 4 });
});

t.test("nothing at all has no overall figures, and groups without records change none", async (t) => {
  t.equal(overallOf(listOf([])), null);
  t.equal(overallOf(listOf([[], []])), null);
  t.same(overallOf(listOf([[], [7], []])), { average: 7, min: 7, max: 7, count: 1 });
});

t.test("equal prices have their own overall average, in however many groups", async () => {
  const value = fc.oneof(price, fc.double({ min: 1e9, max: Number.MAX_VALUE, noNaN: true }));
  fc.assert(
    fc.property(value, fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1 }), (value, counts) => {
      const overall = overallOf(listOf(counts.map((count) => new Array<number>(count).fill(value))));
      if (overall !== null) assert.equal(overall.average, overall.min);
    }),
  );
});

t.test("huge prices do not overflow in the overall average", async (t) => {
  const { MAX_VALUE } = Number;
  t.equal(overallOf(listOf([[MAX_VALUE, MAX_VALUE], [MAX_VALUE]]))?.average, MAX_VALUE);
  const apart = overallOf(listOf([[1], [MAX_VALUE]]));
  t.same([apart?.average, apart?.min, apart?.max], [MAX_VALUE / 2, 1, MAX_VALUE]);
});

t.test("groups add up whether they are ready or were made, with what was converted and left out", async (t) => {
  const columnsOf = (groups: readonly [prices: number[], converted: number, excluded: number][]) => {
    const builder = new GroupFiguresBuilder();
    for (const [prices, converted, excluded] of groups) {
      builder.add(0, Float64Array.from(prices), prices.length, converted, excluded);
    }
    return builder.view();
  };
  const ready = columnsOf([
    [[1000], 100, 100],
    [[4, 6], 1, 0],
  ]);
  const made = columnsOf([
    [[2000], 200, 200],
    [[], 0, 3],
    [[3], 1, 4],
  ]);
  t.same(totalsOf({ ready, made, places: [-2, 1, -3], keys: [0, 1, 2] }), {
    overall: { average: 4.333333, min: 3, max: 6, count: 3 },
    convertedSamples: 2,
    excludedSamples: 7,
  });
});

t.test("rounding is that of Math.round", async () => {
  const scaled = fc.oneof(
    fc.double({ min: 0, max: 10, noNaN: true }),
    fc.double({ min: 0, max: 9e15, noNaN: true }),
    fc.integer({ min: 0, max: 1e9 }).map((whole) => whole + 0.5),
    fc.maxSafeNat(),
  );
  fc.assert(
    fc.property(scaled, fc.integer({ min: -2, max: 2 }), (scaled, bits) => {
      const value = Math.max(0, (scaled / 1e6) * (1 + bits * Number.EPSILON));
      if (value * 1e6 >= Number.MAX_SAFE_INTEGER) return;
      assert.equal(roundFigure(value), Math.round(value * 1e6) / 1e6);
    }),
    { numRuns: 2000 },
  );
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

function overallOf(list: GroupList): OverallFigures | null {
  return totalsOf(list).overall;
}

function listOf(groups: readonly (readonly number[])[]): GroupList {
  const builder = new GroupFiguresBuilder();
  for (const [key, values] of groups.entries()) builder.add(key, Float64Array.from(values), values.length, 0, 0);
  return { ready: builder.view(), made: noFigures, places: [...groups.keys()], keys: [...groups.keys()] };
}
