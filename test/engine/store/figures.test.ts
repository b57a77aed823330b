import assert from "node:assert/strict";
import fc from "fast-check";
import { max, mean, median, min, sampleStandardDeviation } from "simple-statistics";
import t from "tap";
import { conversionFactorMax, conversionFactorMin, priceMax } from "../../../src/engine/model/records.ts";
import { type Group, groupOf } from "../../../src/engine/store/figures.ts";
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

t.test("the order of the prices does not matter", async () => {
  const shuffled = fc
    .array(price, { minLength: 1, maxLength: 40 })
    .chain((values) => fc.tuple(fc.constant(values), fc.shuffledSubarray(values, { minLength: values.length })));
  fc.assert(
    fc.property(shuffled, ([values, others]) => {
      const [a, b] = [figuresOf(values), figuresOf(others)];
      assert.deepEqual([a.min, a.max, a.median, a.count], [b.min, b.max, b.median, b.count]);
      assert.ok(agree(a.mean, b.mean) && agree(a.deviation, b.deviation, a.max));
    }),
  );
});

t.test("one price is its own mean, least, greatest and middle, and deviates by 0", async (t) => {
  for (const value of [42, 0.01, 1234.56, 1e30, greatestPrice, Number.MIN_VALUE]) {
    t.match(figuresOf([value]), { mean: value, min: value, max: value, median: value, count: 1, deviation: 0 });
  }
});

t.test("the deviation is that of a sample", async (t) => {
  t.ok(agree(figuresOf([2, 4, 4, 4, 5, 5, 7, 9]).deviation, Math.sqrt(32 / 7)), "of a population it would be 2");
  t.ok(agree(figuresOf([1, 4]).deviation, 3 * Math.SQRT1_2));
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
