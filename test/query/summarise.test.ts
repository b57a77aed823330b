import assert from "node:assert/strict";
import fc from "fast-check";
import { max, mean, median, min, sampleStandardDeviation } from "simple-statistics";
import t from "tap";
import { type Figures, roundFigure, summarise } from "../../src/query/summarise.ts";
import { agree } from "../support/naive-queries.ts";

const price = fc.oneof(
  fc.integer({ min: 1, max: 500_000 }).map((cents) => cents / 100),
  fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
);

t.test("the figures of any prices are those of a statistics library", async () => {
  fc.assert(
    fc.property(fc.array(price, { minLength: 1, maxLength: 50 }), (values) => {
      const figures = figuresOf(values);
      const greatest = max(values);
      const deviation = values.length === 1 ? 0 : sampleStandardDeviation(values);
      assert.equal(figures.count, values.length);
      assert.ok(agree(figures.average, mean(values), greatest), "average");
      assert.ok(agree(figures.median, median(values)), "median");
      assert.ok(agree(figures.min, min(values)), "min");
      assert.ok(agree(figures.max, greatest), "max");
      assert.ok(agree(figures.deviation, deviation, greatest), "deviation");
    }),
    { numRuns: 500 },
  );
});

t.test("great prices close together keep the digits of their deviation", async (t) => {
  const values = [1e9, 1e9 + 0.25, 1e9 + 0.5];
  const squares = values.reduce((sum, value) => sum + value * value, 0);
  const plain = Math.sqrt((squares - values.reduce((sum, value) => sum + value, 0) ** 2 / 3) / 2);
  t.notOk(Math.abs(plain - 0.25) < 1, "a sum of squares");
  t.same(figuresOf(values), {
    average: 1e9 + 0.25,
    min: 1e9,
    max: 1e9 + 0.5,
    median: 1e9 + 0.25,
    count: 3,
    deviation: 0.25,
  });

  // Thousandths around 1e9, of which the deviation is known: that of the thousandths alone.
  const offsets = fc.array(fc.integer({ min: 0, max: 1024 }), { minLength: 2, maxLength: 40 });
  fc.assert(
    fc.property(offsets, (offsets) => {
      const small = offsets.map((offset) => offset / 1024);
      const { deviation } = figuresOf(small.map((offset) => 1e9 + offset));
      assert.ok(Math.abs(deviation - sampleStandardDeviation(small)) <= 2e-6, `${deviation}`);
    }),
  );
});

t.test("the order of the prices does not matter", async () => {
  const shuffled = fc
    .array(price, { minLength: 1, maxLength: 30 })
    .chain((values) => fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length })));
  fc.assert(
    fc.property(shuffled, ([values, others]) => {
      assert.deepEqual(figuresOf(others), figuresOf(values));
    }),
  );
});

t.test("one price is its own average, least, greatest and middle, and deviates by 0", async (t) => {
  for (const value of [42, 0.01, 1234.56, 1e300, Number.MAX_VALUE]) {
    t.same(figuresOf([value]), { average: value, min: value, max: value, median: value, count: 1, deviation: 0 });
  }
});

t.test("the median is the middle of an odd and the mean of the middle two of an even number of prices", async (t) => {
  t.equal(figuresOf([9, 1, 5]).median, 5);
  t.equal(figuresOf([9, 1, 5, 6]).median, 5.5);
  t.equal(figuresOf([3, 4]).median, 3.5);
  t.equal(figuresOf([10, 9, 100]).median, 10, "sorted as numbers");
});

t.test("the deviation is that of a sample", async (t) => {
  t.equal(figuresOf([2, 4, 4, 4, 5, 5, 7, 9]).deviation, 2.13809, "of a population it would be 2");
  t.equal(figuresOf([1, 4]).deviation, 2.12132);
});

t.test("huge prices do not overflow", async (t) => {
  const huge = figuresOf([1e300, 3e300]);
  t.same([huge.min, huge.max, huge.median, huge.count], [1e300, 3e300, 2e300, 2]);
  t.ok(agree(huge.average / 2e300, 1));
  t.ok(agree(huge.deviation / (Math.SQRT2 * 1e300), 1));

  for (const count of [49, 50]) {
    const { average, median, deviation } = figuresOf(new Array(count).fill(Number.MAX_VALUE));
    t.same([average, median, deviation], [Number.MAX_VALUE, Number.MAX_VALUE, 0], `${count} of the greatest number`);
  }

  const apart = figuresOf([1, Number.MAX_VALUE]);
  t.equal(apart.average, Number.MAX_VALUE / 2);
  t.ok(agree(apart.deviation / Number.MAX_VALUE, Math.SQRT1_2));
});

t.test("prices on both sides of the size at which they are scaled give figures of one scale", async (t) => {
  for (const power of [2 ** 479, 2 ** 480, 2 ** 481]) {
    const figures = figuresOf([power, 3 * power, 5 * power]);
    t.same([figures.average, figures.deviation], [3 * power, 2 * power]);
  }
});

t.test("equal prices have their own average and deviate by 0, however many and however great", async () => {
  const value = fc.oneof(price, fc.double({ min: 1e9, max: 1e300, noNaN: true }));
  fc.assert(
    fc.property(value, fc.integer({ min: 1, max: 200 }), (value, count) => {
      const { average, min, deviation } = figuresOf(new Array(count).fill(value));
      assert.deepEqual({ average, deviation }, { average: min, deviation: 0 });
    }),
    { numRuns: 500 },
  );
});

t.test("average and median lie between least and greatest", async () => {
  const value = fc.oneof(price, fc.double({ min: 1e9, max: Number.MAX_VALUE, noNaN: true }));
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 20 }), (values) => {
      const { average, median, min, max, deviation } = figuresOf(values);
      assert.ok(min <= average && average <= max, `average ${average}`);
      assert.ok(min <= median && median <= max, `median ${median}`);
      assert.ok(deviation >= 0 && Number.isFinite(deviation), `deviation ${deviation}`);
    }),
    { numRuns: 500 },
  );
});

t.test("nothing cannot be summed up", async (t) => {
  t.throws(() => figuresOf([]), RangeError);
});

t.test("figures are rounded to six decimals", async (t) => {
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

function figuresOf(values: readonly number[]): Figures {
  return summarise(Float64Array.from(values));
}
