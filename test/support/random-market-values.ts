/** Random monthly values of markets: gaps, one market or month, and parts that nothing joins. */
import fc from "fast-check";
import type { FittedValues } from "../../src/engine/query/measures/fit-comparable.ts";
import type { MarketValue } from "./naive-comparable.ts";

/** Values of markets by position: a row of months from 24,000 on, undefined where there is none. */
export function marketValues(...markets: readonly (readonly (number | undefined)[])[]): MarketValue[] {
  return markets.flatMap((months, market) =>
    months.flatMap((value, at) => (value === undefined ? [] : [{ market: `m${market}`, month: 24_000 + at, value }])),
  );
}

/** By market, ascending by month. */
export const randomMarketValues: fc.Arbitrary<MarketValue[]> = fc
  .record({
    markets: fc.integer({ min: 1, max: 9 }),
    months: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 40 })),
    /** How many of a hundred months have a value. */
    filled: fc.constantFrom(100, 80, 40, 15, 5),
    /** From one market to the next the months move on by so many: few values, or none, join them. */
    shift: fc.constantFrom(0, 0, 1, 7, 20),
    noise: fc.constantFrom(0, 0.1, 1),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  })
  .map(({ markets, months, filled, shift, noise, seed }) => {
    let state = seed;
    const next = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    const rows = Array.from({ length: markets }, (_, market) => [
      ...new Array<undefined>(shift * market).fill(undefined),
      ...Array.from({ length: months }, (_, month) => {
        const value = (1 + market) * Math.exp(4 + 0.02 * month + noise * (next() - 0.5));
        return next() * 100 < filled ? Math.max(0.01, Math.round(value * 100) / 100) : undefined;
      }),
    ]);
    return marketValues(...rows);
  });

/** @param values By market, ascending by month. */
export function fittedValues(values: readonly MarketValue[]): FittedValues {
  const markets = [...new Set(values.map(({ market }) => market))];
  return {
    length: values.length,
    marketCount: markets.length,
    markets: Int32Array.from(values, ({ market }) => markets.indexOf(market)),
    months: Int32Array.from(values, ({ month }) => month),
    medians: Float64Array.from(values, ({ value }) => value),
  };
}
