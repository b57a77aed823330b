import assert from "node:assert/strict";
import fc from "fast-check";
import t from "tap";
import { type ComparablePrices, fitComparable } from "../../../../src/engine/query/measures/fit-comparable.ts";
import { finish } from "../../../../src/engine/store/steps.ts";
import { valuesOf } from "../../../support/fields-of.ts";
import { runsOf } from "../../../support/fixed-seed.ts";
import {
  alternatingMeans,
  dummies,
  type MarketValue,
  type NaiveComparable,
  naiveComparable,
} from "../../../support/naive-comparable.ts";
import { fittedValues, marketValues, randomMarketValues } from "../../../support/random-market-values.ts";

function fit(values: readonly MarketValue[]): ComparablePrices {
  return finish(fitComparable(fittedValues(values)));
}

/** How far two ways may be apart, before figures are rounded. */
const tolerance = 1e-9;

function isNear(found: number | undefined, wanted: number | undefined): boolean {
  if (found === undefined || wanted === undefined) return found === wanted;
  return Math.abs(found - wanted) <= tolerance * Math.max(1, Math.abs(wanted));
}

function assertAgree(found: ComparablePrices, wanted: NaiveComparable): void {
  assert.deepEqual([...found.months], [...wanted.months.keys()]);
  const ofMonths = [...wanted.months.values()];
  assert.deepEqual([...found.marketCounts], valuesOf(ofMonths, "markets"));
  assert.deepEqual([...found.components], valuesOf(ofMonths, "component"));
  for (const [at, { price }] of ofMonths.entries()) {
    assert.ok(isNear(found.prices[at], price), `${at}: ${found.prices[at]}, expected ${price}`);
  }
  assert.ok(
    isNear(found.residualDeviation, wanted.residualDeviation),
    `${found.residualDeviation}, expected ${wanted.residualDeviation}`,
  );
}

for (const [name, twin] of [
  ["alternating means", alternatingMeans],
  ["a dummy for each market and month", dummies],
] as const) {
  t.test(`comparable prices are those of ${name}`, async (t) => {
    const seen = { components: 0, alone: 0, markets: 0, months: 0 };
    fc.assert(
      fc.property(randomMarketValues, (values) => {
        const found = fit(values);
        assertAgree(found, naiveComparable(values, twin));
        const { length } = found.months;
        if (length > 0 && Math.max(...found.components) > 1) seen.components++;
        if (length > 0 && new Set(values.map(({ market }) => market)).size === 1) seen.alone++;
        if (length === 1) seen.months++;
        if (new Set(values.map(({ market }) => market)).size > length) seen.markets++;
      }),
      { numRuns: runsOf(300) },
    );
    for (const [kind, count] of Object.entries(seen)) t.ok(count > 3, `${kind}: ${count}`);
  });
}

t.test("a market alone is its own price, to the last bit", async (t) => {
  const prices = [33.333333333333336, 0.1, 1e12, 1 / 3];
  const found = fit(marketValues(prices));
  t.strictSame([...found.prices], prices);
  t.equal(found.residualDeviation, undefined);
});

t.test("a market that comes does not shift the price", async (t) => {
  const found = fit(marketValues([10, 10, 20], [undefined, 100, 200]));
  const [first, second, third] = found.prices as unknown as [number, number, number];
  t.ok(isNear(second / first, 1), `${first} ${second}`);
  t.ok(isNear(third / second, 2));
  t.ok(isNear(found.residualDeviation, 0));
});

t.test("the geometric mean of comparable prices over the values is that of the values", async () => {
  fc.assert(
    fc.property(randomMarketValues, (values) => {
      const { months, prices } = fit(values);
      const logs = values.map(({ month }) => Math.log(prices[months.indexOf(month)] as number));
      const sum = (list: readonly number[]): number => list.reduce((all, one) => all + one, 0);
      assert.ok(isNear(sum(logs), sum(values.map(({ value }) => Math.log(value)))));
    }),
  );
});

t.test("components are numbered by their values, most first, then by first month", async (t) => {
  const gap = [undefined, undefined];
  const { components, marketCounts, prices } = fit(
    marketValues([1, ...gap], [undefined, 2], [...gap, 3, 4], [...gap, 30, undefined, 5]),
  );
  t.strictSame([...components], [2, 3, 1, 1, 1]);
  t.strictSame([...marketCounts], [1, 1, 2, 1, 1]);
  t.strictSame([...prices.subarray(0, 2)], [1, 2], "each is its own price");
});

t.test("markets that one month joins are compared by it", async (t) => {
  const { prices, components } = fit(marketValues([10, 20], [undefined, 40, 80]));
  t.strictSame([...components], [1, 1, 1]);
  t.ok(isNear((prices[1] as number) / (prices[0] as number), 2));
  t.ok(isNear((prices[2] as number) / (prices[1] as number), 2));
});

t.test("a long chain, which alternating means do not solve, is exact", async (t) => {
  const count = 600;
  const changes = Array.from({ length: count }, (_, at) => Math.sin(at * at));
  const markets = changes.map((change, at) => [
    ...new Array<undefined>(at).fill(undefined),
    ...[50, 50 * Math.exp(change)],
  ]);
  const { prices } = fit(marketValues(...markets));
  const total = changes.reduce((sum, change) => sum + change, 0);
  t.ok(isNear(Math.log((prices[count] as number) / (prices[0] as number)), total));
});

t.test("prices stay finite, and above 0, however ratios add up along a chain", async (t) => {
  // Each market falls to a part in 10^60, and the next begins where it ends: 20 of them fall to 10^-1200.
  const chain = Array.from({ length: 20 }, (_, at) => [...new Array<undefined>(at).fill(undefined), 1e30, 1e-30]);
  const { prices } = finish(fitComparable(fittedValues(marketValues(...chain))));
  t.equal(prices.length, 21);
  const ratios = [...prices].flatMap((price) => [...prices].map((other) => price / other));
  t.ok(ratios.every((ratio) => Number.isFinite(ratio) && ratio > 0));
});

t.test("without values there are no months", async (t) => {
  const found = fit([]);
  t.strictSame([found.months.length, found.prices.length, found.residualDeviation], [0, 0, undefined]);
});

t.test("no step is long", async (t) => {
  const markets = Array.from({ length: 150 }, (_, market) =>
    Array.from({ length: 240 }, (_, month) => 50 + ((market * 7 + month * 13) % 29)),
  );
  const steps = [...fitComparable(fittedValues(marketValues(...markets)))];
  t.ok(steps.length > 240, `${steps.length} steps`);
  // A slice is of 98,304 rows; a value counts as one, a month as twelve.
  t.ok(Math.max(...steps) <= 162 * 240, `the longest is ${Math.max(...steps)}`);
});
