import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { roundFigure } from "../../../src/engine/store/figures.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { agree } from "../../support/naive-queries.ts";

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
    { numRuns: runsOf(2000) },
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
