import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { figureText, roundFigure } from "../../src/domain/round-figure.ts";
import { agree } from "../support/naive-queries.ts";

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

t.test("the text of a figure is that of JSON", async (t) => {
  const value = fc.oneof(
    fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
    fc.double({ min: 0, max: 2e6, noNaN: true }),
    fc.tuple(fc.nat(2_000_000_000), fc.nat(9)).map(([digits, decimals]) => digits / 10 ** decimals),
    // Around the bounds of the tables.
    fc
      .tuple(fc.constantFrom(0, 1e-6, 1e-3, 1, 1e3, 1e6), fc.integer({ min: -3, max: 3 }))
      .map(([bound, millionths]) => Math.max(0, bound + millionths / 1e6)),
  );
  fc.assert(
    fc.property(value, (value) => {
      assert.equal(figureText(value), JSON.stringify(roundFigure(value)));
    }),
    { numRuns: 5000 },
  );
  for (const value of [0, 0.000_000_4, 0.000_000_5, 999.999_999_5, 999_999.999_999_4, 999_999.999_999_5, 1e21]) {
    t.equal(figureText(value), JSON.stringify(roundFigure(value)));
  }
});
