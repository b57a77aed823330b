/** Random datasets of long monthly series: gaps, trends, seasons, constant values, and prices that are wrong. */
import fc from "fast-check";
import type { Dataset } from "../../src/engine/model/dataset.ts";
import { type TinyPrice, tinyDataset } from "./tiny-dataset.ts";

/** A value of each month, undefined where there is a gap. */
export const randomMonths: fc.Arbitrary<readonly (number | undefined)[]> = fc
  .record({
    months: fc.oneof(fc.constantFrom(1, 12, 35, 36, 37, 60), fc.integer({ min: 1, max: 90 })),
    start: fc.integer({ min: 1, max: 500 }),
    trend: fc.constantFrom(0, 0, 0.5, -0.2),
    season: fc.constantFrom(0, 0.3),
    noise: fc.constantFrom(0, 0.1, 0.1, 1),
    /** How many of a hundred months have a value. */
    filled: fc.constantFrom(100, 100, 85, 71, 50),
    calendarMonths: fc.constantFrom(12, 12, 12, 1),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  })
  .map(({ months, start, trend, season, noise, filled, calendarMonths, seed }) => {
    let state = seed;
    const next = (): number => {
      state = (state * 48_271) % 2_147_483_647;
      return state / 2_147_483_647;
    };
    return Array.from({ length: months }, (_, month) => {
      if (next() * 100 >= filled || month % 12 >= calendarMonths) return undefined;
      const value = (start + trend * month) * (1 + season * Math.sin(month / 2)) * (1 + noise * (next() - 0.5));
      const slip = next() < 0.02 ? 10 : 1;
      return Math.max(0.01, Math.round(value * slip * 100) / 100);
    });
  });

/** One product at up to five markets of two types, some of them in refugee camps, each with a series of months. */
export function randomSeriesDataset(): fc.Arbitrary<Dataset> {
  return fc.array(randomMonths, { minLength: 1, maxLength: 5 }).map((markets) =>
    tinyDataset({
      products: [{}],
      markets: markets.map((_, at) => {
        return { type: at === 1 ? "Retail" : "Wholesale", setting: at > 2 ? "refugee_camp" : null } as const;
      }),
      prices: markets.flatMap((months, market) =>
        months.flatMap((price, month): Partial<TinyPrice>[] => {
          if (price === undefined) return [];
          return [{ market, price, recordedAt: new Date(Date.UTC(2015, month, 15)).toISOString() }];
        }),
      ),
    }),
  );
}
