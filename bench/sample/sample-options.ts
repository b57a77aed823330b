/** How large a sample is, and the time it spans. */
import { type Day, dayFromText } from "../../src/engine/model/calendar.ts";

export interface SampleOptions {
  /** How many prices. */
  readonly prices: number;
  /** Equal options with equal seeds give the same sample, byte for byte, on every machine. */
  readonly seed: number;
  readonly products?: number;
  readonly markets?: number;
  /** How many years the prices span; they end with October 2026. */
  readonly years?: number;
}

/** Least and greatest value of each option (both inclusive). */
export const sampleLimits: {
  readonly [Name in keyof SampleOptions]-?: { readonly min: number; readonly max: number };
} = {
  prices: { min: 1, max: 100_000_000 },
  seed: { min: 0, max: 0xffff_ffff },
  products: { min: 1, max: 2000 },
  markets: { min: 1, max: 2000 },
  years: { min: 1, max: 50 },
};

/** The value of an option that is not given. */
export const sampleDefaults = { products: 120, markets: 250, years: 10 } as const;

/** The days of a sample. */
export interface SamplePeriod {
  /** First day, in days since 1970-01-01. */
  readonly dayFirst: Day;
  readonly dayCount: number;
}

/**
 * Puts the defaults in.
 *
 * @throws {RangeError} that names the option that is not a whole number within its limits.
 */
export function completeOptions(options: SampleOptions): Required<SampleOptions> {
  const { prices, seed, products, markets, years } = { ...sampleDefaults, ...options };
  const complete = { prices, seed, products, markets, years };
  for (const [name, { min, max }] of Object.entries(sampleLimits)) {
    const value = complete[name as keyof SampleOptions];
    if (Number.isInteger(value) && value >= min && value <= max) continue;
    throw new RangeError(`${name} is ${value}, expected a whole number from ${min} to ${max}`);
  }
  return complete;
}

/** The last `years` years before November 2026: whole days in Nairobi, and no question of what the clock says. */
export function samplePeriod(years: number): SamplePeriod {
  const [dayFirst, dayEnd] = [2026 - years, 2026].map((year) => dayFromText(`${year}-11-01`) as Day) as [Day, Day];
  return { dayFirst, dayCount: dayEnd - dayFirst };
}
