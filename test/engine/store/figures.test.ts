import assert from "node:assert/strict";
import fc from "fast-check";
import { max, mean, median, min, sampleStandardDeviation } from "simple-statistics";
import t from "tap";
import { conversionFactorMax, conversionFactorMin, priceMax } from "../../../src/engine/model/records.ts";
import { type Group, groupOf, medianOf, roundFigure } from "../../../src/engine/store/figures.ts";
import { runsOf } from "../../support/fixed-seed.ts";
import { agree } from "../../support/naive-queries.ts";

const price = fc.oneof(
  fc.integer({ min: 1, max: 500_000 }).map((cents) => cents / 100),
  fc.double({ min: 1e-9, max: 1e9, noNaN: true }),
);
/** The greatest price that files may have, in the smallest unit, in US dollars at the lowest rate. */
const greatestPrice = (priceMax * conversionFactorMax) / conversionFactorMin / conversionFactorMin;
const anyPrice = fc.oneof(price, fc.double({ min: 1e9, max: greatestPrice, noNaN: true }));

/** Taken over as they are. */
const wholesale = { byType: [1, 0, 0, 0], converted: 0, excluded: 0 };

t.test("the figures of any prices are those of a statistics library", async () => {
  fc.assert(
    fc.property(fc.array(price, { minLength: 1, maxLength: 80 }), (values) => {
      const figures = figuresOf(values);
      const greatest = max(values);
      const deviation = values.length === 1 ? 0 : sampleStandardDeviation(values);
      assert.deepEqual([figures.count, figures.min, figures.max], [values.length, min(values), greatest]);
      assert.ok(agree(figures.mean, mean(values), greatest), `mean ${figures.mean}`);
      assert.ok(agree(figures.median, median(values)), `median ${figures.median}`);
      assert.ok(agree(figures.deviation, deviation, greatest), `deviation ${figures.deviation}`);
    }),
    { numRuns: runsOf(500) },
  );
});

t.test("great prices close together keep the digits of their deviation", async (t) => {
  const values = [1e9, 1e9 + 0.25, 1e9 + 0.5];
  const squares = values.reduce((sum, value) => sum + value * value, 0);
  const plain = Math.sqrt((squares - values.reduce((sum, value) => sum + value, 0) ** 2 / 3) / 2);
  t.notOk(Math.abs(plain - 0.25) < 1, "a sum of squares");
  t.match(figuresOf(values), { mean: 1e9 + 0.25, median: 1e9 + 0.25, deviation: 0.25 });

  // Fractions on top of 1e9, of which the deviation is known: that of the fractions alone.
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1024 }), { minLength: 2, maxLength: 40 }), (offsets) => {
      const small = offsets.map((offset) => offset / 1024);
      const { deviation } = figuresOf(small.map((offset) => 1e9 + offset));
      assert.ok(Math.abs(deviation - sampleStandardDeviation(small)) <= 2e-6, `${deviation}`);
    }),
  );
});

t.test("sums keep the digits that plain additions round away", async (t) => {
  const tenths = new Array<number>(1_000_000).fill(0.1);
  tenths[0] = 0.2;
  const plain = tenths.reduce((sum, value) => sum + value, 0);
  t.ok(Math.abs(plain - 100_000.1) > 1e-7, "a plain sum");
  t.ok(Math.abs(figuresOf(tenths).mean - 0.1000001) < 1e-16);

  const great = [1e17, ...new Array<number>(99).fill(1)];
  t.equal(
    great.reduce((sum, value) => sum + value, 0),
    1e17,
    "a plain sum",
  );
  t.equal(figuresOf(great).mean, (1e17 + 99) / 100);
  t.equal(figuresOf(great.reverse()).mean, (1e17 + 99) / 100);
});

t.test("the figures of the greatest prices that files may have stay finite, however many there are", async (t) => {
  for (const count of [49, 50]) {
    const { mean, median, deviation } = figuresOf(new Array(count).fill(greatestPrice));
    t.same([mean, median, deviation], [greatestPrice, greatestPrice, 0], `${count} of the greatest price`);
  }
  const apart = figuresOf([1, greatestPrice]);
  t.equal(apart.mean, greatestPrice / 2);
  t.ok(agree(apart.deviation / greatestPrice, Math.SQRT1_2));
  const rowsMax = 2 ** 32;
  t.ok(Number.isFinite(rowsMax * greatestPrice ** 2), "the squares of as many as a store has rows for");
});

t.test("equal prices have their own mean and deviate by 0, however many and however great", async () => {
  fc.assert(
    fc.property(anyPrice, fc.integer({ min: 1, max: 200 }), (value, count) => {
      const { mean, median, deviation } = figuresOf(new Array(count).fill(value));
      assert.deepEqual({ mean, median, deviation }, { mean: value, median: value, deviation: 0 });
    }),
    { numRuns: runsOf(500) },
  );
});

t.test("mean and median lie between least and greatest", async () => {
  fc.assert(
    fc.property(fc.array(anyPrice, { minLength: 1, maxLength: 30 }), (values) => {
      const { mean, median, min, max, deviation } = figuresOf(values);
      assert.ok(min <= mean && mean <= max, `mean ${mean}`);
      assert.ok(min <= median && median <= max, `median ${median}`);
      assert.ok(deviation >= 0 && Number.isFinite(deviation), `deviation ${deviation}`);
    }),
    { numRuns: runsOf(500) },
  );
});

t.test("only the values of the range count, whatever lies around them", async (t) => {
  const values = Float64Array.of(Number.NaN, 3, 1, 2, 1000, Number.NaN);
  t.match(groupOf(1, values, 1, 4, wholesale), { mean: 2, min: 1, max: 3, median: 2, count: 3, deviation: 1 });
  t.same([values[0], values[4], values[5]], [Number.NaN, 1000, Number.NaN]);
});

t.test("a group without prices has figures of 0 and keeps what was excluded", async (t) => {
  t.same(groupOf(9, Float64Array.of(5), 1, 1, { ...wholesale, excluded: 12 }), {
    key: 9,
    count: 0,
    mean: 0,
    min: 0,
    max: 0,
    median: 0,
    deviation: 0,
    byType: [1, 0, 0, 0],
    converted: 0,
    excluded: 12,
  });
});

function figuresOf(values: readonly number[]): Group {
  return groupOf(1, Float64Array.from(values), 0, values.length, wholesale);
}

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
    fc.property(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 100, size: "max" }), (numbers) => {
      const values = Float64Array.from(numbers);
      medianOf(values, 0, values.length);
      assert.deepEqual(values.sort(), Float64Array.from(numbers).sort());
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
